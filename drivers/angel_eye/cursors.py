"""Where the Angel Eye II-EX stood when a fact was told, as a text that goes into the journal with it.

A driver that starts again from its last cursor knows which telegram was told last, and so which copies are
late, what is missing, and what a retransmission tells again. A telegram that told several facts may have been
cut between two of them: the cursor of all but the last holds the stand before, the telegram itself, and how
many of its facts are in the journal. Plain JSON, for the eye; its form is nobody else's business.
"""

import json
from typing import NamedTuple

from drivers.angel_eye.dealing import Dealing
from drivers.angel_eye.numbering import Numbering
from drivers.angel_eye.stand import Heard, Stand
from drivers.angel_eye.telegrams import Place
from drivers.angel_eye.wire import Telegram
from drivers.frames import Damage
from rules.cards import Card

Found = Telegram | Damage

_json = json.JSONEncoder(separators=(",", ":")).encode


class Owed(NamedTuple):
    """A telegram (or a loss) whose first `told` facts are in the journal, and the rest not."""

    found: Found
    told: int


def write(stand: Stand, owed: Owed | None = None) -> str:
    """The cursor of a fact."""
    numbering, dealing = stand.numbering, stand.dealing
    count = [numbering.tip, numbering.stepped, numbering.turns, numbering.leaps, numbering.skipped]
    heard = [[h.seq, [c.hex() for c in h.copies], h.told.hex(), h.doubt] for h in stand.heard]
    cards = [[place.spot, place.index, card] for place, card in dealing.cards]
    rest = [] if owed is None else [owed.told, _found(owed.found)]
    return _json([count, heard, cards, dealing.over, rest])


def read(cursor: str) -> tuple[Stand, Owed | None]:
    """The stand at a cursor; the empty cursor is that of a table that never heard the device.

    Raises `ValueError` on a text that is no cursor.
    """
    if not cursor:
        return Stand(), None
    try:
        (tip, stepped, turns, leaps, skipped), heard, cards, over, rest = json.loads(cursor)
        stand = Stand(
            Numbering(tip, stepped, tuple(turns), tuple(leaps), skipped),
            tuple(
                Heard(seq, tuple(bytes.fromhex(c) for c in copies), bytes.fromhex(told), doubt)
                for seq, copies, told, doubt in heard
            ),
            Dealing(
                tuple((Place(spot, index), Card(card) if card else None) for spot, index, card in cards), over
            ),
        )
        return stand, Owed(_refound(rest[1]), rest[0]) if rest else None
    except (ValueError, TypeError, IndexError) as error:
        raise ValueError(f"{cursor!r} is no cursor of an Angel Eye II-EX") from error


def _found(found: Found) -> list[str]:
    return [found.seq, found.data.hex()] if isinstance(found, Telegram) else [found]


def _refound(words: list[str]) -> Found:
    if len(words) == 1:
        return Damage(words[0])
    return Telegram(words[0], bytes.fromhex(words[1]))
