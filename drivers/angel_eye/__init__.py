"""The Angel Eye II-EX, a card-reading baccarat shoe: its telegrams, its three copies, its commands.

Built from field knowledge of the Angel Eye II-EX and not yet tried on the maker's hardware: the README of the
drivers draws the wire, and says what is not known. The bytes are in `wire`, the fields in `telegrams`, what
copies and numbers say in `stand` and `numbering`, the cards of a round in `dealing`.
"""

from drivers.angel_eye.decoder import AngelEye

__all__ = ["AngelEye"]
