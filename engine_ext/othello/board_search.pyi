from engine_ext.othello.board import OthelloBoard
from engine_ext.search.stepped import SteppedSearch

class BoardSearch(SteppedSearch):
    board: OthelloBoard
