"""The devices that a table may name."""

import pytest

from drivers.known import DRIVERS, driver
from drivers.port import Line


def test_the_angel_eye_listens_at_its_makers_speed() -> None:
    known = driver("angel-eye-2ex")
    assert known.line == Line(baud=4800, bits=8, parity="N", stop=1)
    assert known.source == "shoe"


@pytest.mark.parametrize("name", sorted(DRIVERS))
def test_every_driver_keeps_the_promises_of_a_decoder(name: str) -> None:
    decoder = driver(name).decoder("")
    assert decoder.feed(b"") == []
    assert decoder.asked == ""
    decoder.feed(bytes(range(256)) * 10)
    assert decoder.counts.bytes == 2560


def test_another_name_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'angle-eye' is no driver; known: angel-eye-2ex"):
        driver("angle-eye")
