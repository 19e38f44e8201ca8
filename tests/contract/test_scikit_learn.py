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


@every
def test_every_parameter_is_in_the_grid(case):
    assert {name for name in case.grid if "__" not in name} == case.names
