# built with: net_kernel.c
"""Quantised evaluation nets: loading, and evaluation through the integer kernels.

Knows the nets' memory layout.  Must not know the rules: which net answers for a
position, and what is impossible in it, is evaluate.pyx's business.
"""

import hashlib
from pathlib import Path

from libc.stdint cimport int8_t, int16_t, uint8_t
from engine_ext.backgammon.board cimport Board
from engine_ext.kernels cimport kernel_forced, kernel_names

from engine_ext.backgammon.net_file import NetError, net_from_bytes

cdef extern from "net_kernel.h" nogil:
    NetWeights *mp_net_new(int width)
    void mp_net_free(NetWeights *net)
    void mp_net_evaluate(const NetWeights *net, const uint8_t *near, const uint8_t *boards,
                         int count, double *probs)
    const char *mp_net_kernel_available(int index)
    const char *mp_net_kernel_name()
    int mp_net_kernel_force(const char *name)

_DATA = Path(__file__).parent / "data"


cdef class Net:
    """One net; made by `load_net`, immutable."""

    def __cinit__(self):
        self.weights = NULL

    def __dealloc__(self):
        mp_net_free(self.weights)

    def evaluate(self, position):
        """Evaluate one position.

        Returns: win, win gammon, win backgammon, lose gammon, lose backgammon of
        the player on roll; cumulative, exact multiples of 2**-16.
        """
        cdef Board board
        cdef double probs[5]
        _require_loaded(self)
        _board_of(position, &board)
        net_evaluate(self.weights, &board, probs)
        return (probs[0], probs[1], probs[2], probs[3], probs[4])

    def evaluate_boards(self, const uint8_t[:, ::1] boards, double[:, ::1] probs):
        """Evaluate raw boards, each near the first.

        Shapes: boards uint8[n, 52], slots of the player on roll, then the
        opponent's; probs double[n, 5], written.
        Errors: ValueError if the shapes do not fit or a slot holds over 15.
        GIL: released.
        """
        cdef int count = <int>boards.shape[0]
        cdef int i, slot, top = 0
        _require_loaded(self)
        if boards.shape[1] != 52 or probs.shape[0] != count or probs.shape[1] != 5:
            raise ValueError("boards must be [n, 52] and probs [n, 5]")
        if count == 0:
            return
        with nogil:
            for i in range(count):
                for slot in range(52):
                    top = max(top, <int>boards[i, slot])
            if top <= 15:
                mp_net_evaluate(self.weights, &boards[0, 0], &boards[0, 0], count, &probs[0, 0])
        if top > 15:
            raise ValueError(f"a slot holds {top} checkers")


cdef int _require_loaded(Net net) except -1:
    if net.weights is NULL:
        raise NetError("this Net holds no weights; use load_net")
    return 0


cdef int _board_of(object position, Board *board) except -1:
    cdef int slot
    for slot in range(26):
        board.side[0][slot] = position.on_roll[slot]
        board.side[1][slot] = position.opponent[slot]
    return 0


cdef void net_evaluate(const NetWeights *net, const Board *board, double *probs) noexcept nogil:
    """Fill in the five cumulative probabilities of a board.  Never fails; nogil."""
    mp_net_evaluate(net, &board.side[0][0], &board.side[0][0], 1, probs)


cdef void net_evaluate_many(const NetWeights *net, const Board *near, const Board *boards,
                            int count, double *probs) noexcept nogil:
    """Fill in those of boards that are near another, five a board.  Never fails; nogil."""
    if count > 0:
        mp_net_evaluate(net, &near.side[0][0], &boards[0].side[0][0], count, probs)


def load_net(name_or_path):
    """Load a net file.

    Args:
        name_or_path: "contact" or "race" for the shipped nets, else a file's path.

    Raises:
        NetError: no such file, or it is not a net, damaged, or of another version.
    """
    path = Path(name_or_path)
    if str(name_or_path) in ("contact", "race"):
        path = _DATA / f"{name_or_path}.net"
    try:
        content = path.read_bytes()
    except OSError as error:
        raise NetError(f"cannot read the net {path}: {error.strerror}") from error
    try:
        return net_from_content(content)
    except NetError as error:
        raise NetError(f"{path}: {error}") from None


def net_from_content(content):
    """Make a net from the bytes of a net file; NetError as `load_net`."""
    arrays = net_from_bytes(content)
    net = Net()
    net.weights = mp_net_new(arrays.width)
    if net.weights is NULL:
        raise MemoryError
    net.width = arrays.width
    net.digest = hashlib.sha256(content).hexdigest()
    _fill_first_layer(net.weights, arrays.rows, arrays.accumulator_bias)
    _fill_hidden1(net.weights, arrays.hidden1)
    _fill_rest(net.weights, arrays)
    return net


cdef int _fill_first_layer(NetWeights *weights, const int16_t[::1] rows,
                           const int16_t[::1] bias) except -1:
    cdef Py_ssize_t i
    for i in range(rows.shape[0]):
        weights.rows[i] = rows[i]
    for i in range(bias.shape[0]):
        weights.accumulator_bias[i] = bias[i]
    return 0


cdef int _fill_hidden1(NetWeights *weights, const int8_t[::1] hidden1) except -1:
    # [input][output] -> [input / 4][output][input % 4]
    cdef Py_ssize_t i, o
    for i in range(weights.width // 2):
        for o in range(32):
            weights.hidden1[(i // 4) * 128 + o * 4 + i % 4] = hidden1[i * 32 + o]
    return 0


cdef int _fill_rest(NetWeights *weights, object arrays) except -1:
    # [input][output] -> [input / 2][output][input % 2]; outputs 5..7 stay zero
    cdef Py_ssize_t i, o
    cdef const int16_t[::1] hidden2 = arrays.hidden2
    cdef const int16_t[::1] output = arrays.output
    for i in range(32):
        for o in range(32):
            weights.hidden2[i // 2][o][i % 2] = hidden2[i * 32 + o]
        for o in range(5):
            weights.output[i // 2][o][i % 2] = output[i * 5 + o]
        weights.hidden1_bias[i] = arrays.hidden1_bias[i]
        weights.hidden2_bias[i] = arrays.hidden2_bias[i]
    for o in range(5):
        weights.output_bias[o] = arrays.output_bias[o]
    for i in range(1025):
        weights.table[i] = arrays.table[i]
    return 0


def kernel_name():
    """Name the kernel in use: the fastest this processor runs, unless forced."""
    return mp_net_kernel_name().decode()


def available_kernels():
    """List the kernels this processor can run, fastest first."""
    return kernel_names(mp_net_kernel_available)


def force_kernel(name):
    """Use one kernel from now on, in the whole process; for tests and measurements.

    Errors: ValueError if this processor has no kernel of that name.
    """
    kernel_forced(name, mp_net_kernel_force, mp_net_kernel_available)


def bench_evaluations(Net net, positions, int repeat):
    """Evaluate positions[1:] as successors of positions[0], `repeat` times.

    Returns: the number of evaluations done.
    GIL: released in the loop.
    """
    cdef int i, _repeat, count = <int>len(positions)
    _require_loaded(net)
    if count < 2:
        raise ValueError("give a position and at least one near it")
    cdef bytearray boards_owner = bytearray(count * sizeof(Board))
    cdef bytearray probs_owner = bytearray(count * 5 * sizeof(double))
    cdef Board *boards = <Board *><char *>boards_owner
    cdef double *probs = <double *><char *>probs_owner
    for i in range(count):
        _board_of(positions[i], &boards[i])
    with nogil:
        for _repeat in range(repeat):
            net_evaluate_many(net.weights, &boards[0], &boards[1], count - 1, probs)
    return (count - 1) * repeat
