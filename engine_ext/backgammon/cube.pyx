# cython: language_level=3
"""Cubeful equities from cubeless probabilities, and the answers to a cube question.

Knows: Janowski's model ("Take-Points in Money Games", 1993, the general model with one
efficiency x): cubeful = (1 - x) dead + x live, where `dead` is the cubeless value and `live`
is the straight line through (0, everything lost), (take point, a single game lost), (cash
point, a single game won) and (1, everything won), the inner two only for a player who can
double.  For money the points have a closed form (`_money_take_point`); in a match the same
lines are drawn in mwc and the points come from the last useful cube backwards (GNU
Backgammon manual, "Cubeful equities", "Live cube equities").
Must not know: boards beyond their pip count, nets, dice, search.

Only + - * / are used, in a fixed order: the same bits everywhere.
"""

from cython cimport Py_ssize_t
from engine_ext.backgammon.board cimport Board, Position, board_pip_count

from engine_ext.backgammon.met import kazaross_xg2

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

# Below this a live cube is worth nothing, so the efficiency cannot be read off.
cdef double _LIVE_GAIN_MIN = 1e-4


# What a won game is worth on average, from one player's side: the shares of his
# wins that are gammons (or better) and backgammons.
ctypedef struct _Rates:
    double gammon
    double backgammon


# The value of a fully live cube as straight lines; see _live_value.
ctypedef struct _Lines:
    double lose               # at winning chance 0
    double win                # at 1
    double take_point         # of the player on roll; < 0: the opponent cannot double
    double drop               # value there: he passes
    double cash_point         # > 1: the player on roll cannot double
    double cash               # value there: the opponent passes


cdef inline _Rates _rates(double games, double gammons, double backgammons) noexcept nogil:
    cdef _Rates rates
    rates.gammon = gammons / games if games > 0.0 else 0.0
    rates.backgammon = backgammons / games if games > 0.0 else 0.0
    return rates


cdef inline _Rates _rates_of(const double *probs, int side) noexcept nogil:
    if side == 0:
        return _rates(probs[0], probs[1], probs[2])
    return _rates(1.0 - probs[0], probs[3], probs[4])


cdef inline double _between(double p, double p0, double v0, double p1, double v1) noexcept nogil:
    """The line through (p0, v0) and (p1, v1) at p; p0 <= p <= p1."""
    if p1 <= p0:
        return v0
    return v0 + (v1 - v0) * ((p - p0) / (p1 - p0))


cdef double _live_value(const _Lines *lines, double p) noexcept nogil:
    cdef double p0 = 0.0, v0 = lines.lose, p1 = 1.0, v1 = lines.win
    if lines.take_point >= 0.0:
        if p < lines.take_point:
            return _between(p, p0, v0, lines.take_point, lines.drop)
        p0 = lines.take_point
        v0 = lines.drop
    if lines.cash_point <= 1.0:
        if p > lines.cash_point:
            return _between(p, lines.cash_point, lines.cash, p1, v1)
        p1 = lines.cash_point
        v1 = lines.cash
    return _between(p, p0, v0, p1, v1)


cdef inline bint _is_last_cube(const CubeState *cube, int side, int value) noexcept nogil:
    """Whether a cube at `value` is of no more use to `side`: his win already wins the match."""
    if value >= CUBE_VALUE_MAX or cube.crawford:
        return True
    return cube.match_length > 0 and cube.away[side] <= value


cdef inline bint _may_own_use(const CubeState *cube, int side) noexcept nogil:
    """Whether `side` may turn the cube, now or on his turn."""
    if cube.cube_owner != OWNER_CENTRED and cube.cube_owner != side:
        return False
    return not _is_last_cube(cube, side, cube.cube_value)


# --- money -----------------------------------------------------------------

cdef inline double _average(_Rates rates) noexcept nogil:
    """Janowski's W or L: the average value of the games won by one side."""
    return 1.0 + rates.gammon + rates.backgammon


cdef inline double _money_take_point(double win, double lose) noexcept nogil:
    """Janowski's live-cube take point of the side with average values W and L."""
    return (lose - 0.5) / (win + lose + 0.5)


cdef double _money_cubeless(const double *probs) noexcept nogil:
    return ((2.0 * probs[0] - 1.0) + (probs[1] - probs[3])) + (probs[2] - probs[4])


cdef double _money_live(const CubeState *cube, const double *probs) noexcept nogil:
    cdef double win = _average(_rates_of(probs, 0)), lose = _average(_rates_of(probs, 1))
    cdef bint no_gammons = cube.jacoby and cube.cube_owner == OWNER_CENTRED
    cdef _Lines lines
    lines.lose = -1.0 if no_gammons else -lose
    lines.win = 1.0 if no_gammons else win
    lines.drop = -1.0
    lines.cash = 1.0
    lines.take_point = _money_take_point(win, lose) if _may_own_use(cube, 1) else -1.0
    lines.cash_point = 1.0 - _money_take_point(lose, win) if _may_own_use(cube, 0) else 2.0
    return _live_value(&lines, probs[0])


cdef double _money_no_double(const CubeState *cube, const double *probs,
                             double efficiency) noexcept nogil:
    cdef double dead
    if cube.jacoby and cube.cube_owner == OWNER_CENTRED:
        dead = 2.0 * probs[0] - 1.0
    else:
        dead = _money_cubeless(probs)
    if not (_may_own_use(cube, 0) or _may_own_use(cube, 1)):
        return dead
    return dead * (1.0 - efficiency) + _money_live(cube, probs) * efficiency


# --- match -----------------------------------------------------------------

cdef double _mwc_at(const CubeState *cube, int away, int opponent_away,
                    bint post_crawford) noexcept nogil:
    if away <= 0:
        return 1.0
    if opponent_away <= 0:
        return 0.0
    if not post_crawford:
        return cube.met.pre[away - 1][opponent_away - 1]
    if opponent_away == 1:
        return cube.met.post[away - 1]
    return 1.0 - cube.met.post[opponent_away - 1]


cdef double _mwc_after(const CubeState *cube, int side, int points) noexcept nogil:
    """The mwc of `side` after he wins `points` (loses, if negative)."""
    cdef int mine = cube.away[side], other = cube.away[1 - side]
    # Once somebody is 1 away, this is the Crawford game or a later one.
    cdef bint post_crawford = mine == 1 or other == 1
    if points > 0:
        return _mwc_at(cube, mine - points, other, post_crawford)
    return _mwc_at(cube, mine, other + points, post_crawford)


cdef double _mwc_won(const CubeState *cube, int side, int value, _Rates rates) noexcept nogil:
    """The mwc of `side` if he wins a game at `value`, gammons as they come."""
    cdef double single = _mwc_after(cube, side, value)
    cdef double gammon = _mwc_after(cube, side, 2 * value)
    cdef double backgammon = _mwc_after(cube, side, 3 * value)
    return single + (gammon - single) * rates.gammon + (backgammon - gammon) * rates.backgammon


cdef double _mwc_lost(const CubeState *cube, int side, int value, _Rates rates) noexcept nogil:
    return 1.0 - _mwc_won(cube, 1 - side, value, rates)


cdef double _match_take_point(const CubeState *cube, const _Rates *rates, int side,
                              int value) noexcept nogil:
    """The live-cube take point of `side` when a cube at `value` is turned to 2 * value.

    While the new cube is of use to him he wins by cashing at the cash point of that cube;
    at the last useful cube the game is played out for gammons.  At most log2(AWAY_MAX) deep.
    """
    cdef int doubled = 2 * value
    cdef double drop = _mwc_after(cube, side, -value)
    cdef double lose = _mwc_lost(cube, side, doubled, rates[1 - side])
    cdef double win, reach = 1.0
    if _is_last_cube(cube, side, doubled):
        win = _mwc_won(cube, side, doubled, rates[side])
    else:
        win = _mwc_after(cube, side, doubled)
        reach = 1.0 - _match_take_point(cube, rates, 1 - side, doubled)
    if win <= lose or drop <= lose:
        return 0.0
    return reach * ((drop - lose) / (win - lose)) if drop < win else reach


cdef double _match_dead(const CubeState *cube, const double *probs) noexcept nogil:
    cdef int value = cube.cube_value
    cdef double p = probs[0]
    cdef double won = _mwc_won(cube, 0, value, _rates_of(probs, 0))
    cdef double lost = _mwc_lost(cube, 0, value, _rates_of(probs, 1))
    return p * won + (1.0 - p) * lost


cdef double _match_live(const CubeState *cube, const double *probs) noexcept nogil:
    cdef int value = cube.cube_value
    cdef _Rates[2] rates
    cdef _Lines lines
    rates[0] = _rates_of(probs, 0)
    rates[1] = _rates_of(probs, 1)
    lines.lose = _mwc_lost(cube, 0, value, rates[1])
    lines.win = _mwc_won(cube, 0, value, rates[0])
    lines.drop = _mwc_after(cube, 0, -value)
    lines.cash = _mwc_after(cube, 0, value)
    lines.take_point = -1.0
    lines.cash_point = 2.0
    if _may_own_use(cube, 1):
        lines.take_point = _match_take_point(cube, rates, 0, value)
    if _may_own_use(cube, 0):
        lines.cash_point = 1.0 - _match_take_point(cube, rates, 1, value)
    return _live_value(&lines, probs[0])


cdef double _match_no_double(const CubeState *cube, const double *probs,
                             double efficiency) noexcept nogil:
    cdef double dead = _match_dead(cube, probs)
    if not (_may_own_use(cube, 0) or _may_own_use(cube, 1)):
        return dead
    return dead * (1.0 - efficiency) + _match_live(cube, probs) * efficiency


# --- the contract of cube.pxd ----------------------------------------------

cdef CubeState cube_swapped(const CubeState *cube) noexcept nogil:
    """The same cube seen by the other player.  Never fails; nogil."""
    cdef CubeState other = cube[0]
    other.away[0] = cube.away[1]
    other.away[1] = cube.away[0]
    if cube.cube_owner != OWNER_CENTRED:
        other.cube_owner = 1 - cube.cube_owner
    return other


cdef bint cube_may_double(const CubeState *cube) noexcept nogil:
    """Whether the player on roll may double and could gain by it.

    False: the opponent owns the cube, the Crawford game, a win at this cube already wins the
    match, or the cube shows CUBE_VALUE_MAX.  Never fails; nogil.
    """
    return _may_own_use(cube, 0)


cdef CubeState cube_after_take(const CubeState *cube) noexcept nogil:
    """Twice the value, owned by the opponent.  Never fails; nogil."""
    cdef CubeState taken = cube[0]
    taken.cube_value = 2 * cube.cube_value
    taken.cube_owner = OWNER_OPPONENT
    return taken


cdef double cube_outcome_equity(const CubeState *cube, int points) noexcept nogil:
    """What winning `points` times the cube is worth: points for money, EMG in a match.

    Jacoby is the caller's: he passes 1 where gammons do not count.  Never fails; nogil.
    """
    if cube.match_length == 0:
        return <double>points
    return cube_mwc_to_equity(cube, _mwc_after(cube, 0, points * cube.cube_value))


cdef double cube_cubeless_equity(const CubeState *cube, const double *probs) noexcept nogil:
    """The equity of playing on with a dead cube.  Shapes: probs: double[5], cumulative.

    Never fails; nogil.
    """
    if cube.match_length == 0:
        return _money_cubeless(probs)
    return cube_mwc_to_equity(cube, _match_dead(cube, probs))


cdef double cube_equity_no_double(const CubeState *cube, const double *probs,
                                  double efficiency) noexcept nogil:
    """The cubeful equity of the player on roll, who does not double now.

    Shapes: probs: double[5], cumulative.  Units: as cube.pxd says.  Never fails; nogil.
    Source: Janowski's general model; GNU Backgammon's 0-ply "no double" to 1e-5.
    """
    if cube.match_length == 0:
        return _money_no_double(cube, probs, efficiency)
    return cube_mwc_to_equity(cube, _match_no_double(cube, probs, efficiency))


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
    """max(no double, min(double/take, double/pass)), or no double where doubling is not allowed.

    Shapes: probs: double[5], cumulative.  Units: of `cube`.  Never fails; nogil.
    """
    cdef double no_double = cube_equity_no_double(cube, probs, efficiency)
    cdef double doubled
    if not cube_may_double(cube):
        return no_double
    doubled = min(_double_take(cube, probs, efficiency), 1.0)
    return max(no_double, doubled)


cdef double cube_live_take_point(const CubeState *cube, const double *probs,
                                 int side) noexcept nogil:
    """The least winning chance, 0..1, of `side` himself, with which he takes a live cube.

    Shapes: probs: double[5], cumulative; only their gammon rates count.  Never fails; nogil.
    """
    cdef _Rates[2] rates
    rates[0] = _rates_of(probs, 0)
    rates[1] = _rates_of(probs, 1)
    if cube.match_length == 0:
        return _money_take_point(_average(rates[side]), _average(rates[1 - side]))
    return _match_take_point(cube, rates, side, cube.cube_value)


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
    return _between(pips, _RACE_PIPS_MIN, _EFFICIENCY_RACE_MIN,
                    _RACE_PIPS_MAX, _EFFICIENCY_RACE_MAX)


cdef double cube_efficiency_from_money(int cube_owner, const double *probs,
                                       double money_equity) noexcept nogil:
    """The x at which the money formula gives `money_equity`, clipped to 0..1.

    For match play in positions whose money equity is known exactly (GNU Backgammon manual, "The
    cube efficiency").  The bear-off value where a live cube gains nothing.  Never fails; nogil.
    """
    cdef CubeState cube
    cdef double dead = _money_cubeless(probs), gain
    cube.cube_value = 1
    cube.cube_owner = cube_owner
    cube.match_length = 0
    cube.away[0] = 0
    cube.away[1] = 0
    cube.crawford = cube.jacoby = cube.beavers = False
    cube.met = NULL
    gain = _money_live(&cube, probs) - dead
    if -_LIVE_GAIN_MIN < gain < _LIVE_GAIN_MIN:
        return _EFFICIENCY_BEAROFF
    return max(0.0, min(1.0, (money_equity - dead) / gain))


cdef double cube_equity_to_mwc(const CubeState *cube, double equity) noexcept nogil:
    """Normalised equity to mwc of the player on roll; the number itself for money.  nogil."""
    cdef double win, lose
    if cube.match_length == 0:
        return equity
    win = _mwc_after(cube, 0, cube.cube_value)
    lose = _mwc_after(cube, 0, -cube.cube_value)
    return 0.5 * (win + lose) + equity * (0.5 * (win - lose))


cdef double cube_mwc_to_equity(const CubeState *cube, double mwc) noexcept nogil:
    """The inverse of cube_equity_to_mwc.  nogil."""
    cdef double win, lose
    if cube.match_length == 0:
        return mwc
    win = _mwc_after(cube, 0, cube.cube_value)
    lose = _mwc_after(cube, 0, -cube.cube_value)
    return ((mwc - win) + (mwc - lose)) / (win - lose)


# --- Python ----------------------------------------------------------------

cdef class MatchTable:
    """A `met.Met`, extended to AWAY_MAX, in the form that compiled code reads.

    Args:
        met: the table.
    """

    def __init__(self, met):
        cdef int i, j
        self.met = met
        for i in range(AWAY_MAX):
            for j in range(AWAY_MAX):
                self.table.pre[i][j] = met.mwc(i + 1, j + 1)
            self.table.post[i] = met.mwc(i + 1, 1, post_crawford=True)


cdef MatchTable _shared = None


cpdef MatchTable shared_match_table():
    """The table of `kazaross_xg2()`, made once a process.  GIL: needs."""
    global _shared
    if _shared is None:
        _shared = MatchTable(kazaross_xg2())
    return _shared


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

    Raises:
        ValueError: no such cube or score; the message says which.
    """

    def __init__(self, *, int value=1, int owner=-1, int match_length=0, score=(0, 0),
                 bint crawford=False, bint jacoby=False, bint beavers=False,
                 MatchTable table=None):
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
        self.state.met = &self._table.table if is_match else NULL

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


def efficiency_from_money(int owner, probs, double money_equity):
    """The efficiency at which the money formula gives `money_equity` (no Jacoby), within 0..1."""
    cdef double[5] numbers
    _read_probs(probs, numbers)
    return cube_efficiency_from_money(owner, numbers, money_equity)


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
        player owns the cube.
    """
    verb = "redouble" if cube.state.cube_owner == OWNER_ON_ROLL else "double"
    if not cube_may_double(&cube.state):
        return f"no {verb}"
    is_beaver = cube.state.beavers and double_take < 0.0
    if double_take >= no_double and double_pass >= no_double:
        if double_take > double_pass:
            return f"{verb}, pass"
        return f"{verb}, beaver" if is_beaver else f"{verb}, take"
    if no_double > double_pass:
        answer = "pass" if double_take > double_pass else "take"
        return f"too good to {verb}, {answer}"
    return f"no {verb}, beaver" if is_beaver else f"no {verb}"
