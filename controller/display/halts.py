"""A halted table on the screen: what was expected and what happened, steps to mend it, and who may."""

from typing import Any, NamedTuple

from controller.display import told, words
from controller.display.language import Language
from controller.display.pages import Face, Key, face, written
from controller.table import Table
from rules.cards import Card
from rules.facts import CardDrawn, CardFaceUp, CardReread, CardSeen, FaultRaised
from rules.round import Await, Irregularity, Round

NEEDS_CARD = ("replace", "insert")


def halt(table: Table, round_: Round, lang: Language) -> dict[str, Any]:
    """What the halt shows; empty while nothing holds the table."""
    irregularity = round_.irregularity
    if irregularity is None or not irregularity.halts:
        return {}
    trouble = words.TROUBLES[irregularity.code]
    values = _values(irregularity, lang)
    return {
        "code": irregularity.code,
        "title": lang.say(trouble.title, **values),
        "article": irregularity.article,
        "where": told.hand(irregularity.spot, lang),
        "readings": _readings(irregularity, lang),
        "steps": [lang.say(step, **values) for step in trouble.steps],
        "waiting": [face(card) for card in round_.waiting],
        "hands": told.small_hands(round_, lang),
        "keys": _keys(table, round_, irregularity, lang),
    }


def _values(irregularity: Irregularity, lang: Language) -> dict[str, object]:
    """What the words of a trouble are filled with."""
    values: dict[str, object] = dict(irregularity.about)
    values["spot"] = lang.say(words.HANDS.get(irregularity.spot or "", words.FELT))
    if isinstance(irregularity.fact, FaultRaised):
        source, code = irregularity.fact.source, irregularity.fact.code
        what, remedy = words.FAULTS.get(code, (code, words.SEE_DEVICE))
        values["source"] = lang.say(words.SOURCES.get(source, source))
        values["fault"], values["remedy"] = lang.say(what), lang.say(remedy)
    return values


class Reading(NamedTuple):
    """One side of a halt: what was held true, or what came."""

    title: str
    card: Face | None = None
    unread: str = ""
    text: str = ""
    note: str = ""
    picture: str = ""


def _readings(irregularity: Irregularity, lang: Language) -> list[Reading]:
    """Two sides: what the table held true, and what came."""
    fact, shoe = irregularity.fact, irregularity.shoe
    awaited = expected(irregularity.awaited, lang)
    match fact:
        case CardSeen():
            sure = lang.say("certainty {value}", value=lang.number(fact.confidence, 3))
            read = _card(lang.say("The shoe read"), shoe, "", lang)
            if shoe is None:
                read = Reading(lang.say("The shoe read"), text=lang.say("no card for this spot"))
            saw = _card(lang.say("The camera sees"), fact.card, f"{told.hand(fact.at, lang)} · {sure}", lang)
            return [read, saw._replace(picture=fact.picture)]
        case CardReread():
            first = _card(lang.say("The shoe read first"), shoe, "", lang)
            return [first, _card(lang.say("The shoe says now"), fact.card, "", lang)]
        case CardDrawn():
            drawn = _card(lang.say("The shoe read"), fact.card, _hint(fact, lang), lang)
            return [Reading(lang.say("Expected"), text=awaited), drawn]
        case CardFaceUp():
            return [_card(lang.say("Found face up"), fact.card, "", lang)]
        case FaultRaised():
            return [Reading(lang.say("Reported"), text=_reported(irregularity, lang))]
        case _:
            said = Reading(lang.say("Reported"), text=_reported(irregularity, lang))
            return [Reading(lang.say("Expected"), text=awaited), said]


def _card(title: str, card: Card | None, note: str, lang: Language) -> Reading:
    return Reading(title, face(card), "" if card else lang.say("unread"), note=note)


def _hint(fact: CardDrawn, lang: Language) -> str:
    return lang.say("the shoe says: for {hand}", hand=told.hand(fact.hint, lang)) if fact.hint else ""


def expected(awaited: Await, lang: Language) -> str:
    """What the round waited for, in a few words."""
    if awaited.what == "draw":
        return lang.say("a card for {hand}", hand=told.hand(awaited.spot, lang))
    if awaited.what == "bets":
        return lang.say("bets, no card")
    return lang.say("no card: the bets are settled")


def _reported(irregularity: Irregularity, lang: Language) -> str:
    about = irregularity.about
    match irregularity.code:
        case "missing_card":
            return lang.say("{count} message(s) never came", count=about.get("count", "?"))
        case "result_mismatch":
            ours, shoe = str(about.get("ours", "")), str(about.get("shoe", ""))
            return lang.say(
                "the shoe: {shoe}; the rules: {ours}",
                shoe=lang.say(words.BETS.get(shoe, words.NOTHING)),
                ours=lang.say(words.BETS.get(ours, words.NOTHING)),
            )
        case _:
            return lang.say(words.TROUBLES[irregularity.code].title, **_values(irregularity, lang))


def _keys(table: Table, round_: Round, irregularity: Irregularity, lang: Language) -> list[Key]:
    """The rulings that end it, the proposed one loud; each asks for the supervisor's PIN."""
    made = [told.call_key(table, lang)]
    if irregularity.code == "device_fault" and isinstance(irregularity.fact, FaultRaised):
        return [*made, _take_over(irregularity.fact, lang)]
    remedies = _remedies(round_, irregularity, lang)
    if remedies:
        first, *others = remedies
        made += [
            *reversed(others),
            Key(first.label, first.act, first.args, lang.say("PIN of the supervisor"), "main"),
        ]
    return made


def _take_over(fault: FaultRaised, lang: Language) -> Key:
    args = {"mode": "manual", "of": fault.source if fault.source in words.SOURCES else "both"}
    return Key(lang.say("Take over by hand"), "takeover", args, lang.say("enter the cards yourself"), "main")


def _remedies(round_: Round, irregularity: Irregularity, lang: Language) -> list[Key]:
    made = _which_reading(round_, irregularity, lang)
    for action in irregularity.remedies:
        label = lang.say(words.REMEDIES[action])
        if action == "resume":
            label = lang.say(words.RESUMED[irregularity.code])
        elif action == "replace" and irregularity.code == "unreadable":
            label = lang.say(words.ENTER)
        if action.startswith("void"):
            made.append(Key(label, "rule", {"action": action}, kind="quiet"))
        elif action in NEEDS_CARD:
            made.append(Key(label, "ui.pick", {"act": "rule", **_mends(round_, irregularity, action)}))
        else:
            made.append(Key(label, "rule", {"action": action, "n": irregularity.n}))
    return made


def _mends(round_: Round, irregularity: Irregularity, action: str) -> dict[str, object]:
    """The ruling that a picked card belongs to: where two readings differ, it is the draw that is mended."""
    drawn = _drawn(round_, irregularity)
    if action == "replace" and isinstance(irregularity.fact, CardSeen | CardReread):
        return {"action": "replace", "n": drawn} if drawn else {"action": "insert", "n": irregularity.n}
    return {"action": action, "n": irregularity.n}


def _which_reading(round_: Round, irregularity: Irregularity, lang: Language) -> list[Key]:
    """It is the one, or the other: the reading that was wrong is replaced by the right one."""
    fact = irregularity.fact
    if irregularity.code != "shoe_camera_mismatch" or not isinstance(fact, CardSeen) or fact.card is None:
        return []
    it_is = lang.say("It is the {card}", card=written(fact.card))
    shoe, drawn = irregularity.shoe, _drawn(round_, irregularity)
    if shoe is None or drawn is None:
        args = {"action": "insert", "n": irregularity.n, "card": str(fact.card)}
        return [Key(it_is, "rule", args, lang.say("the shoe missed it"))]
    return [
        Key(
            lang.say("It is the {card}", card=written(shoe)),
            "rule",
            {"action": "replace", "n": irregularity.n, "card": str(shoe)},
            lang.say("as the shoe read"),
        ),
        Key(
            it_is,
            "rule",
            {"action": "replace", "n": drawn, "card": str(fact.card)},
            lang.say("as the camera sees"),
        ),
    ]


def _drawn(round_: Round, irregularity: Irregularity) -> int | None:
    """The number of the draw that another reading contradicts; one that nobody has seen before all others."""
    laid = [one for one in round_.laid if one.spot == irregularity.spot and one.card is irregularity.shoe]
    return min(laid, key=lambda one: one.seen).n if laid else None
