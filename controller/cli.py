"""The command line: `sabot` and its commands, as `contracts/commands.md` has them.

Exit codes: 0 done and good; 1 done, and something is wrong with what was checked; 2 the request or its input
was unusable, said in one line on standard error.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from config.load import ConfigError
from controller.journal_cli import journal_app
from controller.journal_form import JournalError
from controller.progress import busy
from controller.scenario import UnusableError
from controller.terminal import UNUSABLE, WRONG, Json, complain, fail, line

app = typer.Typer(
    name="sabot",
    help="The controller of a casino card table.",
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
MOST_ROUNDS = 1_000_000

app.add_typer(journal_app, name="journal")


def main() -> None:
    """Run the command line and exit."""
    if sys.stdout is None:
        fail("standard output is closed")
    if sys.stdin is None:
        sys.stdin = open(os.devnull)  # noqa: PTH123, SIM115 - for as long as we run
    try:
        code = app(prog_name="sabot", standalone_mode=False)
        sys.stdout.flush()
    except SystemExit as ended:
        # Whoever read our output has enough of it: nothing is wrong.
        sys.exit(0 if isinstance(ended.__context__, BrokenPipeError) else ended.code)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except (ConfigError, JournalError, UnusableError) as error:
        fail(str(error))
    except OSError as error:
        # What waits to be written must not be tried again at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            sys.exit(0)
        fail(f"{error.filename or 'standard output'}: {error.strerror}")
    except Exception as error:
        # The command line was wrong; typer keeps the class of that error to itself.
        said = getattr(error, "format_message", None)
        if said is None:
            raise
        fail(f"{said()} (sabot --help lists the commands)")
    sys.exit(code if isinstance(code, int) else 0)


@app.command()
def check(
    paths: Annotated[list[Path], typer.Argument(help="Scenario files, or folders of them.")],
    json: Json = False,
) -> int:
    """Run scenario files: every fact, every expectation, every settlement."""
    from controller.check import files, run
    from controller.scenario import load

    code = 0
    for path in files(paths):
        if path.is_dir():
            code = UNUSABLE
            complain(f"{path}: holds no scenario file (*.toml)")
            continue
        try:
            scenario = load(path)
            title, errors, usable = scenario.title, run(scenario), True
        except UnusableError as error:
            title, errors, usable = "", [str(error)], False
        code = max(code, UNUSABLE if not usable else WRONG if errors else 0)
        if not usable:
            complain(errors[0])
        if json:
            name = str(path).encode(errors="replace").decode()
            line({"file": name, "title": title, "ok": not errors, "errors": errors})
        elif usable:
            sys.stdout.write(f"{'ok  ' if not errors else 'FAIL'}  {path}  {title}\n")
            sys.stdout.writelines(f"        {error}\n" for error in errors)
    return code


@app.command()
def decode(
    driver: Annotated[str, typer.Argument(help="The device's driver: angel-eye-2ex.")],
    file: Annotated[str, typer.Argument(help="Raw bytes; - is standard input.")],
    json: Json = False,  # noqa: ARG001 - the answer is JSON lines in either case
) -> int:
    """Turn raw bytes of a device into facts, one JSON object a line."""
    from drivers.decode import lines

    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except OSError as error:
        fail(f"{file}: cannot be read: {error.strerror}")
    try:
        told = 0
        for told, fact in enumerate(lines(driver, data), start=1):  # noqa: B007 - how many there were
            line(fact)
        if data and not told:
            sys.stderr.write(f"sabot: {file}: {len(data)} bytes, and no telegram of {driver} among them\n")
    except ValueError as error:
        fail(str(error))
    return 0


@app.command()
def roads(
    tail: Annotated[
        str, typer.Option(help="keep_right or probe: how a long streak is drawn.")
    ] = "keep_right",
    json: Json = False,  # noqa: ARG001 - the answer is JSON lines in either case
) -> int:
    """Draw the five roads: each line of B, P and T on standard input to one object."""
    from rules.roads import bead_plate, big_road, derived

    if tail not in ("keep_right", "probe"):
        fail(f"--tail {tail}: there are keep_right and probe")
    for number, raw in enumerate(sys.stdin.buffer, start=1):
        text = raw.decode(errors="replace").strip()
        results = text.upper()
        if set(results) - set("BPT"):
            fail(f"standard input, line {number}: a result is B, P or T; this has {text[:40]!r}")
        line(
            {
                "bead": [[cell.col, cell.row, cell.side] for cell in bead_plate(results)],
                "big_road": [
                    list(cell) for cell in big_road(results, "probe" if tail == "probe" else "keep_right")
                ],
                "big_eye_boy": derived(results, 1),
                "small_road": derived(results, 2),
                "cockroach_pig": derived(results, 3),
            }
        )
    return 0


@app.command()
def odds(
    game: Annotated[str, typer.Argument(help="ez_baccarat")],
    decks: Annotated[int, typer.Option(help="Decks in the shoe.")] = 8,
    json: Json = False,
) -> int:
    """The exact figures of a game, by enumerating every deal through the rule book that plays."""
    from config.options import MOST_DECKS
    from rules import odds as exact

    if game not in exact.GAMES:
        fail(f"game {game!r}: exact odds are there for {', '.join(exact.GAMES)}")
    if not 1 <= decks <= MOST_DECKS:
        fail(f"--decks {decks}: a shoe has 1 to {MOST_DECKS} decks")
    with busy(f"every deal of {decks} decks"):
        figures = exact.GAMES[game](decks)
    if json:
        told = {name: {"exact": str(value), "value": float(value)} for name, value in figures.items()}
        line({"game": game, "decks": decks, "figures": told})
    else:
        for name, value in figures.items():
            sys.stdout.write(f"{name:<16}{float(value):.9f}  = {value}\n")
    return 0


@app.command()
def run(
    table: Annotated[Path, typer.Argument(help="The table file.")],
    capture: Annotated[Path | None, typer.Option(help="A file that keeps every byte of the shoe.")] = None,
) -> int:
    """Run the table on the hardware that its file names, until Ctrl-C."""
    from controller.running import run_table

    return run_table(table, capture)


@app.command()
def demo(
    game: Annotated[str, typer.Option(help="ez_baccarat")] = "ez_baccarat",
    seed: Annotated[int, typer.Option(help="One seed, one course.")] = 1,
    speed: Annotated[float, typer.Option(help="2 is twice as fast as calm people.")] = 1.0,
    rounds: Annotated[int | None, typer.Option(help="Stop after so many; else at Ctrl-C.")] = None,
    port: Annotated[int | None, typer.Option(help="Of the screens.")] = None,
    faults: Annotated[bool, typer.Option("--faults", help="Mix in irregularities.")] = False,
    headless: Annotated[bool, typer.Option("--headless", help="As fast as the processes go.")] = False,
    scenario: Annotated[Path | None, typer.Option(help="Play this scenario file.")] = None,
    json: Json = False,
) -> int:
    """Play the whole table on this machine, nothing attached."""
    from controller.demonstrate import demonstrate
    from controller.scenario import load
    from controller.simulate.demo import Settings

    if game != "ez_baccarat":
        fail(f"--game {game}: the demo plays ez_baccarat")
    if not 0 < speed < float("inf"):
        fail(f"--speed {speed}: a number above 0, 2 is twice as fast")
    if rounds is not None and not 1 <= rounds <= MOST_ROUNDS:
        fail(f"--rounds {rounds}: 1 to {MOST_ROUNDS}")
    if seed < 0:
        fail(f"--seed {seed}: 0 or more")
    if port is not None:
        _free(port)
    written = load(scenario) if scenario else None
    settings = Settings(
        seed, rounds, faults=faults, headless=headless, speed=speed, port=port, scenario=written
    )
    return demonstrate(settings, json=json)


def _free(port: int) -> None:
    """End with a word when nobody can serve pages there."""
    import socket

    try:
        with socket.create_server(("127.0.0.1", port)):
            pass
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else "there is no such port"
        fail(f"--port {port}: cannot be served: {why}; name another, or none")


@app.command()
def bench(
    only: Annotated[
        list[str] | None, typer.Option(help="latency, rules, odds, start, recovery; may be repeated.")
    ] = None,
    names: Annotated[list[str] | None, typer.Argument(help="More of these names.")] = None,
    json: Json = False,
) -> int:
    """Measure what was promised, beside the floor of this machine."""
    from controller.bench import BENCHES
    from controller.process import logs

    logs()
    only = [*(only or ()), *(names or ())]
    for name in only:
        if name not in BENCHES:
            fail(f"--only {name}: there are {', '.join(BENCHES)}")
    good = True
    for name in only or BENCHES:
        for figure in BENCHES[name]():
            good = good and figure.good
            if json:
                line(figure)
                continue
            floor = ", ".join(f"{what} {value:,.2f} {figure.unit}" for what, value in figure.floor.items())
            said = f"{figure.name:<28}{figure.value:>12,.2f} {figure.unit:<4} {figure.goal}"
            sys.stdout.write(f"{said}{'' if figure.good else '  MISSED'}{f'  ({floor})' if floor else ''}\n")
            sys.stdout.flush()
    return 0 if good else WRONG


@app.command()
def test() -> None:
    """Run every check of the project."""
    import subprocess

    root = Path(__file__).parent.parent
    sys.exit(subprocess.run([sys.executable, "-P", "-m", "tests"], cwd=root, check=False).returncode)


@app.command()
def pin() -> int:
    """Make the hash of a PIN for the table file; it is asked for, and never stands on the command line."""
    from getpass import getpass

    from controller.operators import hashed

    if sys.stdin.isatty():
        digits = getpass("PIN: ")
        if getpass("Once more: ") != digits:
            fail("the two are not the same")
    else:
        digits = sys.stdin.readline().strip()
    try:
        sys.stdout.write(hashed(digits) + "\n")
    except ValueError as error:
        fail(str(error))
    return 0


@app.command()
def keys(
    folder: Annotated[Path, typer.Argument(help="Where the two key files go.")],
    name: Annotated[str, typer.Argument(help="Whose keys they are: the table's, or a source's.")],
) -> int:
    """Make a CURVE key pair for an endpoint of the bus by tcp."""
    from zmq.auth import create_certificates

    from config.sensible import NAME

    if not NAME.fullmatch(name):
        fail(f"NAME {name!r}: names two files; write it in letters, digits, '-', '_' and '.', like chips-1")
    for made in (folder / f"{name}.key", folder / f"{name}.key_secret"):
        if made.exists():
            fail(f"{made}: is there already; whoever uses it would be shut out by a new one")
    # Nobody else may read the secret key, not even for the moment in which it is written.
    before = os.umask(0o077)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        public, secret = create_certificates(folder, name)
    except OSError as error:
        fail(f"{folder}: {error.strerror}")
    finally:
        os.umask(before)
    sys.stdout.write(f"{public}\n{secret}\n")
    return 0


@app.command()
def articles(json: Json = False) -> int:
    """The traceability table: article, status, code, tests, scenarios."""
    from controller.ledger import table, written

    for row in table():
        if json:
            line(row)
        else:
            sys.stdout.write(written(row) + "\n")
    return 0
