/* The move generator, compiled once for each kernel: VARIANT names its functions, TARGET their
 * processor, STRAIGHT(square, occupied) and DIAGONAL(square, occupied) say what a rook and a bishop
 * attack.  No include guard. */

/* What the rules demand of every move of the side to move. */
typedef struct VARIANT(Rules) {
    uint64_t occupied, us, them;
    uint64_t danger;                /* squares that they attack, through our king too */
    uint64_t targets;               /* where a man other than the king may go */
    uint64_t pinned_straight, pinned_diagonally;    /* the rays of pins, pinning men included */
    int king;
    int is_double_check;
} VARIANT(Rules);

TARGET static inline uint64_t VARIANT(danger)(const ChessBoard *b, uint64_t them, uint64_t blockers)
{
    const uint64_t sliders = b->plane[2] & them;
    uint64_t pieces, danger = chess_their_pawn_attacks(
        b->plane[0] & ~b->plane[1] & ~b->plane[2] & them);
    danger |= attacked_by_knights(b->plane[1] & ~b->plane[0] & ~b->plane[2] & them);
    danger |= mp_chess_tables.king[first_of(b->plane[0] & b->plane[1] & ~b->plane[2] & them)];
    for (pieces = sliders & b->plane[0]; pieces; pieces &= pieces - 1)
        danger |= DIAGONAL(first_of(pieces), blockers);
    for (pieces = sliders & b->plane[1]; pieces; pieces &= pieces - 1)
        danger |= STRAIGHT(first_of(pieces), blockers);
    return danger;
}

/* The rays of pins by sliding men that would reach our king over ours; checks go to `checkers`. */
static inline uint64_t VARIANT(pins)(const VARIANT(Rules) *r, uint64_t sliders, uint64_t *checkers)
{
    uint64_t pinned = 0;
    for (; sliders; sliders &= sliders - 1) {
        const int square = first_of(sliders);
        const uint64_t between = mp_chess_tables.between[r->king][square], own = between & r->us;
        if (!own)
            *checkers |= bit_of(square);
        else if (!(own & (own - 1)))
            pinned |= between | bit_of(square);
    }
    return pinned;
}

TARGET static inline void VARIANT(read_rules)(const ChessBoard *b, VARIANT(Rules) *r)
{
    const uint64_t low = b->plane[0] & ~b->plane[1] & ~b->plane[2];
    const uint64_t knights = b->plane[1] & ~b->plane[0] & ~b->plane[2];
    const uint64_t sliders = b->plane[2];
    uint64_t king, checkers = 0;
    r->occupied = chess_occupied(b);
    r->us = b->us;
    r->them = r->occupied ^ b->us;
    king = b->plane[0] & b->plane[1] & ~b->plane[2] & r->us;
    r->king = first_of(king);
    r->danger = VARIANT(danger)(b, r->them, r->occupied ^ king);
    r->pinned_diagonally = VARIANT(pins)(
        r, DIAGONAL(r->king, r->them) & sliders & b->plane[0] & r->them, &checkers);
    r->pinned_straight = VARIANT(pins)(
        r, STRAIGHT(r->king, r->them) & sliders & b->plane[1] & r->them, &checkers);
    r->targets = ~r->us;
    r->is_double_check = 0;
    if (!(r->danger & king))
        return;
    checkers |= mp_chess_tables.knight[r->king] & knights & r->them;
    checkers |= mp_chess_tables.pawn[r->king] & low & r->them;
    r->is_double_check = (checkers & (checkers - 1)) != 0;
    r->targets = checkers | mp_chess_tables.between[r->king][first_of(checkers)];
}

/* Whether our king is attacked once the board is as `occupied` says, men in `gone` removed. */
TARGET static inline int VARIANT(is_hit)(const ChessBoard *b, const VARIANT(Rules) *r,
                                         int king, uint64_t occupied, uint64_t gone)
{
    const uint64_t them = r->them & ~gone;
    return (DIAGONAL(king, occupied) & b->plane[2] & b->plane[0] & them)
        || (STRAIGHT(king, occupied) & b->plane[2] & b->plane[1] & them)
        || (mp_chess_tables.knight[king] & b->plane[1] & ~b->plane[0] & ~b->plane[2] & them)
        || (mp_chess_tables.pawn[king] & b->plane[0] & ~b->plane[1] & ~b->plane[2] & them);
}

/* Pawns that may take en passant, legally. */
TARGET static inline uint64_t VARIANT(en_passant_pawns)(const ChessBoard *b,
                                                        const VARIANT(Rules) *r, uint64_t pawns)
{
    uint64_t able = 0, taken, candidates;
    if (b->en_passant == CHESS_NO_SQUARE)
        return 0;
    taken = bit_of(b->en_passant - 8);
    candidates = chess_their_pawn_attacks(bit_of(b->en_passant)) & pawns;
    for (; candidates; candidates &= candidates - 1) {
        const uint64_t from = candidates & -candidates;
        const uint64_t occupied = (r->occupied ^ from ^ taken) | bit_of(b->en_passant);
        if (!VARIANT(is_hit)(b, r, r->king, occupied, taken))
            able |= from;
    }
    return able;
}

/* Rooks with which our king may castle now. */
TARGET static inline uint64_t VARIANT(castling_rooks)(const ChessBoard *b, const VARIANT(Rules) *r)
{
    uint64_t rooks = b->castling & r->us, able = 0;
    if (r->danger & bit_of(r->king))
        return 0;
    for (; rooks; rooks &= rooks - 1) {
        const int rook = first_of(rooks), is_short = rook > r->king;
        const int king_to = is_short ? 6 : 2, rook_to = is_short ? 5 : 3;
        const uint64_t both = bit_of(r->king) | bit_of(rook);
        const uint64_t way = mp_chess_tables.between[r->king][king_to] | bit_of(king_to);
        const uint64_t swept = mp_chess_tables.between[rook][rook_to] | bit_of(rook_to);
        const uint64_t after = (r->occupied ^ both) | bit_of(king_to) | bit_of(rook_to);
        if ((way | swept) & r->occupied & ~both || way & r->danger)
            continue;
        if (!(STRAIGHT(king_to, after) & b->plane[2] & b->plane[1] & r->them))
            able |= bit_of(rook);   /* the rook may have stood before an attacker (Chess960) */
    }
    return able;
}

/* Where our pawns may go, legally: by kinds of steps. */
typedef struct VARIANT(PawnTargets) {
    uint64_t left, right, one, two;
} VARIANT(PawnTargets);

TARGET static inline VARIANT(PawnTargets) VARIANT(pawn_targets)(const VARIANT(Rules) *r,
                                                                uint64_t pawns)
{
    const uint64_t takers = pawns & ~r->pinned_straight, walkers = pawns & ~r->pinned_diagonally;
    const uint64_t free_takers = takers & ~r->pinned_diagonally;
    const uint64_t bound_takers = takers & r->pinned_diagonally;
    const uint64_t free_walkers = walkers & ~r->pinned_straight;
    const uint64_t bound_walkers = walkers & r->pinned_straight;
    const uint64_t prey = r->them & r->targets, empty = ~r->occupied;
    const uint64_t one = (up(free_walkers) | (up(bound_walkers) & r->pinned_straight)) & empty;
    VARIANT(PawnTargets) found;
    found.left = (up_left(free_takers) | (up_left(bound_takers) & r->pinned_diagonally)) & prey;
    found.right = (up_right(free_takers) | (up_right(bound_takers) & r->pinned_diagonally)) & prey;
    found.one = one & r->targets;
    found.two = up(one & RANK_3) & empty & r->targets;
    return found;
}

TARGET static inline int VARIANT(count_pawns)(const ChessBoard *b, const VARIANT(Rules) *r,
                                              uint64_t pawns)
{
    const VARIANT(PawnTargets) t = VARIANT(pawn_targets)(r, pawns);
    return __builtin_popcountll(t.left) + __builtin_popcountll(t.right)
        + __builtin_popcountll(t.one) + __builtin_popcountll(t.two)
        + 3 * (__builtin_popcountll(t.left & RANK_8) + __builtin_popcountll(t.right & RANK_8)
               + __builtin_popcountll(t.one & RANK_8))
        + __builtin_popcountll(VARIANT(en_passant_pawns)(b, r, pawns));
}

TARGET static int VARIANT(count)(const ChessBoard *b)
{
    VARIANT(Rules) r;
    uint64_t free_men, pieces;
    int count;
    VARIANT(read_rules)(b, &r);
    count = __builtin_popcountll(mp_chess_tables.king[r.king] & ~r.us & ~r.danger);
    if (r.is_double_check)
        return count;
    count += VARIANT(count_pawns)(b, &r, b->plane[0] & ~b->plane[1] & ~b->plane[2] & r.us);
    free_men = r.us & ~(r.pinned_straight | r.pinned_diagonally);
    for (pieces = b->plane[1] & ~b->plane[0] & ~b->plane[2] & free_men; pieces;
         pieces &= pieces - 1)
        count += __builtin_popcountll(mp_chess_tables.knight[first_of(pieces)] & r.targets);
    for (pieces = b->plane[2] & b->plane[0] & free_men; pieces; pieces &= pieces - 1)
        count += __builtin_popcountll(DIAGONAL(first_of(pieces), r.occupied) & r.targets);
    for (pieces = b->plane[2] & b->plane[1] & free_men; pieces; pieces &= pieces - 1)
        count += __builtin_popcountll(STRAIGHT(first_of(pieces), r.occupied) & r.targets);
    pieces = b->plane[2] & b->plane[0] & r.us & r.pinned_diagonally;
    for (; pieces; pieces &= pieces - 1)
        count += __builtin_popcountll(DIAGONAL(first_of(pieces), r.occupied) & r.targets
                                      & r.pinned_diagonally);
    pieces = b->plane[2] & b->plane[1] & r.us & r.pinned_straight;
    for (; pieces; pieces &= pieces - 1)
        count += __builtin_popcountll(STRAIGHT(first_of(pieces), r.occupied) & r.targets
                                      & r.pinned_straight);
    return count + (b->castling & r.us ? __builtin_popcountll(VARIANT(castling_rooks)(b, &r)) : 0);
}

/* Write the moves of one man. */
static inline ChessMove *VARIANT(write)(ChessMove *moves, int from, uint64_t targets)
{
    for (; targets; targets &= targets - 1)
        *moves++ = move_of(from, first_of(targets), CHESS_PLAIN);
    return moves;
}

/* Write the moves of pawns that go `step` squares on; a promotion is four, or one to a queen. */
static inline ChessMove *VARIANT(write_steps)(ChessMove *moves, uint64_t targets, int step,
                                              int has_all)
{
    for (; targets; targets &= targets - 1) {
        const int to = first_of(targets), from = to - step;
        if (to < 56) {
            *moves++ = move_of(from, to, CHESS_PLAIN);
            continue;
        }
        *moves++ = move_of(from, to, CHESS_QUEEN);
        if (has_all) {
            *moves++ = move_of(from, to, CHESS_KNIGHT);
            *moves++ = move_of(from, to, CHESS_ROOK);
            *moves++ = move_of(from, to, CHESS_BISHOP);
        }
    }
    return moves;
}

/* Write the moves of pawns: all, or captures and promotions to a queen. */
TARGET static inline ChessMove *VARIANT(write_pawns)(const ChessBoard *b, const VARIANT(Rules) *r,
                                                     ChessMove *moves, int has_all)
{
    const uint64_t pawns = b->plane[0] & ~b->plane[1] & ~b->plane[2] & r->us;
    const VARIANT(PawnTargets) t = VARIANT(pawn_targets)(r, pawns);
    uint64_t takers = VARIANT(en_passant_pawns)(b, r, pawns);
    moves = VARIANT(write_steps)(moves, t.left, 7, has_all);
    moves = VARIANT(write_steps)(moves, t.right, 9, has_all);
    for (; takers; takers &= takers - 1)
        *moves++ = move_of(first_of(takers), b->en_passant, CHESS_EN_PASSANT);
    moves = VARIANT(write_steps)(moves, has_all ? t.one : t.one & RANK_8, 8, has_all);
    return VARIANT(write_steps)(moves, has_all ? t.two : 0, 16, has_all);
}

/* Write the moves of all other men to squares of `wanted`. */
TARGET static inline ChessMove *VARIANT(write_men)(const ChessBoard *b, const VARIANT(Rules) *r,
                                                   ChessMove *moves, uint64_t wanted)
{
    const uint64_t pinned = r->pinned_straight | r->pinned_diagonally;
    const uint64_t targets = r->targets & wanted;
    uint64_t men = b->plane[1] & ~b->plane[0] & ~b->plane[2] & r->us & ~pinned;
    for (; men; men &= men - 1)
        moves = VARIANT(write)(moves, first_of(men),
                               mp_chess_tables.knight[first_of(men)] & targets);
    for (men = b->plane[2] & r->us; men; men &= men - 1) {
        const int from = first_of(men);
        const uint64_t man = bit_of(from);
        uint64_t reach = 0;
        if (b->plane[0] & man && !(r->pinned_straight & man))
            reach = DIAGONAL(from, r->occupied)
                & (r->pinned_diagonally & man ? r->pinned_diagonally : ALL_SQUARES);
        if (b->plane[1] & man && !(r->pinned_diagonally & man))
            reach |= STRAIGHT(from, r->occupied)
                & (r->pinned_straight & man ? r->pinned_straight : ALL_SQUARES);
        moves = VARIANT(write)(moves, from, reach & targets);
    }
    return moves;
}

TARGET static int VARIANT(moves)(const ChessBoard *b, ChessMove *moves)
{
    const ChessMove *first = moves;
    VARIANT(Rules) r;
    uint64_t rooks;
    VARIANT(read_rules)(b, &r);
    if (!r.is_double_check) {
        moves = VARIANT(write_pawns)(b, &r, moves, 1);
        moves = VARIANT(write_men)(b, &r, moves, ALL_SQUARES);
    }
    moves = VARIANT(write)(moves, r.king, mp_chess_tables.king[r.king] & ~r.us & ~r.danger);
    for (rooks = VARIANT(castling_rooks)(b, &r); rooks; rooks &= rooks - 1)
        *moves++ = move_of(r.king, first_of(rooks), CHESS_CASTLING);
    return (int)(moves - first);
}

TARGET static int VARIANT(captures)(const ChessBoard *b, ChessMove *moves)
{
    const ChessMove *first = moves;
    VARIANT(Rules) r;
    VARIANT(read_rules)(b, &r);
    if (!r.is_double_check) {
        moves = VARIANT(write_pawns)(b, &r, moves, 0);
        moves = VARIANT(write_men)(b, &r, moves, r.them);
    }
    moves = VARIANT(write)(moves, r.king, mp_chess_tables.king[r.king] & r.them & ~r.danger);
    return (int)(moves - first);
}

TARGET static uint64_t VARIANT(perft)(const ChessBoard *b, int depth)
{
    ChessMove moves[CHESS_MOVES_MAX];
    uint64_t games = 0;
    int count;
    if (depth <= 1)
        return (uint64_t)VARIANT(count)(b);
    count = VARIANT(moves)(b, moves);
    for (int i = 0; i < count; i++) {
        const ChessBoard after = board_after(b, moves[i]);
        games += VARIANT(perft)(&after, depth - 1);
    }
    return games;
}

TARGET static uint64_t VARIANT(attackers)(const ChessBoard *b, int square, uint64_t occupied)
{
    const uint64_t pawns = b->plane[0] & ~b->plane[1] & ~b->plane[2];
    const uint64_t here = bit_of(square);
    return (DIAGONAL(square, occupied) & b->plane[2] & b->plane[0])
        | (STRAIGHT(square, occupied) & b->plane[2] & b->plane[1])
        | (mp_chess_tables.knight[square] & b->plane[1] & ~b->plane[0] & ~b->plane[2])
        | (mp_chess_tables.king[square] & b->plane[1] & b->plane[0] & ~b->plane[2])
        | (mp_chess_tables.pawn[square] & pawns & ~b->us)
        | (chess_their_pawn_attacks(here) & pawns & b->us);
}

TARGET static uint64_t VARIANT(reach_diagonal)(int square, uint64_t occupied)
{
    return DIAGONAL(square, occupied);
}

TARGET static uint64_t VARIANT(reach_straight)(int square, uint64_t occupied)
{
    return STRAIGHT(square, occupied);
}

static const ChessKernel VARIANT(kernel) = {
    VARIANT_NAME, VARIANT(moves), VARIANT(captures), VARIANT(count), VARIANT(perft),
    VARIANT(attackers), VARIANT(reach_diagonal),
    VARIANT(reach_straight)
};
