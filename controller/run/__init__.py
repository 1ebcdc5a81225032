"""The processes of a table, a module each: `python -m controller.run.table TABLE.toml`."""

import gc
import sys

# What a start makes is there to stay, and not worth a collection; see `process.calm`.
gc.set_threshold(100_000, 50, 100)
# structlog loads rich to draw on a terminal, which costs a fifth of a start; these processes write lines.
sys.modules.setdefault("rich", None)  # type: ignore[arg-type]
