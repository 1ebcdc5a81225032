"""Many looks become one report for each card, whatever the looks are."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.cards import Card, card
from rules.facts import CardSeen, CardUnsure
from vision.read import Reading
from vision.settle import PATIENT, Look, Patience, Settler

A, B = card("8s"), card("Kd")
FRAME = 1 / 30


def sure(one: Card | None, confidence: float = 0.99) -> Reading:
    return Reading(one, confidence)


def unsure(reason: str = "blurred", best: Card | None = None) -> Reading:
    return Reading(best, 0.4, reason)


class Watch:
    """Shows a spot one picture after another, thirty a second."""

    def __init__(self, patience: Patience = PATIENT) -> None:
        self.settler = Settler("punto", patience)
        self.now = 50.0
        self.bare = False

    def see(self, *looks: Look, times: int = 1) -> list[CardSeen | CardUnsure]:
        """What so many pictures with these cards add."""
        facts = []
        for _ in range(times):
            self.now += FRAME
            facts += self.settler.see(self.now, looks, lambda _: self.bare)
        return facts

    def lift(self, times: int = 3) -> None:
        """Take all cards away and show the bare felt."""
        self.bare = True
        assert self.see(times=times) == []
        self.bare = False


def at(x: float, reading: Reading, y: float = 0.0) -> Look:
    return Look(x, y, reading)


def test_a_card_is_reported_when_three_looks_agree_and_only_once() -> None:
    watch = Watch()
    assert watch.see(at(0, sure(A)), times=2) == []
    assert watch.settler.waiting
    assert watch.see(at(0, sure(A, 0.95))) == [CardSeen(A, "punto", 0.95)]
    assert not watch.settler.waiting
    assert watch.see(at(0, sure(A)), times=300) == []


def test_unsure_looks_between_do_not_matter_but_too_many_do() -> None:
    watch = Watch()
    looks = [sure(A), unsure(), sure(A), unsure(), sure(A)]
    assert [len(watch.see(at(0, look))) for look in looks] == [0, 0, 0, 0, 1]
    watch = Watch()
    assert watch.see(*()) == []
    looks = [sure(A), unsure(), unsure(), unsure(), sure(A), sure(A)]
    assert [len(watch.see(at(0, look))) for look in looks] == [0, 0, 0, 0, 0, 0]


def test_two_cards_of_one_face_are_two() -> None:
    watch = Watch()
    assert watch.see(at(0, sure(A)), at(73, sure(A)), times=5) == [
        CardSeen(A, "punto", 0.99),
        CardSeen(A, "punto", 0.99),
    ]
    assert watch.see(at(0, sure(A)), at(73, sure(A)), at(150, sure(A)), times=5) == [
        CardSeen(A, "punto", 0.99)
    ]


def test_a_card_that_is_taken_away_and_laid_again_is_a_new_one() -> None:
    watch = Watch()
    watch.see(at(0, sure(A)), times=3)
    watch.lift()
    assert watch.see(at(0, sure(A)), times=3) == [CardSeen(A, "punto", 0.99)]


def test_a_hand_does_not_take_a_card_away() -> None:
    watch = Watch()
    watch.see(at(0, sure(A)), times=3)
    assert watch.see(times=300) == []
    assert watch.see(at(1, sure(A)), times=10) == []


def test_felt_seen_for_a_moment_does_not_take_a_card_away() -> None:
    watch = Watch()
    watch.see(at(0, sure(A)), times=3)
    watch.lift(times=2)
    assert watch.settler.waiting, "the next picture decides"
    assert watch.see() == []
    watch.lift(times=2)
    assert watch.see(at(0, sure(A)), times=10) == []


def test_a_card_that_slides_is_the_same_card() -> None:
    watch = Watch()
    watch.see(at(0, sure(A)), times=3)
    for step in range(60):
        assert watch.see(at(step * 10.0, sure(A))) == []
    assert watch.see(at(590, sure(A)), times=10) == []


def test_a_card_in_motion_is_not_reported_before_it_rests() -> None:
    watch = Watch()
    for step in range(20):
        assert watch.see(at(step * 8.0, sure(A))) == []
    assert watch.see(at(152, sure(A)), times=2) == [CardSeen(A, "punto", 0.99)]


def test_a_card_passing_over_the_spot_is_none_of_it() -> None:
    watch = Watch()
    for step in range(4):
        watch.see(at(step * 60.0, unsure()))
    watch.lift(times=6)
    assert not watch.settler.waiting


def test_a_back_is_reported_and_then_the_face() -> None:
    watch = Watch()
    assert watch.see(at(0, sure(None)), times=4) == [CardSeen(None, "punto", 0.99)]
    assert watch.see(at(2, unsure()), times=2) == []
    assert watch.see(at(1, sure(A)), times=4) == [CardSeen(A, "punto", 0.99)]
    assert watch.see(at(1, sure(None)), times=4) == [CardSeen(None, "punto", 0.99)]


def test_a_card_that_is_turned_and_cannot_be_read_is_unsure() -> None:
    watch = Watch()
    watch.see(at(0, sure(None)), times=4)
    watch.now += 60
    assert watch.see(at(0, unsure()), times=10) == [], (
        "it was asked a minute later, but only now is it unread"
    )
    assert watch.settler.waiting
    assert watch.see(at(0, unsure("glare", A)), times=45) == [CardUnsure("punto", "glare", A, 0.4)]
    assert not watch.settler.waiting


def test_another_card_in_the_same_place_is_reported() -> None:
    watch = Watch()
    watch.see(at(0, sure(A)), times=5)
    assert watch.see(at(0, sure(B)), times=2) == []
    assert watch.settler.waiting
    assert watch.see(at(0, sure(B)), times=5) == [CardSeen(B, "punto", 0.99)]


def test_a_card_that_cannot_be_read_is_said_once_and_read_later() -> None:
    watch = Watch()
    assert watch.see(at(0, unsure("covered")), times=44) == []
    assert watch.see(at(0, unsure("covered")), times=60) == [CardUnsure("punto", "covered")]
    assert not watch.settler.waiting
    assert watch.see(at(0, sure(A)), times=3) == [CardSeen(A, "punto", 0.99)]
    assert watch.see(at(0, unsure("covered")), times=100) == [], "what is known stays known"


def test_the_best_guess_goes_with_what_is_unsure() -> None:
    watch = Watch()
    looks = [unsure("weak", A), unsure("weak", B), unsure("weak", A), unsure("glare", A)]
    facts = [fact for _ in range(20) for look in looks for fact in watch.see(at(0, look))]
    assert facts == [CardUnsure("punto", "weak", A, 0.4)]


def test_looks_that_contradict_one_another_are_unsure() -> None:
    watch = Watch()
    facts = [fact for _ in range(30) for one in (A, B) for fact in watch.see(at(0, sure(one)))]
    assert [type(fact) for fact in facts] == [CardUnsure]
    assert isinstance(facts[0], CardUnsure)
    assert facts[0].reason == "weak"


def test_two_slow_looks_are_not_enough_to_be_unsure() -> None:
    watch = Watch()
    watch.see(at(0, unsure()))
    watch.now += 10
    assert watch.see(at(0, unsure())) == []
    assert watch.see(at(0, unsure())) == [CardUnsure("punto", "blurred")]


def test_more_patience_asks_for_more() -> None:
    watch = Watch(Patience(agree=6, of=8, unsure_after=0.5))
    assert watch.see(at(0, sure(A)), times=5) == []
    assert len(watch.see(at(0, sure(A)), times=5)) == 1
    watch = Watch(Patience(unsure_after=0.5))
    assert len(watch.see(at(0, unsure()), times=20)) == 1


READINGS = st.sampled_from(
    [sure(A), sure(A), sure(B), sure(None), unsure(), unsure("glare", A), unsure("covered", B)]
)


@given(st.lists(READINGS, max_size=80), st.integers(1, 5), st.integers(0, 4))
@settings(max_examples=200, deadline=None)
def test_no_standing_card_is_reported_twice_and_none_without_agreement(
    readings: Sequence[Reading], agree: int, more: int
) -> None:
    patience = Patience(agree=agree, of=agree + more, unsure_after=0.5)
    watch = Watch(patience)
    said: list[object] = []
    for number, reading in enumerate(readings):
        facts = watch.see(at(0, reading))
        assert len(facts) <= 1
        for fact in facts:
            face = fact.card if isinstance(fact, CardSeen) else "unsure"
            assert not said or said[-1] != face, "the same is not said twice"
            said.append(face)
            newest = readings[max(0, number + 1 - patience.of) : number + 1]
            agreeing = [look.card for look in newest if look.sure]
            if isinstance(fact, CardSeen):
                assert len(agreeing) >= agree
                assert agreeing[-agree:] == [fact.card] * agree
    if len({(look.card, look.sure) for look in readings}) <= 1:
        assert len(said) <= 1


EVENTS = st.lists(
    st.tuples(st.sampled_from(["A", "B", "back", "blur", "hand", "felt"]), st.integers(1, 6)), max_size=30
)


@given(EVENTS)
@settings(max_examples=200, deadline=None)
def test_reports_are_as_many_as_cards_that_came(events: Sequence[tuple[str, int]]) -> None:
    """Whatever happens at one place: a face is reported again only after another, or after bare felt."""
    watch = Watch()
    faces = {"A": sure(A), "B": sure(B), "back": sure(None), "blur": unsure()}
    last: object = "nothing"
    bare = 0
    for what, times in events:
        for _ in range(times):
            watch.bare = what == "felt"
            looks = [at(0, faces[what])] if what in faces else []
            bare = bare + 1 if what == "felt" else 0
            if bare >= PATIENT.agree:
                last = "nothing"
            for fact in watch.see(*looks):
                face = fact.card if isinstance(fact, CardSeen) else "unsure"
                assert face != last
                last = face


@given(
    st.lists(st.lists(st.tuples(st.floats(0, 300), st.floats(0, 100), READINGS), max_size=5), max_size=30),
    st.lists(st.booleans(), min_size=30, max_size=30),
)
@settings(max_examples=200, deadline=None)
def test_never_more_reports_than_looks(
    pictures: Sequence[Sequence[tuple[float, float, Reading]]], bares: Sequence[bool]
) -> None:
    watch = Watch()
    for picture, bare in zip(pictures, bares, strict=False):
        watch.bare = bare
        looks = [Look(x, y, reading) for x, y, reading in picture]
        assert len(watch.see(*looks)) <= len(looks)


@pytest.mark.parametrize("jitter", [0.5, 3.9])
def test_a_card_at_rest_may_seem_to_move_a_little(jitter: float) -> None:
    watch = Watch()
    facts = [fact for number in range(30) for fact in watch.see(at(jitter * (number % 2), sure(A)))]
    assert len(facts) == 1
