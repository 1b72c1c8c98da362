# The dice of a trial: a pure function of (seed, game, turn), the same for every
# alternative of the game.

from libc.stdint cimport uint8_t, uint64_t

cdef enum:
    ROLL_COUNT = 36           # ordered rolls; roll r is (r // 6 + 1, r % 6 + 1)
    OPENING_ROLL_COUNT = 30   # ordered rolls without doubles
    STRATIFIED_TURNS = 6      # turns whose dice are stratified; 36^6 games fill them

ctypedef struct DiceTables:
    uint64_t seed
    bint is_stratified        # quasi-random dice for the first STRATIFIED_TURNS turns
    bint is_opening           # turn 0 is an opening roll: no doubles
    # permutations[digit][turn]: of the 36 rolls, digit <= turn < STRATIFIED_TURNS.
    uint8_t permutations[6][6][36]
    # opening[i]: the opening roll of the i-th game of a block of 30, as 0..35.
    uint8_t opening[30]

ctypedef struct Roll:
    int die1
    int die2

cdef void dice_tables_fill(DiceTables *tables, uint64_t seed, bint is_stratified,
                           bint is_opening) noexcept nogil
cdef Roll dice_roll(const DiceTables *tables, uint64_t game, int turn) noexcept nogil
