"""What a screen may show: nothing of a card that nobody has turned."""

from collections.abc import Sequence
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from rules.bets import Refusal
from rules.cards import DECK, Card
from rules.view import View, view
from tests.rules.table import Table


def shown(table: Table) -> View:
    """What the dealer's screen may show."""
    return view(table.felt.law, table.now)


def betting(**options: object) -> Table:
    """A table with a bet on Punto, where every card must be confirmed."""
    table = Table(**{"camera": True, **options})
    table.bet("punto")
    return table


def test_a_card_is_hidden_until_it_was_seen() -> None:
    table = betting()
    table.draw("9c 3h")
    assert shown(table).hands == {"punto": (None,), "banca": (None,)}
    assert shown(table).totals == {"punto": None, "banca": None}
    table.see("3h", "banca")
    assert shown(table).hands == {"punto": (None,), "banca": (Card.H3,)}
    assert shown(table).totals == {"punto": None, "banca": 3}


def test_where_no_sighting_is_needed_nothing_is_hidden() -> None:
    table = betting(camera=False)
    table.draw("9c 3h Kd 4s")
    assert shown(table).hands == {"punto": (Card.C9, Card.KD), "banca": (Card.H3, Card.S4)}
    assert shown(table).awaits == table.now.awaits
    assert shown(table).outcome == table.now.outcome
    assert shown(table).payouts == table.now.payouts != ()


def test_the_first_four_prompts_tell_nothing_and_are_shown() -> None:
    table = betting()
    for spot, name in (("banca", "9c"), ("punto", "3h"), ("banca", "Kd")):
        table.draw(name)
        assert (shown(table).awaits.what, shown(table).awaits.spot) == ("draw", spot)


def test_whether_a_third_card_is_due_is_shown_when_the_cards_it_follows_from_are_seen() -> None:
    table = betting()
    table.draw("2c 3h 3d 4s")
    assert table.now.awaits.article == "11.c"
    assert (shown(table).awaits.what, shown(table).awaits.spot) == ("seen", "punto")
    table.see("2c 3d", "punto")
    assert (shown(table).awaits.what, shown(table).awaits.spot) == ("seen", "banca")
    table.see("3h 4s", "banca")
    assert (shown(table).awaits.what, shown(table).awaits.article) == ("draw", "11.c")


def test_no_result_and_no_payout_is_shown_before_every_card_was_seen() -> None:
    table = betting()
    table.draw("9c 3h Kd 4s")
    table.see("9c Kd", "punto")
    table.see("3h", "banca")
    assert table.now.outcome is not None
    assert shown(table).outcome is None
    assert shown(table).payouts == ()
    table.see("4s", "banca")
    assert shown(table).outcome is table.now.outcome
    assert [payout.net for payout in shown(table).payouts] == [1000]


def test_a_refused_closing_does_not_tell_whether_a_card_is_due() -> None:
    for names in ("9c 3h Kd 4s", "2c 3h 3d 4s", "2c 3h 4d 2s"):
        table = betting()
        table.draw(names)
        table.close()
        assert table.play.refused == Refusal("not_due", "8")


SPOTS = ("punto", "banca", "punto", "banca")


@settings(max_examples=60)
@given(
    faces=st.lists(st.sampled_from(DECK), min_size=8, max_size=8, unique=True),
    turned=st.lists(st.booleans(), min_size=1, max_size=4).filter(lambda turned: not all(turned)),
)
def test_the_screen_is_the_same_for_all_values_of_the_cards_that_nobody_has_turned(
    faces: list[Card], turned: list[bool]
) -> None:
    dealt, others = faces[: len(turned)], faces[4 : 4 + len(turned)]
    changed = [card if is_seen else other for card, other, is_seen in zip(dealt, others, turned, strict=True)]
    assert _screen(dealt, turned) == _screen(changed, turned)


def _screen(cards: Sequence[Card], turned: Sequence[bool]) -> tuple[View, object]:
    """What is shown, and why a closing is refused, when these cards lie there and some were turned."""
    table = betting()
    table.draw(" ".join(cards))
    for card, at, is_seen in zip(cards, SPOTS, turned, strict=False):
        if is_seen:
            table.see(card, at)
    table.close()
    return shown(table), table.play.refused


def test_third_cards_dealt_blind_hide_what_they_lead_to() -> None:
    screens = []
    for punto, banca in product(("6h", "7h"), ("2d", "Kd")):
        table = betting()
        table.draw(f"2c 3h 3d 2s {punto} {banca}")
        assert table.trouble is None
        screens.append(shown(table))
    assert all(screen == screens[0] for screen in screens)
    assert screens[0].outcome is None
