"""The displays' process: pages and sockets for the dealer and the players."""

import asyncio

import uvicorn
import uvloop

from config.load import Table
from controller.display.app import application
from controller.process import Stop, calm, run, tidy

LOOK = 0.2
"""Seconds between two looks at whether to end."""


def main(config: Table, stop: Stop) -> None:
    """Serve until told to end; raises `OSError` when the port is taken."""
    file = config.file
    server = uvicorn.Server(
        uvicorn.Config(
            application(config, config.at(file.bus.folder)),
            host=file.display.host,
            port=file.display.port,
            log_level="warning",
            ws="websockets-sansio",
            timeout_graceful_shutdown=1,
        )
    )

    async def serve() -> None:
        calm()
        task = asyncio.create_task(server.serve())
        while not task.done():
            await asyncio.sleep(LOOK)
            tidy()
            server.should_exit = server.should_exit or stop()
        await task

    try:
        uvloop.run(serve())
    except SystemExit:
        if not server.started:
            where = f"{file.display.host}:{file.display.port}"
            raise OSError(f"{where}: cannot be served; is another program there? See display.port") from None
        raise


if __name__ == "__main__":
    run(main)
