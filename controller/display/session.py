"""What one screen has open: its language, its chosen chip, the sheet over the felt. Never journalled.

Taps whose act begins with `ui.` change it and nothing else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from controller.display.language import LOCALES
from rules.cards import RANKS, SUITS


@dataclass(slots=True)
class Session:
    """The state of one screen in one browser tab; it outlives a reload, not a restart of the displays."""

    lang: str = "es"
    chip: int | None = None
    """The denomination that the next tap on a bet adds, in minor units."""
    erase: bool = False
    """The next tap on a bet takes its chips away."""
    joined: bool = False
    """The next tap on a bet is for a bettor who joined the seat."""
    sheet: str = ""
    """What covers the felt: `pin`, `pick`, `correct`, `history`, `more`, or nothing."""
    pending: dict[str, Any] | None = None
    """The tap that waits for a card or a PIN, without them."""
    chosen: int = 0
    """The number of the fact that is being corrected."""
    rank: str = ""
    """The rank that was picked, while its suit is not."""
    operator: str = ""
    digits: str = ""
    """The PIN as far as it was entered; it leaves this process only to be checked."""
    message: str = ""
    """Why the last PIN was not taken (a text of the catalogues)."""
    recall: int = 1
    """How many rounds back the history shows."""
    page: int = 0
    """Which seats are shown, where not all fit."""
    values: Mapping[str, object] = field(default_factory=dict)
    """What the message is filled with."""

    def close(self) -> None:
        """Back to the felt."""
        self.sheet, self.pending, self.rank, self.chosen = "", None, "", 0
        self.operator, self.digits, self.message, self.values = "", "", "", {}

    def act(self, act: str, args: Mapping[str, Any]) -> bool:  # noqa: C901, PLR0912 - one case an act
        """Change what is open; whether this act was ours."""
        match act:
            case "ui.chip":
                self.chip, self.erase = int(args.get("value", 0)) or None, False
            case "ui.erase":
                self.erase = not self.erase
            case "ui.joined":
                self.joined = not self.joined
            case "ui.lang" if args.get("value") in LOCALES:
                self.lang = str(args["value"])
            case "ui.sheet":
                self.close()
                self.sheet = str(args.get("value", ""))
            case "ui.close":
                self.close()
            case "ui.correct":
                self.chosen = int(args.get("value", 0))
            case "ui.recall":
                self.recall = max(1, int(args.get("value", 1)))
            case "ui.page":
                self.page = max(0, int(args.get("value", 0)))
            case "ui.pick":
                self.sheet, self.pending, self.rank = "pick", dict(args), ""
            case "ui.rank" if args.get("value") in list(RANKS):
                self.rank = str(args["value"])
            case "ui.rank":
                self.rank = ""
            case "ui.operator":
                self.operator, self.digits, self.message = str(args.get("value", "")), "", ""
            case "ui.digit" if len(self.digits) < 6:  # noqa: PLR2004 - the longest PIN
                self.digits += str(args.get("value", ""))[:1]
            case "ui.rub_out":
                self.digits = self.digits[:-1]
            case _:
                return False
        return True

    def picked(self, suit: str) -> dict[str, Any] | None:
        """The pending tap with the card that was picked, when both are there."""
        if not self.pending or not self.rank or suit not in list(SUITS):
            return None
        return {**self.pending, "card": self.rank + suit}
