"""Audit the example file as a user would, and compare the suspects with the answers."""

import subprocess
import sys
import sysconfig
from pathlib import Path

import pandas as pd

EXAMPLES = Path(__file__).parent
FILE = EXAMPLES / "breast_cancer.csv"
ANSWERS = EXAMPLES / "breast_cancer_flipped.csv"


def main() -> int:
    shown = FILE.relative_to(Path.cwd()) if FILE.is_relative_to(Path.cwd()) else FILE
    arguments = ["audit", str(shown), "--target", "diagnosis"]
    print(f"$ hardy {' '.join(arguments)}", flush=True)
    hardy = Path(sysconfig.get_path("scripts"), "hardy")
    status = subprocess.run([hardy, *arguments], check=False).returncode
    if status:
        return status

    folder = Path(f"{FILE.name}.audit").resolve()
    suspects = set(pd.read_csv(folder / "suspects.csv")["row"])
    flipped = set(pd.read_csv(ANSWERS)["row"])
    found = len(suspects & flipped)
    print()
    print(f"{len(flipped)} of the {len(pd.read_csv(FILE))} labels were flipped on purpose.")
    print(f"{found} of them are among the {len(suspects)} suspects:")
    print(f"  found      {found / len(flipped):.0%} of the flipped labels")
    print(f"  precision  {found / len(suspects):.0%} of the suspects")
    print(f"The report: {folder / 'report.html'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
