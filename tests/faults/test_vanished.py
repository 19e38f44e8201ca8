"""Inputs that vanish while they are used: the work is done, or one line says what is missing."""

import pytest

from faults.conftest import COMMANDS, TIMES, contents, remove_output

INPUTS = {
    "audit": ["fruit.csv"],
    "audit-on-disk": ["fruit.csv"],
    "fit": ["fruit.csv"],
    "predict": ["fruit.csv", "model.hardy"],
    "clean": ["fruit.csv", "fruit.audit/arrays.npz", "fruit.audit/audit.json"],
    "compare": ["fruit.csv"],
}


@pytest.mark.parametrize(
    ("name", "vanishing"), [(name, path) for name, paths in INPUTS.items() for path in paths]
)
def test_an_input_that_vanishes_is_named_or_was_read(
    here, run_unlucky, undisturbed, draw, name, vanishing
):
    command = COMMANDS[name]
    whole, _ = undisturbed(name)
    data = (here / vanishing).read_bytes()
    for _ in range(2 * TIMES):
        remove_output(here)
        (here / vanishing).write_bytes(data)
        before = contents(here)
        # Most of the first things that are touched are the inputs.
        at = draw.choice([draw.randint(1, 8), draw.randint(1, whole.touched)])
        facts = {"at": at, "path": str(here / vanishing)}
        done = run_unlucky(here, command.arguments, "remove", **facts)
        assert done.status in (0, 2), done.said
        if done.status == 2:
            assert len(done.lines) == 1, done.said
            assert vanishing.rpartition("/")[2] in done.said or "holds no audit" in done.said
            assert not (here / "out").exists()
        command.check(here / "out")
        after = contents(here)
        (here / vanishing).write_bytes(data)
        assert after.items() <= before.items()
