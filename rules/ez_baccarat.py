"""EZ Baccarat, article by article: the directive of 10 April 2008, articles 7 to 14.

Articles 1 to 6 c are lost; what they held (the value of the cards, the loading of the shoe) is marked `op.`
and comes from the defaults that the ledger `articles/ez_baccarat.toml` names with their sources. Bets are not
part of the deal: they lie on the felt before it, and `refuses` and `lacks` judge them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from rules.bets import Bets, Refusal
from rules.cards import DECK, Card
from rules.facts import BetPlaced, Spot
from rules.law import Game, Law, RuleBook
from rules.money import Odds
from rules.round import Await, Outcome

PUNTO: Spot = "punto"
BANCA: Spot = "banca"

# Art. 8: every bet, with the letter that says what it pays; the directive has no Panda 8.
BETS = {"punto": "8.a", "banca": "8.b", "empate": "8.c", "dragon_7": "8.d", "panda_8": "op.panda_8"}
AGAINST = {"punto": "banca", "banca": "punto"}

# op.values: an ace is one, two to nine are their number, tens and figures are nothing.
POINTS = {card: "A23456789".find(card.rank) + 1 for card in DECK}

# Art. 11.d, 11.e: on the Punto's third card, the totals of the Banca that draw.
BANCA_DRAWS: dict[int, frozenset[int]] = {
    0: frozenset({0, 1, 2, 3}),
    1: frozenset({0, 1, 2, 3}),
    2: frozenset({0, 1, 2, 3, 4}),
    3: frozenset({0, 1, 2, 3, 4}),
    4: frozenset({0, 1, 2, 3, 4, 5}),
    5: frozenset({0, 1, 2, 3, 4, 5}),
    6: frozenset({0, 1, 2, 3, 4, 5, 6}),
    7: frozenset({0, 1, 2, 3, 4, 5, 6}),
    8: frozenset({0, 1, 2}),
    9: frozenset({0, 1, 2, 3}),
}


@dataclass(frozen=True, slots=True)
class EzBaccaratOptions:
    """What the directive leaves to the operator."""

    panda_8: bool = False
    """Offer the bet on a Punto win with eight points in three cards, which the directive does not have."""
    side_bet_requires: Literal["any_main", "banca_only"] = "any_main"
    after_cut: Literal["finish_only", "finish_plus_one"] = "finish_only"


def ez_baccarat(_law: Law) -> RuleBook:
    """One round, from the first card to the closing of the bets."""
    # Art. 10: four cards first, the first and third for the Punto, the second and fourth for the Banca.
    p: int = POINTS[(yield PUNTO_10)]
    b: int = POINTS[(yield BANCA_10)]
    # op.values: of a total only the last digit counts.
    p = (p + POINTS[(yield PUNTO_10)]) % 10
    b = (b + POINTS[(yield BANCA_10)]) % 10

    p_cards = b_cards = 2

    # Art. 11.a: with eight or nine in the first two cards of either hand nobody takes a third.
    if p < 8 and b < 8:
        if p >= 6:
            # Art. 11.b: the Punto stands on six or more.
            # op.punto_stands: the directive is silent on the Banca then; it draws on five or less.
            if b <= 5:
                b_cards, b = 3, b + POINTS[(yield BANCA_11_B)]
        else:
            # Art. 11.c: the Punto always draws on five or less.
            third = POINTS[(yield PUNTO_11_C)]
            p_cards, p = 3, p + third
            # Art. 11.d: then the Banca draws on two or less and stands on seven.
            # Art. 11.e: with three to six, the Punto's third card decides.
            if b in BANCA_DRAWS[third]:
                b_cards, b = 3, b + POINTS[(yield BANCA_11_D if b <= 2 else BANCA_11_E)]

    # Art. 8: what every bet is worth; the shoe rests until they are paid and taken.
    yield settled(p % 10, p_cards, b % 10, b_cards)


# The prompts for one card, by the articles that call for it.
PUNTO_10, BANCA_10 = Await("draw", "10", PUNTO), Await("draw", "10", BANCA)
BANCA_11_B, PUNTO_11_C = Await("draw", "11.b", BANCA), Await("draw", "11.c", PUNTO)
BANCA_11_D, BANCA_11_E = Await("draw", "11.d", BANCA), Await("draw", "11.e", BANCA)


def total(cards: Sequence[Card]) -> int:
    """op.values: the last digit of the sum of the points."""
    return sum([POINTS[card] for card in cards]) % 10


@cache
def settled(p: int, p_cards: int, b: int, b_cards: int) -> Await:
    """The prompt to pay and take; the same prompt is the same value."""
    outcome = result(p, p_cards, b, b_cards)
    return Await("close", outcome.article, outcome=outcome)


def result(p: int, p_cards: int, b: int, b_cards: int) -> Outcome:
    """Art. 8: how the hands compare, and the odds of every bet that does not lose."""
    natural = ("natural",) if p_cards == b_cards == 2 and max(p, b) >= 8 else ()
    if p == b:
        # Art. 8.c: equal totals pay the Empate eight to one; op.tie: Punto and Banca stay where they are.
        return Outcome("empate", {"empate": (8, 1), "punto": (0, 1), "banca": (0, 1)}, "8.c", natural)
    if b > p:
        if b == 7 and b_cards == 3:
            # Art. 8.d: the Banca wins with seven in three cards: forty to one for the Dragon 7;
            # Art. 8.b: and the Banca is not paid, it stays. Punto and Empate lose.
            return Outcome("banca", {"dragon_7": (40, 1), "banca": (0, 1)}, "8.b", ("dragon_7",))
        # Art. 8.b: the Banca pays even, without commission.
        return Outcome("banca", {"banca": (1, 1)}, "8.b", natural)
    # Art. 8.a: the Punto pays even.
    pays: dict[str, Odds] = {"punto": (1, 1)}
    if p == 8 and p_cards == 3:
        # op.panda_8: where the operator offers it, twenty-five to one.
        return Outcome("punto", pays | {"panda_8": (25, 1)}, "8.a", ("panda_8",))
    return Outcome("punto", pays, "8.a", natural)


def refuses(law: Law, bets: Bets, bet: BetPlaced) -> Refusal | None:
    """Why this bet may not be placed, or `None`; a stake taken away is never refused for being too small."""
    what, seat, player = bet.bet, bet.seat, bet.player
    if what not in BETS or (what == "panda_8" and not law.own.panda_8):
        return Refusal("unknown_bet", "8", {"seat": seat, "bet": what})
    if not bet.stake:
        return None
    if player != "main":
        # Art. 7.a: whoever joins a player needs the operator's leave.
        if not law.options.joining:
            return Refusal("joining_off", "7.a", {"seat": seat})
        # Art. 7.b: nobody plays two zones. The occupant is known by his zone, one who joins by his name.
        if bets.zones_of(player) - {seat}:
            return Refusal("two_zones", "7.b", {"seat": seat, "player": player})
    # op.both_mains: one zone is one player (7.a), and he does not bet against himself.
    other = AGAINST.get(what)
    if other and bets.on(seat, other):
        return Refusal("both_mains", "8", {"seat": seat})
    # Art. 14: the limits hold for the zone as a whole (7.a).
    limits = law.limits(what)
    if limits is None:
        return None
    return _outside(limits, seat, what, bets.on(seat, what) - bets.of(seat, player, what) + bet.stake)


def lacks(law: Law, bets: Bets) -> Refusal | None:
    """Why the bets do not stand when the first card comes, or `None`."""
    # Art. 7.d: bets are made before the first card.
    if not bets:
        return Refusal("no_bets", "7.d")
    # Art. 8, last paragraph: nobody plays only the Empate or only the Dragon 7 (op.side_bet_requires).
    for one in bets:
        seat, bet = one.seat, one.bet
        if bet not in AGAINST and not (
            bets.on(seat, BANCA) or (law.own.side_bet_requires == "any_main" and bets.on(seat, PUNTO))
        ):
            return Refusal("side_bet_alone", "8", {"seat": seat, "bet": bet})
        # Art. 14: what is left of a zone when a bettor takes his stake away is within the limits too.
        limits = law.limits(bet)
        if limits and (outside := _outside(limits, seat, bet, bets.on(seat, bet))):
            return outside
    return None


def _outside(limits: tuple[int, int], seat: int, bet: str, zone: int) -> Refusal | None:
    """Art. 14: why so much may not lie on that bet of that zone, or `None`."""
    least, most = limits
    if zone < least:
        return Refusal("under_limit", "14", {"seat": seat, "bet": bet, "limit": least})
    if most and zone > most:
        return Refusal("over_limit", "14", {"seat": seat, "bet": bet, "limit": most})
    return None


def burn_count(first: Card) -> int:
    """Art. 6.d, op.burn: the first card says how many are burned; tens and figures say ten."""
    return POINTS[first] or 10


GAME = Game(
    name="ez_baccarat",
    edition="EZ Baccarat, directive of 10 April 2008",
    own=EzBaccaratOptions,
    bets=BETS,
    mains=frozenset(AGAINST),
    articles={"bets": "7.d", "shoe": "6.d", "seen": "op.camera", "close": "8", "errors": "12"},
    hands=(PUNTO, BANCA),
    blind_cards=4,
    pack=frozenset(DECK),
    deal=ez_baccarat,
    refuses=refuses,
    lacks=lacks,
    total=total,
    burn_count=burn_count,
)
