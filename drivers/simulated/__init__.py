"""A shoe without the shoe: cards, a cut card, a shutter that jams, and the same bytes on a line.

A program of its own (`python -m drivers.simulated`), told what to do in JSON lines and answering in them. It
knows which physical card came out, and the table does not: what it says on the line may be wrong, late, twice
or nothing. Nothing that runs at a table imports it; `drivers/README.md` lists its commands.
"""
