"""Facts: values that cannot change, each with one word."""

from dataclasses import FrozenInstanceError, fields, is_dataclass
from typing import get_args

import pytest

from rules.cards import Card
from rules.facts import WORD_OF, WORDS, CardDrawn, Fact
from rules.judge import TAKE

KINDS = get_args(Fact)


def test_every_fact_has_one_word_and_every_word_one_fact() -> None:
    assert set(WORDS.values()) == set(KINDS)
    assert len(WORDS) == len(KINDS)
    assert {WORD_OF[kind]: kind for kind in KINDS} == WORDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_fact_is_a_value(kind: type[Fact]) -> None:
    assert is_dataclass(kind)
    assert not hasattr(kind(*[None] * len(fields(kind))), "__dict__")


def test_a_fact_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        CardDrawn(Card.C9).card = Card.D9  # type: ignore[misc]


def test_facts_are_equal_by_what_they_say() -> None:
    assert CardDrawn(Card.C9) == CardDrawn(Card.C9) != CardDrawn(Card.D9)


def test_the_fold_knows_no_kind_that_is_no_fact() -> None:
    assert set(TAKE) <= set(KINDS)
