"""What commands say of names that anybody may have given."""

from hardy.cli._console import note


def test_control_characters_of_names_do_not_reach_the_terminal(capsys):
    note("hardy: There is no file \x1b]0;title\x07\x1b[31mred.csv.")
    said = capsys.readouterr().err
    assert said.startswith("hardy: There is no file")
    assert said[:-1].isprintable()


def test_an_error_never_fills_the_terminal(run, tmp_path):
    done = run("clean", tmp_path / ("x" * 100_000), "--output", tmp_path / "out.csv")
    assert done.exit_code == 2
    assert len(done.stderr) < 5000
    # What is wrong, and what to do, stand at the ends.
    assert done.stderr.startswith(f"hardy: {tmp_path}")
    assert done.stderr.endswith("can't be read: File name too long.\n")
