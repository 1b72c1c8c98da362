"""One trial of a rollout: a pure function of (context, seed, game, alternative).

Knows how a game is played out and valued.  Must not know the context's text, the order in
which trials are wanted, other machines, or a clock.

**A trial** goes through half-moves.  Before each roll: a finished game has its value; a
game at the truncation is evaluated, cubefully and before the cube decision; a position in
a bear-off table may end it (below); the player on roll may double and be taken or passed.
Then the dice are rolled, the play is chosen, and the other player is on roll.

**Values** are of the player on roll at the root: win, win gammon, win backgammon, lose
gammon, lose backgammon (cumulative), the cubeless equity of these probabilities at the
root's cube, and the cubeful equity in the root's units: points of the cube as it is at
the root before any double (money), or match winning chance mapped linearly so that
winning and losing that cube are +1 and -1 (match).  Without the cube both equities are
the cubeless one.  Each value is rounded to a multiple of 2^-32.

**Double and pass** ends a cubeful game: its cubeful equity is what the passed cube is
worth and its probabilities are the evaluation that the cube decision was made with, as in
gnubg; they are estimates there, since the game is not played out.

**Variance reduction** (D. Montgomery, "Variance reduction", 2000; gnubg's manual,
"Rollouts"): for each roll the static value of the best play is known in advance, so its
difference from the mean over the 21 rolls is luck.  Luck has mean zero whatever the
evaluation and whatever play is chosen afterwards, so the values less the luck of all
turns are unbiased.

**What is left** of the standard deviation of a trial, money, start position, 0-ply: 3.1 ->
.48 cubeful (GNU Backgammon 1.07: .47), .17 cubeless.  It is the sum over turns of what the
mean over the rolls differs by from the static value before them: .041 of the cube a turn in
contact at every cube value (.033 cubeless in the same positions; equity is steeper with a
live cube).  So it grows with the cube: 93 % of the variance is of turns with a turned cube,
a third of one trial in a hundred.  Only a static evaluation that agrees better with its own
look-ahead makes it smaller.  What did not (12,000 trials, fitted on one half): a factor on
the luck, overall or by the cube's owner, its value or the winning chance; luck by
components; cubeless luck beside the cubeful.  1-ply values for the luck of turns with a cube
of 8 and more take .01 to .03 off and cost 6 % of the speed (two seeds: 6 % gained, 3 % lost);
from 4 on they cost 45 %.

**Levels**: checker plays and cube decisions are by the look-ahead of the player on roll, who
from half-move `late_after` on uses the late levels.  The doubler's look-ahead also decides
the take.

**Bear-off truncation** ends games only where that adds no bias to what the settings
play: with at most six checkers on each side the exact values are known, with the cube and
without, for money and at a match score.  A cubeless game also ends in the one-sided table, whose
distributions are those of the play by fewest rolls.  A root that must not double is played on
for a roll.

Jacoby: a gammon with a centred cube counts one point in the cubeful equity; the
probabilities and the cubeless equity keep gammons.

Beavers: a double that the doubler makes although the opponent gains by a beaver (in money play
with the Jacoby rule, where it makes gammons count; the Kauder paradox) is beavered, and the
opponent owns four times the cube.  Nobody raccoons.  The alternative "double, take" is taken.
"""

from libc.math cimport floor
from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free
from engine_ext.backgammon.bearoff cimport bearoff_one_sided_probs
from engine_ext.backgammon.board cimport board_result
from engine_ext.backgammon.cube cimport (
    CubeState, cube_after_beaver, cube_after_take, cube_cubeless_equity,
    cube_equity_to_mwc, cube_is_beavered, cube_may_double, cube_mwc_to_equity, cube_swapped,
)
from engine_ext.backgammon.dice cimport Roll, dice_roll
from engine_ext.backgammon.evaluate cimport (
    CLASS_BEAROFF_ONE, CLASS_BEAROFF_TWO, PositionClass, classify, evaluate_board,
    shared_evaluator,
)
from engine_ext.backgammon.leaf cimport leaf_equity_optimal, over_equity
from engine_ext.backgammon.match_bearoff cimport MatchBearoff
from engine_ext.backgammon.rollout_settings cimport (
    Levels, RolloutSettings, RolloutStart, settings_fill)
from engine_ext.backgammon.search cimport (
    ROLL_INDICES, CubeAnswer, Reply, Search, cube_answer_equity, invert_probs, roll_index,
    search_all_replies, search_best_move, search_cube, search_node,
)
from engine_ext.backgammon.search_setup cimport search_at_score, search_use
from engine_ext.control cimport RunControl, control_is_stopped, control_step

cdef enum:
    PROB_COUNT = 5
    CUBEFUL = 5               # place of the cubeful equity in the six values of a side

cdef double VALUE_SCALE = 4294967296.0    # 2^32: see services.VALUE_SCALE
cdef double VALUE_MAX = 1048575.0         # below services.VALUE_MAX = 2^20


cdef Levels _levels(const RolloutSettings *settings, const Game *game) noexcept nogil:
    """Return the levels by which the player on roll decides now."""
    cdef int side = 0 if game.is_root_on_roll else 1
    if 0 < settings.late_after <= game.turn:
        return settings.late[side]
    return settings.early[side]


cdef double _root_equity(const RolloutSettings *settings, const Game *game,
                         double equity) noexcept nogil:
    """Turn the cubeful equity of the player on roll into the root's player and units."""
    cdef double mwc
    if settings.root_cube.match_length == 0:
        equity = equity * game.cube.cube_value / settings.root_cube.cube_value
        return equity if game.is_root_on_roll else -equity
    mwc = cube_equity_to_mwc(&game.cube, equity)
    if not game.is_root_on_roll:
        mwc = 1.0 - mwc
    return cube_mwc_to_equity(&settings.root_cube, mwc)


cdef void _to_root(const RolloutSettings *settings, const Game *game, const double *probs,
                   double equity, double *values) noexcept nogil:
    """Fill the six values of the root's player from those of the player on roll."""
    cdef int i
    if game.is_root_on_roll:
        for i in range(PROB_COUNT):
            values[i] = probs[i]
    else:
        invert_probs(probs, values)
    values[CUBEFUL] = _root_equity(settings, game, equity) if settings.is_cubeful else 0.0


cdef void _set_over(const RolloutSettings *settings, Game *game) noexcept nogil:
    cdef int points = board_result(&game.board)
    cdef double[PROB_COUNT] probs
    probs[0] = 1.0 if points > 0 else 0.0
    probs[1] = 1.0 if points >= 2 else 0.0
    probs[2] = 1.0 if points == 3 else 0.0
    probs[3] = 1.0 if points <= -2 else 0.0
    probs[4] = 1.0 if points == -3 else 0.0
    _to_root(settings, game, probs, over_equity(&game.board, &game.cube), game.final)


cdef void _set_evaluated(const RolloutSettings *settings, Game *game,
                         Search *search) noexcept nogil:
    """End a game by an evaluation, before the cube decision."""
    cdef CubeAnswer answer
    cdef double equity = 0.0
    if settings.is_cubeful:
        search_cube(search, &game.board, &game.cube, settings.evaluation_ply, NULL, &answer)
        equity = cube_answer_equity(&answer)
    else:
        search_node(search, &game.board, &game.cube, 1, settings.evaluation_ply, NULL,
                    answer.probs, &equity)
    _to_root(settings, game, answer.probs, equity, game.final)


cdef bint _is_cube_decided(const RolloutSettings *settings, int start,
                           const Game *game) noexcept nogil:
    """Whether the player on roll has a cube decision before this roll."""
    if not settings.is_cubeful or not cube_may_double(&game.cube):
        return False
    if game.turn > 0:
        return True
    return settings.starts[start].may_double_first and not settings.dice.is_opening


cdef bint _set_from_bearoff(const RolloutSettings *settings, int start, Game *game,
                            Search *search) noexcept nogil:
    """End a game by a bear-off table where that is allowed; whether it did."""
    cdef PositionClass cls = classify(&game.board)
    cdef double[PROB_COUNT] probs
    cdef double equity = 0.0
    if cls == CLASS_BEAROFF_TWO and settings.is_cubeful:
        # Its cubeful values are those before a decision that may be made.
        if cube_may_double(&game.cube) and not _is_cube_decided(settings, start, game):
            return False
    elif cls != CLASS_BEAROFF_TWO and (cls != CLASS_BEAROFF_ONE or settings.is_cubeful):
        return False
    if cls == CLASS_BEAROFF_TWO:
        evaluate_board(search.tables, &game.board, probs)
        if settings.is_cubeful:
            equity = leaf_equity_optimal(search.tables, &game.board, &game.cube, probs)
    else:
        bearoff_one_sided_probs(&search.tables.bearoff, &game.board, probs)
    _to_root(settings, game, probs, equity, game.final)
    return True


cdef bint _set_ended(const RolloutSettings *settings, int start, Game *game,
                     Search *search) noexcept nogil:
    """End a game that is over, truncated or in a table; whether it has ended."""
    if board_result(&game.board) != 0:
        _set_over(settings, game)
    elif game.turn >= settings.truncation_ply:
        _set_evaluated(settings, game, search)
    elif not settings.is_bearoff_truncated:
        return False
    else:
        return _set_from_bearoff(settings, start, game, search)
    return True


cdef bint _double_or_roll(const RolloutSettings *settings, Game *game,
                          Search *search) noexcept nogil:
    """Make the cube decision of the player on roll; whether it ended the game by a pass.

    Doubles when both answers leave at least the equity of waiting; takes when that costs
    no more than passing and beavers when that is better still, by the doubler's look-ahead as
    in gnubg.
    """
    cdef CubeAnswer answer
    search_cube(search, &game.board, &game.cube, _levels(settings, game).cube_ply,
                game.static_probs if game.has_static_probs else NULL, &answer)
    if answer.not_passed < answer.no_double or answer.double_pass < answer.no_double:
        return False
    if cube_is_beavered(&game.cube, answer.double_take):
        game.cube = cube_after_beaver(&game.cube)
        return False
    if answer.double_take <= answer.double_pass:
        game.cube = cube_after_take(&game.cube)
        return False
    _to_root(settings, game, answer.probs, answer.double_pass, game.final)
    return True


cdef void _value_of_reply(const RolloutSettings *settings, const Game *game, const Reply *reply,
                          double *values) noexcept nogil:
    """Fill the root's six static values of a play of the player on roll."""
    cdef double[PROB_COUNT] probs
    invert_probs(reply.probs, probs)
    _to_root(settings, game, probs, reply.equity, values)


cdef void _lookahead(const RolloutSettings *settings, Game *game, Search *search, Roll roll,
                     Reply *played) noexcept nogil:
    """Find the best play of the roll and add its luck: its value less the mean of all rolls'."""
    cdef CubeState next_cube = cube_swapped(&game.cube)
    cdef Reply replies[ROLL_INDICES]
    cdef double[SIDE_VALUE_COUNT] values, sums, rolled = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    cdef double weight, weights = 0.0
    cdef int die1, die2, number, i
    cdef int played_number = roll_index(max(roll.die1, roll.die2), min(roll.die1, roll.die2))
    for i in range(SIDE_VALUE_COUNT):
        sums[i] = 0.0
    search_all_replies(search, &game.board, &next_cube, replies)
    played[0] = replies[played_number]
    for die1 in range(1, 7):
        for die2 in range(1, die1 + 1):
            if die1 == die2 and game.turn == 0 and settings.dice.is_opening:
                continue
            number = roll_index(die1, die2)
            _value_of_reply(settings, game, &replies[number], values)
            weight = 1.0 if die1 == die2 else 2.0
            weights += weight
            for i in range(SIDE_VALUE_COUNT):
                sums[i] += weight * values[i]
            if number == played_number:
                for i in range(SIDE_VALUE_COUNT):
                    rolled[i] = values[i]
    for i in range(SIDE_VALUE_COUNT):
        game.luck[i] += rolled[i] - sums[i] / weights


cdef void _play_roll(const RolloutSettings *settings, Game *game, Search *search,
                     Roll roll) noexcept nogil:
    """Play the dice and pass them on."""
    cdef Reply reply
    cdef int i, ply = _levels(settings, game).ply
    if settings.is_variance_reduced:
        _lookahead(settings, game, search, roll, &reply)
    if ply > 0 or not settings.is_variance_reduced:
        search_best_move(search, &game.board, roll.die1, roll.die2, &game.cube, ply,
                         settings.move_filter, &reply)
    game.board = reply.board
    game.cube = cube_swapped(&game.cube)
    game.is_root_on_roll = not game.is_root_on_roll
    game.turn += 1
    game.has_static_probs = True
    for i in range(PROB_COUNT):
        game.static_probs[i] = reply.probs[i]


cdef double _rounded(double value) noexcept nogil:
    """Return the nearest multiple of 2^-32, halves up, within the values' bound."""
    value = floor(max(-VALUE_MAX, min(VALUE_MAX, value)) * VALUE_SCALE + 0.5)
    return value / VALUE_SCALE


cdef void _fill_values(const RolloutSettings *settings, const Game *game,
                       double *values) noexcept nogil:
    """Fill the seven values: the end's, less luck, rounded."""
    cdef double[SIDE_VALUE_COUNT] exact
    cdef double cubeless
    cdef int i
    for i in range(SIDE_VALUE_COUNT):
        exact[i] = game.final[i] - game.luck[i]
    cubeless = cube_cubeless_equity(&settings.root_cube, exact)
    for i in range(PROB_COUNT):
        values[i] = _rounded(exact[i])
    values[PROB_COUNT] = _rounded(cubeless)
    values[PROB_COUNT + 1] = _rounded(exact[CUBEFUL] if settings.is_cubeful else cubeless)


cdef void _begin_game(Game *game, const RolloutStart *start) noexcept nogil:
    cdef int i
    game.board = start.board
    game.cube = start.cube
    game.is_root_on_roll = start.is_root_on_roll
    game.turn = 0
    game.has_static_probs = False
    for i in range(SIDE_VALUE_COUNT):
        game.luck[i] = 0.0


cdef bint rollout_play(const RolloutSettings *settings, int start, uint64_t game_number,
                       Search *search, double *values) noexcept nogil:
    """Play one game of one alternative; False if stopped midway (values are then void).

    Shapes: values: double[7], see the module's docstring.  GIL: nogil.  Never fails.
    """
    cdef Game game
    _begin_game(&game, &settings.starts[start])
    search.is_cubeful = settings.is_cubeful
    search.is_stopped = False
    while not _set_ended(settings, start, &game, search):
        if _is_cube_decided(settings, start, &game) and _double_or_roll(settings, &game, search):
            break
        _play_roll(settings, &game, search, dice_roll(&settings.dice, game_number, game.turn))
        control_step(search.control, 1)
        if search.is_stopped or control_is_stopped(search.control):
            return False
    if search.is_stopped:
        return False
    _fill_values(settings, &game, values)
    return True


cdef uint64_t _play_trials(const RolloutSettings *settings, uint64_t first_seq, uint64_t count,
                           Search *search, double *values) noexcept nogil:
    """Play trials in order into values[count][7]; return how many were finished."""
    cdef uint64_t i, seq
    cdef uint64_t alternatives = <uint64_t>settings.start_count
    for i in range(count):
        seq = first_seq + i
        if control_is_stopped(search.control):
            return i
        if not rollout_play(settings, <int>(seq % alternatives), seq // alternatives, search,
                            &values[i * VALUE_COUNT]):
            return i
    return count


cdef class RolloutPlayer:
    """Plays the trials of one context; may be used from several threads at once.

    Args:
        context: The `context.RolloutContext`; its engine digest is not looked at.

    Raises:
        ContextError: `bad-context`: a position that does not exist, a double that the
            rules forbid, a match equity table that is unknown or gives the score no worth.
    """

    def __cinit__(self, context):
        self.context = context
        self._idle_searches = []
        self._settings = <RolloutSettings *>calloc(1, sizeof(RolloutSettings))
        if self._settings == NULL:
            raise MemoryError
        self._evaluator = shared_evaluator()
        self._table = settings_fill(self._settings, context)

    def __dealloc__(self):
        free(self._settings)

    def run(self, uint64_t first_seq, Py_ssize_t count, RunControl control not None):
        """Return the values of trials first_seq ..., seven each; see services.TrialRunner.

        GIL: released while playing.  Errors: MemoryError.
        """
        cdef uint64_t finished, i
        cdef int k
        cdef _Workspace workspace = self._idle_searches.pop() if self._idle_searches else (
            _Workspace(self._evaluator))
        cdef Search *search = workspace.search
        cdef MatchBearoff _bearoff    # kept while playing
        cdef double *values = <double *>calloc(max(count, 1), VALUE_COUNT * sizeof(double))
        if values == NULL:
            raise MemoryError
        try:
            search.control = &control.control
            _bearoff = search_at_score(search, &self._settings.root_cube)
            with nogil:
                finished = _play_trials(self._settings, first_seq, <uint64_t>count, search, values)
            return [tuple([values[i * VALUE_COUNT + k] for k in range(VALUE_COUNT)])
                    for i in range(finished)]
        finally:
            free(values)
            self._idle_searches.append(workspace)


cdef class _Workspace:
    """Owns one search workspace."""

    cdef Search *search

    def __cinit__(self, evaluator):
        self.search = <Search *>calloc(1, sizeof(Search))
        if self.search == NULL:
            raise MemoryError
        search_use(self.search, evaluator)

    def __dealloc__(self):
        free(self.search)
