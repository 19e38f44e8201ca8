"""Cache lines of numbers as LLVM's vectors, for loops that numba would keep in memory.

numba's cache on disk takes no notice of changes here: whoever makes one empties the folders
``__pycache__`` of this folder.
"""

from typing import Any

from llvmlite import ir

# The bytes of a cache line: one register of AVX-512, two of AVX2.
LINE = 64


class Lines:
    """Instructions on vectors of one cache line of numbers of one type."""

    def __init__(self, builder: Any, number: Any, size: int) -> None:
        self.builder = builder
        self.size = size
        self.n_lanes = LINE // size
        self.type = ir.VectorType(number, self.n_lanes)
        self._first_lane = ir.Constant(ir.VectorType(ir.IntType(32), self.n_lanes), None)

    def load(self, pointer: Any) -> Any:
        """Load the line that starts at a number."""
        return self.builder.load(self._at(pointer), align=self.size)

    def store(self, line: Any, pointer: Any) -> None:
        """Store a line from a number on."""
        self.builder.store(line, self._at(pointer), align=self.size)

    def broadcast(self, number: Any) -> Any:
        """Make a line of one number."""
        one = self.builder.insert_element(
            self.type(ir.Undefined), number, ir.Constant(ir.IntType(32), 0)
        )
        return self.builder.shuffle_vector(one, one, self._first_lane)

    def _at(self, pointer: Any) -> Any:
        return self.builder.bitcast(pointer, self.type.as_pointer())
