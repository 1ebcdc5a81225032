"""What a round does with sightings, of the camera or of the dealer's finger."""

from rules.cards import Card
from rules.facts import CardSeen, CardUnsure, Spot
from rules.felt import Felt
from rules.from_shoe import uncover
from rules.sightings import compare


def seen(felt: Felt, n: int, fact: CardSeen, by_hand: bool, mark: str) -> None:
    """A card lies there; `mark` is what a ruling made of the sighting. A card face down says nothing here."""
    card = fact.card
    if card is None or fact.at not in felt.law.game.hands:
        return
    if felt.law.options.shoe != "reads" and "shoe" not in felt.standing.by_hand:
        _tells_the_face(felt, n, fact, card, mark)
        return
    due_at = felt.awaited.spot if felt.awaited and felt.awaited.what == "draw" else None
    verdict, i = compare(card, fact.at, felt.laid, due_at, felt.standing.before)
    if verdict == "repeats" and by_hand:
        # A person is asked for the card that nobody saw: naming one that was seen says that it is not there.
        i = next((j for j, laid in enumerate(felt.laid) if laid.spot == fact.at and not laid.seen), -1)
        verdict = "mismatch" if i >= 0 else verdict
    if verdict == "wrong_spot" and mark == "resume":
        # The card was moved to where the order of the shoe puts it.
        verdict = "confirms"
    if verdict == "confirms":
        felt.laid[i] = felt.laid[i]._replace(seen=True)
        felt.unseen -= 1
        _sure(felt, felt.laid[i].spot)
    elif verdict == "wrong_spot":
        felt.halt(verdict, n, fact, spot=felt.laid[i].spot, shoe=felt.laid[i].card)
    elif verdict == "mismatch" and mark != "resume":
        felt.halt("shoe_camera_mismatch", n, fact, spot=fact.at, shoe=felt.laid[i].card if i >= 0 else None)


def _tells_the_face(felt: Felt, n: int, fact: CardSeen, card: Card, mark: str) -> None:
    """Where the shoe tells no face, the sighting does; a face that lies there already is asked about."""
    resumed = mark == "resume"
    if not resumed and any(laid.spot == fact.at and laid.card is card for laid in felt.laid):
        return felt.halt("same_card_again", n, fact, spot=fact.at)
    if felt.book is None and not felt.begin(n, fact, resumed=resumed):
        return None
    felt.uncovered += ((fact.at, card, n),)
    _sure(felt, fact.at)
    uncover(felt)
    if felt.uncovered and not felt.halted and not (felt.awaited and felt.awaited.what == "draw"):
        felt.halt("shoe_camera_mismatch", n, fact, spot=fact.at)
    return None


def unsure(felt: Felt, _n: int, fact: CardUnsure, _by_hand: bool, _mark: str) -> None:
    """The camera will not say which card it is: the dealer is asked."""
    felt.unsure = {**felt.unsure, fact.at: fact}


def _sure(felt: Felt, at: Spot) -> None:
    if at in felt.unsure:
        felt.unsure = {spot: fact for spot, fact in felt.unsure.items() if spot != at}
