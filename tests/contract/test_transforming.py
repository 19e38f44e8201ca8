"""What holds for every transformer beyond that."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal
from scipy import sparse

from contract.registry import every_transformer, every_transformer_setting, outputs


@every_transformer_setting
def test_fitting_and_transforming_at_once_is_the_same(case, settings):
    X, y = case.data()
    at_once = case(**settings).fit_transform(X, y)
    model = case(**settings).fit(X)
    assert type(at_once) is type(model.transform(X))
    at_once = at_once.toarray() if sparse.issparse(at_once) else at_once
    assert_array_equal(at_once, outputs(model, X))


@every_transformer_setting
def test_every_column_has_a_name_of_its_own(case, settings):
    X, _ = case.data()
    model = case(**settings).fit(X)
    names = model.get_feature_names_out()
    assert len(names) == outputs(model, X).shape[1]
    assert len(set(names)) == len(names)


@every_transformer
@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_output_as_frames(case, library):
    case.skip_where_it_cannot("frames")
    X, _ = case.data()
    X = pd.DataFrame(X).set_index(np.arange(120)[::-1])
    plain = case().fit(X)
    frame = case().set_output(transform=library).fit(X).transform(X)
    assert type(frame).__module__.startswith(library)
    assert list(frame.columns) == list(plain.get_feature_names_out())
    assert_array_equal(frame.to_numpy(), plain.transform(X))
    if library == "pandas":
        assert_array_equal(frame.index, X.index)
