"""The table: journal, bus, screens, and the processes that carry them."""
