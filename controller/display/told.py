"""What several parts of a page say in the same way: a hand, a result, the call for the supervisor."""

from typing import Any

from controller.display import words
from controller.display.language import Language
from controller.display.pages import Key, face
from controller.table import Table
from rules.facts import Spot
from rules.round import Round
from rules.view import View


def hand(spot: Spot | None, lang: Language) -> str:
    """The name of a hand; of a spot that is none, nothing."""
    name = words.HANDS.get(spot or "")
    return lang.say(name) if name else ""


def result(seen: View, lang: Language) -> dict[str, Any] | None:
    """Who won, once all that it follows from was seen."""
    outcome = seen.outcome
    if outcome is None:
        return None
    totals = " : ".join(str(seen.totals[spot]) for spot in seen.hands)
    marks = [lang.say(words.MARKS[mark]) for mark in outcome.marks]
    if outcome.winner == "empate":
        text = lang.say("Tie")
    else:
        text = lang.say("{winner} wins", winner=hand(outcome.winner, lang).upper())
    return {"winner": outcome.winner, "text": text, "small": " · ".join([totals, *marks])}


def small_hands(round_: Round, lang: Language) -> list[dict[str, Any]]:
    """The cards of the round as far as they may be shown, to compare with the felt."""
    spots = dict.fromkeys(words.HANDS)
    del spots["burn"]
    return [
        {
            "name": hand(spot, lang),
            "cards": [face(laid.card if laid.seen else None) for laid in round_.laid if laid.spot == spot],
        }
        for spot in spots
    ]


def correct_key(lang: Language) -> Key:
    """A card of this round is wrong."""
    return Key(lang.say("Correct a card"), "ui.sheet", {"value": "correct"}, kind="quiet")


def call_key(table: Table, lang: Language) -> Key:
    """The supervisor is called, or was called."""
    if table.called:
        return Key(
            lang.say("Supervisor called"), "call", {"on": False}, lang.say("tap when he is here"), "call on"
        )
    return Key(lang.say("Call the supervisor"), "call", {"on": True}, kind="call")
