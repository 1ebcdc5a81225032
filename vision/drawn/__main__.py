"""`python -m vision.drawn enrol`: look at flat pictures of the drawn deck and write what they look like.

The folder of the deck may be given; without it, it is the one that comes with this package.
"""

import sys
from pathlib import Path

from rules.cards import DECK
from vision.deck import Box, Deck
from vision.drawn.faces import face

FOLDER = Path(__file__).parents[1] / "decks" / "drawn"


def enrolled() -> Deck:
    """The drawn deck as its flat pictures show it."""
    rank, suit = Box(2.5, 3.0, 14.0, 16.0), Box(2.5, 18.0, 14.0, 13.5)
    return Deck.enrolled("drawn", rank, suit, {card: face(card) for card in DECK}, face(None))


def main(words: list[str]) -> int:
    """Run one command; 2 when there is no such."""
    match words:
        case ["enrol"]:
            enrolled().save(FOLDER)
        case ["enrol", folder]:
            enrolled().save(Path(folder))
        case _:
            sys.stderr.write("python -m vision.drawn enrol [FOLDER]\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
