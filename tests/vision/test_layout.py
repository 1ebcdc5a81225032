"""From pixels to felt, and what a layout file may say."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from vision.layout import SCALE, Layout, LayoutError, load_layout

GOOD = """
image = [1280, 720]
felt = [22, 101, 62]
points = [
  { mm = [0, 0],     px = [100, 50] },
  { mm = [800, 0],   px = [1180, 50] },
  { mm = [800, 400], px = [1220, 600] },
  { mm = [0, 400],   px = [60, 600] },
  { mm = [400, 0],   px = [640, 50] },
  { mm = [400, 400], px = [640, 601] },
]
[[zones]]
spot = "punto"
area = [[100, 100], [300, 100], [300, 220], [100, 220]]
"""


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "table.toml"
        path.write_text(text)
        return path

    return write


def test_points_go_to_the_image_and_back(layout: Layout) -> None:
    felt = np.random.default_rng(1).uniform((0, 0), (900, 500), (50, 2))
    assert np.abs(layout.on_felt(layout.on_image(felt)) - felt).max() < 1e-6
    assert np.abs(layout.on_image([(50, 40)]) - (106, 50)).max() < 1e-6


def test_a_rectified_zone_has_its_scale_everywhere(layout: Layout) -> None:
    # A gradient of one level per 8 px of the camera shows in the zone where the homography says.
    columns = np.tile(np.arange(1280, dtype=np.float32) / 8, (720, 1))
    image = np.repeat(columns[..., None], 3, axis=2).astype(np.float32)
    zone = layout.zone("banca")
    flat = zone.rectify(image)
    assert flat.shape[1::-1] == zone.size == (round(290 * SCALE), round(126 * SCALE))
    for x, y in ((0, 0), (200, 100), (434, 188)):
        felt = (zone.origin[0] + (x + 0.5) / SCALE, zone.origin[1] + (y + 0.5) / SCALE)
        assert flat[y, x, 0] == pytest.approx(layout.on_image([felt])[0][0] / 8, abs=0.02)


def test_a_card_belongs_to_the_zone_that_holds_its_middle(layout: Layout) -> None:
    punto = layout.zone("punto")
    assert punto.holds(189, 135)
    assert not punto.holds(529, 135)
    assert all(punto.holds(*place.at) for place in punto.places)
    with pytest.raises(KeyError, match=r"no spot 'seat 1' in this layout: punto, banca"):
        layout.zone("seat 1")


def test_an_index_is_large_enough_to_be_read_at_every_place(layout: Layout) -> None:
    # From the top of the rank to the foot of the suit a drawn card prints 25 mm.
    for zone in layout.zones:
        for place in zone.places:
            x, y = place.at
            upper, lower = layout.on_image([(x, y - 12.5), (x, y + 12.5)])
            assert np.hypot(*(lower - upper)) >= 24


def test_the_least_that_a_layout_says(written: Callable[[str], Path]) -> None:
    layout = load_layout(written(GOOD))
    assert layout.card == (63, 88)
    assert layout.felt == (62, 101, 22)
    assert layout.zone("punto").places == ()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("image =", "picture =", r"unknown field `picture`"),
        ("[1280, 720]", "[1280, 0]", r"Expected `int` >= 1 - at `\$\.image\[1\]`"),
        ("mm = [0, 0], ", "cm = [0, 0], ", r"unknown field `cm` - at `\$\.points\[0\]`"),
        ('spot = "punto"', 'spot = "punto"\ncolour = 3', r"unknown field `colour` - at `\$\.zones\[0\]`"),
        ("101, 62]", "101, 620]", r"Expected `int` <= 255 - at `\$\.felt\[2\]`"),
        ("[300, 100], [300, 220], ", "", r"length >= 3 - at `\$\.zones\[0\]\.area`"),
        ("[300, 100]", "[900, 100]", r"\$\.zones\[0\]\.area: 'punto' reaches out of the picture"),
        ("[300, 220], [100, 220]", "[200, 100], [150, 100]", r"\$\.zones\[0\]\.area: 'punto' has no surface"),
        ("[1220, 600]", "[1120, 600]", r"\$\.points\[\d\]: \d+ px off what the others say"),
        ("image =", "image = [", r"Unclosed array \(at line 3"),
    ],
)
def test_a_layout_that_cannot_be_used_says_where(
    written: Callable[[str], Path], old: str, new: str, message: str
) -> None:
    assert old in GOOD
    path = written(GOOD.replace(old, new, 1))
    with pytest.raises(LayoutError, match=message) as raised:
        load_layout(path)
    assert str(raised.value).startswith(f"{path}: ")


def test_points_on_one_line_are_no_calibration(written: Callable[[str], Path]) -> None:
    line = "points = [" + ",".join(f"{{mm=[{n * 100},0],px=[{n * 150},0]}}" for n in range(5)) + "]\n"
    text = GOOD[: GOOD.index("points")] + line + GOOD[GOOD.index("[[zones]]") :]
    with pytest.raises(LayoutError, match=r"\$\.points: they lie on one line"):
        load_layout(written(text))


def test_a_spot_stands_once(written: Callable[[str], Path]) -> None:
    with pytest.raises(LayoutError, match=r"\$\.zones\[1\]\.spot: 'punto' stands there twice"):
        load_layout(written(GOOD + GOOD[GOOD.index("[[zones]]") :]))


def test_a_layout_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(LayoutError, match=r"no\.toml: No such file"):
        load_layout(tmp_path / "no.toml")
