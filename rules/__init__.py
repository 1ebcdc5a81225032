"""The law of the table: pure, standard library only, no clock, no chance, no I/O."""
