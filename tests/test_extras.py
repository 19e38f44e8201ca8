import json

import pytest

from hardy._extras import import_extra
from hardy.exceptions import MissingExtraError


def test_what_is_there_is_imported():
    assert import_extra("json", extra="parquet", purpose="Reading") is json
    assert import_extra("os.path", extra="parquet", purpose="Reading").__name__.endswith("path")


@pytest.mark.parametrize("module", ["no_such_module", "no_such_module.inside"])
def test_what_is_missing_is_named_with_its_extra(module):
    with pytest.raises(MissingExtraError) as caught:
        import_extra(module, extra="neighbors", purpose="Searching")
    assert str(caught.value) == "Searching needs no_such_module: pip install 'hardy[neighbors]'"
    assert isinstance(caught.value, ImportError)
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)
