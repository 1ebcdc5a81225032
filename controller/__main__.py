"""`python -m controller` is the command `sabot`."""

from controller.cli import main

main()
