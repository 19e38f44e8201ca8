import json
import sys

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
    assert str(caught.value) == (
        "Searching needs no_such_module: pip install 'hardy[neighbors]', or '.[neighbors]' in a "
        "checkout"
    )
    assert isinstance(caught.value, ImportError)
    assert isinstance(caught.value.__cause__, ModuleNotFoundError)


@pytest.mark.parametrize(
    ("content", "module", "error", "message"),
    [
        ("import no_such_module", "broken", ModuleNotFoundError, "no_such_module"),
        ("raise ImportError('libfoo.so.1 is missing')", "broken", ImportError, "libfoo"),
        ("", "broken.inside", ModuleNotFoundError, "broken.inside"),
    ],
)
def test_a_broken_installation_shows_its_own_error(
    tmp_path, monkeypatch, content, module, error, message
):
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "__init__.py").write_text(content)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "broken", raising=False)
    with pytest.raises(error, match=message) as caught:
        import_extra(module, extra="neighbors", purpose="Searching")
    assert not isinstance(caught.value, MissingExtraError)
    monkeypatch.delitem(sys.modules, "broken", raising=False)
