"""What this table is: its file, read and checked."""
