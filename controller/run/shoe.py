"""The shoe's process: its port, its driver, and what they report to the bus."""

from dataclasses import replace

from config.load import ConfigError, Table
from controller import source
from controller.process import Stop, run, value_of
from drivers.device import Device
from drivers.known import driver
from drivers.port import Port


def main(config: Table, stop: Stop) -> None:
    """Report what the shoe sends until told to end; raises `ConfigError` for what no shoe is."""
    shoe = config.file.shoe
    if shoe is None:
        raise ConfigError(f"{config.path}: has no [shoe]")
    with value_of(config, "shoe.driver"):
        kind = driver(shoe.driver)
    line = kind.line if shoe.baud is None else replace(kind.line, baud=shoe.baud)
    with value_of(config, "shoe.port"):
        Port(shoe.port, line)
    with value_of(config, "shoe.commands"):
        for name in shoe.commands:
            kind.decoder().ask(name)
    capture = config.at(shoe.capture) if shoe.capture else None

    def opened(cursor: str) -> Device:
        return Device(
            shoe.driver, shoe.port, cursor=cursor, line=line, commands=shoe.commands, capture=capture
        )

    source.run("shoe", config.at(config.file.bus.folder), opened, stop)


if __name__ == "__main__":
    run(main)
