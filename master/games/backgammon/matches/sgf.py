"""gnubg's match files, SGF game 6: read with their analysis, written so that gnubg shows ours.

Reading is in sgf_read, writing in sgf_write.
"""

from master.games.backgammon.matches.sgf_read import read_sgf
from master.games.backgammon.matches.sgf_write import write_sgf

__all__ = ["read_sgf", "write_sgf"]
