# cython: language_level=3
"""Janowski's cubeful equities, for money and in mwc: the formulas alone.

Knows: the model of "Take-Points in Money Games" (1993) with one efficiency x:
cubeful = (1 - x) dead + x live, where `dead` is the cubeless value and `live` is the straight
line through (0, everything lost), (take point, a single game lost), (cash point, a single game
won) and (1, everything won), the inner two only for a player who can double.  For money the
points have a closed form (`_money_take_point`); in a match the same lines are drawn in mwc, and
the points come from the last useful cube backwards (GNU Backgammon manual, "Cubeful equities",
"Live cube equities").
Must not know: cube actions, normalised match equities, boards, Python objects.

Only + - * / are used, in a fixed order: the same bits everywhere.

Differences from GNU Backgammon, which the formulas agree with otherwise: with a centred cube at
2-away 2-away it takes the cube for dead when nobody doubles, here the same lines hold as at
every score; and beyond the length of its table it extends differently (met.py).
"""


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


cdef bint may_use_cube(const CubeState *cube, int side) noexcept nogil:
    """Whether `side` may turn the cube, now or on his turn, and could gain by it."""
    if cube.cube_owner != OWNER_CENTRED and cube.cube_owner != side:
        return False
    return not _is_last_cube(cube, side, cube.cube_value)


cdef bint may_be_beavered(const CubeState *cube) noexcept nogil:
    """Whether a double may be answered by a beaver, who then owns four times the cube.

    Not to CUBE_VALUE_MAX, where the cube would be dead: so a beaver is worth twice a take.
    """
    return (cube.beavers and cube.match_length == 0 and may_use_cube(cube, 0)
            and 4 * cube.cube_value < CUBE_VALUE_MAX)


# --- money -----------------------------------------------------------------

cdef inline double _average_value(_Rates rates) noexcept nogil:
    """Janowski's W or L: the average value of the games won by one side."""
    return 1.0 + rates.gammon + rates.backgammon


cdef inline double _money_take_point(double win, double lose) noexcept nogil:
    """Janowski's live-cube take point of the side with average values W and L."""
    return (lose - 0.5) / (win + lose + 0.5)


cdef double money_cubeless(const double *probs) noexcept nogil:
    """Points of the cube for the player on roll, all games played out.  Never fails; nogil."""
    return ((2.0 * probs[0] - 1.0) + (probs[1] - probs[3])) + (probs[2] - probs[4])


cdef double money_live(const CubeState *cube, const double *probs) noexcept nogil:
    """Points of the cube for the player on roll with a fully live cube.  Never fails; nogil."""
    cdef double win = _average_value(_rates_of(probs, 0))
    cdef double lose = _average_value(_rates_of(probs, 1))
    cdef bint no_gammons = cube.jacoby and cube.cube_owner == OWNER_CENTRED
    cdef _Lines lines
    lines.lose = -1.0 if no_gammons else -lose
    lines.win = 1.0 if no_gammons else win
    lines.drop = -1.0
    lines.cash = 1.0
    lines.take_point = _money_take_point(win, lose) if may_use_cube(cube, 1) else -1.0
    lines.cash_point = 1.0 - _money_take_point(lose, win) if may_use_cube(cube, 0) else 2.0
    return _live_value(&lines, probs[0])


cdef double money_no_double(const CubeState *cube, const double *probs,
                            double efficiency) noexcept nogil:
    """Points of the cube between dead and live, without a double now.  Never fails; nogil."""
    cdef double dead
    if cube.jacoby and cube.cube_owner == OWNER_CENTRED:
        dead = 2.0 * probs[0] - 1.0
    else:
        dead = money_cubeless(probs)
    if not (may_use_cube(cube, 0) or may_use_cube(cube, 1)):
        return dead
    return dead * (1.0 - efficiency) + money_live(cube, probs) * efficiency


cdef double money_optimal(const CubeState *cube, const double *probs,
                          double efficiency) noexcept nogil:
    """The best of no double, double/take (or beaver) and double/pass, for whom may double.

    One pass over the averages and take points that money_no_double would work out for each of
    the two cubes, in the same operations: a search asks this of every play of every roll.
    """
    cdef double win = _average_value(_rates_of(probs, 0))
    cdef double lose = _average_value(_rates_of(probs, 1))
    cdef double cubeless = money_cubeless(probs)
    cdef bint no_gammons = cube.jacoby and cube.cube_owner == OWNER_CENTRED
    cdef double take_point = _money_take_point(win, lose)
    cdef double no_double, taken, doubled
    cdef _Lines lines
    lines.lose = -1.0 if no_gammons else -lose
    lines.win = 1.0 if no_gammons else win
    lines.drop = -1.0
    lines.cash = 1.0
    lines.take_point = take_point if may_use_cube(cube, 1) else -1.0
    lines.cash_point = 1.0 - _money_take_point(lose, win)
    no_double = ((2.0 * probs[0] - 1.0 if no_gammons else cubeless) * (1.0 - efficiency)
                 + _live_value(&lines, probs[0]) * efficiency)
    taken = cubeless
    if not _is_last_cube(cube, 1, 2 * cube.cube_value):
        lines.lose = -lose
        lines.win = win
        lines.take_point = take_point
        lines.cash_point = 2.0
        taken = cubeless * (1.0 - efficiency) + _live_value(&lines, probs[0]) * efficiency
    doubled = 2.0 * taken
    if may_be_beavered(cube):
        doubled = min(doubled, 2.0 * doubled)  # half of them are below 0: no branch to mispredict
    return max(no_double, min(doubled, 1.0))


# --- match -----------------------------------------------------------------

cdef double _mwc_at(const MetTable *met, int away, int opponent_away,
                    bint post_crawford) noexcept nogil:
    if away <= 0:
        return 1.0
    if opponent_away <= 0:
        return 0.0
    if not post_crawford:
        return met.pre[away - 1][opponent_away - 1]
    if opponent_away == 1:
        return met.post[away - 1]
    return 1.0 - met.other.post[opponent_away - 1]


cdef double mwc_after(const CubeState *cube, int side, int points) noexcept nogil:
    """The mwc of `side` after he wins `points` (loses, if negative)."""
    cdef const MetTable *met = cube.met if side == 0 else cube.met.other
    cdef int mine = cube.away[side], other = cube.away[1 - side]
    # Once somebody is 1 away, this is the Crawford game or a later one.
    cdef bint post_crawford = mine == 1 or other == 1
    if points > 0:
        return _mwc_at(met, mine - points, other, post_crawford)
    return _mwc_at(met, mine, other + points, post_crawford)


cdef double _mwc_won(const CubeState *cube, int side, int value, _Rates rates) noexcept nogil:
    """The mwc of `side` if he wins a game at `value`, gammons as they come."""
    cdef double single = mwc_after(cube, side, value)
    cdef double gammon = mwc_after(cube, side, 2 * value)
    cdef double backgammon = mwc_after(cube, side, 3 * value)
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
    cdef double drop = mwc_after(cube, side, -value)
    cdef double lose = _mwc_lost(cube, side, doubled, rates[1 - side])
    cdef double win, reach = 1.0
    if _is_last_cube(cube, side, doubled):
        win = _mwc_won(cube, side, doubled, rates[side])
    else:
        win = mwc_after(cube, side, doubled)
        reach = 1.0 - _match_take_point(cube, rates, 1 - side, doubled)
    if win <= lose or drop <= lose:
        return 0.0
    return reach * ((drop - lose) / (win - lose)) if drop < win else reach


cdef double match_dead(const CubeState *cube, const double *probs) noexcept nogil:
    """The mwc of the player on roll with a dead cube.  Never fails; nogil."""
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
    lines.drop = mwc_after(cube, 0, -value)
    lines.cash = mwc_after(cube, 0, value)
    lines.take_point = -1.0
    lines.cash_point = 2.0
    if may_use_cube(cube, 1):
        lines.take_point = _match_take_point(cube, rates, 0, value)
    if may_use_cube(cube, 0):
        lines.cash_point = 1.0 - _match_take_point(cube, rates, 1, value)
    return _live_value(&lines, probs[0])


cdef double match_no_double(const CubeState *cube, const double *probs,
                            double efficiency) noexcept nogil:
    """The mwc of the player on roll between dead and live, without a double now.  nogil."""
    cdef double dead = match_dead(cube, probs)
    if not (may_use_cube(cube, 0) or may_use_cube(cube, 1)):
        return dead
    return dead * (1.0 - efficiency) + _match_live(cube, probs) * efficiency


# --- both ------------------------------------------------------------------

cdef double live_take_point(const CubeState *cube, const double *probs, int side) noexcept nogil:
    """Least winning chance with which `side` takes, the cube fully live.  Never fails; nogil."""
    cdef _Rates[2] rates
    rates[0] = _rates_of(probs, 0)
    rates[1] = _rates_of(probs, 1)
    if cube.match_length == 0:
        return _money_take_point(_average_value(rates[side]), _average_value(rates[1 - side]))
    return _match_take_point(cube, rates, side, cube.cube_value)
