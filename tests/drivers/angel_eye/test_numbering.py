"""What follows what in the device's count, learned and never assumed."""

import string

import pytest

from drivers.angel_eye.numbering import Numbering


def run(
    numbers: str, *, follows: bool | None = None, start: Numbering | None = None
) -> tuple[list[int], Numbering]:
    """How many were missing before each of these."""
    numbering, missing = start or Numbering(), []
    for seq in numbers:
        numbering, count = numbering.after(seq, follows=follows)
        missing.append(count)
    return missing, numbering


def test_whatever_comes_first_is_where_the_count_begins() -> None:
    assert run("7")[0] == [0]
    assert run("789:;")[0] == [0] * 5


@pytest.mark.parametrize(("numbers", "lost"), [("13", 1), ("14", 2), ("19", 7), ("82", 3), ("65", 8)])
def test_a_gap_is_counted_round_the_likely_turn(numbers: str, lost: int) -> None:
    assert run(numbers)[0] == [0, lost]


def test_nine_to_zero_is_learned_at_once() -> None:
    missing, numbering = run("1234567890" * 3)
    assert missing == [0] * 30
    assert numbering.turns == ("90",)


def test_nine_to_zero_over_a_hole_in_the_cards_is_a_gap() -> None:
    assert run("90", follows=False)[0][1] > 0


def test_nine_to_one_is_learned_where_the_cards_prove_it() -> None:
    _, nine = run("123456789")
    assert run("1", start=nine, follows=True)[0] == [0]
    missing, learned = run("1", start=nine)
    assert missing == [1]
    assert run("234567891", start=learned)[0] == [0] * 9


def test_nine_to_one_is_a_gap_where_a_zero_is_known() -> None:
    _, nine = run("0123456789")
    assert run("1", start=nine, follows=True)[0] == [1]


@pytest.mark.parametrize(
    "alphabet", ["12345678", "01234567", string.digits + "ABCDEF", string.ascii_letters, "AB"]
)
def test_any_other_turn_is_a_gap_once_and_then_known(alphabet: str) -> None:
    missing, numbering = run(alphabet * 2)
    assert sum(count > 0 for count in missing) <= len(numbering.leaps) <= 2
    missing, _ = run(alphabet * 20, start=numbering)
    assert missing == [0] * 20 * len(alphabet)


def test_a_loss_never_becomes_a_turn() -> None:
    _, numbering = run("1234567890" * 2)
    for _ in range(5):
        missing, numbering = run("1267890", start=numbering, follows=True)
        assert missing == [0, 0, 3, 0, 0, 0, 0]
        missing, numbering = run("1234567890", start=numbering, follows=True)
        assert missing == [0] * 10


def test_a_wrong_lesson_is_forgotten_when_the_truth_is_seen() -> None:
    _, numbering = run("123456789")
    _, numbering = run("1", start=numbering, follows=True)  # a cut card with number 0 was lost: bad luck
    assert numbering.turns == ("91",)
    missing, numbering = run("2345678901", start=numbering)
    assert missing[8] > 0
    assert run("234567890123", start=numbering)[0] == [0] * 12


def test_the_same_number_again_is_one_turn_later() -> None:
    _, numbering = run("1234567890")
    assert run("0", start=numbering)[0] == [9]
    assert run("0" * 5, start=numbering)[0] == [9] * 5


def test_two_in_the_wrong_order_are_one_gap() -> None:
    assert run("12354678")[0] == [0, 0, 0, 1, 0, 0, 0, 0]
    assert run("12345678091234")[0] == [0] * 8 + [1, 0] + [0] * 4


def test_a_number_comes_late_only_just_after_it_was_missed() -> None:
    missing, _ = run("1235674")
    assert missing[3] == 1
    assert missing[-1] > 0


def test_a_boot_counts_from_where_it_says() -> None:
    _, numbering = run("12345")
    assert run("2", start=numbering.restarted("1"))[0] == [0]


def test_a_long_way_that_nobody_knows_is_one_at_least() -> None:
    _, numbering = run("zy")
    assert numbering.tip == "y"
    assert run("!", start=numbering)[0] == [1]
