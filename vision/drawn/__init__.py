"""A drawn card table: what a camera above the felt would see, with known answers.

For tests and for the demo only; nothing that runs at a table imports it.
"""
