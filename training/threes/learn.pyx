"""Temporal differences for Threes!: a learner plays games, and mends what it thought of boards.

Knows games, places of weights and the rule of learning.  Nothing here is bit-exact: threads learn
from games of their own into the same weights, without locks.

A board is looked at after the card has entered.  Its target is what the move after it scored, and
the mean of what the next board was thought to be worth and of that board's own target, from the end
of the game backwards: lambda returns.  Each weight has a rate of its own (temporal coherence): the
sum of its errors by the sum of their sizes, so that weights whose errors cancel out move no more.
"""

from libc.stdint cimport int16_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset
from engine_ext.rng cimport PhiloxBlock, philox4x32
from engine_ext.search.large_pages cimport memory_in_large_pages
from engine_ext.threes.board cimport (
    DIRECTIONS, board_score, entry_squares, highest_rank, shifted)
from engine_ext.threes.game cimport Game, bonus_weight, game_begin, game_begin_from, game_move
from engine_ext.threes.value cimport FEATURES, WEIGHTS, feature_places
LEARNERS_MAX = THREADS_MAX

cdef extern from "<math.h>" nogil:
    float fabsf(float number) noexcept

cdef enum:
    FIRST_STAGE = 11          # the rank of 768
    RANKS = 16
    BOARDS_MAX = 48           # four directions, four squares each, three cards

ctypedef struct Step:
    uint64_t cells
    uint16_t bag
    float reward              # of the move that led here

# The boards of a move to be chosen, direction by direction.
ctypedef struct Lookups:
    uint32_t[BOARDS_MAX][65] places
    int64_t[BOARDS_MAX] scores
    float[BOARDS_MAX] worths
    int[4] squares            # where the card may enter, by direction; 0: not legal
    int count

ctypedef struct Player:
    Step *steps               # [GAME_MOVES_MAX]
    Pool *pools               # [STAGES]
    Lookups lookups


cdef void _worths(const float *weights, Lookups *lookups) noexcept nogil:
    """Look up what boards are thought to be worth, four at a time.  Never fails; nogil.

    Each board's weights are added in the order of its places.  One board's sum waits for every
    addition before it; the sums of four wait together.
    """
    cdef const uint32_t *places
    cdef float one, two, three, four
    cdef int first, i
    for first in range(0, lookups.count, 4):
        places = lookups.places[first]
        one = two = three = four = 0.0
        for i in range(FEATURES):
            one += weights[places[i]]
            two += weights[places[FEATURES + i]]
            three += weights[places[2 * FEATURES + i]]
            four += weights[places[3 * FEATURES + i]]
        lookups.worths[first], lookups.worths[first + 1] = one, two
        lookups.worths[first + 2], lookups.worths[first + 3] = three, four


cdef void _list_boards(const Game *game, Lookups *lookups) noexcept nogil:
    """List all boards that the moves of a game may lead to, in order.  Never fails; nogil."""
    cdef uint8_t[4] squares
    cdef uint64_t after, board
    cdef int direction, i, rank, count
    lookups.count = 0
    for direction in range(DIRECTIONS):
        after = shifted(game.cells, direction)
        lookups.squares[direction] = 0
        if after == game.cells:
            continue
        count = entry_squares(game.cells, after, direction, squares)
        lookups.squares[direction] = count
        for rank in range(game.next.low, game.next.low + game.next.count):
            for i in range(count):
                board = after | (<uint64_t>rank << (4 * squares[i]))
                feature_places(board, game.bag, lookups.places[lookups.count])
                lookups.scores[lookups.count] = board_score(board)
                lookups.count += 1


cdef int _choose(const float *weights, const Game *game, Lookups *lookups) noexcept nogil:
    """Return the direction that looks best one move ahead; -1: none is legal.  nogil."""
    cdef int direction, rank, weight, total, board, first = 0, best = -1
    cdef int highest = highest_rank(game.cells)
    cdef float value, best_value = 0.0
    _list_boards(game, lookups)
    _worths(weights, lookups)
    for direction in range(DIRECTIONS):
        if lookups.squares[direction] == 0:
            continue
        value, total = 0.0, 0
        for rank in range(game.next.low, game.next.low + game.next.count):
            weight = bonus_weight(highest, game.next, rank)
            for board in range(first, first + lookups.squares[direction]):
                value += weight * (lookups.scores[board] + lookups.worths[board])
                total += weight
            first += lookups.squares[direction]
        value /= total
        if best < 0 or value > best_value:
            best, best_value = direction, value
    return best


cdef bint _begin(Game *game, Player *player, uint64_t seed, uint64_t number,
                 float restarts) noexcept nogil:
    """Begin anew, or from a state of a pool; whether it is anew.  Never fails; nogil."""
    cdef Pool *pool
    cdef Start *start
    cdef PhiloxBlock chance = philox4x32(seed ^ 0x5EED, number, 0)
    if chance.words[0] < <uint32_t>(restarts * 4294967040.0):
        pool = &player.pools[chance.words[1] % STAGES]
        if pool.count:
            start = &pool.states[chance.words[2] % min(pool.count, <uint32_t>POOL_SIZE)]
            game_begin_from(game, seed, number, start.cells, start.bag)
            return False
    game_begin(game, seed, number)
    return True


cdef void _keep(Player *player, const Game *game, int stage) noexcept nogil:
    """Keep a state in which a card first appeared.  Never fails; nogil."""
    cdef Pool *pool = &player.pools[stage]
    pool.states[pool.count % POOL_SIZE].cells = game.cells
    pool.states[pool.count % POOL_SIZE].bag = game.bag
    pool.count += 1


cdef int _play(const float *weights, Game *game, Player *player) noexcept nogil:
    """Play a game to its end; return how many boards were noted.  Never fails; nogil."""
    cdef int direction, count = 0, highest, before = highest_rank(game.cells)
    cdef float score = board_score(game.cells), after
    while count < GAME_MOVES_MAX:
        direction = _choose(weights, game, &player.lookups)
        if direction < 0:
            break
        game_move(game, direction)
        after = board_score(game.cells)
        player.steps[count].cells = game.cells
        player.steps[count].bag = game.bag
        player.steps[count].reward = after - score
        score = after
        count += 1
        highest = highest_rank(game.cells)
        if highest > before:
            before = highest
            if FIRST_STAGE <= highest < FIRST_STAGE + STAGES:
                _keep(player, game, highest - FIRST_STAGE)
    return count


cdef float _mend(const Learning *learner, const Step *step, float target) noexcept nogil:
    """Move a board's worth toward its target; return what it was.  Never fails; nogil."""
    cdef uint32_t[65] places
    cdef float error = target, worth = 0.0, weight, size
    cdef Past *past
    cdef int i
    feature_places(step.cells, step.bag, places)
    for i in range(FEATURES):
        weight = learner.weights[places[i]]
        worth += weight
        error -= weight
    error /= FEATURES
    size = fabsf(error)
    for i in range(FEATURES):
        past = &learner.pasts[places[i]]
        if past.size > 0.0:
            learner.weights[places[i]] += error * (fabsf(past.error) / past.size)
        else:
            learner.weights[places[i]] += error
        past.error += error
        past.size += size
    return worth


cdef void _learn(const Learning *learner, const Step *steps, int count) noexcept nogil:
    """Mend all boards of a game, from its end backwards.  Never fails; nogil."""
    cdef float target = 0.0, worth
    cdef int i
    for i in range(count - 1, -1, -1):
        worth = _mend(learner, &steps[i], target)
        target = steps[i].reward + (1.0 - learner.decay) * worth + learner.decay * target


cdef void *_zeros(size_t size) noexcept:
    """Return cleared memory, the caller's to free; NULL: there is none."""
    cdef void *memory = memory_in_large_pages(size)
    if memory != NULL:
        memset(memory, 0, size)
    return memory


cdef class Learner:
    """Weights that learn.

    Args:
        decay: lambda, 0 to 1.
        restarts: the share of games that begin from states in which a large card first appeared.
        optimism: what an empty board is thought to be worth at the start, in points.
    """

    def __init__(self, float decay=0.5, float restarts=0.4, float optimism=0.0):
        cdef Py_ssize_t i
        if self.pools != NULL:
            raise TypeError("a learner is made once")
        self.learning.weights = <float *>_zeros(WEIGHTS * sizeof(float))
        self.learning.pasts = <Past *>_zeros(WEIGHTS * sizeof(Past))
        self.pools = <Pool *>calloc(THREADS_MAX * STAGES, sizeof(Pool))
        if self.learning.weights == NULL or self.learning.pasts == NULL or self.pools == NULL:
            raise MemoryError
        self.learning.decay, self.learning.restarts = decay, restarts
        for i in range(WEIGHTS if optimism else 0):
            self.learning.weights[i] = optimism / FEATURES

    def __dealloc__(self):
        free(self.learning.weights)
        free(self.learning.pasts)
        free(self.pools)

    def play(self, int thread, uint64_t seed, uint64_t first_number, int games):
        """Play games of a seed, and learn from each; threads of other numbers may do so as well.

        Returns:
            (boards learned from, sum of the scores of games begun anew, how many of these ended
            with each highest rank).

        Errors: ValueError, MemoryError.  GIL: released.
        """
        cdef Game game
        cdef Player player
        cdef uint64_t boards = 0, number
        cdef double scores = 0.0
        cdef int[16] highest
        cdef int i, count
        cdef bint is_anew
        if not 0 <= thread < THREADS_MAX:
            raise ValueError(f"expected a thread from 0 to {THREADS_MAX - 1}, not {thread}")
        for i in range(RANKS):
            highest[i] = 0
        player.pools = self.pools + thread * STAGES
        memset(player.lookups.places, 0, sizeof(player.lookups.places))  # the last of four as well
        player.steps = <Step *>malloc(GAME_MOVES_MAX * sizeof(Step))
        if player.steps == NULL:
            raise MemoryError
        with nogil:
            for number in range(first_number, first_number + games):
                is_anew = _begin(&game, &player, seed, number, self.learning.restarts)
                count = _play(self.learning.weights, &game, &player)
                _learn(&self.learning, player.steps, count)
                boards += count
                if is_anew:
                    scores += board_score(game.cells)
                    highest[highest_rank(game.cells)] += 1
        free(player.steps)
        return boards, int(scores), tuple([highest[i] for i in range(RANKS)])

    def to_weights(self, double unit):
        """Return the weights in units of so many points, 16 bits each, as NetWeights has them.

        Weights that 127 * 127 does not reach are cut.  Errors: MemoryError.
        """
        cdef Py_ssize_t i
        cdef double value
        weights = bytearray(2 * WEIGHTS)
        cdef short[::1] out = memoryview(weights).cast("h")
        for i in range(WEIGHTS):
            value = self.learning.weights[i] / unit
            value = max(-16129.0, min(16129.0, value))
            out[i] = <int16_t>(value + 0.5 if value >= 0.0 else value - 0.5)
        return bytes(weights)
