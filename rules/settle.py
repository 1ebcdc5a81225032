"""What every bet is worth when the cards are known."""

from collections.abc import Iterable

from rules.bets import Bets
from rules.law import Law
from rules.money import winnings
from rules.round import Outcome, Payout


def settle(
    law: Law, bets: Bets, outcome: Outcome | None, void_seats: Iterable[int] = ()
) -> tuple[Payout, ...]:
    """The payouts by seat in rising order, as they are paid; without an outcome every stake goes back."""
    paid = []
    for bet in bets:
        article = law.game.bets[bet.bet]
        if outcome is None or bet.seat in void_seats:
            article = law.game.articles["errors"]
            paid.append(Payout(bet.seat, bet.player, bet.bet, bet.stake, "void", 0, article))
            continue
        odds = outcome.pays.get(bet.bet)
        if odds is None:
            paid.append(Payout(bet.seat, bet.player, bet.bet, bet.stake, "lose", -bet.stake, article))
        elif not odds[0]:
            paid.append(Payout(bet.seat, bet.player, bet.bet, bet.stake, "push", 0, article, odds))
        else:
            rounding = law.options.rounding_table.get(bet.bet, law.options.rounding)
            net = winnings(bet.stake, odds, rounding)
            paid.append(Payout(bet.seat, bet.player, bet.bet, bet.stake, "win", net, article, odds))
    paid.sort(key=lambda payout: payout.seat)
    return tuple(paid)
