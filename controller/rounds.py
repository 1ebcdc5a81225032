"""A journal as people read it: round by round, every payout with its article."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from controller.journal import Entry
from controller.journal_form import JournalError
from controller.notes import Note
from controller.table import PEOPLE
from rules.facts import DeviceState, Ruled
from rules.known import GAMES
from rules.play import Play
from rules.round import Irregularity, Round
from rules.rulings import speaks_of


@dataclass(frozen=True, slots=True)
class Told:
    """A round with what happened on its way."""

    round: Round
    began: int
    """Wall clock of its first entry, nanoseconds."""
    troubles: tuple[Irregularity, ...]
    """Every irregularity, also those that were mended."""
    rulings: tuple[tuple[int, Ruled], ...]


def told(entries: Iterable[Entry]) -> Iterator[Told]:
    """The rounds of a journal that had a bet or a card, each as it stands at the end of the journal.

    Raises `JournalError` for an entry that the rules of this Sabot cannot judge.
    """
    play = Play(GAMES)
    began: dict[int, int] = {}
    troubles: dict[int, list[Irregularity]] = {}
    rulings: dict[int, Ruled] = {}
    seen: set[tuple[str, int]] = set()
    for entry in entries:
        fact = entry.fact
        if isinstance(fact, Note | DeviceState):
            continue
        try:
            play.after(entry.seq, fact, entry.source == PEOPLE)
        except (KeyError, ValueError) as error:
            raise JournalError(f"entry {entry.seq} cannot be judged by this Sabot: {error}") from None
        place = len(play) - 1
        began.setdefault(place, entry.at)
        trouble = play.felt.irregularity or play.felt.fault()
        if trouble and (trouble.code, trouble.n) not in seen:
            seen.add((trouble.code, trouble.n))
            troubles.setdefault(place, []).append(trouble)
        if isinstance(fact, Ruled) and play.refused is None:
            rulings[entry.seq] = fact
    ruled = _by_round(play, rulings)
    for place in range(len(play)):
        round_ = play.round(place)
        if round_.bets or round_.laid or round_.free_hand:
            yield Told(round_, began[place], tuple(troubles.get(place, ())), tuple(ruled.get(place, ())))


def _by_round(play: Play, rulings: Mapping[int, Ruled]) -> dict[int, list[tuple[int, Ruled]]]:
    """The rulings by the place of the round that they speak of, also when that was over."""
    places = {n: place for place in range(len(play)) for n, _, _ in play.lines(place)}
    found: dict[int, list[tuple[int, Ruled]]] = {}
    for seq, ruling in rulings.items():
        spoken_of = seq if ruling.n is None else speaks_of(rulings, ruling.n)
        found.setdefault(places.get(spoken_of, places[seq]), []).append((seq, ruling))
    return found


@dataclass(frozen=True, slots=True)
class Summary:
    """A journal in figures."""

    rounds: int
    """That ended, paid or void."""
    misdeals: int
    """Irregularities of cards; faults of devices are none."""
    rulings: int
    paid: int
    """What the players won, in minor units."""
    taken: int
    """What they lost."""


def summary(entries: Iterable[Entry]) -> Summary:
    """The figures of a journal."""
    rounds = misdeals = rulings = paid = taken = 0
    for one in told(entries):
        rounds += one.round.over
        misdeals += sum(trouble.code != "device_fault" for trouble in one.troubles)
        rulings += len(one.rulings)
        if one.round.over:
            paid += sum(pay.net for pay in one.round.payouts if pay.net > 0)
            taken -= sum(pay.net for pay in one.round.payouts if pay.net < 0)
    return Summary(rounds, misdeals, rulings, paid, taken)


def written(one: Told) -> Iterator[str]:
    """A round in lines of text; `*` marks a card that a person entered."""
    round_ = one.round
    at = datetime.fromtimestamp(one.began / 1e9, tz=UTC).astimezone()
    yield f"Round {round_.number}  {at:%Y-%m-%d %H:%M:%S}{_state(round_)}"
    for spot in dict.fromkeys(laid.spot for laid in round_.laid):
        cards = " ".join(f"{laid.card}{'*' * laid.by_hand}" for laid in round_.laid if laid.spot == spot)
        yield f"  {spot:<8}{cards}"
    if round_.burned:
        yield f"  {'burned':<8}{' '.join(str(card or '??') for card in round_.burned)}"
    for trouble in one.troubles:
        yield f"  entry {trouble.n}: {trouble.code}, art. {trouble.article}"
    for seq, ruling in one.rulings:
        of = f" {ruling.n}" if ruling.n else ""
        yield f"  entry {seq}: ruled {ruling.action}{of} by {ruling.by or '?'}"
    for pay in round_.payouts:
        who = f"{pay.seat}" if pay.player == "main" else f"{pay.seat} {pay.player}"
        odds = f" {pay.odds[0]}:{pay.odds[1]}" if pay.odds and pay.odds[0] else ""
        sums = f"{pay.stake:>9} {pay.result:<5}{pay.net:>+9}"
        yield f"  seat {who:<9}{pay.bet:<9}{sums}{odds}  art. {pay.article}"


def _state(round_: Round) -> str:
    if round_.void:
        return "  void"
    if round_.outcome is not None:
        return "  " + ", ".join((round_.outcome.winner, *round_.outcome.marks))
    return "  not finished"
