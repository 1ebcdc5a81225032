"""Who may rule: the hash of a PIN, and how many tries there are."""

import pytest

from controller.operators import FIRST_LOCK, LONGEST_LOCK, TRIES, good, hashed, locked_for, tries_left

SECOND = 1_000_000_000


def test_a_pin_is_good_for_its_own_hash_alone() -> None:
    made = hashed("0413")
    assert made.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert good(made, "0413")
    for wrong in ("0414", "413", "04130", "", "0413 ", "x" * 10_000):
        assert not good(made, wrong)
    assert hashed("0413") != made, "every hash has its own salt"


@pytest.mark.parametrize(
    "pin",
    [
        "",
        "123",
        "1234567",
        "12a4",
        "\u0660\u0664\u0661\u0663",
        "\uff11\uff12\uff13\uff14",
        " 1234",
        "-123",
        "12.4",
    ],
)
def test_what_is_no_pin_is_refused(pin: str) -> None:
    with pytest.raises(ValueError, match="a PIN is four to six digits"):
        hashed(pin)


@pytest.mark.parametrize("broken", ["", "1234", "$argon2id$v=19$m=19456,t=2,p=1$REPLACE", "$argon2id$v=19$x"])
def test_a_broken_hash_lets_nobody_in(broken: str) -> None:
    assert not good(broken, "1234")


def test_the_first_four_wrong_pins_lock_nobody() -> None:
    assert locked_for(None, 0) == 0
    assert tries_left(None) == TRIES
    for wrong in range(TRIES):
        assert locked_for((wrong, 0), 0) == 0
        assert tries_left((wrong, 0)) == TRIES - wrong
    assert tries_left((TRIES + 3, 0)) == 0


@pytest.mark.parametrize(
    ("wrong", "seconds"),
    [(5, 60), (6, 120), (7, 240), (8, 480), (9, 960), (10, 1920), (11, 3600), (10**9, 3600)],
)
def test_every_further_one_locks_twice_as_long_up_to_an_hour(wrong: int, seconds: int) -> None:
    last = 5 * SECOND
    assert locked_for((wrong, last), last) == seconds
    assert locked_for((wrong, last), last + (seconds - 1) * SECOND) == 1
    assert locked_for((wrong, last), last + seconds * SECOND) == 0


def test_nobody_guesses_a_pin_of_four_digits_in_a_month() -> None:
    now, guesses = 0, 0
    tries: tuple[int, int] | None = None
    while now < 30 * 86_400 * SECOND:
        now += locked_for(tries, now) * SECOND
        guesses += 1
        tries = (guesses, now)
    assert guesses < 10_000 / 10
    assert FIRST_LOCK < LONGEST_LOCK


def test_a_clock_that_was_set_back_unlocks_nobody() -> None:
    assert locked_for((5, 100 * SECOND), 50 * SECOND) == 60
