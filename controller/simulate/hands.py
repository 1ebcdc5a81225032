"""The hands at the table: they pull cards from the shoe and lay them under the camera.

They know the truth, card by card; nothing that runs at a table can ask them.
"""

from collections.abc import Mapping

from controller.simulate.shoe import ShoeProgram
from rules.cards import Card
from rules.facts import Spot
from vision.drawn.server import FrameServer
from vision.drawn.table import DrawnTable, Fault

LOOKS = 3
"""Pictures that the camera takes of a bare felt before the next card is laid."""


class Hands:
    """A dealer's hands, a shoe and a felt."""

    def __init__(self, shoe: ShoeProgram, felt: DrawnTable, camera: FrameServer) -> None:
        self.shoe = shoe
        self._felt = felt
        self._camera = camera
        self.lying: dict[tuple[Spot, int], Card] = {}
        """The cards on the felt, by spot and place, as they came."""
        self.cleared: list[dict[tuple[Spot, int], Card]] = []
        """What lay there each time the felt was cleared."""

    def at(self, spot: Spot) -> list[Card]:
        """The cards that lie there, in their places."""
        return [card for (where, _), card in sorted(self.lying.items()) if where == spot]

    def draw(
        self, spot: Spot, fault: str = "", more: Mapping[str, int] | None = None, *, covered: bool = False
    ) -> Card:
        """Pull a card and lay it there; `fault` and `more` are what the simulated shoe makes of it."""
        card = self.shoe.draw(fault, **(more or {}))
        self.lay(card, spot, covered=covered)
        return card

    def lay(self, card: Card, spot: Spot, *, covered: bool = False) -> None:
        """Lay a card at the next place of a spot; a covered one has chips on both its corners."""
        place = len(self.at(spot))
        self.lying[spot, place] = card
        self._felt.lay(card, spot, place, fault=Fault.CHIPS if covered else None)

    def take(self, spot: Spot) -> Card:
        """Take the last card of a spot away."""
        place = len(self.at(spot)) - 1
        self._felt.remove(spot, place)
        self.look()
        return self.lying.pop((spot, place))

    def clear(self) -> None:
        """Take all cards away, so that the camera sees it."""
        if self.lying:
            self._felt.clear()
            self.cleared.append(dict(self.lying))
            self.lying.clear()
            self.look()

    def look(self) -> None:
        """Let the camera see the felt as it is; a camera that is away sees it when it is back."""
        self._camera.wait(LOOKS, 5.0)
