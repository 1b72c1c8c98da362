"""Look-ahead over dice: best plays, n-ply evaluation, ranked moves, cube answers.

Knows boards, static evaluation and the cube.  Must not know rollouts, contexts, clocks.

**Ply** as in gnubg: 0-ply is the static evaluation; n-ply is the mean over the 21 rolls
of the (n-1)-ply value after the best reply, which is chosen by 0-ply.  Cubeful values
follow every cube state that can arise (nobody doubles, or someone does and is taken) side
by side in one walk of the tree, with Janowski's formula, or an exact table, at the leaves; there
the player not on roll has his share of the cube too, which gnubg does not give him (leaf.pyx).

**Same bits**: rolls in a fixed order, sums in that order, IEEE + - * / only; of plays with equal
equities, as where all lead to a double and a pass, the best cubeless one is chosen (order.pxd).
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy
from engine_ext.backgammon.board cimport SLOT_COUNT, Board, board_result, board_swap
from engine_ext.backgammon.cube cimport (
    CubeState, cube_after_take, cube_cubeless_equity, cube_equity_not_passed,
    cube_equity_of_take, cube_may_double, cube_outcome_equity, cube_swapped,
)
from engine_ext.backgammon.evaluate cimport (
    CLASS_BEAROFF_TWO, CLASS_OVER, PositionClass, classify, evaluate_board, evaluate_boards,
)
from engine_ext.backgammon.leaf cimport (
    leaf_equity_no_double, leaf_equity_optimal, leaf_waiting_gain,
)
from engine_ext.backgammon.movegen cimport MOVES_MAX, MoveList, generate_moves
from engine_ext.backgammon.next_cubes cimport (
    CUBES_MAX, NextCubes, next_cubes_fill, with_best_cube,
)
from engine_ext.backgammon.order cimport (
    Candidate, MoveFilterStep, candidates_kept, candidates_kind, is_better, tie_breaker,
)
from engine_ext.backgammon.search_cache cimport NodeKey, cache_key, cache_probe, cache_store
from engine_ext.control cimport control_is_stopped, control_step

from engine_ext.backgammon.move_filters import FILTERS

cdef enum:
    PROB_COUNT = 5
    FILTER_COUNT = 5
    FILTER_STEPS = 2

# A cube question is open where a static double, take lies between no double less this, and that.
cdef double _OPEN_BELOW = 0.25
cdef double _OPEN_TO = 1.4
cdef MoveFilterStep[FILTER_COUNT][FILTER_STEPS] _FILTERS


cdef _fill_filters():
    for i, steps in enumerate(FILTERS.values()):
        for k, step in enumerate(steps):
            _FILTERS[i][k] = MoveFilterStep(step.accept, step.extra, step.threshold)


_fill_filters()


cdef double _measure(Search *search, const Board *board, const CubeState *cube,
                     const double *probs) noexcept nogil:
    """Return the static equity of the player on roll by the search's measure."""
    if search.is_cubeful:
        return leaf_equity_optimal(search.tables, board, cube, probs)
    return cube_cubeless_equity(cube, probs)


cdef void _add_replies(Search *search, const MoveList *moves, int first) noexcept nogil:
    """Put the positions after the moves, seen by the next player, at search.replies[first]."""
    cdef int i
    for i in range(moves.count):
        memcpy(search.replies[first + i].side[0], moves.boards[i].side[1], SLOT_COUNT)
        memcpy(search.replies[first + i].side[1], moves.boards[i].side[0], SLOT_COUNT)


cdef void _evaluate_replies(Search *search, const Board *board, int count) noexcept nogil:
    """Evaluate search.replies[:count], which follow `board`, into search.probs."""
    cdef Board near = board[0]
    board_swap(&near)
    evaluate_boards(search.tables, &near, search.replies, count, search.probs)
    search.evaluations += <uint64_t>count


cdef int _evaluate_moves(Search *search, const Board *board, int die1, int die2,
                         MoveList *moves) noexcept nogil:
    """List the moves of a roll and evaluate the positions after them; their count."""
    cdef int count = generate_moves(board, die1, die2, moves)
    _add_replies(search, moves, 0)
    _evaluate_replies(search, board, count)
    return count


cdef void _choose_reply(Search *search, int first, int end, const CubeState *next_cube,
                        Reply *reply) noexcept nogil:
    """Choose the best of the evaluated search.replies[first:end]."""
    cdef int i, k, best = first
    cdef double equity
    for i in range(first, end):
        equity = -_measure(search, &search.replies[i], next_cube, &search.probs[i * PROB_COUNT])
        if i == first or is_better(equity, reply.equity, next_cube,
                                   &search.probs[i * PROB_COUNT],
                                   &search.probs[best * PROB_COUNT]):
            reply.equity = equity
            best = i
    reply.board = search.replies[best]
    for k in range(PROB_COUNT):
        reply.probs[k] = search.probs[best * PROB_COUNT + k]


cdef void search_best_reply(Search *search, const Board *board, int die1, int die2,
                            const CubeState *next_cube, Reply *reply) noexcept nogil:
    """Find the statically best play of a roll.

    Args: die1 >= die2, so that generation order is one; next_cube is seen by the player
    who rolls next.  GIL: nogil.  Errors: never fails.
    """
    cdef int count = _evaluate_moves(search, board, die1, die2, &search.moves)
    _choose_reply(search, 0, count, next_cube, reply)


cdef void search_all_replies(Search *search, const Board *board, const CubeState *next_cube,
                             Reply *replies) noexcept nogil:
    """Find the statically best play of each of the 21 rolls.

    Shapes: replies[roll_index(die1, die2)].  Bit-exact: what search_best_reply finds.
    GIL: nogil.  Errors: never fails.

    Rolls are evaluated together as far as their plays fit the workspace (nearly always all
    of them do): the net then adds up the position at hand once, and not for each roll.
    """
    cdef int die1, die2, roll = 0, first = 0, count = 0
    cdef int ends[ROLL_INDICES]
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            generate_moves(board, die1, die2, &search.moves)
            if count + search.moves.count > MOVES_MAX:
                _choose_each(search, board, next_cube, first, roll, ends, replies)
                first = roll
                count = 0
            _add_replies(search, &search.moves, count)
            count += search.moves.count
            ends[roll] = count
            roll += 1
    _choose_each(search, board, next_cube, first, ROLL_INDICES, ends, replies)


cdef void _choose_each(Search *search, const Board *board, const CubeState *next_cube, int first,
                       int end, const int *ends, Reply *replies) noexcept nogil:
    """Evaluate and choose for rolls first..end, whose plays end at `ends` of search.replies."""
    cdef int roll, begin = 0
    _evaluate_replies(search, board, ends[end - 1])
    for roll in range(first, end):
        _choose_reply(search, begin, ends[roll], next_cube, &replies[roll])
        begin = ends[roll]


cdef void _evaluate_leaf(Search *search, const Board *board, PositionClass cls,
                         const CubeState *cubes, int cube_count, const double *static_probs,
                         double *probs, double *equities) noexcept nogil:
    cdef int i
    if static_probs == NULL:
        evaluate_board(search.tables, board, probs)
        search.evaluations += 1
    else:
        for i in range(PROB_COUNT):
            probs[i] = static_probs[i]
    for i in range(cube_count):
        if search.is_cubeful:
            equities[i] = leaf_equity_no_double(search.tables, board, cls, &cubes[i], probs)
        else:
            equities[i] = cube_cubeless_equity(&cubes[i], probs)


cdef void search_node(Search *search, const Board *board, const CubeState *cubes, int cube_count,
                      int ply, const double *static_probs,
                      double *probs, double *equities) noexcept nogil:
    """Evaluate a position for the player about to roll, who does not double now.

    Args:
        cubes: `cube_count` <= 2 states at the root, seen by the player on roll.
        static_probs: The position's static evaluation if known, or NULL.
    Shapes: probs: double[5]; equities: double[cube_count], in each state's own units.
    Finished games and positions of the two-sided table are leaves at any ply.
    GIL: nogil.  Errors: never fails; void if search.is_stopped is set.
    """
    cdef PositionClass cls = classify(board)
    cdef NodeKey key
    cdef bint is_kept
    if ply == 0 or cls == CLASS_OVER or cls == CLASS_BEAROFF_TWO:
        _evaluate_leaf(search, board, cls, cubes, cube_count, static_probs, probs, equities)
        return
    is_kept = cache_key(board, cubes, cube_count, ply, search.is_cubeful, &key)
    if is_kept and cache_probe(&search.cache, &key, cube_count, probs, equities):
        return
    _average_rolls(search, board, cubes, cube_count, ply, probs, equities)
    if is_kept and not search.is_stopped:
        cache_store(&search.cache, &key, cube_count, probs, equities)


cdef void _average_rolls(Search *search, const Board *board, const CubeState *cubes,
                         int cube_count, int ply, double *probs,
                         double *equities) noexcept nogil:
    """Evaluate a node by its rolls, in their order."""
    cdef Reply[ROLL_INDICES] replies
    cdef NextCubes next_cubes
    cdef int die1, die2, i
    next_cubes_fill(&next_cubes, cubes, cube_count, search.is_cubeful)
    for i in range(PROB_COUNT):
        probs[i] = 0.0
    for i in range(cube_count):
        equities[i] = 0.0
    search_all_replies(search, board, &next_cubes.states[0], replies)
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            if search.is_stopped:
                return
            _add_roll(search, &replies[roll_index(die1, die2)], 1.0 if die1 == die2 else 2.0,
                      &next_cubes, cube_count, ply, probs, equities)
    for i in range(PROB_COUNT):
        probs[i] = probs[i] / 36.0
    for i in range(cube_count):
        equities[i] = equities[i] / 36.0


cdef void _add_roll(Search *search, const Reply *reply, double weight,
                    const NextCubes *next_cubes, int cube_count, int ply,
                    double *probs, double *equities) noexcept nogil:
    """Add a roll's share (weight, of 36), played as `reply`, to a node's sums."""
    cdef double[PROB_COUNT] child_probs, own_probs
    cdef double[CUBES_MAX] child_equities
    cdef double equity
    cdef int i
    search_node(search, &reply.board, next_cubes.states, next_cubes.count, ply - 1,
                reply.probs, child_probs, child_equities)
    invert_probs(child_probs, own_probs)
    for i in range(PROB_COUNT):
        probs[i] += weight * own_probs[i]
    for i in range(cube_count):
        equity = child_equities[next_cubes.idle[i]]
        if next_cubes.taken[i] >= 0 and board_result(&reply.board) == 0:
            equity = with_best_cube(&next_cubes.states[next_cubes.idle[i]], equity,
                                    child_equities[next_cubes.taken[i]])
        if ply == 1 and search.is_cubeful:
            equity -= leaf_waiting_gain(&reply.board, &next_cubes.states[next_cubes.idle[i]],
                                        child_probs, child_equities[next_cubes.idle[i]])
        equities[i] -= weight * equity
    if ply > 1 and control_is_stopped(search.control):
        search.is_stopped = True
    if ply > 1:
        control_step(search.control, 1)


cdef void search_cube(Search *search, const Board *board, const CubeState *cube, int ply,
                      const double *static_probs, CubeAnswer *answer) noexcept nogil:
    """Evaluate no double, double/take, what the better of take and beaver leaves, double/pass.

    Without the right to double, all are the equity of rolling on.  Only for a cubeful search.
    GIL: nogil.  Errors: as search_node.

    Where the question is open the turned cube has a walk of its own: with no double's plays, as in
    gnubg, it is worth .01 too much at 2-ply, and .03 where Jacoby makes them ignore gammons.
    """
    cdef int count = 1
    cdef CubeState[2] cubes
    cdef double[2] equities
    cubes[0] = cube[0]
    answer.may_double = cube_may_double(cube) and board_result(board) == 0
    if answer.may_double:
        cubes[1] = cube_after_take(cube)
        search_node(search, board, cubes, 2, 0, static_probs, answer.probs, equities)
        equities[1] = cube_equity_of_take(cube, equities[1])
        if ply > 0 and equities[0] - _OPEN_BELOW < equities[1] < _OPEN_TO:
            search_node(search, board, &cubes[1], 1, ply, static_probs, answer.probs, &equities[1])
        else:
            count = 2
    search_node(search, board, cubes, count, ply, static_probs, answer.probs, equities)
    answer.no_double = equities[0]
    answer.double_take = equities[0]
    answer.not_passed = equities[0]
    answer.double_pass = equities[0]
    if answer.may_double:
        answer.double_take = cube_equity_of_take(cube, equities[1])
        answer.not_passed = cube_equity_not_passed(cube, answer.double_take)
        answer.double_pass = cube_outcome_equity(cube, 1)


cdef void _evaluate_candidate(Search *search, Candidate *candidate, const CubeState *next_cube,
                              int ply) noexcept nogil:
    """Evaluate the position after a ranked move at a ply."""
    cdef Board board = search.ranked_moves.boards[candidate.index]
    cdef CubeAnswer answer
    cdef double equity
    cdef int i
    board_swap(&board)
    if search.is_cubeful:
        search_cube(search, &board, next_cube, ply, candidate.static_probs, &answer)
        candidate.equity = -cube_answer_equity(&answer)
        for i in range(PROB_COUNT):
            candidate.probs[i] = answer.probs[i]
    else:
        search_node(search, &board, next_cube, 1, ply, candidate.static_probs,
                    candidate.probs, &equity)
        candidate.equity = -equity
    candidate.cubeless = tie_breaker(next_cube, candidate.probs)
    candidate.ply = ply


cdef void _rank_statically(Search *search, const Board *board, int die1, int die2,
                           const CubeState *next_cube) noexcept nogil:
    cdef int i, k
    cdef Candidate *candidate
    for i in range(_evaluate_moves(search, board, die1, die2, &search.ranked_moves)):
        candidate = &search.candidates[i]
        candidate.index = i
        candidate.ply = 0
        for k in range(PROB_COUNT):
            candidate.static_probs[k] = search.probs[i * PROB_COUNT + k]
            candidate.probs[k] = candidate.static_probs[k]
        candidate.equity = -_measure(search, &search.replies[i], next_cube, candidate.probs)
        candidate.cubeless = tie_breaker(next_cube, candidate.probs)
    candidates_kind(search.candidates, search.ranked_moves.count)


cdef int _rank(Search *search, const Board *board, int die1, int die2, const CubeState *cube,
               int ply, int move_filter, bint is_choice) noexcept nogil:
    """Rank as search_rank; for a choice stop when one move is left in consideration."""
    cdef CubeState next_cube = cube_swapped(cube)
    cdef int i, level, step
    _rank_statically(search, board, max(die1, die2), min(die1, die2), &next_cube)
    cdef int kept = search.ranked_moves.count
    for step in range(FILTER_STEPS):
        # 1-ply and 2-ply follow the first step, 3-ply the second, which 2-ply feeds.
        level = min(ply, 2) if step == 0 else 3
        if level > ply or level == 0:
            break
        kept = candidates_kept(search.candidates, kept, &_FILTERS[move_filter][step])
        if is_choice and kept == 1:
            break
        for i in range(kept):
            _evaluate_candidate(search, &search.candidates[i], &next_cube, level)
        candidates_kind(search.candidates, kept)
    return search.ranked_moves.count


cdef int search_rank(Search *search, const Board *board, int die1, int die2,
                     const CubeState *cube, int ply, int move_filter) noexcept nogil:
    """Rank the moves of a roll into search.candidates, best first; return their count.

    Moves that a filter dropped stay behind those it kept, at the ply they had.
    Args: cube is seen by the player on roll; ply is 0 to 3.  GIL: nogil.  Errors: as
    search_node.  Source: gnubg's manual, "Move filters".
    """
    return _rank(search, board, die1, die2, cube, ply, move_filter, False)


cdef void search_best_move(Search *search, const Board *board, int die1, int die2,
                           const CubeState *cube, int ply, int move_filter,
                           Reply *reply) noexcept nogil:
    """Choose the play of a roll at a ply; reply holds its static evaluation.

    Args: cube is seen by the player on roll.  GIL: nogil.  Errors: as search_node.
    """
    cdef CubeState next_cube
    cdef int i
    if ply == 0:
        next_cube = cube_swapped(cube)
        search_best_reply(search, board, max(die1, die2), min(die1, die2), &next_cube, reply)
        return
    _rank(search, board, die1, die2, cube, ply, move_filter, True)
    reply.board = search.ranked_moves.boards[search.candidates[0].index]
    board_swap(&reply.board)
    reply.equity = search.candidates[0].equity
    for i in range(PROB_COUNT):
        reply.probs[i] = search.candidates[0].static_probs[i]
