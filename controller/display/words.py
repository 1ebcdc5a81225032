"""The words for codes: what a refusal, an irregularity, a remedy or a fault is called, and what to do.

Texts are in English as the catalogues translate them; `{...}` is filled by the screens. Every code that the
rules, the taps and the drivers can give has its words here, and a test says which have not.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Trouble(NamedTuple):
    """What a halted screen says: a title, and what to do step by step."""

    title: str
    steps: tuple[str, ...]


HANDS: Mapping[str, str] = {"punto": "Punto", "banca": "Banca", "burn": "burn"}

BETS: Mapping[str, str] = {
    "punto": "Punto",
    "banca": "Banca",
    "empate": "Tie",
    "dragon_7": "Dragon 7",
    "panda_8": "Panda 8",
}

GAMES: Mapping[str, str] = {"ez_baccarat": "EZ Baccarat"}

TITLES: Mapping[str, str] = {"dealer": "Dealer", "public": "Players"}

MAIN_BETS = "Main bets"

ROADS: Mapping[str, str] = {
    "bead": "Bead plate",
    "big": "Big road",
    "big_eye_boy": "Big eye boy",
    "small_road": "Small road",
    "cockroach_pig": "Cockroach pig",
}

STATES: Mapping[str, str] = {
    "bets": "Place your bets",
    "draw": "No more bets",
    "seen": "No more bets",
    "close": "Payouts",
    "shoe": "New shoe",
    "ruling": "One moment, please",
    "nothing": "One moment, please",
}
"""What the players are told, by what the round awaits."""

LOADING: tuple[str, ...] = (
    "Take the old shoe and its cards away.",
    "Shuffle, cut and put in the new shoe.",
    "Confirm that it is in.",
    "Turn its first card and burn as many as it says.",
)
"""A new shoe, step by step (art. 6)."""

SETTLEMENT: Mapping[str, str] = {
    "lose": "Take {bets}",
    "win": "Pay {bets}",
    "push": "{bets} stays",
    "void": "Give back {bets}",
}
"""What to do with the bets of each result, in the order in which it is done."""

UNCHANGED: Mapping[str, str] = {"push": "stays", "void": "goes back", "win": "", "lose": ""}
"""In place of an amount, where no chips move."""

NOTHING = "nothing"
FELT = "felt"
SEE_DEVICE = "see its own display"
NOT_HEARD = "not heard yet"
CHOOSE = "Choose your name, then enter your PIN."
WRONG_PIN = "That PIN is wrong; {left} tries left."
LOCKED = "Locked for {seconds} seconds."

MARKS: Mapping[str, str] = {"natural": "natural", "dragon_7": "Dragon 7", "panda_8": "Panda 8"}

ORDINALS: tuple[str, ...] = ("first card", "second card", "third card")

_STILL = "Leave the cards where they are."
_ON = "The round goes on where it stood."
_COMPARE = (
    _STILL,
    "Compare the cards on the felt with the screen.",
    "If a card is missing here, the supervisor enters it; otherwise he lets the round go on.",
)

TROUBLES: Mapping[str, Trouble] = {
    "early_card": Trouble(
        "A card left the shoe too early",
        (
            "It cannot go back into the shoe.",
            "The supervisor burns it, or lets the round be dealt with it.",
            "Then bets are made again.",
        ),
    ),
    "extra_card": Trouble(
        "A card was drawn that is not due",
        (_STILL, "Put the last card aside, face up.", "The supervisor burns it.", _ON),
    ),
    "missing_card": Trouble(
        "The shoe's count shows that something never reached us",
        (
            _STILL,
            "Compare the cards on the felt with the screen.",
            "The supervisor enters the card that is missing, or says that none is.",
            _ON,
        ),
    ),
    "unreadable": Trouble(
        "The shoe could not read a card",
        (_STILL, "Look at the card and tell the supervisor which it is.", "The supervisor enters it.", _ON),
    ),
    "wrong_spot": Trouble(
        "A card lies at the wrong spot",
        (
            "Move the card to where the shoe's order puts it: {spot}.",
            "The supervisor confirms the place.",
            _ON,
        ),
    ),
    "shoe_camera_mismatch": Trouble(
        "The shoe and the camera differ",
        (
            _STILL,
            "Look at the card and tell the supervisor which it is.",
            "The supervisor chooses the right reading, or voids the round.",
            _ON,
        ),
    ),
    "same_card_again": Trouble(
        "The same face was seen twice at one spot",
        (_STILL, "Count the cards at {spot}.", "The supervisor says whether it is a second card.", _ON),
    ),
    "foreign_card": Trouble(
        "This card does not belong to the game",
        (
            _STILL,
            "Look at the card and tell the supervisor which it is.",
            "If it was misread, the supervisor enters it; otherwise he voids the round.",
            "Keep the card for the inspector.",
        ),
    ),
    "count_exceeded": Trouble(
        "There are more of this card than {decks} decks hold",
        (
            _STILL,
            "Look at the card and tell the supervisor which it is.",
            "If it was misread, the supervisor enters it; otherwise he voids the round.",
            "Close the shoe and call surveillance.",
        ),
    ),
    "card_returned": Trouble(
        "A card was pushed back into the shoe",
        (
            "Draw no more cards.",
            "Show the supervisor what was pushed back.",
            "The supervisor lets the round go on, or voids it.",
        ),
    ),
    "out_of_step": Trouble(
        "The shoe deals to another hand than the rules",
        _COMPARE,
    ),
    "restarted": Trouble(
        "The shoe started anew in the middle of the round",
        _COMPARE,
    ),
    "reading_changed": Trouble(
        "The shoe gives two readings of one card",
        (_STILL, "Look at the card and tell the supervisor which it is.", "The supervisor enters it.", _ON),
    ),
    "result_mismatch": Trouble(
        "The shoe has another result",
        (
            _STILL,
            "Compare the cards on the felt with the screen, one by one.",
            "If they agree, the supervisor lets the round go on; otherwise he corrects a card or voids it.",
        ),
    ),
    "dealing_error": Trouble(
        "An error in the dealing was reported",
        (_STILL, "Explain the error to the supervisor.", "The supervisor decides, and the players are told."),
    ),
    "shoe_empty": Trouble(
        "The shoe is empty and the round needs a card",
        ("The supervisor voids the round.", "Every bet goes back to its player.", "Put in a new shoe."),
    ),
    "face_up_card": Trouble("A card lay face up in the shoe; it is burned and the round goes on", ()),
    "device_fault": Trouble(
        "{source}: {fault}",
        (
            _STILL,
            "Mend the device: {remedy}",
            "The round goes on by itself when the device is ready.",
            "If it cannot be mended now, take over by hand and enter the cards.",
        ),
    ),
}

REMEDIES: Mapping[str, str] = {
    "burn": "Burn the card",
    "strike": "It did not happen",
    "replace": "Another card…",
    "insert": "Enter the missing card…",
    "resume": "Go on",
    "void_round": "Void the round",
    "void_seat": "Void the seat",
}

ENTER = "Enter the card…"
"""What it means to replace a card that nobody read."""

RESUMED: Mapping[str, str] = {
    "early_card": "Deal with it",
    "missing_card": "No card is missing",
    "wrong_spot": "It lies right now",
    "shoe_camera_mismatch": "Set the sighting aside",
    "same_card_again": "It is a second card",
    "card_returned": "Go on",
    "out_of_step": "Our order stands",
    "restarted": "No card is missing",
    "reading_changed": "The first reading stands",
    "result_mismatch": "Our result stands",
    "dealing_error": "Corrected, go on",
}
"""What it means to go on, by the irregularity that it ends."""

SOURCES: Mapping[str, str] = {"shoe": "Shoe", "camera": "Camera"}

FAULTS: Mapping[str, tuple[str, str]] = {
    "silent": ("its program does not answer", "it starts again by itself within seconds"),
    "link_lost": ("no connection", "check its cable and its power"),
    "garbled": ("what it sends cannot be read", "check cable and line settings (baud)"),
    "copies_differ": ("its repeated messages differ", "check the cable for damage"),
    "unreadable": ("it cannot read a card", "follow the shoe's own display and clear the error there"),
    "cannot_read": ("it cannot read a card", "follow the shoe's own display and clear the error there"),
    "overdraw": ("it says that too many cards were drawn", "clear the error on the shoe"),
    "button": ("a button was pressed out of turn", "clear the error on the shoe"),
    "reverse": ("a card moved backwards", "take the card out, then clear the error on the shoe"),
    "code_error": ("a card has no valid code", "show the card to the supervisor, then clear the error"),
    "timeout": ("a card was not drawn in time", "draw the card out, then clear the error on the shoe"),
    "jam": ("a card is jammed", "free the card, then clear the error on the shoe"),
    "door_open": ("its door is open", "close the door"),
}
"""What a fault is, and how it is mended."""

REFUSALS: Mapping[str, str] = {
    "stale": "The table had moved on; look again",
    "not_due": "That is not due now",
    "halted": "The round is halted",
    "bets_closed": "No more bets: the first card is out",
    "shoe_over": "This shoe is over; put in a new one",
    "no_seat": "There is no seat {seat}",
    "negative": "A stake is not negative",
    "unknown_bet": "This table does not take that bet",
    "joining_off": "This table does not let bettors join",
    "two_zones": "Nobody plays two seats",
    "both_mains": "Nobody bets Punto and Banca at once",
    "under_limit": "Under the minimum of {limit}",
    "over_limit": "Over the maximum of {limit}",
    "no_bets": "There are no bets",
    "side_bet_alone": "Seat {seat}: {bet} needs a bet on Punto or Banca",
    "unburned": "The new shoe was not burned yet",
    "nothing_to_repeat": "There are no bets to repeat",
    "fault_holds": "The device still has a fault; mend that first",
    "needs_supervisor": "That needs a supervisor",
    "not_a_card": "That is no card",
    "unknown_ruling": "There is no such ruling",
    "no_bet_there": "There is no bet at that seat",
    "nothing_to_resume": "There is nothing to resume",
    "ruling_needs_fact": "A ruling needs the event that it speaks of",
    "ruling_needs_right": "Say which card it was",
    "no_such_fact": "There is no such event",
    "cannot_resume": "That cannot simply go on",
}

UNSURE: Mapping[str, str] = {
    "blurred": "blurred",
    "glare": "glare on the card",
    "covered": "something covers it",
    "corners_differ": "its two corners differ",
    "foreign": "a card of another design",
    "weak": "not clear enough",
}
"""Why the camera will not say which card it is."""

RUNGS: Mapping[str, str] = {
    "absent": "not connected",
    "silent": "connected, nothing came yet",
    "bytes": "something comes that is no message",
    "frames": "messages come that say nothing",
    "live": "ready",
}
"""The ladder of a link, from the bottom."""
