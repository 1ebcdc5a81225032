"""What a screen lays over the felt when it is asked: PIN, picking a card, history, the table itself."""

from typing import Any

from controller.display import told, words
from controller.display.language import NAMES, Language
from controller.display.pages import Key, face, written
from controller.display.session import Session
from controller.operators import tries_left
from controller.table import Table
from rules.cards import RANKS, SUITS, Card
from rules.round import Round
from rules.view import view

ROUNDS = 24
"""How many rounds back the history goes at the table; the journal keeps all."""


def sheet(table: Table, round_: Round, session: Session, lang: Language) -> dict[str, Any]:
    """The sheet that is open; empty when none is."""
    match session.sheet:
        case "pin":
            return {"kind": "pin"} | _pin(table, session, lang)
        case "pick":
            return {"kind": "pick"} | _pick(round_, session, lang)
        case "correct":
            return {"kind": "correct"} | _correct(round_, session, lang)
        case "history":
            return {"kind": "history"} | _history(table, session, lang)
        case "more":
            return {"kind": "more"} | _more(table, session, lang)
        case _:
            return {}


def _pin(table: Table, session: Session, lang: Language) -> dict[str, Any]:
    operators = [
        Key(
            operator.name,
            "ui.operator",
            {"value": number},
            small=number,
            kind="on" if session.operator == number else "",
        )
        for number, operator in table.config.file.operators.items()
        if operator.role == "supervisor"
    ]
    return {
        "title": lang.say("Supervisor"),
        "operators": operators,
        "digits": [
            Key(str(digit), "ui.digit", {"value": str(digit)}) for digit in (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)
        ],
        "rub_out": Key(lang.say("Rub out"), "ui.rub_out", kind="quiet"),
        "enter": Key(lang.say("Confirm"), "enter_pin", kind="main"),
        "entered": len(session.digits),
        "operator": session.operator,
        "message": lang.say(session.message or words.CHOOSE, **session.values),
        "left": tries_left(table.pins.get(session.operator)),
    }


def _pick(round_: Round, session: Session, lang: Language) -> dict[str, Any]:
    suits = [
        Key(face(Card(f"A{suit}")).sign, "pick_suit", {"value": suit}, kind=f"suit {suit}") for suit in SUITS
    ]
    ranks = [
        Key(
            "10" if rank == "T" else rank,
            "ui.rank",
            {"value": rank},
            kind="on" if session.rank == rank else "",
        )
        for rank in RANKS
    ]
    return {
        "title": lang.say("Which card is it?"),
        "ranks": ranks,
        "suits": suits,
        "picked": session.rank,
        "hands": told.small_hands(round_, lang),
    }


def _correct(round_: Round, session: Session, lang: Language) -> dict[str, Any]:
    """The cards of the round, and what may be ruled of the chosen one."""
    cards = [
        Key(
            f"{told.hand(laid.spot, lang)}: {written(laid.card)}",
            "ui.correct",
            {"value": laid.n},
            small=lang.say("entry {number}", number=laid.n),
            kind="on" if laid.n == session.chosen else "",
        )
        for laid in round_.laid
    ]
    rulings = []
    if session.chosen in {laid.n for laid in round_.laid}:
        n = session.chosen
        rulings = [
            Key(lang.say(words.REMEDIES["strike"]), "rule", {"action": "strike", "n": n}),
            Key(lang.say(words.REMEDIES["burn"]), "rule", {"action": "burn", "n": n}),
            Key(
                lang.say("A card is missing before it…"),
                "ui.pick",
                {"act": "rule", "action": "insert", "n": n},
            ),
            Key(lang.say(words.REMEDIES["replace"]), "ui.pick", {"act": "rule", "action": "replace", "n": n}),
        ]
    return {"title": lang.say("Which card is wrong?"), "cards": cards, "rulings": rulings}


def _history(table: Table, session: Session, lang: Language) -> dict[str, Any]:
    law, currency = table.play.felt.law, table.config.file.money.currency
    last = len(table.play) - 1
    places = [i for i in range(last - 1, max(last - 1 - ROUNDS, -1), -1) if table.play.round(i).over]
    rows = []
    for back, place in enumerate(places, start=1):
        round_ = table.play.round(place)
        said = told.result(view(law, round_), lang)
        text = lang.say("void") if round_.void else (said["text"] if said else "")
        rows.append(
            Key(
                lang.say("Round {number}", number=round_.number),
                "ui.recall",
                {"value": back},
                small=text,
                kind="on" if back == session.recall else "",
            )
        )
    chosen = None
    if places:
        round_ = table.play.round(places[min(session.recall, len(places)) - 1])
        seen = view(law, round_)
        chosen = {
            "number": round_.number,
            "result": told.result(seen, lang),
            "void": round_.void,
            "by_hand": round_.by_hand,
            "hands": [
                {
                    "name": told.hand(spot, lang),
                    "total": law.game.total(cards) if cards else None,
                    "cards": [face(card, across=i > 1) for i, card in enumerate(cards)],
                }
                for spot in law.game.hands
                for cards in [round_.cards(spot)]
            ],
            "burned": [face(card) for card in round_.burned],
            "payouts": [
                {
                    "seat": pay.seat,
                    "bet": lang.say(words.BETS[pay.bet]),
                    "stake": lang.amount(pay.stake, currency),
                    "net": lang.amount(pay.net, currency),
                    "result": pay.result,
                    "article": pay.article,
                }
                for pay in round_.payouts
            ],
        }
    return {"title": lang.say("History"), "rows": rows, "chosen": chosen}


def _more(table: Table, session: Session, lang: Language) -> dict[str, Any]:
    file, standing = table.config.file, table.play.standing
    devices = []
    for source, part in (("shoe", file.shoe), ("camera", file.camera)):
        if not part:
            continue
        link = table.devices.get(source, {})
        by_hand = source in standing.by_hand
        mode = "device" if by_hand else "manual"
        label = lang.say("Trust it again") if by_hand else lang.say("Take over by hand")
        faults = [fault.code for (where, _), (_, fault) in standing.faults.items() if where == source]
        devices.append(
            {
                "name": lang.say(words.SOURCES[source]),
                "rung": lang.say(words.RUNGS.get(str(link.get("rung", "")), words.NOT_HEARD)),
                "why": str(link.get("why", "")),
                "faults": [lang.say(words.FAULTS.get(code, (code, ""))[0]) for code in faults],
                "key": Key(label, "takeover", {"mode": mode, "of": source}, kind="on" if by_hand else ""),
            }
        )
    return {
        "title": lang.say("Table"),
        "devices": devices,
        "history": Key(lang.say("History"), "ui.sheet", {"value": "history"}),
        "cut_card": Key(lang.say("The cut card came out"), "cut_card"),
        "void": Key(
            lang.say("Void the round"), "rule", {"action": "void_round"}, lang.say("PIN of the supervisor")
        ),
        "shoe": Key(lang.say("A new shoe is in"), "shoe_loaded"),
        "languages": [
            Key(name, "ui.lang", {"value": code}, kind="on" if code == session.lang else "")
            for code, name in NAMES.items()
        ],
    }
