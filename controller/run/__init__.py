"""The processes of a table, a module each: `python -m controller.run.table TABLE.toml`."""
