"""What `BUS.md` shows is what travels."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from config.load import load
from controller import topics
from controller.bus import MOST_ENTRIES
from controller.codec import decode_strictly
from controller.reporter import AGAIN_AFTER
from controller.topics import Answer, Beat, Hello, Report, Since

TEXT = (Path(__file__).parents[2] / "controller" / "BUS.md").read_text()
EXAMPLES = re.findall(r"^(\{\"kind\".*\})$", TEXT, re.MULTILINE) + re.findall(r"`(\{\"kind\".*?\})`", TEXT)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_a_message_and_has_all_its_keys(example: str) -> None:
    kinds = (Hello | Beat | Report | Since, Answer)
    read = []
    for kind in kinds:
        try:
            read.append(msgspec.json.decode(example, type=kind))
        except msgspec.ValidationError:
            continue
    assert any(json.loads(msgspec.json.encode(one)) == json.loads(example) for one in read)


def test_every_kind_of_message_is_shown() -> None:
    shown = {json.loads(example)["kind"] for example in EXAMPLES}
    assert shown == {
        "hello",
        "beat",
        "report",
        "since",
        "welcome",
        "ack",
        "expected",
        "rejected",
        "entry",
        "entries",
    }


def test_the_facts_of_the_examples_are_facts() -> None:
    facts = re.findall(r'"word":"(\w+)","fact":(\{.*?\})', TEXT)
    assert facts
    for word, body in facts:
        decode_strictly(word, body.encode())


def test_the_numbers_are_those_of_the_code() -> None:
    assert f"Version **{topics.VERSION}**" in TEXT
    assert f"At most {topics.MOST} bytes" in TEXT
    assert f"At most {MOST_ENTRIES} entries" in TEXT
    assert f"Nothing for {topics.SILENT_AFTER} s" in TEXT
    assert AGAIN_AFTER == 0.5
    assert "No answer within half a second" in TEXT


def test_the_table_file_is_one(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "config" / "ez_baccarat.toml"
    sections = re.search(r"```toml\n(.*?)```", TEXT, re.DOTALL)
    assert sections
    text = re.sub(r"\[bus\]\nfolder.*?\n", "", example.read_text())
    path = tmp_path / "table.toml"
    path.write_text(text + "\n" + sections[1])
    config = load(path)
    assert config.file.sources["chips-1"].may == ["bet"]
    assert config.file.bus.readers
