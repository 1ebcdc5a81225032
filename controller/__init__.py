"""The table: journal, bus, screens, and the processes that carry them."""

VERSION = "0.1.0"
"""Of Sabot; written into every journal."""
