import re
from pathlib import Path

from sklearn.utils.estimator_checks import parametrize_with_checks

from contract.registry import CASES, every, expected_failures, public_estimators


@parametrize_with_checks(
    [case.make(**{**case.quick, **settings}) for case in CASES for settings in case.settings()],
    expected_failed_checks=expected_failures,
)
def test_scikit_learns_checks(estimator, check):
    check(estimator)


def test_every_public_estimator_has_its_case():
    assert {case.make for case in CASES} == public_estimators()


def test_every_public_class_is_in_the_table_of_checks_and_in_that_of_peers():
    page = Path(__file__).parents[2] / "docs" / "reference" / "contract.md"
    names = {item.__name__ for item in public_estimators()}
    for table in page.read_text(encoding="utf-8").split("## Beside the peer"):
        assert set(re.findall(r"^\| \{py:obj\}`~[\w.]*\.(\w+)`", table, re.MULTILINE)) == names


@every
def test_every_parameter_is_in_the_grid(case):
    assert {name for name in case.grid if "__" not in name} == case.names
