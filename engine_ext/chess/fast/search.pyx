"""The fast search of a chess position: as deep as its caller lets it go.

Knows how a search is set up and read.  Must not know how it searches, nor time.
"""

from libc.stdlib cimport calloc, free
from engine_ext.chess.board cimport (
    CHESS_MOVES_MAX, ChessBoard, ChessBoardStruct, ChessMove, board_play, chess_kernel, move_name,
    move_named)
from engine_ext.chess.fast.root cimport begin_root, deepen
from engine_ext.chess.fast.table cimport FastTable
from engine_ext.chess.fast.worker cimport (
    BEFORE_MAX, BEHIND, DEEPEST, INFINITE, MATE, RootLine, Worker)
from engine_ext.control cimport RunControl

MATE_VALUE = MATE
DEPTH_MAX = DEEPEST


cdef class FastSearch:
    """A search of one position, iteration after iteration.

    One thread at a time deepens it; others may read its numbers meanwhile.  Several searches may
    share a table, and then help each other.

    Args:
        board: the position.
        before: the game's positions before it, the oldest first: a third time is a draw.
        table: what is remembered; None: a table of its own.
        control: watched for a stop, told of nodes; None: it is not stopped.
        moves: the moves of the root to be searched, in UCI's words; (): all.
        line_count: how many of the best moves are wanted.
        nodes_max: stop after so many nodes; 0: do not.
        is_chess960: whether castling is written as the king's move to its rook's square.

    Raises:
        ValueError: there is no legal move, a move is not legal, or a count is out of range.
    """

    def __cinit__(self):
        self.worker = <Worker *>calloc(1, sizeof(Worker))
        if self.worker is NULL:
            raise MemoryError

    def __dealloc__(self):
        free(self.worker)

    def __init__(self, ChessBoard board not None, before=(), FastTable table=None,
                 RunControl control=None, moves=(), line_count=1, nodes_max=0, is_chess960=False):
        if line_count < 1:
            raise ValueError(f"1 or more of the best moves can be wanted, not {line_count}")
        if nodes_max < 0:
            raise ValueError(f"a search ends after 1 or more nodes, not {nodes_max}")
        cdef Worker *worker = self.worker
        self.table = table if table is not None else FastTable()
        self.control = control
        self.board = board
        self.is_chess960 = is_chess960
        worker.root = board.board
        worker.slots = &self.table.slots
        worker.control = &control.control if control is not None else NULL
        worker.nodes_max = nodes_max
        worker.line_count = line_count
        for earlier in list(before)[-BEFORE_MAX:]:
            worker.keys[worker.before_count] = (<ChessBoard?>earlier).board.key[0]
            worker.before_count += 1
        self._list_moves(moves)
        begin_root(worker)

    def _list_moves(self, wanted):
        cdef ChessMove moves[CHESS_MOVES_MAX]
        cdef Worker *worker = self.worker
        cdef int i
        cdef int count = chess_kernel().moves(&worker.root, moves)
        names = {move_named(&worker.root, name) for name in wanted}
        for i in range(count):
            if not names or moves[i] in names:
                worker.root_lines[worker.root_count].move = moves[i]
                worker.root_count += 1
        if worker.root_count == 0:
            raise ValueError("no move is legal: there is nothing to be searched")

    def deepen(self):
        """Search one ply deeper than before; the GIL is released.

        The first iteration is finished in any case.

        Returns:
            Whether the iteration was finished. If not, the search was stopped, and it will go no
            deeper; what it knows by then is in `lines`.
        """
        cdef bint is_finished
        with nogil:
            is_finished = deepen(self.worker)
        return is_finished

    @property
    def depth(self):
        """Depth of the last finished iteration; 0 before."""
        return self.worker.depth

    @property
    def selective_depth(self):
        """How many plies from the root the last iteration saw."""
        return self.worker.selective_depth

    @property
    def nodes(self):
        """Positions visited."""
        return self.worker.nodes

    @property
    def lines(self):
        """The best moves: (value in centipawns, line in UCI's words), the best first.

        A mate in n plies is worth MATE_VALUE - n. Not to be read while it deepens.
        """
        cdef int i
        return [self._line(i) for i in range(min(self.worker.line_count, self.worker.root_count))]

    @property
    def current_move(self):
        """The move of the root that is being searched and its number from 1; None before."""
        cdef int number = self.worker.root_number
        if number == 0:
            return None
        cdef ChessMove move = self.worker.frames[BEHIND].move
        return move_name(&self.worker.root, move, self.is_chess960), number

    def _line(self, int place):
        cdef const RootLine *line = &self.worker.root_lines[place]
        cdef ChessBoardStruct board = self.worker.root
        cdef ChessBoardStruct after
        cdef int i
        names = []
        for i in range(line.line_count):
            names.append(move_name(&board, line.line[i], self.is_chess960))
            board_play(&board, line.line[i], &after)
            board = after
        return (line.value if line.value > -INFINITE else line.before), tuple(names)
