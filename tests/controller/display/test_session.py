"""What a screen has open, and how taps change it."""

from controller.display.session import Session


def test_a_chip_is_chosen_and_ends_taking_away() -> None:
    session = Session(erase=True)
    assert session.act("ui.chip", {"value": 2500})
    assert (session.chip, session.erase) == (2500, False)


def test_a_card_is_picked_rank_first() -> None:
    session = Session()
    session.act("ui.pick", {"act": "card", "at": "punto"})
    assert session.picked("h") is None
    session.act("ui.rank", {"value": "T"})
    assert session.picked("x") is None
    assert session.picked("h") == {"act": "card", "at": "punto", "card": "Th"}


def test_a_pin_is_at_most_six_digits_and_is_forgotten_with_the_sheet() -> None:
    session = Session(sheet="pin")
    for digit in "12345678":
        session.act("ui.digit", {"value": digit})
    assert session.digits == "123456"
    session.act("ui.rub_out", {})
    assert session.digits == "12345"
    session.act("ui.close", {})
    assert (session.digits, session.sheet, session.pending) == ("", "", None)


def test_another_operator_starts_from_an_empty_pin() -> None:
    session = Session(digits="12")
    session.act("ui.operator", {"value": "4471"})
    assert (session.operator, session.digits) == ("4471", "")


def test_what_is_no_act_of_a_screen_is_left_to_the_table() -> None:
    assert not Session().act("paid", {})
    assert not Session().act("ui.lang", {"value": "xx"})
