/* The null-window search of positions with few empty squares, for one kernel.  othello_kernel.c
 * includes this once for each, with VARIANT(name) and TARGET defined, so that moves and flips are
 * inlined: there is no call between two nodes but the search's own.
 *
 * All functions are fail-soft under (alpha, alpha + 1), seen by `player`. */

#define INLINE TARGET static inline __attribute__((always_inline))

enum { VARIANT(NOTHING) = -100 };   /* below every score */

INLINE int VARIANT(final_score)(uint64_t player, uint64_t opponent, int empties)
{
    const int difference = count_bits(player) - count_bits(opponent);
    return difference > 0 ? difference + empties : difference < 0 ? difference - empties : 0;
}

/* The exact score with one empty square. */
INLINE int VARIANT(solve_1)(uint64_t player, uint64_t opponent, int square)
{
    const int difference = count_bits(player) - count_bits(opponent);
    int turned = VARIANT(last_flips)(player, opponent, square);
    if (turned)
        return difference + 2 * turned + 1;
    turned = VARIANT(last_flips)(opponent, player, square);
    if (turned)
        return difference - 2 * turned - 1;
    return difference > 0 ? difference + 1 : difference - 1;
}

/* Flips if the square has a neighbour that could turn, else 0. */
INLINE uint64_t VARIANT(near_flips)(uint64_t player, uint64_t opponent, int square)
{
    if (!(opponent & mp_othello_tables.neighbours[square]))
        return 0;
    return VARIANT(flips)(player, opponent, square);
}

TARGET static int VARIANT(solve_2)(LeafSearch *search, uint64_t player, uint64_t opponent, int x1,
                                   int x2, int alpha)
{
    int best = VARIANT(NOTHING), score;
    uint64_t turned;
    search->nodes++;
    if ((turned = VARIANT(near_flips)(player, opponent, x1))) {
        search->nodes++;
        best = -VARIANT(solve_1)(opponent ^ turned, player ^ turned ^ (uint64_t)1 << x1, x2);
        if (best > alpha)
            return best;
    }
    if ((turned = VARIANT(near_flips)(player, opponent, x2))) {
        search->nodes++;
        score = -VARIANT(solve_1)(opponent ^ turned, player ^ turned ^ (uint64_t)1 << x2, x1);
        return score > best ? score : best;
    }
    if (best != VARIANT(NOTHING))
        return best;
    if ((turned = VARIANT(near_flips)(opponent, player, x1))) {     /* a pass */
        search->nodes += 2;
        best = VARIANT(solve_1)(player ^ turned, opponent ^ turned ^ (uint64_t)1 << x1, x2);
        if (best <= alpha)
            return best;
    }
    if ((turned = VARIANT(near_flips)(opponent, player, x2))) {
        search->nodes += 1 + (best == VARIANT(NOTHING));
        score = VARIANT(solve_1)(player ^ turned, opponent ^ turned ^ (uint64_t)1 << x2, x1);
        return best == VARIANT(NOTHING) || score < best ? score : best;
    }
    return best != VARIANT(NOTHING) ? best : VARIANT(final_score)(player, opponent, 2);
}

/* The score of moves on three squares in this order; NOTHING if there is no legal one. */
INLINE int VARIANT(moves_3)(LeafSearch *search, uint64_t player, uint64_t opponent, int x1, int x2,
                            int x3, int alpha)
{
    int best = VARIANT(NOTHING), score;
    uint64_t turned;
    if ((turned = VARIANT(near_flips)(player, opponent, x1))) {
        best = -VARIANT(solve_2)(search, opponent ^ turned, player ^ turned ^ (uint64_t)1 << x1,
                                 x2, x3, -alpha - 1);
        if (best > alpha)
            return best;
    }
    if ((turned = VARIANT(near_flips)(player, opponent, x2))) {
        score = -VARIANT(solve_2)(search, opponent ^ turned, player ^ turned ^ (uint64_t)1 << x2,
                                  x1, x3, -alpha - 1);
        if (score > alpha)
            return score;
        best = score > best ? score : best;
    }
    if ((turned = VARIANT(near_flips)(player, opponent, x3))) {
        score = -VARIANT(solve_2)(search, opponent ^ turned, player ^ turned ^ (uint64_t)1 << x3,
                                  x1, x2, -alpha - 1);
        best = score > best ? score : best;
    }
    return best;
}

TARGET static int VARIANT(solve_3)(LeafSearch *search, uint64_t player, uint64_t opponent, int x1,
                                   int x2, int x3, int alpha)
{
    const uint8_t *quadrant = mp_othello_tables.quadrant;
    int score;
    if (quadrant[x1] == quadrant[x2]) {         /* the odd one first */
        const int x = x1;
        x1 = x3;
        x3 = x;
    } else if (quadrant[x1] == quadrant[x3]) {
        const int x = x1;
        x1 = x2;
        x2 = x;
    }
    search->nodes++;
    score = VARIANT(moves_3)(search, player, opponent, x1, x2, x3, alpha);
    if (score != VARIANT(NOTHING))
        return score;
    score = VARIANT(moves_3)(search, opponent, player, x1, x2, x3, -alpha - 1);
    if (score == VARIANT(NOTHING))
        return VARIANT(final_score)(player, opponent, 3);
    search->nodes++;
    return -score;
}

/* The four squares of `empties`, those of odd quadrants first. */
INLINE int VARIANT(moves_4)(LeafSearch *search, uint64_t player, uint64_t opponent, const int *x,
                            int alpha)
{
    static const uint8_t rest[4][3] = {{1, 2, 3}, {0, 2, 3}, {3, 0, 1}, {2, 0, 1}};
    int best = VARIANT(NOTHING);
    for (int i = 0; i < 4; i++) {
        const uint64_t turned = VARIANT(near_flips)(player, opponent, x[i]);
        if (!turned)
            continue;
        const int score = -VARIANT(solve_3)(
            search, opponent ^ turned, player ^ turned ^ (uint64_t)1 << x[i], x[rest[i][0]],
            x[rest[i][1]], x[rest[i][2]], -alpha - 1);
        if (score > best) {
            best = score;
            if (best > alpha)
                return best;
        }
    }
    return best;
}

TARGET static int VARIANT(solve_4)(LeafSearch *search, uint64_t player, uint64_t opponent,
                                   uint64_t empties, int parity, int alpha)
{
    const uint64_t odd = empties & mp_othello_tables.odd_squares[parity];
    int x[4], count = 0, score;
    for (uint64_t left = odd; left; left &= left - 1)
        x[count++] = first_square(left);
    for (uint64_t left = empties ^ odd; left; left &= left - 1)
        x[count++] = first_square(left);
    search->nodes++;
    score = VARIANT(moves_4)(search, player, opponent, x, alpha);
    if (score != VARIANT(NOTHING))
        return score;
    score = VARIANT(moves_4)(search, opponent, player, x, -alpha - 1);
    if (score == VARIANT(NOTHING))
        return VARIANT(final_score)(player, opponent, 4);
    search->nodes++;
    return -score;
}

/* An upper bound of the score from the opponent's stable discs; above alpha when unknown. */
INLINE int VARIANT(stable_bound)(const LeafSearch *search, uint64_t player, uint64_t opponent,
                                 int alpha, int area)
{
    /* Each stable disc of the opponent costs two; look only where many could be. */
    if (area - 2 * count_bits(opponent) > alpha)
        return area;
    return area - 2 * count_bits(mp_othello_stable(opponent, player, search->squares));
}

/* Five squares and more, by parity alone. */
TARGET static int VARIANT(solve_shallow)(LeafSearch *search, uint64_t player, uint64_t opponent,
                                         uint64_t empties, int parity, int alpha)
{
    const Tables *t = &mp_othello_tables;
    const uint64_t moves = VARIANT(moves)(player, opponent) & empties;
    const int left = count_bits(empties);
    int best = VARIANT(NOTHING);
    search->nodes++;
    if (!moves) {
        if (!(VARIANT(moves)(opponent, player) & empties))
            return VARIANT(final_score)(player, opponent, left);
        return -VARIANT(solve_shallow)(search, opponent, player, empties, parity, -alpha - 1);
    }
    uint64_t group = moves & t->odd_squares[parity], later = moves & ~t->odd_squares[parity];
    if (!group) {
        group = later;
        later = 0;
    }
    for (;;) {
        const int square = first_square(group);
        const uint64_t bit = group & -group;
        const uint64_t turned = VARIANT(flips)(player, opponent, square);
        const int odd = parity ^ t->quadrant[square];
        const int score =
            left == 5 ? -VARIANT(solve_4)(search, opponent ^ turned, player ^ turned ^ bit,
                                          empties ^ bit, odd, -alpha - 1)
                      : -VARIANT(solve_shallow)(search, opponent ^ turned, player ^ turned ^ bit,
                                                empties ^ bit, odd, -alpha - 1);
        if (score > best) {
            best = score;
            if (best > alpha)
                return best;
        }
        group ^= bit;
        if (!group) {
            if (!later)
                return best;
            group = later;
            later = 0;
        }
    }
}

typedef struct VARIANT(Move) {
    uint64_t player, opponent;      /* after the move, the other side to move */
    int square, rank;               /* the lowest rank is searched first */
} VARIANT(Move);

INLINE LeafEntry *VARIANT(entry_of)(const LeafSearch *search, uint64_t player, uint64_t opponent)
{
    const uint64_t mixed = (player * 0x9E3779B97F4A7C15u) ^ (opponent * 0xC2B2AE3D27D4EB4Fu);
    return &search->table[(mixed ^ mixed >> 29) >> (64 - OTHELLO_LEAF_TABLE_BITS)];
}

/* A lower bound above alpha that the table has for a successor; NOTHING if there is none. */
INLINE int VARIANT(child_bound)(const LeafSearch *search, const VARIANT(Move) *moves, int count,
                                int alpha)
{
    for (int i = 0; i < count; i++) {
        const LeafEntry *entry = VARIANT(entry_of)(search, moves[i].player, moves[i].opponent);
        if (entry->player == moves[i].player && entry->opponent == moves[i].opponent
            && -entry->upper > alpha)
            return -entry->upper;
    }
    return VARIANT(NOTHING);
}

/* Swap the move of the lowest rank in [first, count) to `first`. */
INLINE const VARIANT(Move) *VARIANT(next_move)(VARIANT(Move) *moves, int first, int count)
{
    int least = first;
    for (int i = first + 1; i < count; i++)
        if (moves[i].rank < moves[least].rank)
            least = i;
    const VARIANT(Move) move = moves[least];
    moves[least] = moves[first];
    moves[first] = move;
    return &moves[first];
}

/* What a move leaves the opponent: moves, corners above all, and empty squares beside our discs,
 * which are moves to come.  The weights are the best of some forty tried on FFO #1-#34. */
INLINE int VARIANT(move_rank)(const VARIANT(Move) *move, uint64_t empties, uint64_t corners)
{
    const uint64_t ours = move->opponent;
    const uint64_t replies = VARIANT(moves)(move->player, move->opponent) & empties;
    const uint64_t wide = ours | (ours & 0x7f7f7f7f7f7f7f7f) << 1 | (ours & 0xfefefefefefefefe) >> 1;
    return 12 * count_bits(replies) + 16 * count_bits(replies & corners)
           + count_bits((wide | wide << 8 | wide >> 8) & empties)
           - 5 * (int)(corners >> move->square & 1);
}

/* The legal moves, ranked; `first` before all others. */
INLINE int VARIANT(list_moves)(const LeafSearch *search, uint64_t player, uint64_t opponent,
                               uint64_t legal, uint64_t empties, int first, VARIANT(Move) *moves)
{
    int count = 0;
    for (; legal; legal &= legal - 1) {
        VARIANT(Move) *move = &moves[count++];
        const int square = first_square(legal);
        const uint64_t turned = VARIANT(flips)(player, opponent, square);
        move->square = square;
        move->player = opponent ^ turned;
        move->opponent = player ^ turned ^ (legal & -legal);
        move->rank = square == first ? -1000
                                     : VARIANT(move_rank)(move, empties ^ (legal & -legal),
                                                          search->corners);
    }
    return count;
}

TARGET static int VARIANT(solve_deep)(LeafSearch *search, uint64_t player, uint64_t opponent,
                                      uint64_t empties, int parity, int alpha);

/* Search a child with any number of empty squares; the result is the child's. */
INLINE int VARIANT(solve_child)(LeafSearch *search, const VARIANT(Move) *move, uint64_t empties,
                                int parity, int left, int alpha)
{
    const uint64_t rest = empties ^ (uint64_t)1 << move->square;
    const int odd = parity ^ mp_othello_tables.quadrant[move->square];
    if (left <= LEAF_SHALLOW_MAX)
        return VARIANT(solve_shallow)(search, move->player, move->opponent, rest, odd, alpha);
    return VARIANT(solve_deep)(search, move->player, move->opponent, rest, odd, alpha);
}

/* More squares: table, stable discs, the moves that leave least choice first. */
TARGET static int VARIANT(solve_deep)(LeafSearch *search, uint64_t player, uint64_t opponent,
                                      uint64_t empties, int parity, int alpha)
{
    const int left = count_bits(empties), area = count_bits(search->squares);
    VARIANT(Move) moves[OTHELLO_EMPTIES_MAX];
    int best = VARIANT(NOTHING), best_move = SQUARE_NONE;
    if (++search->nodes >= search->poll_at)
        search->poll(search);
    const int bound = VARIANT(stable_bound)(search, player, opponent, alpha, area);
    if (bound <= alpha)
        return bound;
    LeafEntry *entry = VARIANT(entry_of)(search, player, opponent);
    const int is_known = entry->player == player && entry->opponent == opponent;
    if (is_known) {
        if (entry->lower > alpha)
            return entry->lower;
        if (entry->upper <= alpha)
            return entry->upper;
    }
    const uint64_t legal = VARIANT(moves)(player, opponent) & empties;
    if (!legal) {
        if (!(VARIANT(moves)(opponent, player) & empties))
            return VARIANT(final_score)(player, opponent, left);
        return -VARIANT(solve_deep)(search, opponent, player, empties, parity, -alpha - 1);
    }
    const int count = VARIANT(list_moves)(search, player, opponent, legal, empties,
                                          is_known ? entry->move : SQUARE_NONE, moves);
    best = left > LEAF_SHALLOW_MAX + 1 ? VARIANT(child_bound)(search, moves, count, alpha) : best;
    if (best > alpha)
        return best;
    for (int i = 0; i < count && best <= alpha; i++) {
        const VARIANT(Move) *move = VARIANT(next_move)(moves, i, count);
        const int score = -VARIANT(solve_child)(search, move, empties, parity, left - 1,
                                                -alpha - 1);
        if (score > best) {
            best = score;
            best_move = move->square;
        }
    }
    if (entry->player != player || entry->opponent != opponent) {
        entry->player = player;
        entry->opponent = opponent;
        entry->lower = -64;
        entry->upper = 64;
    }
    entry->move = (uint8_t)best_move;
    if (best > alpha)
        entry->lower = (int8_t)best;
    else
        entry->upper = (int8_t)best;
    return best;
}

TARGET static int VARIANT(solve)(LeafSearch *search, uint64_t player, uint64_t opponent, int alpha)
{
    const uint64_t empties = search->squares & ~(player | opponent);
    const int left = count_bits(empties);
    int parity = 0, x[4];
    for (uint64_t rest = empties; rest; rest &= rest - 1)
        parity ^= mp_othello_tables.quadrant[first_square(rest)];
    if (left > LEAF_SHALLOW_MAX)
        return VARIANT(solve_deep)(search, player, opponent, empties, parity, alpha);
    if (left > 4)
        return VARIANT(solve_shallow)(search, player, opponent, empties, parity, alpha);
    if (left == 4)
        return VARIANT(solve_4)(search, player, opponent, empties, parity, alpha);
    left > 0 ? x[0] = first_square(empties) : 0;
    left > 1 ? x[1] = first_square(empties & (empties - 1)) : 0;
    left > 2 ? x[2] = 63 - __builtin_clzll(empties) : 0;
    if (left == 3)
        return VARIANT(solve_3)(search, player, opponent, x[0], x[1], x[2], alpha);
    if (left == 2)
        return VARIANT(solve_2)(search, player, opponent, x[0], x[1], alpha);
    search->nodes++;
    return left ? VARIANT(solve_1)(player, opponent, x[0])
                : VARIANT(final_score)(player, opponent, 0);
}

#undef INLINE
