import inspect

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from hardy.cli import app


@pytest.fixture
def runner():
    """Run a command line in this process, standard output and error apart."""
    # Before click 8.2 they are mixed unless this is asked for.
    apart = "mix_stderr" in inspect.signature(CliRunner.__init__).parameters
    return CliRunner(mix_stderr=False) if apart else CliRunner()


@pytest.fixture
def run(runner):
    """Run the command line in this process."""

    def run(*arguments):
        return runner.invoke(app, [str(argument) for argument in arguments])

    return run


def make_fruit(path):
    """Write a table whose labels follow from one of its columns."""
    rng = np.random.default_rng(0)
    n = 80
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=n).round(3),
            "colour": rng.choice(["red", "green"], n),
            "unit": "mm",
            "batch": [f"{code:03d}" for code in rng.integers(0, 9, n)],
        }
    )
    frame["state"] = np.where(frame["size"] > 0, "ripe", "=raw")
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def fruit(tmp_path):
    """A table in a file whose labels follow from one of its columns."""
    return make_fruit(tmp_path / "fruit.csv")
