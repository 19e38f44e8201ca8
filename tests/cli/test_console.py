"""What commands say of names that anybody may have given."""

from hardy.cli._console import note


def test_control_characters_of_names_do_not_reach_the_terminal(capsys):
    note("hardy: There is no file \x1b]0;title\x07\x1b[31mred.csv.")
    said = capsys.readouterr().err
    assert said.startswith("hardy: There is no file")
    assert said[:-1].isprintable()
