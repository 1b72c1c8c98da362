"""The dice of a rollout: which roll comes at which turn of which game.

Knows seeds, game numbers and turns.  Must not know boards, players or alternatives,
nor keep state: any thread can ask for any roll in any order.

Independent dice: a 32-bit word of Philox at counter (game, turn), rejected when it is
not below the largest multiple of the number of rolls, so that rolls are unbiased.

Stratified ("quasi-random") dice, as GNU Backgammon has them (manual, "Rollouts"): the
first turns take their rolls from permutations keyed by the seed, walked through by the
digits of the game number in base 36.  With permutations p[digit][turn] the roll of
turn t of game sum(d_i 36^i) is

    j = 0;  for i in 0..t:  j = p[i][t][(d_i + j) % 36]

For fixed d_0 .. d_(t-1) this is a bijection of d_t, and for fixed other digits one of
d_0; so every aligned block of 36^(t+1) games has each sequence of rolls of turns 0..t
exactly once, and every aligned block of 36 games has each roll once at each of these
turns.  (gnubg goes on stratifying later turns with the same digits; that would make a
later roll a function of the earlier ones, so here turns from STRATIFIED_TURNS on are
independent.)

An opening roll has no doubles: the first digit is then taken in base 30.
"""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from engine_ext.rng cimport PhiloxBlock, philox4x32

cdef enum:
    WORDS_PER_BLOCK = 4

# Philox counters (high word): games use their own number; permutations must not meet
# them, and game numbers stay below 2^63.
cdef uint64_t PERMUTATION_COUNTER = 0xFFFFFFFF00000000ULL


cdef uint32_t _uniform(uint64_t seed, uint64_t high, uint64_t low, uint32_t count) noexcept nogil:
    """Return a number in [0, count), unbiased; `low` stays below 2^32.  nogil, never fails.

    Words beyond the largest multiple of count are rejected; a whole block is rejected
    with probability (36 / 2^32)^4, and the next one is taken.
    """
    cdef uint64_t limit = (<uint64_t>1 << 32) // count * count
    cdef uint64_t attempt = 0
    cdef PhiloxBlock block
    cdef int i
    while True:
        block = philox4x32(seed, high, low | (attempt << 32))
        for i in range(WORDS_PER_BLOCK):
            if block.words[i] < limit:
                return block.words[i] % count
        attempt += 1


cdef void _shuffle(uint8_t *items, int count, uint64_t seed, uint64_t stream) noexcept nogil:
    """Shuffle in place, every order equally likely (Fisher, Yates).  nogil, never fails."""
    cdef int i, j
    cdef uint8_t item
    for i in range(count - 1, 0, -1):
        j = <int>_uniform(seed, PERMUTATION_COUNTER | stream, <uint64_t>i, <uint32_t>(i + 1))
        item = items[i]
        items[i] = items[j]
        items[j] = item


cdef int _opening_roll(int index) noexcept nogil:
    """Return the index-th ordered roll without doubles, as 0..35."""
    cdef int die1 = index // 5
    cdef int die2 = index % 5
    return die1 * 6 + die2 + (1 if die2 >= die1 else 0)


cdef void dice_tables_fill(DiceTables *tables, uint64_t seed, bint is_stratified,
                           bint is_opening) noexcept nogil:
    """Make the permutations of a seed.  nogil, never fails."""
    cdef int digit, turn, roll
    tables.seed = seed
    tables.is_stratified = is_stratified
    tables.is_opening = is_opening
    for digit in range(STRATIFIED_TURNS):
        for turn in range(STRATIFIED_TURNS):
            for roll in range(ROLL_COUNT):
                tables.permutations[digit][turn][roll] = <uint8_t>roll
            _shuffle(&tables.permutations[digit][turn][0], ROLL_COUNT, seed,
                     <uint64_t>(digit * STRATIFIED_TURNS + turn))
    for roll in range(OPENING_ROLL_COUNT):
        tables.opening[roll] = <uint8_t>_opening_roll(roll)
    _shuffle(&tables.opening[0], OPENING_ROLL_COUNT, seed,
             <uint64_t>(STRATIFIED_TURNS * STRATIFIED_TURNS))


cdef int _stratified_roll(const DiceTables *tables, uint64_t game, int turn) noexcept nogil:
    """Return the roll of a stratified turn, as 0..35: see the module's docstring."""
    cdef uint64_t rest = game
    cdef int i, digit, roll = 0
    for i in range(turn + 1):
        if i == 0 and tables.is_opening:
            digit = <int>(rest % OPENING_ROLL_COUNT)
            rest //= OPENING_ROLL_COUNT
        else:
            digit = <int>(rest % ROLL_COUNT)
            rest //= ROLL_COUNT
        if turn == 0 and tables.is_opening:
            return tables.opening[digit]
        roll = tables.permutations[i][turn][(digit + roll) % ROLL_COUNT]
    return roll


cdef Roll dice_roll(const DiceTables *tables, uint64_t game, int turn) noexcept nogil:
    """Return the dice of a turn (0, 1, ...; below 2^31) of a game (below 2^63).

    GIL: nogil.  Errors: never fails.
    """
    cdef int index
    cdef Roll roll
    if tables.is_stratified and turn < STRATIFIED_TURNS:
        index = _stratified_roll(tables, game, turn)
    elif turn == 0 and tables.is_opening:
        index = _opening_roll(<int>_uniform(tables.seed, game, 0, OPENING_ROLL_COUNT))
    else:
        index = <int>_uniform(tables.seed, game, <uint64_t>turn, ROLL_COUNT)
    roll.die1 = index // 6 + 1
    roll.die2 = index % 6 + 1
    return roll


def roll_dice(seed, game, turn, *, is_stratified=False, is_opening=False):
    """Return the dice of one turn of one game.

    Args:
        seed: 0 to 2^63 - 1.
        game: Number of the game, 0 to 2^63 - 1.
        turn: 0 is the first roll of the game.
        is_stratified: Whether the first turns are stratified over the games.
        is_opening: Whether turn 0 has no doubles.

    Errors: ValueError if a number is out of range.  GIL: needs it.
    """
    for name, value, limit in (("seed", seed, 63), ("game", game, 63), ("turn", turn, 31)):
        if not 0 <= value < 1 << limit:
            raise ValueError(f"{name} is 0 to 2^{limit} - 1, not {value}")
    cdef DiceTables tables
    dice_tables_fill(&tables, seed, is_stratified, is_opening)
    cdef Roll roll = dice_roll(&tables, game, turn)
    return (roll.die1, roll.die2)
