"""The dealer's page: from the table and what one screen has open to the regions that are drawn.

Nothing is decided here: the prompt is what the rules await, put into words, and the keys are the taps that
mean something where the table stands.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from controller.display import halts, sheets, told, words
from controller.display.language import Language
from controller.display.pages import Key, chips, face
from controller.display.session import Session
from controller.table import Table
from rules.bets import Refusal
from rules.facts import Spot
from rules.money import Odds
from rules.round import Payout, Round
from rules.view import View, view

SEATS_A_PAGE = 7
"""Seats whose keys fit side by side at their full size."""


def regions(table: Table, session: Session, lang: Language) -> dict[str, dict[str, Any]]:
    """What every region of the page shows, by its name."""
    round_ = table.play.now
    seen = view(table.play.felt.law, round_)
    halted = halts.halt(table, round_, lang)
    return {
        "top": top(table, round_, lang),
        "prompt": prompt(table, round_, seen, lang),
        "felt": felt(table, round_, seen, session, lang),
        "side": side(table, round_, seen, lang),
        "halt": halted,
        "sheet": sheets.sheet(table, round_, session, lang),
        "keys": {"keys": halted.get("keys") or keys(table, seen, session, lang)},
    }


def top(table: Table, round_: Round, lang: Language) -> dict[str, Any]:
    """The line of what is always shown: where we are, the limits, the health of the devices."""
    file, shoe = table.config.file, table.play.standing.shoe
    # Those of the main bets; each bet has its own beside its name.
    mains = [table.config.law.limits(bet) or (0, 0) for bet in table.config.law.game.mains]
    least, most = min(least for least, _ in mains), max(most for _, most in mains)
    lamps = [lamp(table, name, lang) for name, part in (("shoe", file.shoe), ("camera", file.camera)) if part]
    return {
        "table": file.table,
        "game": lang.say(words.GAMES[file.game]),
        "shoe": shoe.number,
        "round": round_.number,
        "limits": f"{lang.money(least, file.money.currency)} \u2013 {lang.amount(most, file.money.currency)}",
        "left": shoe.left,
        "cut": shoe.cut,
        "lamps": lamps,
        "called": table.called,
    }


def lamp(table: Table, source: str, lang: Language) -> dict[str, Any]:
    """The health of a device in one word."""
    standing = table.play.standing
    name = lang.say(words.SOURCES[source])
    if source in standing.by_hand:
        return {"name": name, "state": "hand", "word": lang.say("by hand")}
    if any(where == source for where, _ in standing.faults):
        return {"name": name, "state": "bad", "word": lang.say("fault")}
    return {"name": name, "state": "good", "word": ""}


def prompt(table: Table, round_: Round, seen: View, lang: Language) -> dict[str, Any]:
    """The one line that says what is next, with its article; and why the last tap changed nothing."""
    awaits = seen.awaits
    hand: Spot | None = None
    match awaits.what:
        case "bets":
            text = lang.say("Bets are open")
        case "draw":
            hand = awaits.spot
            count = len(round_.cards(hand or ""))
            ordinal = words.ORDINALS[min(count, len(words.ORDINALS) - 1)]
            text = lang.say(ordinal).capitalize()
        case "seen" if awaits.spot in round_.unsure:
            hand = awaits.spot
            text = lang.say("The camera is not sure: which card lies here?")
        case "seen":
            hand = awaits.spot
            text = lang.say("Turn the card so that the camera sees it")
        case "close":
            text = _settlement(seen, lang)
        case "shoe":
            text = _shoe(table, lang)
        case "ruling":
            text = lang.say("Halted: call the supervisor")
        case _:
            text = ""
    return {
        "awaits": awaits.what,
        "spot": awaits.spot or "",
        "text": text,
        "hand": hand,
        "hand_name": told.hand(hand, lang),
        "article": awaits.article,
        "refused": refused(table, lang),
        "free_hand": round_.free_hand,
        "by_hand": bool(table.play.standing.by_hand),
    }


def _shoe(table: Table, lang: Language) -> str:
    shoe = table.play.standing.shoe
    if shoe.over:
        return lang.say("This shoe is over: put in a new one")
    if shoe.to_burn is None:
        return lang.say("Turn the first card of the new shoe and burn")
    return lang.say("Burn: {count} to go", count=shoe.to_burn)


def _settlement(seen: View, lang: Language) -> str:
    """Pay Punto, take Banca and Tie: what to do with the bets that lie there."""
    done = {(payout.result, payout.bet) for payout in seen.payouts}
    parts = [
        lang.say(text, bets=_listed(names, lang))
        for result, text in words.SETTLEMENT.items()
        if (names := [name for bet, name in words.BETS.items() if (result, bet) in done])
    ]
    return " · ".join(parts) or lang.say("No bets to settle")


def _listed(names: Sequence[str], lang: Language) -> str:
    """Punto, Tie and Dragon 7."""
    *others, last = (lang.say(name) for name in names)
    return lang.say(" and ").join([lang.say(", ").join(others), last] if others else [last])


def refused(table: Table, lang: Language) -> str:
    """Why the last input of a person changed nothing."""
    said: Refusal | None = table.play.refused
    if said is not None:
        return refusal(said.code, said.about, table, lang)
    if table.refused is not None:
        return refusal(table.refused.code, table.refused.about, table, lang)
    return ""


def refusal(code: str, about: Mapping[str, str | int], table: Table, lang: Language) -> str:
    """A refusal in words."""
    values: dict[str, object] = dict(about)
    if "bet" in values:
        values["bet"] = lang.say(words.BETS.get(str(values["bet"]), str(values["bet"])))
    if "limit" in values:
        values["limit"] = lang.money(int(about["limit"]), table.config.file.money.currency)
    return lang.say(words.REFUSALS[code], **values)


def felt(table: Table, round_: Round, seen: View, session: Session, lang: Language) -> dict[str, Any]:
    """The felt: bets while they are made, then the hands."""
    if seen.awaits.what == "shoe":
        return {"bets": None, "loading": _loading(table, lang)}
    if seen.awaits.what == "bets" and not round_.laid:
        return {"bets": _bet_grid(table, round_, session, lang), "loading": None}
    hands = []
    for spot, cards in seen.hands.items():
        due = seen.awaits.what == "draw" and seen.awaits.spot == spot
        hands.append(
            {
                "spot": spot,
                "name": told.hand(spot, lang).upper(),
                "total": seen.totals[spot],
                "cards": [face(card, across=i > 1) for i, card in enumerate(cards)],
                "due": due,
                "due_across": due and len(cards) > 1,
            }
        )
    return {"hands": hands, "bets": None, "loading": None, "result": told.result(seen, lang)}


def _loading(table: Table, lang: Language) -> list[dict[str, Any]]:
    """The steps of a new shoe, and which is next."""
    now = 0 if table.play.standing.shoe.over else len(words.LOADING) - 1
    return [
        {"text": lang.say(step), "done": i < now, "now": i == now} for i, step in enumerate(words.LOADING)
    ]


def _bet_grid(table: Table, round_: Round, session: Session, lang: Language) -> dict[str, Any]:
    """A key for every bet of every seat, with what lies there."""
    file, law = table.config.file, table.play.felt.law
    pages = -(-law.options.seats // SEATS_A_PAGE)
    first = (session.page % pages) * SEATS_A_PAGE + 1
    seats = range(first, min(first + SEATS_A_PAGE, law.options.seats + 1))
    lying: dict[tuple[int, str], list[str]] = {}
    for bet in round_.bets:
        amount = lang.amount(bet.stake, file.money.currency)
        lying.setdefault((bet.seat, bet.bet), []).append(amount if bet.player == "main" else f"+{amount}")
    currency = file.money.currency
    rows = []
    for bet_name in law.offered:
        cells = [_bet_key(seat, bet_name, lying.get((seat, bet_name), []), session) for seat in seats]
        limit = " \u2013 ".join(lang.amount(bound, currency) for bound in law.limits(bet_name) or ())
        name = lang.say(words.BETS[bet_name])
        rows.append({"bet": bet_name, "name": name, "limits": limit, "cells": cells})
    turn = Key("→", "ui.page", {"value": session.page + 1}) if pages > 1 else None
    return {"seats": list(seats), "rows": rows, "turn": turn}


def _bet_key(seat: int, bet: str, amounts: list[str], session: Session) -> Key:
    player: dict[str, object] = {"player": f"joined {seat}"} if session.joined else {}
    args: dict[str, object] = {"seat": seat, "bet": bet, **player}
    if session.erase:
        return Key(" ".join(amounts), "clear_bet", args)
    return Key(" ".join(amounts), "bet", {**args, "add": session.chip or 0})


_DENSE = (("many", 7), ("most", 12))
_DENSE_BETS = (("many", 18), ("most", 30))
"""From how many lines on the list must be set smaller on the small panel, and on the large one."""


def side(table: Table, round_: Round, seen: View, lang: Language) -> dict[str, Any]:
    """Seat by seat: the bets, and what each is worth as soon as it may be told."""
    currency = table.config.file.money.currency
    rows = []
    payouts = {(pay.seat, pay.player, pay.bet): pay for pay in seen.payouts}
    for seat in sorted({bet.seat for bet in round_.bets}):
        lines = []
        for bet in round_.bets:
            if bet.seat == seat:
                payout = payouts.get((bet.seat, bet.player, bet.bet))
                lines.append(
                    {
                        "name": lang.say(words.BETS[bet.bet]),
                        "joined": bet.player != "main",
                        "stake": lang.amount(bet.stake, currency),
                        "pays": _pays(table, payout, lang) if payout else None,
                    }
                )
        rows.append({"seat": seat, "lines": lines})
    title = lang.say("Payouts, in order") if payouts else lang.say("Bets")
    total = lang.money(sum(bet.stake for bet in round_.bets), currency)
    dense = [name for name, most in (_DENSE if payouts else _DENSE_BETS) if len(round_.bets) > most]
    return {"title": title, "rows": rows, "total": total, "last": _last(table, lang), "dense": dense}


def _pays(table: Table, payout: Payout, lang: Language) -> dict[str, Any]:
    """What a bet is worth: the amount, the chips to hand out, the article."""
    money = table.config.file.money
    won = payout.net if payout.result == "win" else 0
    counted, rest = chips(won, money.chips)
    return {
        "result": payout.result,
        "amount": lang.amount(payout.net, money.currency)
        if payout.net
        else lang.say(words.UNCHANGED[payout.result]),
        "odds": _odds(payout.odds),
        "article": payout.article,
        "chips": [
            (money.chips.index(value), lang.amount(value, money.currency), many) for value, many in counted
        ],
        "rest": lang.amount(rest, money.currency) if rest else "",
    }


def _odds(odds: Odds | None) -> str:
    return f"{odds[0]}:{odds[1]}" if odds and odds[0] else ""


def _last(table: Table, lang: Language) -> dict[str, Any] | None:
    """The round before, in a line."""
    if len(table.play) < 2:  # noqa: PLR2004 - the present one and one before it
        return None
    before = table.play.round(-2)
    if before.void:
        return {"number": before.number, "text": lang.say("void"), "winner": "", "small": ""}
    if before.outcome is None or not before.over:
        return None
    said = told.result(view(table.play.felt.law, before), lang)
    return {"number": before.number, **said} if said else None


def keys(table: Table, seen: View, session: Session, lang: Language) -> list[Key]:  # noqa: PLR0911 - one a stage
    """The keys at the bottom: few, and the loud one is what is next."""
    supervisor = told.call_key(table, lang)
    more = Key(lang.say("More"), "ui.sheet", {"value": "more"}, kind="quiet")
    history = Key(lang.say("History"), "ui.sheet", {"value": "history"}, kind="quiet")
    match seen.awaits.what:
        case "bets":
            return [supervisor, more, *_chip_keys(table, session, lang)]
        case "draw" if "shoe" in table.play.standing.by_hand:
            pick = Key(lang.say("Enter the card"), "ui.pick", {"act": "card"}, kind="main")
            return [supervisor, history, told.correct_key(lang), more, pick]
        case "seen":
            pick = Key(
                lang.say("Say which card it is"),
                "ui.pick",
                {"act": "card", "at": seen.awaits.spot},
                kind="main",
            )
            return [supervisor, history, told.correct_key(lang), more, pick]
        case "close":
            paid = Key(lang.say("Paid"), "paid", small=lang.say("closes the round"), kind="main")
            return [supervisor, history, told.correct_key(lang), more, paid]
        case "shoe":
            return [supervisor, history, more, *_shoe_keys(table, lang)]
        case "draw":
            return [supervisor, history, told.correct_key(lang), more]
        case _:
            return [supervisor, history, more]


def _chip_keys(table: Table, session: Session, lang: Language) -> list[Key]:
    money = table.config.file.money
    made = [
        Key(
            lang.amount(value, money.currency),
            "ui.chip",
            {"value": value},
            kind=f"chip c{i}" + (" on" if session.chip == value and not session.erase else ""),
        )
        for i, value in enumerate(money.chips)
    ]
    made.append(Key(lang.say("Take away"), "ui.erase", kind="on" if session.erase else ""))
    if table.play.felt.law.options.joining:
        made.append(Key(lang.say("Joined bettor"), "ui.joined", kind="on" if session.joined else ""))
    felt = table.play.felt
    if felt.bets:
        return [*made, Key(lang.say("Clear all bets"), "clear_bets", kind="quiet")]
    if table.last_bets:
        made.append(Key(lang.say("Repeat the last bets"), "repeat_bets", kind="main"))
    if not felt.free_hand:
        made.append(Key(lang.say("Free hand"), "free_hand", small=lang.say("without bets"), kind="quiet"))
    return made


def _shoe_keys(table: Table, lang: Language) -> list[Key]:
    shoe = table.play.standing.shoe
    if shoe.over:
        small = lang.say("{decks} decks", decks=table.play.felt.law.options.decks)
        return [Key(lang.say("The new shoe is in"), "shoe_loaded", small=small, kind="main")]
    if "shoe" in table.play.standing.by_hand:
        if shoe.to_burn is None:
            return [Key(lang.say("Which card was turned?"), "ui.pick", {"act": "burn_card"}, kind="main")]
        return [Key(lang.say("Burned one"), "burn_card", kind="main")]
    return []
