"""The shoe's process: its port, its driver, and what they report to the bus."""

from dataclasses import replace

from config.load import Table
from controller import source
from controller.process import Stop, run
from drivers.device import Device
from drivers.known import driver


def main(config: Table, stop: Stop) -> None:
    """Report what the shoe sends until told to end; raises `ValueError` for a driver that there is not."""
    shoe = config.file.shoe
    if shoe is None:
        raise ValueError(f"{config.path}: has no [shoe]")
    line = driver(shoe.driver).line
    if shoe.baud is not None:
        line = replace(line, baud=shoe.baud)
    capture = config.at(shoe.capture) if shoe.capture else None

    def opened(cursor: str) -> Device:
        return Device(
            shoe.driver, shoe.port, cursor=cursor, line=line, commands=shoe.commands, capture=capture
        )

    source.run("shoe", config.at(config.file.bus.folder), opened, stop)


if __name__ == "__main__":
    run(main)
