"""Every word that a screen may say is there, in every language, with the same blanks."""

import importlib.util
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from controller.display import words
from controller.display.language import CATALOGUES, LOCALES, language
from rules.felt import REMEDIES
from rules.known import GAMES

ROOT = Path(__file__).parents[3]


def _texts() -> Callable[[], set[str]]:
    spec = importlib.util.spec_from_file_location("said", Path(__file__).with_name("said.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.texts


def _catalogue(code: str) -> dict[str, str]:
    with (CATALOGUES / f"{code}.po").open("rb") as file:
        return {str(one.id): str(one.string) for one in read_po(file, locale=LOCALES[code]) if one.id}


@pytest.mark.parametrize("code", ["es", "zh"])
def test_the_catalogue_has_every_text_and_no_other(code: str) -> None:
    assert set(_catalogue(code)) == _texts()()


@pytest.mark.parametrize("code", ["es", "zh"])
def test_every_text_is_translated_with_the_same_blanks(code: str) -> None:
    for text, said in _catalogue(code).items():
        assert said, text
        assert sorted(re.findall(r"{\w+}", said)) == sorted(re.findall(r"{\w+}", text)), text


@pytest.mark.parametrize("code", ["es", "zh"])
def test_the_catalogue_is_in_order_and_says_nothing_twice(code: str) -> None:
    ids = re.findall(r'^msgid "(.+)"', (CATALOGUES / f"{code}.po").read_text(), re.MULTILINE)
    assert len(ids) == len(set(ids))


def test_every_irregularity_has_its_words() -> None:
    assert set(words.TROUBLES) == set(REMEDIES)


def test_every_remedy_has_its_word_and_going_on_says_what_it_means() -> None:
    for code, remedies in REMEDIES.items():
        assert set(remedies) <= set(words.REMEDIES), code
        assert "resume" not in remedies or code in words.RESUMED, code


def test_every_refusal_has_its_words() -> None:
    code = "\n".join(
        path.read_text() for folder in ("rules", "controller") for path in (ROOT / folder).glob("*.py")
    )
    given = set(re.findall(r'Refusal\(\s*"(\w+)"|refuse\(\s*"(\w+)"|_refused\(tap, "(\w+)"\)', code))
    assert {one for group in given for one in group if one} <= set(words.REFUSALS)


def test_every_game_bet_and_hand_has_its_name() -> None:
    for game in GAMES.values():
        assert game.name in words.GAMES
        assert set(game.bets) <= set(words.BETS)
        assert set(game.hands) <= set(words.HANDS)


def test_a_text_without_a_translation_is_said_in_english() -> None:
    assert language("es").say("No such text {n}", n=1) == "No such text 1"


def test_an_unknown_language_is_spanish() -> None:
    assert language("fr").code == "es"


@pytest.mark.parametrize("code", list(LOCALES))
def test_money_is_written_with_its_own_sign_and_no_needless_decimals(code: str) -> None:
    lang = language(code)
    assert lang.money(122500, "PEN") == "S/ 1,225"
    assert lang.money(122550, "PEN") == "S/ 1,225.50"
    assert lang.amount(-105000, "PEN") == "-1,050"
    assert lang.amount(5, "PEN") == "0.05"
