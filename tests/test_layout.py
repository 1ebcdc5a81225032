"""The tree as it should lie: names, sizes, and nothing of the machine on which it was written."""

import ast
import importlib
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("controller", "drivers", "vision", "rules", "config")
TOP = {
    *("pyproject.toml", "README.md", "controller", "drivers", "vision", "rules", "tests", "config"),
    *("sabot", "LICENSE", "CHANGELOG.md", "requirements.lock"),
}
LONGEST = 400
"""Lines of a module; beyond it holds a second idea. A test lists its cases, and may be longer."""


def tracked(*endings: str) -> list[Path]:
    """The files under version control, or those that will be."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    paths = [ROOT / name for name in done.stdout.split("\0") if name]
    return [path for path in paths if path.is_file() and (not endings or path.suffix in endings)]


def text(path: Path) -> str:
    """What a file says, if it is text."""
    raw = path.read_bytes()
    return "" if b"\0" in raw else raw.decode(errors="replace")


def test_the_top_holds_the_names_that_were_agreed_and_no_other() -> None:
    names = {path.relative_to(ROOT).parts[0] for path in tracked()}
    assert {name for name in names if not name.startswith(".")} <= TOP
    assert {"pyproject.toml", "controller", "drivers", "vision", "rules", "tests", "config"} <= names


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_is_the_one_of_this_checkout(package: str) -> None:
    # Their names are common: a badly built distribution could lay another over ours.
    found = importlib.import_module(package).__file__
    assert found
    assert Path(found).parent == ROOT / package


def test_every_package_says_in_one_sentence_what_every_module_is() -> None:
    for path in tracked(".py"):
        doc = ast.get_docstring(ast.parse(text(path)))
        assert doc, path
        assert doc.splitlines()[0].endswith((".", ":", "?")), path


def test_no_module_is_too_long() -> None:
    for path in tracked(".py"):
        longest = LONGEST * 2.5 if path.is_relative_to(ROOT / "tests") else LONGEST
        assert len(text(path).splitlines()) <= longest, path


def test_no_file_names_the_machine_on_which_it_was_written() -> None:
    own = re.escape(str(ROOT))
    home = re.compile(rf"{own}/|/(?:home|Users)/[a-z][\w.-]*/")
    assert not [path for path in tracked() if home.search(text(path))]


def test_no_file_but_the_lock_names_where_packages_come_from() -> None:
    source = re.compile(
        r"https?://[^\s\"')]*(?:pypi|simple/|index|artifact|registry)[^\s\"')]*", re.IGNORECASE
    )
    assert not [path for path in tracked() if source.search(text(path))]


def test_nothing_is_left_to_do_and_no_test_is_left_out() -> None:
    left = re.compile(r"\b(?:TODO|FIXME|XXX)\b|pytest\.skip\(|mark\.(?:skip|xfail)|raise NotImplementedError")
    own = Path(__file__)
    assert not [path for path in tracked(".py", ".js", ".toml") if path != own and left.search(text(path))]


@pytest.mark.parametrize(
    ("library", "owner"),
    [("serial", "drivers/port.py"), ("apsw", "controller/journal"), ("sqlite3", "nobody")],
)
def test_what_touches_the_world_is_imported_in_one_place(library: str, owner: str) -> None:
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            uses = re.search(rf"^\s*(?:import|from) {library}\b", text(path), re.MULTILINE)
            assert not uses or str(path.relative_to(ROOT)).startswith(owner), path


def test_every_folder_of_code_is_a_package() -> None:
    for package in PACKAGES:
        for folder in {path.parent for path in tracked(".py") if path.is_relative_to(ROOT / package)}:
            assert (folder / "__init__.py").exists(), folder
