import signal
import subprocess
import sys
from importlib import import_module, metadata

import pytest

import hardy
from hardy.__main__ import main


def test_dir_lists_what_there_is_without_loading_it():
    code = (
        "import sys, hardy; names = dir(hardy); print(*names); "
        "sys.exit(any(m in sys.modules for m in ('numpy', 'pandas', 'sklearn', 'numba')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = done.stdout.split()
    assert {"audit_labels", "NoiseReducingBoostClassifier", "noise", "__version__"} <= set(names)
    assert all(hasattr(hardy, name) for name in names)


@pytest.mark.parametrize("name", hardy.__all__)
def test_a_public_name_is_its_modules_own(name):
    home = import_module(getattr(hardy, name).__module__.rpartition(".")[0])
    assert getattr(home, name) is getattr(hardy, name)
    assert name in home.__all__


def test_version():
    assert hardy.__version__ == metadata.version("hardy")


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = hardy.nothing
    assert not hasattr(hardy, "Panel")
    with pytest.raises(ImportError):
        exec("from hardy import nothing")


@pytest.fixture
def own_ctrl_c(monkeypatch):
    """Give Ctrl-C back to the tests."""
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    before = signal.getsignal(signal.SIGINT)
    yield
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("own_ctrl_c")
def test_ctrl_c_while_the_command_line_loads_is_one_line(monkeypatch, capsys):
    def interrupt():
        raise KeyboardInterrupt

    monkeypatch.setattr("hardy.cli.main", interrupt)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 2
    assert capsys.readouterr().err == "hardy: interrupted\n"
