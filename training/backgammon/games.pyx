"""Games played in bulk: positions for training, and matches against PubEval.

Knows how a cubeless game is played out between two evaluators.  Must not know
files, labels or training.

PubEval is Gerald Tesauro's linear evaluator, which he gave to the public domain
as a benchmark opponent (posting to rec.games.backgammon, 1993).
"""

from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy
from engine_ext.backgammon.board cimport Board, board_is_race, board_result, board_swap
from engine_ext.backgammon.evaluate cimport EvalTables, Evaluator, evaluate_boards
from engine_ext.backgammon.movegen cimport generate_moves
from engine_ext.rng cimport PhiloxBlock, philox4x32

from training.backgammon.pubeval_weights import CONTACT_WEIGHTS as _CONTACT
from training.backgammon.pubeval_weights import RACE_WEIGHTS as _RACE

cdef enum:
    PUBEVAL_INPUTS = 122
    TURNS_MAX = 400           # a longer game is a draw: only random play gets there
    OTHERS_ONE_IN = 6         # turns that record a random move's position beside the one played


cdef Dice _roll(uint64_t seed, uint64_t game, uint64_t turn) noexcept nogil:
    cdef PhiloxBlock block = philox4x32(seed, game, turn)
    cdef Dice dice
    dice.die1 = 1 + <int>((<uint64_t>block.words[0] * 6) >> 32)
    dice.die2 = 1 + <int>((<uint64_t>block.words[1] * 6) >> 32)
    dice.chance = block.words[2]
    dice.choice = block.words[3]
    return dice


cdef double _pubeval(const double *weights, const Board *board) noexcept nogil:
    """Score a board seen by the player who has just moved."""
    cdef double score = 0
    cdef int j, mine, theirs
    cdef const double *w
    for j in range(24):
        mine = board.side[0][24 - j]
        theirs = board.side[1][1 + j]
        w = weights + 5 * j
        if theirs == 1:
            score += w[0]
        if mine == 1:
            score += w[1]
        if mine >= 2:
            score += w[2]
        if mine == 3:
            score += w[3]
        if mine >= 4:
            score += w[4] * (mine - 3) * 0.5
    return score + weights[120] * board.side[1][25] * 0.5 + weights[121] * board.side[0][0] / 15.0


cdef int _best_by_pubeval(const Player *player, const Board *board, Workspace *work) noexcept nogil:
    cdef bint is_race = board_is_race(board)
    cdef int i, best = 0
    cdef double score, top = -1e30
    for i in range(work.moves.count):
        score = _pubeval(&player.pubeval[is_race][0], &work.moves.boards[i])
        if work.moves.boards[i].side[0][0] == 15:
            score = 1e20
        if score > top:
            best, top = i, score
    return best


cdef double _equity(const double *probs) noexcept nogil:
    return 2 * probs[0] - 1 + probs[1] + probs[2] - probs[3] - probs[4]


cdef int _best_by_tables(const Player *player, const Board *board, Workspace *work) noexcept nogil:
    cdef Board near = board[0]
    cdef int i, best = 0
    cdef double score, top = -1e30
    board_swap(&near)
    for i in range(work.moves.count):
        work.after[i] = work.moves.boards[i]
        board_swap(&work.after[i])
    evaluate_boards(player.tables, &near, work.after, work.moves.count, &work.probs[0][0])
    for i in range(work.moves.count):
        score = -_equity(work.probs[i])
        if score > top:
            best, top = i, score
    return best


cdef int _best_move(const Player *player, const Board *board, Workspace *work) noexcept nogil:
    if work.moves.count == 1:
        return 0
    if player.tables is NULL:
        return _best_by_pubeval(player, board, work)
    return _best_by_tables(player, board, work)


cdef int _set_player(Player *player, Evaluator evaluator) except -1:
    cdef int i
    player.tables = NULL if evaluator is None else &evaluator.tables
    for i in range(PUBEVAL_INPUTS):
        player.pubeval[0][i] = _CONTACT[i]
        player.pubeval[1][i] = _RACE[i]
    return 0


cdef Workspace *_new_workspace() except NULL:
    cdef Workspace *work = <Workspace *>malloc(sizeof(Workspace))
    if work is NULL:
        raise MemoryError
    return work


cdef int _record(const Board *board, uint8_t *out, Py_ssize_t room) noexcept nogil:
    if room < 1 or board_result(board) != 0:
        return 0
    memcpy(out, board, sizeof(Board))
    return 1


cdef Py_ssize_t _play_recorded(Workspace *work, Board board, uint64_t seed, uint64_t game,
                               int random_one_in, uint8_t *out, Py_ssize_t room) noexcept nogil:
    """Play one game; each position met, and now and then a move not played, goes to out."""
    cdef Py_ssize_t count = 0
    cdef uint64_t turn
    cdef int move, other
    cdef Dice dice
    for turn in range(TURNS_MAX):
        count += _record(&board, out + 52 * count, room - count)
        dice = _roll(seed, game, turn)
        if turn == 0 and dice.die1 == dice.die2:
            dice.die2 = dice.die1 % 6 + 1
        generate_moves(&board, dice.die1, dice.die2, &work.moves)
        other = <int>((dice.choice * <uint64_t>work.moves.count) >> 32)
        if random_one_in and dice.chance % <uint64_t>random_one_in == 0:
            move = other
        else:
            move = _best_move(&work.player[0], &board, work)
        if other != move and dice.chance % OTHERS_ONE_IN == 1:
            work.after[0] = work.moves.boards[other]
            board_swap(&work.after[0])
            count += _record(&work.after[0], out + 52 * count, room - count)
        board = work.moves.boards[move]
        board_swap(&board)
        if board_result(&board) != 0:
            break
    return count


def self_play(Evaluator evaluator, const uint8_t[:, ::1] starts, uint64_t seed, uint64_t first_game,
              int random_one_in, uint8_t[:, ::1] out):
    """Play one game from each start and write the positions met.

    Args:
        evaluator: who plays both sides; None for PubEval.
        starts: uint8[games, 52], the player on roll first.
        first_game: number of the first start's game; game g's dice depend on seed and g only.
        random_one_in: one move in this many is random; 0 for none.
        out: uint8[n, 52], written; games that do not fit are cut short.

    Returns: the number of positions written.
    GIL: released.
    """
    cdef Workspace *work = _new_workspace()
    cdef Board board
    cdef Py_ssize_t i, count = 0, room = out.shape[0]
    try:
        if starts.shape[1] != 52 or out.shape[1] != 52:
            raise ValueError("boards have 52 slots")
        _set_player(&work.player[0], evaluator)
        with nogil:
            for i in range(starts.shape[0]):
                if count >= room:
                    break
                memcpy(&board, &starts[i, 0], sizeof(Board))
                count += _play_recorded(work, board, seed, first_game + <uint64_t>i,
                                        random_one_in, &out[count, 0], room - count)
    finally:
        free(work)
    return count


cdef int _play_match_game(Workspace *work, Board board, uint64_t seed, uint64_t dice_number,
                          int on_roll) noexcept nogil:
    """Points won by player 0; the start is rolled without doubles."""
    cdef uint64_t turn
    cdef int result, move
    cdef Dice dice
    for turn in range(TURNS_MAX):
        dice = _roll(seed, dice_number, turn)
        if turn == 0 and dice.die1 == dice.die2:
            dice.die2 = 1 + (dice.die1 + <int>(dice.chance % 5)) % 6
        generate_moves(&board, dice.die1, dice.die2, &work.moves)
        move = _best_move(&work.player[on_roll], &board, work)
        board = work.moves.boards[move]
        result = board_result(&board)
        if result != 0:
            return result if on_roll == 0 else -result
        board_swap(&board)
        on_roll = 1 - on_roll
    return 0


def match_points(Evaluator evaluator, Evaluator opponent, const uint8_t[::1] start, uint64_t seed,
                 uint64_t pairs):
    """Play pairs of cubeless games with the same dice, seats exchanged.

    Args:
        evaluator, opponent: None for PubEval; both move by 0-ply equity.
        start: uint8[52].

    Returns: (points won by evaluator in all 2 * pairs games, sum of the squares of each pair's
    points).
    GIL: released.
    """
    cdef Workspace *work = _new_workspace()
    cdef Board board
    cdef uint64_t pair
    cdef long points = 0, squares = 0
    cdef int sum_
    try:
        if start.shape[0] != 52:
            raise ValueError("a board has 52 slots")
        _set_player(&work.player[0], evaluator)
        _set_player(&work.player[1], opponent)
        memcpy(&board, &start[0], sizeof(Board))
        with nogil:
            for pair in range(pairs):
                sum_ = _play_match_game(work, board, seed, pair, 0)
                sum_ += _play_match_game(work, board, seed, pair, 1)
                points += sum_
                squares += sum_ * sum_
    finally:
        free(work)
    return points, squares


cdef void _lookahead(const EvalTables *tables, const Board *board, Workspace *work,
                     double *probs) noexcept nogil:
    """Average over the 21 rolls of the best reply's probabilities, of the player on roll."""
    cdef int die1, die2, best, o, weight
    cdef double sums[5]
    for o in range(5):
        sums[o] = 0
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            generate_moves(board, die1, die2, &work.moves)
            best = _best_by_tables(&work.player[0], board, work)
            weight = 1 if die1 == die2 else 2
            sums[0] += weight * (1 - work.probs[best][0])
            sums[1] += weight * work.probs[best][3]
            sums[2] += weight * work.probs[best][4]
            sums[3] += weight * work.probs[best][1]
            sums[4] += weight * work.probs[best][2]
    for o in range(5):
        probs[o] = sums[o] / 36


def lookahead(Evaluator evaluator, const uint8_t[:, ::1] boards, double[:, ::1] probs):
    """Evaluate each board by one ply of look-ahead over all 21 rolls.

    Shapes: boards uint8[n, 52], none of them over; probs double[n, 5], written, cumulative,
    of the player on roll.
    GIL: released.
    """
    cdef Workspace *work = _new_workspace()
    cdef Board board
    cdef Py_ssize_t i
    try:
        if boards.shape[1] != 52 or probs.shape[0] != boards.shape[0] or probs.shape[1] != 5:
            raise ValueError("boards must be [n, 52] and probs [n, 5]")
        _set_player(&work.player[0], evaluator)
        with nogil:
            for i in range(boards.shape[0]):
                memcpy(&board, &boards[i, 0], sizeof(Board))
                _lookahead(&evaluator.tables, &board, work, &probs[i, 0])
    finally:
        free(work)


cdef int _outside_home(const Board *board) noexcept nogil:
    cdef int slot, outside = 0
    for slot in range(7, 26):
        outside += board.side[0][slot] + board.side[1][slot]
    return outside


cdef bint _is_followed(const Board *board, bint to_race) noexcept nogil:
    """Whether a path goes on past this board: not in a race, or not where all are home."""
    if board_result(board) != 0:
        return False
    return not board_is_race(board) if to_race else _outside_home(board) > 0


cdef void _correct(double *probs, const double *next_label, const double *next_static,
                   double share) noexcept nogil:
    """Move a label by what the path after it found amiss; the opponent is on roll there."""
    cdef double other[5]
    cdef int o
    other[0] = next_static[0] - next_label[0]
    for o in range(1, 3):
        other[o] = next_label[o + 2] - next_static[o + 2]
        other[o + 2] = next_label[o] - next_static[o]
    for o in range(5):
        probs[o] += share * other[o]


cdef int _random_move(const Workspace *work, int best, double loss_max,
                      uint64_t choice) noexcept nogil:
    """Draw one of the evaluated moves that lose at most so much to the best."""
    cdef double most = _equity(work.probs[best]) + loss_max
    cdef int i, count = 0
    cdef uint64_t drawn
    if work.moves.count == 1:
        return best               # not evaluated
    for i in range(work.moves.count):
        count += _equity(work.probs[i]) <= most
    drawn = (choice * <uint64_t>count) >> 32
    for i in range(work.moves.count):
        if _equity(work.probs[i]) <= most:
            if drawn == 0:
                return i
            drawn -= 1
    return best


cdef Py_ssize_t _follow_one(const EvalTables *tables, Workspace *work, Board board, uint64_t seed,
                            uint64_t number, const FollowRules *rules, uint8_t *boards,
                            double *probs, Py_ssize_t room) noexcept nogil:
    """Play one path on and label its positions backwards from its end."""
    cdef double statics[TURNS_MAX + 1][5]
    cdef bint is_random[TURNS_MAX]
    cdef Py_ssize_t count = 0, t
    cdef int move, o
    cdef Dice dice
    if room > TURNS_MAX:
        room = TURNS_MAX
    while count < room and _is_followed(&board, rules.to_race):
        memcpy(boards + 52 * count, &board, sizeof(Board))
        _lookahead(tables, &board, work, probs + 5 * count)
        dice = _roll(seed, number, count)
        generate_moves(&board, dice.die1, dice.die2, &work.moves)
        move = _best_move(&work.player[0], &board, work)
        is_random[count] = (rules.random_one_in > 0
                            and dice.chance % <uint64_t>rules.random_one_in == 0)
        if is_random[count]:
            move = _random_move(work, move, rules.random_loss_max, dice.choice)
        board = work.moves.boards[move]
        board_swap(&board)
        count += 1
        evaluate_boards(tables, &board, &board, 1, statics[count])
    for t in range(count - 2, -1, -1):
        if not is_random[t]:
            _correct(probs + 5 * t, probs + 5 * (t + 1), statics[t + 1], rules.decay)
    for t in range(count):
        for o in range(5):
            probs[5 * t + o] = min(1.0, max(0.0, probs[5 * t + o]))
    return count


def follow(Evaluator evaluator, const uint8_t[:, ::1] starts, uint64_t seed, uint64_t first_number,
           double decay, int random_one_in, double random_loss_max, bint to_race,
           uint8_t[:, ::1] boards, double[:, ::1] probs):
    """Play on from each start; label the positions met by what look-ahead finds on the way.

    A position's label is its look-ahead plus, discounted by `decay` a turn, how far look-ahead
    was from the static evaluation at each position after it: with decay 0 it is the look-ahead
    alone; with 1 the result of the path with its luck taken out, which owes nothing to the
    static evaluation but noise. In between lies Sutton's TD(lambda) with afterstate luck
    removed. A random move cuts the discount off, since its position is not the player's choice.

    Args:
        starts: uint8[games, 52], the player on roll first.
        first_number: of the first start; a path's dice depend on seed and its number only.
        random_one_in: one move in this many is random; 0 for none.
        random_loss_max: random moves lose at most this much, statically, to the best.
        to_race: paths end where contact does, and otherwise where all checkers are home.
        boards: uint8[n, 52], written; paths that do not fit are cut short.
        probs: double[n, 5], written, in [0, 1]; of the player on roll.

    Returns: the number of positions written.
    GIL: released.
    """
    cdef Workspace *work = _new_workspace()
    cdef FollowRules rules = FollowRules(decay, random_one_in, random_loss_max, to_race)
    cdef Board board
    cdef Py_ssize_t i, count = 0, room = boards.shape[0]
    try:
        if starts.shape[1] != 52 or boards.shape[1] != 52:
            raise ValueError("boards have 52 slots")
        if probs.shape[0] != room or probs.shape[1] != 5:
            raise ValueError("probs must be [n, 5]")
        _set_player(&work.player[0], evaluator)
        with nogil:
            for i in range(starts.shape[0]):
                if count >= room:
                    break
                memcpy(&board, &starts[i, 0], sizeof(Board))
                count += _follow_one(&evaluator.tables, work, board, seed,
                                     first_number + <uint64_t>i, &rules, &boards[count, 0],
                                     &probs[count, 0], room - count)
    finally:
        free(work)
    return count


def classify_boards(const uint8_t[:, ::1] boards, uint8_t[::1] classes):
    """Write 0 for contact, 1 for a race, 2 for a race with all checkers home or off."""
    cdef Py_ssize_t i
    cdef const Board *board
    if boards.shape[1] != 52 or classes.shape[0] != boards.shape[0]:
        raise ValueError("boards must be [n, 52] and classes [n]")
    with nogil:
        for i in range(boards.shape[0]):
            board = <const Board *>&boards[i, 0]
            classes[i] = 0 if not board_is_race(board) else 1 if _outside_home(board) else 2
