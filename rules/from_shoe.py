"""What a round does with the reports of a shoe: it is believed, and what does not fit halts the round."""

from rules.cards import Card
from rules.facts import (
    CardDrawn,
    CardFaceUp,
    CardReread,
    CardReturned,
    CardsBurned,
    CardSeen,
    CutCardOut,
    DealingErrorReported,
    DeviceHello,
    Fact,
    FaultRaised,
    GapFound,
    ShoeEmptied,
    ShoeLoaded,
    ShoeResult,
)
from rules.felt import Felt, Uncovered


def draw(felt: Felt, n: int, fact: CardDrawn, by_hand: bool, mark: str) -> None:
    """A card left the shoe; `mark` is what a ruling made of it."""
    card = fact.card
    if mark == "burn":
        felt.standing.shoe.leaves(card)
        felt.burned += (card,)
        return
    if felt.book is None and not felt.begin(n, fact, resumed=mark == "resume"):
        return
    if felt.counted is not None:
        felt.counted += (n,)
    if card is None:
        _unread(felt, n, fact, by_hand)
        return
    if fact.hint is not None and not felt.ruled and felt.awaited and felt.awaited.what == "draw":
        spot = felt.awaited.spot
        place = sum(at == spot for at, *_ in felt.dealt) + 1
        if fact.hint != spot or fact.ordinal not in (None, place):
            felt.halt("out_of_step", n, fact, spot=spot, shoe=card, about={"hint": fact.hint})
            return
    seen = not felt.law.options.camera or (by_hand and "camera" in felt.standing.by_hand)
    lay(felt, n, fact, card, seen, by_hand)
    if felt.uncovered:
        uncover(felt)


def lay(felt: Felt, n: int, fact: CardDrawn, card: Card, seen: bool, by_hand: bool) -> None:
    """A card with a face goes where the chapter awaits it, if it can come from this shoe."""
    awaited, book, shoe = felt.awaited, felt.book, felt.standing.shoe
    if awaited is None or awaited.what != "draw" or awaited.spot is None or book is None:
        return felt.halt("extra_card", n, fact)
    objection = shoe.gives(felt.law, card)
    if objection is not None:
        return felt.halt(objection, n, fact, spot=awaited.spot, shoe=card, about={"decks": shoe.decks})
    felt.dealt.append((awaited.spot, card, n, seen, by_hand))
    if not seen:
        felt.unseen += 1
    felt.awaited = book.send(card)
    return None


def _unread(felt: Felt, n: int, fact: CardDrawn, by_hand: bool) -> None:
    """A card whose face the shoe did not tell: as it should be where it only counts, else it halts."""
    if felt.counted is not None and not by_hand:
        uncover(felt)
    elif felt.awaited and felt.awaited.what == "draw":
        felt.halt("unreadable", n, fact, spot=felt.awaited.spot)
    else:
        felt.halt("extra_card", n, fact)


def uncover(felt: Felt) -> None:
    """Lay the sightings that are due in the order of the chapter, and ask about those that never will be."""
    while not felt.halted and (found := _due(felt)):
        felt.uncovered = tuple(one for one in felt.uncovered if one is not found)
        lay(felt, found.n, CardDrawn(found.card), found.card, True, found.by_hand)
    if felt.halted or felt.awaited is None or felt.awaited.what == "draw":
        return
    if felt.counted is not None and len(felt.counted) > len(felt.dealt):
        felt.halt("extra_card", felt.counted[len(felt.dealt)], CardDrawn(None))
    elif felt.uncovered:
        left = felt.uncovered[0]
        code = "extra_card" if felt.law.options.shoe == "none" else "shoe_camera_mismatch"
        felt.halt(code, left.n, CardSeen(left.card, left.spot), spot=left.spot)


def _due(felt: Felt) -> Uncovered | None:
    """The sighting that tells the card that is awaited, if it was told that one left the shoe."""
    if felt.awaited is None or felt.awaited.what != "draw":
        return None
    if felt.counted is not None and len(felt.counted) <= len(felt.dealt):
        return None
    return next((one for one in felt.uncovered if one.spot == felt.awaited.spot), None)


def reread(felt: Felt, n: int, fact: CardReread, _by_hand: bool, mark: str) -> None:
    """The shoe says otherwise about a card that it reported: two readings of one card are no reading."""
    at = [laid for laid in felt.laid if laid.spot == fact.hint]
    known = at[fact.ordinal - 1] if fact.ordinal and fact.ordinal <= len(at) else None
    if mark != "resume" and (known is None or known.card is not fact.card):
        felt.halt("reading_changed", n, fact, spot=fact.hint, shoe=known.card if known else None)


def burned(felt: Felt, n: int, fact: CardsBurned, _by_hand: bool, mark: str) -> None:
    """Cards for nobody: the burn of a new shoe (art. 6.d), or between cards of a round."""
    shoe = felt.standing.shoe
    if mark != "burn":
        for i, card in enumerate(fact.cards):
            objection = shoe.objects(felt.law, card, fact.cards[:i].count(card)) if card else None
            if objection:
                return felt.halt(objection, n, fact, spot="burn", shoe=card, about={"decks": shoe.decks})
        if shoe.turns_first(felt.law) and fact.cards[:1] == (None,):
            # Its face says how many follow.
            return felt.halt("unreadable", n, fact, spot="burn")
    _burn(felt, fact)
    return None


def _burn(felt: Felt, fact: CardsBurned) -> None:
    shoe = felt.standing.shoe
    if felt.book is None or shoe.fresh or shoe.unburned(felt.law):
        shoe.burn(felt.law, fact.cards)
        return
    for card in fact.cards:
        shoe.leaves(card)
    felt.burned += fact.cards


def face_up(felt: Felt, n: int, fact: CardFaceUp, _by_hand: bool, mark: str) -> None:
    """op.errors: a card found face up in the shoe is burned, and the round goes on."""
    objection = felt.standing.shoe.objects(felt.law, fact.card)
    if objection and mark != "burn":
        felt.halt(objection, n, fact, shoe=fact.card, about={"decks": felt.standing.shoe.decks})
        return
    felt.standing.shoe.leaves(fact.card)
    felt.burned += (fact.card,)
    felt.note("face_up_card", n, fact)


def cut_card(felt: Felt, _n: int, _fact: CutCardOut, _by_hand: bool, _mark: str) -> None:
    """The cut card came out: how many rounds follow is the operator's (op.after_cut)."""
    felt.standing.shoe.cut_card(felt.law, begun=felt.begun, dealt=felt.book is not None)


def returned(felt: Felt, n: int, fact: CardReturned, _by_hand: bool, mark: str) -> None:
    """A card that left cannot go back."""
    if mark != "resume":
        felt.halt("card_returned", n, fact)


def gap(felt: Felt, n: int, fact: GapFound, _by_hand: bool, mark: str) -> None:
    """Reports that never came: a card may be among them."""
    if mark != "resume":
        spot = felt.awaited.spot if felt.awaited else None
        felt.halt("missing_card", n, fact, spot=spot, about={"count": fact.count})


def restarted(felt: Felt, n: int, fact: DeviceHello, _by_hand: bool, mark: str) -> None:
    """A shoe that starts anew in mid-round has forgotten it: what it dealt meanwhile, nobody was told."""
    if mark != "resume" and felt.awaited is not None and felt.awaited.what == "draw":
        felt.halt("restarted", n, fact, spot=felt.awaited.spot)


def loaded(felt: Felt, _n: int, fact: ShoeLoaded, _by_hand: bool, _mark: str) -> None:
    """A shoe of so many decks stands on the table (art. 6)."""
    felt.standing.shoe.load(fact.decks)


def emptied(felt: Felt, n: int, fact: ShoeEmptied, _by_hand: bool, _mark: str) -> None:
    """The shoe is empty: a round that needs another card cannot be finished."""
    felt.standing.shoe.empties(begun=felt.begun)
    if felt.begun and (felt.awaited is None or felt.awaited.what == "draw"):
        felt.halt("shoe_empty", n, fact)


def moves_the_shoe(felt: Felt, fact: Fact) -> None:
    """What a round that is over does not take in has left the shoe all the same."""
    shoe = felt.standing.shoe
    match fact:
        case CardDrawn(card=card) | CardFaceUp(card=card):
            shoe.leaves(card)
            felt.burned += (card,)
        case CardsBurned():
            _burn(felt, fact)
        case CutCardOut():
            shoe.cut_card(felt.law, begun=not felt.over, dealt=felt.book is not None and not felt.over)
        case ShoeLoaded(decks=decks):
            shoe.load(decks)
        case ShoeEmptied():
            shoe.empties(begun=not felt.over)
        case _:
            pass


def result(felt: Felt, n: int, fact: ShoeResult, _by_hand: bool, mark: str) -> None:
    """The shoe's own opinion of the result: compared with ours while the round is open.

    Not where a supervisor said what the cards are: the shoe was not told, and goes on from what it read.
    """
    awaited = felt.awaited
    if fact.winner is None or mark == "resume" or felt.ruled or awaited is None:
        return
    ours = awaited.outcome.winner if awaited.outcome else ""
    if fact.winner != ours:
        felt.halt("result_mismatch", n, fact, about={"shoe": fact.winner, "ours": ours})


def dealing_error(felt: Felt, n: int, fact: DealingErrorReported, _by_hand: bool, mark: str) -> None:
    """An error that no device sees (art. 12); to void the seats that it touched is a solution."""
    solved = bool(fact.seats) and felt.void_seats.issuperset(fact.seats)
    if mark != "resume" and not solved:
        felt.halt("dealing_error", n, fact, about={"what": fact.what})


def raised(felt: Felt, n: int, fact: FaultRaised) -> None:
    """A device cannot go on: the round holds, unless the dealer stands in for it or the table needs none."""
    if fact.source in felt.standing.by_hand or (fact.source == "camera" and not felt.law.options.camera):
        return
    felt.standing.faults[fact.source, fact.code] = (n, fact)
