"""What a round does with sightings, of the camera or of the dealer's finger."""

from collections.abc import Sequence

from rules.cards import Card
from rules.facts import CardSeen, CardUnsure, Spot
from rules.felt import Felt, Held, Uncovered
from rules.from_shoe import uncover
from rules.round import Laid
from rules.sightings import compare


def seen(felt: Felt, n: int, fact: CardSeen, by_hand: bool, mark: str) -> None:
    """A card lies there; `mark` is what a ruling made of the sighting. A card face down says nothing here."""
    card, hands = fact.card, felt.law.game.hands
    if card is None:
        return
    if mark == "burn":
        felt.standing.shoe.leaves(card)
        felt.burned += (card,)
    elif felt.faces_are_seen:
        if fact.at in hands:
            _tells_the_face(felt, n, fact, card, by_hand, mark)
    elif felt.begun and (fact.at in hands or card not in felt.burned):
        _compared(felt, n, fact, card, by_hand, mark)


def _compared(felt: Felt, n: int, fact: CardSeen, card: Card, by_hand: bool, mark: str) -> None:
    """The sighting against the cards that were drawn."""
    at = fact.at
    due_at = felt.awaited.spot if felt.awaited and felt.awaited.what == "draw" else None
    cards: Sequence[Laid] = felt.laid
    if not felt.law.options.camera and "shoe" not in felt.standing.by_hand:
        # No card needs a sighting here; one that never had any can be contradicted all the same.
        cards = [laid._replace(seen=laid.by_hand or i in felt.sighted) for i, laid in enumerate(cards)]
    verdict, i = compare(card, at, cards, due_at, felt.standing.before)
    if verdict == "repeats" and by_hand:
        # A person is asked for the card that nobody saw: naming one that was seen says that it is not there.
        i = next((j for j, laid in enumerate(felt.laid) if laid.spot == at and not laid.seen), -1)
        verdict = "mismatch" if i >= 0 else verdict
    if verdict == "wrong_spot" and mark == "resume":
        # The card was moved to where the order of the shoe puts it.
        verdict = "confirms"
    if verdict == "confirms":
        _confirmed(felt, i)
    elif verdict == "wrong_spot":
        felt.halt(verdict, n, fact, spot=cards[i].spot, shoe=cards[i].card)
    elif verdict == "mismatch" and mark != "resume" and at in felt.law.game.hands:
        if i >= 0:
            felt.halt("shoe_camera_mismatch", n, fact, spot=at, shoe=cards[i].card)
        elif "shoe" in felt.standing.by_hand and (due_at or felt.awaited is None):
            _before_the_word(felt, n, fact, card, by_hand)
        elif due_at == at or card not in felt.burned:
            felt.halt("shoe_camera_mismatch", n, fact, spot=at)


def _confirmed(felt: Felt, i: int) -> None:
    """The card in that place of `laid` was seen where it belongs."""
    if felt.law.options.camera:
        felt.dealt[i] = felt.laid[i]._replace(seen=True)
        felt.unseen -= 1
    else:
        felt.sighted |= {i}
    _sure(felt, felt.laid[i].spot)


def _before_the_word(felt: Felt, n: int, fact: CardSeen, card: Card, by_hand: bool) -> None:
    """While the dealer stands in for the shoe: his finger tells the card, the camera waits for his word."""
    if by_hand:
        _tells_the_face(felt, n, fact, card, by_hand, "")
    else:
        felt.held += (Held(n, fact, by_hand, ""),)


def _tells_the_face(felt: Felt, n: int, fact: CardSeen, card: Card, by_hand: bool, mark: str) -> None:
    """Where the shoe tells no face, the sighting does; a face that lies there already is asked about."""
    resumed = mark == "resume"
    if not resumed and _lies(felt, fact.at, card):
        felt.halt("same_card_again", n, fact, spot=fact.at)
        return
    awaited = felt.awaited
    if awaited and awaited.what == "close" and card in felt.burned:
        return
    if felt.book is None and not felt.begin(n, fact, resumed=resumed):
        return
    if by_hand and felt.counted is not None:
        felt.counted += (n,)
    felt.uncovered += (Uncovered(fact.at, card, n, by_hand),)
    _sure(felt, fact.at)
    uncover(felt)


def _lies(felt: Felt, at: Spot, card: Card) -> bool:
    """That face was seen there, whether its turn has come or not."""
    known = [(one.spot, one.card) for one in felt.laid] + [(one.spot, one.card) for one in felt.uncovered]
    return (at, card) in known


def unsure(felt: Felt, _n: int, fact: CardUnsure, _by_hand: bool, _mark: str) -> None:
    """The camera will not say which card it is: the dealer is asked."""
    felt.unsure = {**felt.unsure, fact.at: fact}


def _sure(felt: Felt, at: Spot) -> None:
    if at in felt.unsure:
        felt.unsure = {spot: fact for spot, fact in felt.unsure.items() if spot != at}
