"""The .mat format: Jellyfish's match text, as gnubg, eXtreme Gammon and online servers write it.

Reading is in mat_read, writing in mat_write.
"""

from master.games.backgammon.matches.mat_read import read_mat, read_mat_warned
from master.games.backgammon.matches.mat_write import write_mat

__all__ = ["read_mat", "read_mat_warned", "write_mat"]
