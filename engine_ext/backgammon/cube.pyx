# cython: language_level=3
"""Cubeful equities from cubeless probabilities, and the answers to a cube question.

Knows: the cube, the score and the rules; which numbers decide a double; how efficient a cube is
in each class of positions.  The formulas are janowski.pyx's.
Must not know: boards beyond their pip count, nets, dice, search.

Only + - * / are used, in a fixed order: the same bits everywhere.
"""

from cython cimport Py_ssize_t
from engine_ext.backgammon.board cimport Board, Position, board_pip_count
from engine_ext.backgammon.janowski cimport (
    live_take_point, match_dead, match_no_double, may_be_beavered, may_use_cube, money_cubeless,
    money_no_double, money_optimal, mwc_after,
)
from engine_ext.backgammon.match_table cimport MatchTable, shared_match_table

# Values of evaluate.PositionClass that matter here; a test holds them equal.
cdef enum:
    _CLASS_BEAROFF_TWO = 1
    _CLASS_BEAROFF_ONE = 2
    _CLASS_RACE = 3

# GNU Backgammon manual, "The cube efficiency".
cdef double _EFFICIENCY_BEAROFF = 0.6
cdef double _EFFICIENCY_CONTACT = 0.68
cdef double _EFFICIENCY_RACE_MIN = 0.6
cdef double _EFFICIENCY_RACE_MAX = 0.7
cdef int _RACE_PIPS_MIN = 40
cdef int _RACE_PIPS_MAX = 120


# --- the contract of cube.pxd ----------------------------------------------

cdef CubeState cube_swapped(const CubeState *cube) noexcept nogil:
    """The same cube seen by the other player.  Never fails; nogil."""
    cdef CubeState other = cube[0]
    other.away[0] = cube.away[1]
    other.away[1] = cube.away[0]
    if cube.cube_owner != OWNER_CENTRED:
        other.cube_owner = 1 - cube.cube_owner
    if cube.met != NULL:
        other.met = cube.met.other
    return other


cdef bint cube_may_double(const CubeState *cube) noexcept nogil:
    """Whether the player on roll may double and could gain by it.

    False: the opponent owns the cube, the Crawford game, a win at this cube already wins the
    match, or the cube shows CUBE_VALUE_MAX.  Never fails; nogil.
    """
    return may_use_cube(cube, 0)


cdef CubeState cube_after_take(const CubeState *cube) noexcept nogil:
    """Twice the value, owned by the opponent.  Never fails; nogil."""
    cdef CubeState taken = cube[0]
    taken.cube_value = 2 * cube.cube_value
    taken.cube_owner = OWNER_OPPONENT
    return taken


cdef CubeState cube_after_beaver(const CubeState *cube) noexcept nogil:
    """Four times the value, owned by the opponent.  Never fails; nogil."""
    cdef CubeState beavered = cube_after_take(cube)
    beavered.cube_value = 2 * beavered.cube_value
    return beavered


cdef bint cube_is_beavered(const CubeState *cube, double double_take) noexcept nogil:
    """Whether the opponent answers a double by a beaver: he is the favourite after a take.

    Args: double_take in units of the cube before doubling.  Never fails; nogil.
    """
    return double_take < 0.0 and may_be_beavered(cube)


cdef double cube_equity_not_passed(const CubeState *cube, double double_take) noexcept nogil:
    """The equity of a double that the opponent takes, or beavers where he gains by it.

    A beaver doubles all that the take is worth, as its owner can go on to redouble just the same.
    Units: of the cube before doubling.  Never fails; nogil.
    """
    return 2.0 * double_take if cube_is_beavered(cube, double_take) else double_take


cdef double cube_outcome_equity(const CubeState *cube, int points) noexcept nogil:
    """What winning `points` times the cube is worth: points for money, EMG in a match.

    Jacoby is the caller's: he passes 1 where gammons do not count.  Never fails; nogil.
    """
    if cube.match_length == 0:
        return <double>points
    return cube_mwc_to_equity(cube, mwc_after(cube, 0, points * cube.cube_value))


cdef double cube_cubeless_equity(const CubeState *cube, const double *probs) noexcept nogil:
    """The equity of playing on with a dead cube.  Shapes: probs: double[5], cumulative.

    Never fails; nogil.
    """
    if cube.match_length == 0:
        return money_cubeless(probs)
    return cube_mwc_to_equity(cube, match_dead(cube, probs))


cdef double cube_equity_no_double(const CubeState *cube, const double *probs,
                                  double efficiency) noexcept nogil:
    """The cubeful equity of the player on roll, who does not double now.

    Shapes: probs: double[5], cumulative.  Units: as cube.pxd says.  Never fails; nogil.
    Source: Janowski's general model; GNU Backgammon's 0-ply "no double" to 1e-5.
    """
    if cube.match_length == 0:
        return money_no_double(cube, probs, efficiency)
    return cube_mwc_to_equity(cube, match_no_double(cube, probs, efficiency))


cdef double cube_equity_of_take(const CubeState *cube, double taken_equity) noexcept nogil:
    """An equity in the units of cube_after_take(cube), in those of `cube`.  Never fails; nogil."""
    cdef CubeState taken
    if cube.match_length == 0:
        return 2.0 * taken_equity
    taken = cube_after_take(cube)
    return cube_mwc_to_equity(cube, cube_equity_to_mwc(&taken, taken_equity))


cdef double _double_take(const CubeState *cube, const double *probs,
                         double efficiency) noexcept nogil:
    cdef CubeState taken = cube_after_take(cube)
    return cube_equity_of_take(cube, cube_equity_no_double(&taken, probs, efficiency))


cdef double cube_equity_optimal(const CubeState *cube, const double *probs,
                                double efficiency) noexcept nogil:
    """max(no double, min(not passed, double/pass)), or no double where doubling is not allowed.

    Shapes: probs: double[5], cumulative.  Units: of `cube`.  Never fails; nogil.
    """
    cdef double no_double, doubled
    if not cube_may_double(cube):
        return cube_equity_no_double(cube, probs, efficiency)
    if cube.match_length == 0:
        return money_optimal(cube, probs, efficiency)
    no_double = cube_equity_no_double(cube, probs, efficiency)
    doubled = min(_double_take(cube, probs, efficiency), 1.0)  # no beavers in a match
    return max(no_double, doubled)


cdef double cube_live_take_point(const CubeState *cube, const double *probs,
                                 int side) noexcept nogil:
    """The least winning chance, 0..1, of `side` himself, with which he takes a live cube.

    Shapes: probs: double[5], cumulative; only their gammon rates count.  Never fails; nogil.
    """
    return live_take_point(cube, probs, side)


cdef double cube_efficiency(const Board *board, int position_class) noexcept nogil:
    """Janowski's x, 0..1, for a position of the player on roll.

    Contact .68; bear-off tables .6; races from .6 at 40 pips of the player on roll to .7 at
    120.  Never fails; nogil.  Source: GNU Backgammon manual, "The cube efficiency".
    """
    cdef int pips
    if position_class == _CLASS_BEAROFF_TWO or position_class == _CLASS_BEAROFF_ONE:
        return _EFFICIENCY_BEAROFF
    if position_class != _CLASS_RACE:
        return _EFFICIENCY_CONTACT
    pips = board_pip_count(board, 0)
    if pips <= _RACE_PIPS_MIN:
        return _EFFICIENCY_RACE_MIN
    if pips >= _RACE_PIPS_MAX:
        return _EFFICIENCY_RACE_MAX
    return _EFFICIENCY_RACE_MIN + (_EFFICIENCY_RACE_MAX - _EFFICIENCY_RACE_MIN) * (
        <double>(pips - _RACE_PIPS_MIN) / <double>(_RACE_PIPS_MAX - _RACE_PIPS_MIN))


cdef double cube_equity_to_mwc(const CubeState *cube, double equity) noexcept nogil:
    """Normalised equity to mwc of the player on roll; the number itself for money.  nogil."""
    cdef double win, lose
    if cube.match_length == 0:
        return equity
    win = mwc_after(cube, 0, cube.cube_value)
    lose = mwc_after(cube, 0, -cube.cube_value)
    return 0.5 * (win + lose) + equity * (0.5 * (win - lose))


cdef double cube_mwc_to_equity(const CubeState *cube, double mwc) noexcept nogil:
    """The inverse of cube_equity_to_mwc.  nogil."""
    cdef double win, lose
    if cube.match_length == 0:
        return mwc
    win = mwc_after(cube, 0, cube.cube_value)
    lose = mwc_after(cube, 0, -cube.cube_value)
    return ((mwc - win) + (mwc - lose)) / (win - lose)


# --- Python ----------------------------------------------------------------

cdef class Cube:
    """The cube, the score and the rules, seen by the player on roll; immutable.

    Args:
        value: 1, 2, 4, ... CUBE_VALUE_MAX.
        owner: -1 centred, 0 player on roll, 1 opponent.
        match_length: points of the match; 0 = money.
        score: points already won by (player on roll, opponent); in a match only.
        crawford: this is the Crawford game.
        jacoby: money: gammons count only once the cube is turned.
        beavers: money: the taker may redouble at once and keep the cube.
        table: the match equities; None for the shipped ones.
        player: 0 or 1, which player of the table is on roll; matters where they differ.

    Raises:
        ValueError: no such cube or score, or a table by which the score has no equities; the
            message says which.
    """

    def __init__(self, int value=1, int owner=-1, int match_length=0, score=(0, 0),
                 bint crawford=False, bint jacoby=False, bint beavers=False,
                 MatchTable table=None, int player=0):
        cdef bint is_match = match_length != 0
        _check_cube(value, owner, match_length, tuple(score), crawford)
        self._table = (table or shared_match_table()) if is_match else None
        self.state.cube_value = value
        self.state.cube_owner = owner
        self.state.match_length = match_length
        self.state.away[0] = match_length - score[0] if is_match else 0
        self.state.away[1] = match_length - score[1] if is_match else 0
        self.state.crawford = crawford
        self.state.jacoby = jacoby and not is_match
        self.state.beavers = beavers and not is_match
        self.state.met = NULL
        if is_match:
            if player not in (0, 1):
                raise ValueError(f"the player on roll is player 0 or player 1, not {player}")
            self.state.met = self._table.of_player(player)
            check_worth_playing(&self.state)

    @property
    def value(self):
        return self.state.cube_value

    @property
    def owner(self):
        return self.state.cube_owner

    @property
    def match_length(self):
        return self.state.match_length

    @property
    def away(self):
        return (self.state.away[0], self.state.away[1])

    @property
    def crawford(self):
        return bool(self.state.crawford)

    @property
    def jacoby(self):
        return bool(self.state.jacoby)

    @property
    def beavers(self):
        return bool(self.state.beavers)

    @property
    def may_double(self):
        """Whether the player on roll may double and could gain by it."""
        return bool(cube_may_double(&self.state))

    def swapped(self):
        """The same cube seen by the other player."""
        return _cube_from_state(cube_swapped(&self.state), self._table)

    def after_take(self):
        """Doubled and taken, still seen by the player who doubled.

        Raises:
            ValueError: the player on roll may not double.
        """
        if not cube_may_double(&self.state):
            raise ValueError("the player on roll may not double")
        return _cube_from_state(cube_after_take(&self.state), self._table)

    def is_beavered(self, double double_take):
        """Whether a double, worth this to the player on roll if taken, is beavered."""
        return bool(cube_is_beavered(&self.state, double_take))

    def equity_not_passed(self, double_take):
        """What a double, worth this if taken, is worth with the better of take and beaver."""
        return cube_equity_not_passed(&self.state, double_take)

    def outcome_equity(self, int points):
        """Equity of a game won (lost: negative) at 1, 2 or 3 times the cube."""
        if points == 0 or not -3 <= points <= 3:
            raise ValueError("a game is won or lost at 1, 2 or 3 times the cube")
        return cube_outcome_equity(&self.state, points)

    def cubeless_equity(self, probs):
        """Equity of `probs` (5 cumulative) with a dead cube, Jacoby ignored."""
        cdef double[5] numbers
        _read_probs(probs, numbers)
        return cube_cubeless_equity(&self.state, numbers)

    def equity_no_double(self, probs, double efficiency):
        """Cubeful equity of `probs` (5 cumulative) for a player who does not double now."""
        cdef double[5] numbers
        _read_probs(probs, numbers)
        _check_efficiency(efficiency)
        return cube_equity_no_double(&self.state, numbers, efficiency)

    def equity_optimal(self, probs, double efficiency):
        """Cubeful equity of `probs` (5 cumulative) with the best cube action now."""
        cdef double[5] numbers
        _read_probs(probs, numbers)
        _check_efficiency(efficiency)
        return cube_equity_optimal(&self.state, numbers, efficiency)

    def live_take_point(self, probs, int side):
        """Least winning chance of `side` (0 on roll, 1 opponent) to take a fully live cube."""
        cdef double[5] numbers
        if side not in (0, 1):
            raise ValueError("side is 0 (on roll) or 1 (opponent)")
        _read_probs(probs, numbers)
        return cube_live_take_point(&self.state, numbers, side)

    def equity_to_mwc(self, double equity):
        """Match winning chance of the player on roll; the equity itself for money."""
        return cube_equity_to_mwc(&self.state, equity)

    def mwc_to_equity(self, double mwc):
        """The inverse of `equity_to_mwc`."""
        return cube_mwc_to_equity(&self.state, mwc)


cdef Cube _cube_from_state(CubeState state, MatchTable table):
    cdef Cube cube = Cube.__new__(Cube)
    cube.state = state
    cube._table = table
    return cube


cdef int check_worth_playing(const CubeState *cube) except -1:
    """Refuse a match score at which the table gives a game no worth: it has no equities."""
    if mwc_after(cube, 0, cube.cube_value) <= mwc_after(cube, 0, -cube.cube_value):
        raise ValueError(f"by this match equity table a game at {cube.away[0]}-away "
                         f"{cube.away[1]}-away is worth nothing: use a table with more decimals")
    return 0


def _check_cube(int value, int owner, int match_length, tuple score, bint crawford):
    if value < 1 or value > CUBE_VALUE_MAX or value & (value - 1):
        raise ValueError(f"the cube shows a power of two up to {CUBE_VALUE_MAX}, not {value}")
    if not -1 <= owner <= 1:
        raise ValueError("the cube owner is -1 (nobody), 0 (player on roll) or 1 (opponent)")
    if not 0 <= match_length <= AWAY_MAX:
        raise ValueError(f"a match has 1 to {AWAY_MAX} points (0 is money), not {match_length}")
    if len(score) != 2:
        raise ValueError("a score is two numbers, the player on roll first")
    if match_length and not (0 <= score[0] < match_length and 0 <= score[1] < match_length):
        raise ValueError(f"each side has 0 to {match_length - 1} points in a match to "
                         f"{match_length}, not {score[0]} and {score[1]}")
    if crawford and (match_length == 0 or match_length - max(score) != 1):
        raise ValueError("the Crawford game is one of a match in which a side is 1 away")


cdef int _read_probs(object probs, double *numbers) except -1:
    cdef Py_ssize_t i
    if len(probs) != 5:
        raise ValueError("probs are five numbers: win, its gammons and backgammons, then the "
                         "gammons and backgammons lost")
    for i in range(5):
        numbers[i] = probs[i]
        if not 0.0 <= numbers[i] <= 1.0:
            raise ValueError(f"a probability lies between 0 and 1, not {numbers[i]!r}")
    return 0


cdef int _check_efficiency(double efficiency) except -1:
    if not 0.0 <= efficiency <= 1.0:
        raise ValueError(f"the cube efficiency lies between 0 and 1, not {efficiency!r}")
    return 0


def efficiency(Position position not None, int position_class):
    """Janowski's x of a position; `position_class` as evaluate.classify counts."""
    return cube_efficiency(&position.board, position_class)


def cube_decision(probs, Cube cube not None, double efficiency):
    """Judge a double from cubeless probabilities alone (0-ply).

    Args:
        probs: 5 cumulative probabilities of the player on roll.
        cube: the cube before doubling.
        efficiency: Janowski's x, 0..1.

    Returns:
        (no_double, double_take, double_pass, action): equities of the player on roll in units of
        the cube before doubling, and `cube_action` of them.
    """
    cdef double[5] numbers
    cdef double no_double, double_take
    _read_probs(probs, numbers)
    _check_efficiency(efficiency)
    no_double = cube_equity_no_double(&cube.state, numbers, efficiency)
    double_take = _double_take(&cube.state, numbers, efficiency)
    return no_double, double_take, 1.0, cube_action(no_double, double_take, 1.0, cube)


def cube_action(double no_double, double double_take, double double_pass, Cube cube not None):
    """Name the right cube action from the three equities of the player on roll.

    Args:
        no_double: equity without a double.
        double_take: equity after double and take, units of the cube before doubling.
        double_pass: equity after double and pass, same units.
        cube: the cube before doubling.

    Returns:
        "no double", "double, take", "double, pass", "double, beaver", "too good to double, take",
        "too good to double, pass" or "no double, beaver"; with "redouble" for "double" when the
        player owns the cube.  Unlike GNU Backgammon, which names a beaver but values it as a
        take, a double that would be beavered must be right at what the beaver is worth.
    """
    verb = "redouble" if cube.state.cube_owner == OWNER_ON_ROLL else "double"
    if not cube_may_double(&cube.state):
        return f"no {verb}"
    is_beaver = cube_is_beavered(&cube.state, double_take)
    not_passed = cube_equity_not_passed(&cube.state, double_take)
    if not_passed >= no_double and double_pass >= no_double:
        if double_take > double_pass:
            return f"{verb}, pass"
        return f"{verb}, beaver" if is_beaver else f"{verb}, take"
    if no_double > double_pass:
        answer = "pass" if double_take > double_pass else "take"
        return f"too good to {verb}, {answer}"
    return f"no {verb}, beaver" if is_beaver else f"no {verb}"
