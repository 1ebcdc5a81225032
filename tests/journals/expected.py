"""What the rules say of a recorded journal, as text: every prompt, every refusal, every payout.

`python tests/journals/expected.py` writes it anew for the journals that are here: an explicit act, whose
result is read before it is committed.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from controller.codec import decode
from controller.journal import Entry
from controller.notes import Note
from controller.table import PEOPLE
from rules.known import GAMES
from rules.play import Play
from rules.round import Round

HERE = Path(__file__).parent


def line(entry: Entry) -> dict[str, Any]:
    """An entry without its clocks."""
    return {"seq": entry.seq, "source": entry.source, "word": entry.word, "fact": json.loads(entry.body)}


def replayed(lines: list[dict[str, Any]]) -> str:
    """Where the round stood after every fact, and how every round ended."""
    play, told = Play(GAMES), list[str]()
    for one in lines:
        fact = decode(one["word"], json.dumps(one["fact"]))
        if isinstance(fact, Note):
            continue
        play.after(one["seq"], fact, one["source"] == PEOPLE)
        told.append(f"{one['seq']:>5}  {one['word']:<14}{_stands(play)}")
    for place in range(len(play)):
        told += ["", *_ended(play.round(place))]
    return "\n".join(told) + "\n"


def _stands(play: Play) -> str:
    """What is awaited, by which article; what holds the round, and what was refused."""
    round_ = play.now
    awaits, trouble, refused = round_.awaits, round_.irregularity, play.refused
    said = [
        f"{awaits.what} {awaits.spot or ''}".strip() + (f", art. {awaits.article}" if awaits.article else "")
    ]
    if trouble:
        ends = " ".join(trouble.remedies) or "by itself"
        said.append(f"{trouble.code} of {trouble.n}, art. {trouble.article}: {ends}")
    if refused:
        about = "".join(f" {key}={value}" for key, value in sorted(refused.about.items()))
        said.append(f"refused: {refused.code}{about}, art. {refused.article}")
    return " | ".join(said)


def _ended(round_: Round) -> Iterator[str]:
    """A round as it stands at the end of the journal."""
    outcome = round_.outcome
    how = " ".join((outcome.winner, *outcome.marks)) + f", art. {outcome.article}" if outcome else ""
    state = "void" if round_.void else "over" if round_.over else "open"
    yield f"Round {round_.number}: {state}{f', {how}' if how else ''}"
    for spot in dict.fromkeys(laid.spot for laid in round_.laid):
        cards = (f"{laid.card}{'*' * laid.by_hand}" for laid in round_.laid if laid.spot == spot)
        yield f"  {spot:<8}{' '.join(cards)}"
    if round_.burned:
        yield f"  burned  {' '.join(str(card or '??') for card in round_.burned)}"
    for pay in round_.payouts:
        odds = f" {pay.odds[0]}:{pay.odds[1]}" if pay.odds else ""
        bet = f"seat {pay.seat} {pay.player} {pay.bet} {pay.stake}"
        yield f"  {bet} {pay.result} {pay.net:+}{odds}, art. {pay.article}"


def recorded(path: Path) -> list[dict[str, Any]]:
    """The lines of a recorded journal."""
    return [json.loads(text) for text in path.read_text(encoding="utf-8").splitlines()]


if __name__ == "__main__":
    for journal in sorted(HERE.glob("*.jsonl")):
        journal.with_suffix(".txt").write_text(replayed(recorded(journal)), encoding="utf-8")
