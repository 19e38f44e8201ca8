import pytest

from hardy._names import say_known


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Prunning", "did you mean 'pruning'? There are blp, pruning."),
        ("xyz", "there are blp, pruning."),
        (3, "there are blp, pruning."),
    ],
)
def test_the_nearest_name_comes_before_all_that_there_are(name, said):
    assert say_known(name, ["blp", "pruning"]) == said
