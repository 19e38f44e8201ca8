"""The command line and files as programs and people leave them."""

import pytest

from data.truth import FOLDER, READ, REFUSED, target_of

# What only the audit minds, as the readers can't know what a column is for.
NO_AUDIT = {
    "one_row.csv": "has one class only, 'apple'",
    "one_column.csv": "no column left to learn from beside the target 'label'",
}


@pytest.mark.parametrize("name", [*READ, *REFUSED])
def test_the_command_line_audits_them_or_says_why_not_in_one_line(run, tmp_path, name):
    target = target_of(list(READ[name][0])) if name in READ else "label"
    before = (FOLDER / name).read_bytes()
    result = run("audit", FOLDER / name, "--target", target, "--output", tmp_path / "out")
    assert (FOLDER / name).read_bytes() == before
    if result.exit_code == 0:
        assert name not in REFUSED.keys() | NO_AUDIT.keys()
        assert (tmp_path / "out" / "report.html").exists()
        return
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert result.stderr.startswith("hardy: ")
    assert (
        name in REFUSED or NO_AUDIT.get(name, "of its own in each of the 2 rows") in result.stderr
    )
    assert not (tmp_path / "out").exists()
