"""Whatever a log holds, the rules have an answer; and whatever goes wrong, the truth is paid in the end."""

from dataclasses import replace
from fractions import Fraction
from itertools import cycle

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from rules.cards import DECK, Card
from rules.facts import (
    BetPlaced,
    CardDrawn,
    CardFaceUp,
    CardReread,
    CardReturned,
    CardsBurned,
    CardSeen,
    CardUnsure,
    Closed,
    CutCardOut,
    DealingErrorReported,
    DeviceState,
    Fact,
    FaultCleared,
    FaultRaised,
    FreeHandCalled,
    GapFound,
    RoundOpened,
    Ruled,
    ShoeEmptied,
    ShoeLoaded,
    ShoeResult,
    TableSet,
    TakenOver,
)
from rules.known import GAMES
from rules.law import Law
from rules.play import ACTIONS, Play
from rules.round import Round
from rules.rulings import Amendments
from rules.view import view
from tests.rules.table import Table

# Any log at all.

CARDS = st.sampled_from([Card.C9, Card.H3, Card.KD, Card.S4, Card.D5, Card.H2, Card.C7, Card.JOKER])
FACES = st.one_of(st.none(), CARDS)
SPOTS = st.sampled_from(["punto", "banca", "burn", "seat 1"])
NUMBERS = st.integers(0, 40)

PEOPLE = st.one_of(
    st.builds(
        BetPlaced,
        st.integers(0, 3),
        st.sampled_from(["punto", "banca", "empate", "dragon_7", "panda_8", "pair"]),
        st.sampled_from([-5, 0, 7, 100, 1000]),
        st.sampled_from(["main", "main", "Ana"]),
    ),
    st.just(Closed()),
    st.just(FreeHandCalled()),
)
DRAWS = st.builds(CardDrawn, FACES, st.sampled_from([None, None, None, "punto", "banca"]))
SIGHTINGS = st.builds(CardSeen, FACES, SPOTS)
DEVICES = st.one_of(
    st.builds(CardReread, FACES, SPOTS, st.sampled_from([None, 1, 2])),
    st.builds(CardsBurned, st.lists(FACES, max_size=3).map(tuple)),
    st.builds(CardFaceUp, CARDS),
    st.just(CutCardOut()),
    st.just(CardReturned()),
    st.builds(GapFound, st.integers(1, 2)),
    st.builds(FaultRaised, st.sampled_from(["jam", "open"]), st.sampled_from(["shoe", "camera"])),
    st.builds(FaultCleared, st.sampled_from(["jam", "open"]), st.sampled_from(["shoe", "camera"])),
    st.builds(ShoeLoaded, st.integers(1, 2)),
    st.just(ShoeEmptied()),
    st.builds(ShoeResult, st.sampled_from([None, "punto", "banca", "empate"])),
    st.builds(CardUnsure, SPOTS, st.just("covered")),
    st.builds(DealingErrorReported, st.just("wrong_seat")),
    st.builds(TakenOver, st.sampled_from(["manual", "device"]), of=st.sampled_from(["shoe", "both"])),
    st.just(DeviceState()),
    st.builds(RoundOpened, st.integers(1, 99)),
    st.just(TableSet("ez_baccarat", "2008", {"panda_8": True, "decks": 1})),
)
PLAIN = st.one_of(PEOPLE, DRAWS, DRAWS, SIGHTINGS, DEVICES)


def _rulings(right: st.SearchStrategy[Fact]) -> st.SearchStrategy[Ruled]:
    return st.builds(
        Ruled,
        st.sampled_from([*ACTIONS, *ACTIONS, "annul"]),
        st.one_of(st.none(), NUMBERS),
        st.one_of(st.none(), right),
        st.one_of(st.none(), st.integers(0, 3)),
    )


RULINGS = _rulings(st.one_of(PLAIN, _rulings(PLAIN)))
FACTS = st.one_of(DRAWS, PEOPLE, PLAIN, RULINGS)
LINES = st.tuples(FACTS, st.booleans())
ROUND = [BetPlaced(1, "punto", 100), *map(CardDrawn, (Card.C9, Card.H3, Card.KD, Card.S4)), Closed()]
"""A sane beginning, so that there is something to disturb."""

OPTIONS = st.fixed_dictionaries(
    {
        "decks": st.sampled_from([1, 2]),
        "shoe": st.sampled_from(["reads", "reads", "counts", "none"]),
        "camera": st.booleans(),
        "joining": st.booleans(),
        "after_cut": st.sampled_from(["finish_only", "finish_plus_one"]),
        "side_bet_requires": st.sampled_from(["any_main", "banca_only"]),
        "burn": st.sampled_from(["as_reported", "as_reported", "first_card"]),
        "limits": st.sampled_from([{}, {"main": (50, 500), "empate": (10, 100)}]),
    }
)


@st.composite
def logs(draw: st.DrawFn, most: int = 40) -> Table:
    """A table after some log."""
    table = Table(**draw(OPTIONS))
    begun = draw(st.integers(0, len(ROUND)))
    for fact, by_hand in [(fact, False) for fact in ROUND[:begun]] + draw(st.lists(LINES, max_size=most)):
        table.say(fact, by_hand=by_hand)
    return table


def rounds(play: Play) -> list[Round]:
    """All rounds, without what only the last fact was: refused, or an irregularity that healed itself."""
    return [settled(play.round(i)) for i in range(len(play))]


def settled(round_: Round) -> Round:
    """A round without what only its last fact was."""
    irregularity = round_.irregularity if round_.irregularity and round_.irregularity.halts else None
    return replace(round_, refused=None, irregularity=irregularity)


@settings(max_examples=200)
@given(logs())
def test_any_log_has_an_answer(table: Table) -> None:
    for round_ in rounds(table.play):
        view(table.felt.law, round_)
    assert table.now.awaits.what in {"bets", "draw", "seen", "close", "ruling", "shoe", "nothing"}


@settings(max_examples=200)
@given(logs())
def test_a_log_judged_anew_says_what_it_said_fact_by_fact(table: Table) -> None:
    as_it_came = rounds(table.play)
    table.play._judge_anew(Amendments())
    assert rounds(table.play) == as_it_came


@settings(max_examples=200)
@given(logs())
def test_money_is_conserved(table: Table) -> None:
    for round_ in rounds(table.play):
        if not round_.payouts:
            continue
        assert sum(pay.stake for pay in round_.payouts) == sum(bet.stake for bet in round_.bets)
        for pay in round_.payouts:
            pays, to = pay.odds or (0, 1)
            most = Fraction(pay.stake * pays, to)
            assert pay.net == {"win": most, "lose": -pay.stake, "push": 0, "void": 0}[pay.result]


@settings(max_examples=200)
@given(logs())
def test_a_round_that_is_halted_pays_nothing(table: Table) -> None:
    for round_ in rounds(table.play):
        if round_.irregularity and round_.irregularity.halts and round_.irregularity.code != "device_fault":
            assert round_.payouts == ()
            assert not round_.over


@settings(max_examples=200)
@given(logs(), st.data())
def test_a_ruling_and_its_counter_ruling_leave_everything_as_it_was(
    table: Table, data: st.DataObject
) -> None:
    before = rounds(table.play)
    n = data.draw(st.sampled_from([None, *range(1, table.n + 2)]))
    ruled = table.say(replace(data.draw(RULINGS), n=n), by_hand=True)
    if table.refused is None:
        table.rule("strike", ruled)
        assert table.refused is None
    assert rounds(table.play) == before


@settings(max_examples=200)
@given(logs(), PEOPLE)
def test_what_is_refused_changes_nothing(table: Table, fact: Fact) -> None:
    before, over = settled(table.now), table.now.over
    table.say(fact, by_hand=True)
    if table.refused and not over:
        assert settled(table.now) == before


@settings(max_examples=200)
@given(logs(), st.lists(LINES, max_size=10))
def test_what_comes_later_moves_no_fact_from_one_round_to_another(
    table: Table, more: list[tuple[Fact, bool]]
) -> None:
    last = len(table.play) - 1
    before = [table.play.lines(i) for i in range(last)]
    for fact, by_hand in more:
        table.say(fact, by_hand=by_hand)
    assert [table.play.lines(i) for i in range(last)] == before


# The truth is paid: a table where anything goes wrong, and a supervisor who knows what lies there.


def total(cards: list[Card]) -> int:
    """The total of a hand, in the words of the test."""
    return sum("A23456789".find(card[0]) + 1 for card in cards) % 10


def due(punto: list[Card], banca: list[Card]) -> str | None:
    """Who is due for a card, in the words of the test."""
    if len(punto) + len(banca) < 4:
        return "punto" if len(punto) == len(banca) else "banca"
    p, b = total(punto[:2]), total(banca[:2])
    if max(p, b) >= 8 or len(banca) == 3:
        return None
    if len(punto) == 2 and p <= 5:
        return "punto"
    if len(punto) == 2:
        return "banca" if b <= 5 else None
    third = total(punto[2:])
    draws = {3: third != 8, 4: 2 <= third <= 7, 5: 4 <= third <= 7, 6: 6 <= third <= 7}
    return "banca" if draws.get(b, b <= 2) else None


def nets(punto: list[Card], banca: list[Card]) -> dict[str, int]:
    """What a hundred on every bet is worth, in the words of the test."""
    p, b = total(punto), total(banca)
    dragon = b == 7 and len(banca) == 3 and b > p
    return {
        "punto": 100 * ((p > b) - (p < b)),
        "banca": 0 if dragon else 100 * ((b > p) - (b < p)),
        "empate": 800 if p == b else -100,
        "dragon_7": 4000 if dragon else -100,
    }


class TruthfulTable(RuleBasedStateMachine):
    """A shoe, a felt and people; every trouble is mended by saying what is true."""

    def __init__(self) -> None:
        super().__init__()
        self.table = Table(decks=8, camera=True)
        self.hands: dict[str, list[Card]] = {"punto": [], "banca": []}
        self.shoe: list[Card] = []
        self.out = 0
        self.new_shoe()

    @property
    def spot(self) -> str | None:
        """Who is due."""
        return due(self.hands["punto"], self.hands["banca"])

    def pull(self) -> Card:
        """A card leaves the shoe."""
        self.out += 1
        return self.shoe.pop()

    def lay(self, card: Card) -> str:
        """It lies on the felt, where it is due."""
        spot = self.spot
        assert spot is not None
        self.hands[spot].append(card)
        return spot

    def new_shoe(self) -> None:
        """A shoe that is not shuffled twice alike."""
        self.shoe = [card for card, _ in zip(cycle(DECK[::5] + DECK[1::3] + DECK), range(300), strict=False)]
        self.shoe = [card for i, card in enumerate(self.shoe) if self.shoe[:i].count(card) < 8]
        self.out = 0
        self.table.loaded(8)

    @precondition(lambda self: not any(self.hands.values()))
    @rule(skip=st.integers(0, 30))
    def shuffle(self, skip: int) -> None:
        """The next cards are others."""
        if len(self.shoe) > skip + 20:
            self.shoe = self.shoe[:-skip] if skip else self.shoe
        else:
            self.new_shoe()

    @precondition(lambda self: not any(self.hands.values()))
    @rule()
    def card_too_early(self) -> None:
        """Before any bet."""
        early = self.table.draw(self.pull())
        assert self.table.trouble == "early_card"
        self.table.rule("burn", early)

    @rule(trouble=st.sampled_from(["", "", "unread", "gap", "misread", "jam", "twice", "elsewhere", "back"]))
    def card(self, trouble: str) -> None:
        """A card, with what may go wrong."""
        if not any(self.hands.values()):
            self.bet()
        if self.spot is None:
            return
        card = self.pull()
        spot = self.lay(card)
        if trouble == "misread":
            self.misread(card, spot)
            return
        self.reported(card, trouble)
        if trouble == "elsewhere":
            self.table.see(card, "burn")
            assert self.table.trouble in ("wrong_spot", None)
            if self.table.trouble:
                self.table.rule("resume")
        self.table.see(card, spot)

    def reported(self, card: Card, trouble: str) -> None:
        """What the shoe tells of a card, and the ruling that makes the truth of it."""
        table = self.table
        match trouble:
            case "unread":
                table.rule("replace", table.draw("??"), CardDrawn(card))
            case "gap":
                table.rule("replace", table.gap(), CardDrawn(card))
            case "jam":
                table.fault()
                table.draw(card)
                table.cleared()
            case "twice":
                table.draw(card)
                table.rule("strike", table.draw(card))
            case "back":
                table.draw(card)
                table.card_back()
                table.rule("resume")
            case _:
                table.draw(card)

    def misread(self, card: Card, spot: str) -> None:
        """The shoe tells another face than the card has: the camera, or the count, finds it out."""
        table = self.table
        draw = table.draw(next(face for face in DECK if face is not card))
        if table.trouble is None:
            table.see(card, spot)
            assert table.trouble == "shoe_camera_mismatch"
            table.rule("replace", draw, CardDrawn(card))
        else:
            assert table.trouble == "count_exceeded"
            table.rule("replace", draw, CardDrawn(card))
            table.see(card, spot)

    @rule()
    def card_face_up(self) -> None:
        """Burned at once."""
        self.table.face_up(self.pull())
        assert self.table.trouble == "face_up_card"

    def bet(self) -> None:
        """A hundred on every bet."""
        for seat, bet in enumerate(("punto", "banca"), start=1):
            self.table.bet(bet, 100, seat)
        for bet in ("empate", "dragon_7"):
            self.table.bet(bet, 100, 1)

    @precondition(lambda self: self.spot is None)
    @rule()
    def card_too_many(self) -> None:
        """After all were dealt."""
        extra = self.table.draw(self.pull())
        assert self.table.trouble == "extra_card"
        self.table.rule("burn", extra)

    @precondition(lambda self: self.spot is None)
    @rule()
    def close(self) -> None:
        """The bets are paid and taken, as they truly are worth."""
        self.table.close()
        assert self.table.waits == "nothing"
        paid = {payout.bet: payout.net for payout in self.table.now.payouts}
        assert paid == nets(self.hands["punto"], self.hands["banca"])
        self.hands = {"punto": [], "banca": []}
        if len(self.shoe) < 20:
            self.new_shoe()

    @rule()
    def close_too_early(self) -> None:
        """Refused while a card is due."""
        if self.spot is not None and not self.table.now.over:
            self.table.close()
            assert self.table.refused is not None

    @invariant()
    def the_table_knows_the_felt(self) -> None:
        """Nothing is halted, every card lies where it lies, and the next is awaited where it is due."""
        table = self.table
        assert not table.felt.halted
        if any(self.hands.values()):
            for spot, cards in self.hands.items():
                assert table.now.cards(spot) == cards
            assert table.awaits[:2] == (("draw", self.spot) if self.spot else ("close", None))
        assert table.felt.standing.shoe.out == self.out


TestTruthfulTable = TruthfulTable.TestCase
TestTruthfulTable.settings = settings(max_examples=40, stateful_step_count=40)


def test_the_words_of_the_test_and_of_the_rules_agree_on_every_deal_of_points() -> None:
    faces = [Card(f"{rank}c") for rank in "TA23456789"]
    law = Law.of(GAMES["ez_baccarat"], {})
    for first in range(10):
        for second in range(10):
            for third in range(10):
                book = law.game.deal(law)
                awaited = next(book)
                hands: dict[str, list[Card]] = {"punto": [], "banca": []}
                for card in (faces[first], faces[second], Card.TC, Card.TD, faces[third], faces[second]):
                    spot = due(hands["punto"], hands["banca"])
                    assert awaited.spot == spot
                    if spot is None:
                        break
                    hands[spot].append(card)
                    awaited = book.send(card)
                outcome = awaited.outcome
                assert outcome is not None
                for bet, net in nets(hands["punto"], hands["banca"]).items():
                    pays = outcome.pays.get(bet, (-1, 1))[0]
                    assert 100 * pays == net
