"""The games that this Sabot plays, by the names of the scenario files."""

from collections.abc import Mapping

from rules import ez_baccarat
from rules.law import Game

GAMES: Mapping[str, Game] = {game.name: game for game in (ez_baccarat.GAME,)}
