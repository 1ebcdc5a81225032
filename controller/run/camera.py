"""The camera's process: pictures, the eye, and what it reports to the bus."""

from config.load import ConfigError, Table
from controller import source
from controller.process import Stop, run, value_of
from vision.camera import open_camera
from vision.deck import Deck
from vision.eye import Eye, Settings
from vision.layout import load_layout
from vision.read import IndexReader


def main(config: Table, stop: Stop) -> None:
    """Report what the camera sees until told to end; raises `ConfigError` for a bad layout or deck."""
    camera = config.file.camera
    if camera is None:
        raise ConfigError(f"{config.path}: has no [camera]")
    with value_of(config, "camera.layout"):
        layout = load_layout(config.at(camera.layout))
    with value_of(config, "camera.deck"):
        reader = IndexReader(Deck.load(config.at(camera.deck)))
    pictures = config.at(camera.pictures) if camera.pictures else None
    settings = Settings(fps=camera.fps, pictures=pictures)

    def opened(_cursor: str) -> Eye:
        return Eye(open_camera(camera.source), layout, reader, settings)

    source.run("camera", config.at(config.file.bus.folder), opened, stop)


if __name__ == "__main__":
    run(main)
