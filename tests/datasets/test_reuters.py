import gzip
import io
import json
import tarfile
import urllib.request
from urllib.error import URLError

import pytest
from sklearn import datasets

from hardy.datasets import fetch_reuters, reuters
from hardy.exceptions import InputError
from needs import needs_data

SGML = """<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="5544" NEWID="1">
<DATE>26-FEB-1987</DATE><TOPICS><D>crude</D><D>nat-gas</D></TOPICS><PLACES></PLACES>
<TEXT>&#2;
<TITLE>OIL &amp; GAS</TITLE>
<DATELINE> HOUSTON, Feb 26 - </DATELINE><BODY>Prices rose
&lt;TX> again.
 Reuter
&#3;</BODY></TEXT>
</REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="TEST" NEWID="2">
<TOPICS></TOPICS><TEXT TYPE="BRIEF">&#2;
<TITLE>A TITLE ONLY</TITLE></TEXT></REUTERS>
<REUTERS TOPICS="NO" LEWISSPLIT="TRAIN" NEWID="3"><TEXT><BODY>x</BODY></TEXT></REUTERS>
<REUTERS TOPICS="YES" LEWISSPLIT="NOT-USED" NEWID="4"><TEXT><BODY>x</BODY></TEXT></REUTERS>
"""


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    monkeypatch.delenv("HARDY_DATA", raising=False)
    monkeypatch.setattr(datasets, "get_data_home", lambda: str(tmp_path / "cache"))
    monkeypatch.setattr(reuters, "_SIZES", {"train": 1, "test": 0})
    monkeypatch.setattr(reuters, "_digest_labels", lambda stories: reuters._LABELS)
    return tmp_path


def archive_of(text):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
        info = tarfile.TarInfo("reut2-000.sgm")
        info.size = len(text.encode("latin-1"))
        archive.addfile(info, io.BytesIO(text.encode("latin-1")))
    return buffer.getvalue()


def test_stories_by_hand():
    assert list(reuters.parse_stories(SGML)) == [
        {
            "id": 1,
            "split": "train",
            "topics": ["crude", "nat-gas"],
            "title": "OIL & GAS",
            "body": "Prices rose\n<TX> again.",
            "texttype": "NORM",
        },
        {
            "id": 2,
            "split": "test",
            "topics": [],
            "title": "A TITLE ONLY",
            "body": "",
            "texttype": "BRIEF",
        },
    ]


def test_what_is_fetched_is_kept(monkeypatch, nowhere):
    calls = []

    def urlopen(url, timeout):
        calls.append(url)
        return io.BytesIO(archive_of(SGML))

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    for _ in range(2):
        data, target = fetch_reuters("crude", return_X_y=True)
        assert data == ["OIL & GAS\nPrices rose\n<TX> again."]
        assert target.tolist() == [True]
    assert len(calls) == 1
    assert fetch_reuters(subset="all").topics == [["crude", "nat-gas"]]


def test_without_a_network(monkeypatch, nowhere):
    def urlopen(url, timeout):
        raise URLError("no route")

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    with pytest.raises(InputError, match=r"can't be fetched .*no route.* put reuters21578_modapte"):
        fetch_reuters("crude")
    monkeypatch.setattr(urllib.request, "urlopen", lambda url, timeout: io.BytesIO(b"no archive"))
    with pytest.raises(InputError, match="can't be fetched"):
        fetch_reuters("crude")
    assert not (nowhere / "cache").exists()


@pytest.mark.parametrize(
    "content", [b"", b"no gzip", gzip.compress(b"[1]", mtime=0), gzip.compress(b"{", mtime=0)]
)
def test_a_damaged_file_is_named(nowhere, content):
    (nowhere / "reuters21578_modapte.jsonl.gz").write_bytes(content)
    with pytest.raises(InputError, match=r"(is damaged|has 0 stories)"):
        fetch_reuters(data_home=nowhere)


def test_a_collection_of_another_size_is_refused(monkeypatch, nowhere):
    story = next(iter(reuters.parse_stories(SGML)))
    lines = (json.dumps(story) + "\n").encode() * 2
    (nowhere / "reuters21578_modapte.jsonl.gz").write_bytes(gzip.compress(lines))
    with pytest.raises(InputError, match="has 2 stories to train with, but 1 are expected"):
        fetch_reuters(data_home=nowhere)


@pytest.mark.parametrize("missing", ["topics", "body", "split"])
def test_a_story_without_a_part_is_damage(nowhere, missing):
    story = {k: v for k, v in next(iter(reuters.parse_stories(SGML))).items() if k != missing}
    content = gzip.compress((json.dumps(story) + "\n").encode())
    (nowhere / "reuters21578_modapte.jsonl.gz").write_bytes(content)
    with pytest.raises(InputError, match=rf"is damaged \('{missing}'\)"):
        fetch_reuters(data_home=nowhere)


def test_other_topics_are_noticed(nowhere, monkeypatch):
    monkeypatch.undo()
    monkeypatch.setattr(reuters, "_SIZES", {"train": 1, "test": 0})
    story = next(iter(reuters.parse_stories(SGML)))
    content = gzip.compress((json.dumps(story) + "\n").encode())
    (nowhere / "reuters21578_modapte.jsonl.gz").write_bytes(content)
    with pytest.raises(InputError, match="other numbers or topics"):
        fetch_reuters(data_home=nowhere)


def test_a_folder_that_is_none_is_named(nowhere):
    with pytest.raises(InputError, match=r"data_home='.*none' is no folder"):
        fetch_reuters(data_home=nowhere / "none")


@needs_data
def test_the_collection_of_the_paper():
    train, test = fetch_reuters("crude"), fetch_reuters("crude", subset="test")
    assert (len(train.data), len(test.data)) == (8762, 3009)
    assert (train.target.sum(), test.target.sum()) == (349, 161)
    for topic, numbers in {"earn": (2709, 1044), "grain": (394, 134)}.items():
        assert (fetch_reuters(topic).target.sum(),
                fetch_reuters(topic, subset="test").target.sum()) == numbers  # fmt: skip
    assert all(train.data)
    with pytest.raises(InputError, match=r"no topic 'crud'; did you mean 'crude'\? There are acq"):
        fetch_reuters("crud")
