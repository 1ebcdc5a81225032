"""A table with nothing attached: a simulated shoe, a drawn felt, and people who tap."""
