/* See chess_kernel.h.  A kernel is the move generator (chess_kernel_moves.h) around one way to look up
 * what sliding men attack.  The x86 kernel is chosen at run time, so that one binary serves every
 * machine. */
#include "chess_kernel_parts.h"

#include <string.h>

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define HAVE_X86_KERNELS 1
#include <immintrin.h>
#else
#define HAVE_X86_KERNELS 0
#endif

Tables mp_chess_tables;

/* ---- the board after a move ----------------------------------------------------- */

static inline void clear(ChessBoard *b, uint64_t where)
{
    b->plane[0] &= ~where;
    b->plane[1] &= ~where;
    b->plane[2] &= ~where;
}

/* Where the men of a castling stand before and after it; kings on from 4 or, in Chess960, elsewhere. */
static inline void castle(ChessBoard *b, int king, int rook)
{
    const int is_short = rook > king;
    const uint64_t king_to = bit_of(is_short ? 6 : 2), rook_to = bit_of(is_short ? 5 : 3);
    const uint64_t both = bit_of(king) | bit_of(rook);
    clear(b, both);
    chess_put(b, king_to, CHESS_KING);
    chess_put(b, rook_to, CHESS_ROOK);
    b->us = (b->us & ~both) | king_to | rook_to;
    b->castling &= ~RANK_1;
}

/* The square that a pawn's double step leaves open to a pawn of theirs beside it, as they see it. */
static inline int open_behind(const ChessBoard *b, int from, int to)
{
    const uint64_t pawns = b->plane[0] & ~b->plane[1] & ~b->plane[2] & ~b->us;
    return chess_beside(bit_of(to)) & pawns ? (from + 8) ^ 56 : CHESS_NO_SQUARE;
}

/* The board after a move, without its key. */
static inline ChessBoard board_after(const ChessBoard *board, ChessMove move)
{
    ChessBoard b = *board;
    const int from = move & 63, to = move >> 6 & 63, kind = move >> 12;
    const int code = chess_code(board, from);
    const uint64_t to_bit = bit_of(to), from_bit = bit_of(from);
    int open = CHESS_NO_SQUARE;
    b.clock++;
    if (kind == CHESS_CASTLING) {
        castle(&b, from, to);
    } else {
        uint64_t gone = from_bit | to_bit;
        if (chess_occupied(&b) & to_bit || code == CHESS_PAWN)
            b.clock = 0;
        if (kind == CHESS_EN_PASSANT)
            gone |= to_bit >> 8;
        clear(&b, gone);
        chess_put(&b, to_bit, kind > CHESS_EN_PASSANT ? kind : code);
        b.us = (b.us & ~from_bit) | to_bit;
        b.castling &= ~gone;
        if (code == CHESS_KING)
            b.castling &= ~RANK_1;
        else if (code == CHESS_PAWN && to - from == 16)
            open = open_behind(&b, from, to);
    }
    b.en_passant = (uint8_t)open;
    chess_give_move(&b);
    return b;
}

/* ---- kernels -------------------------------------------------------------------- */

/* Along a line whose squares lie on ranks of their own, both ways at once: a subtraction carries up to
 * the first man, and the bytes reversed it does the same downwards. */
static inline uint64_t along(uint64_t occupied, uint64_t line, int square)
{
    const uint64_t men = occupied & line;
    const uint64_t above = men - (bit_of(square) << 1);
    const uint64_t below = flipped(flipped(men) - (bit_of(square ^ 56) << 1));
    return (above ^ below) & line;
}

static inline uint64_t diagonal_lines(int square, uint64_t occupied)
{
    return along(occupied, mp_chess_tables.line[2][square], square)
        | along(occupied, mp_chess_tables.line[3][square], square);
}

static inline uint64_t straight_lines(int square, uint64_t occupied)
{
    const int shift = square & 56, inner = (int)(occupied >> (shift + 1) & 63);
    return along(occupied, mp_chess_tables.line[1][square], square)
        | (uint64_t)mp_chess_tables.rank_attacks[square & 7][inner] << shift;
}

#define VARIANT(name) name##_lines
#define VARIANT_NAME "lines"
#define TARGET
#define DIAGONAL(square, occupied) diagonal_lines(square, occupied)
#define STRAIGHT(square, occupied) straight_lines(square, occupied)
#include "chess_kernel_moves.h"
#undef VARIANT
#undef VARIANT_NAME
#undef TARGET
#undef DIAGONAL
#undef STRAIGHT

#if HAVE_X86_KERNELS
#define TARGET __attribute__((target("bmi,bmi2,lzcnt,popcnt")))

TARGET static inline uint64_t diagonal_pext(int square, uint64_t occupied)
{
    const Tables *t = &mp_chess_tables;
    return t->diagonal[t->diagonal_start[square] + _pext_u64(occupied, t->diagonal_inner[square])];
}

TARGET static inline uint64_t straight_pext(int square, uint64_t occupied)
{
    const Tables *t = &mp_chess_tables;
    return t->straight[t->straight_start[square] + _pext_u64(occupied, t->straight_inner[square])];
}

#define VARIANT(name) name##_pext
#define VARIANT_NAME "pext"
#define DIAGONAL(square, occupied) diagonal_pext(square, occupied)
#define STRAIGHT(square, occupied) straight_pext(square, occupied)
#include "chess_kernel_moves.h"
#endif

/* ---- tables --------------------------------------------------------------------- */

static const int line_step[4][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}};        /* file, rank */

static uint64_t ray(int square, int file_step, int rank_step)
{
    uint64_t bits = 0;
    for (int file = (square & 7) + file_step, rank = (square >> 3) + rank_step;
         file >= 0 && file < 8 && rank >= 0 && rank < 8; file += file_step, rank += rank_step)
        bits |= bit_of(8 * rank + file);
    return bits;
}

static void fill_lines(Tables *t)
{
    for (int square = 0; square < 64; square++)
        for (int line = 0; line < 4; line++) {
            const int *step = line_step[line];
            const uint64_t above = ray(square, step[0], step[1]);
            const uint64_t below = ray(square, -step[0], -step[1]);
            t->line[line][square] = above | below;
            for (uint64_t rest = above; rest; rest &= rest - 1) {
                const int other = first_of(rest);
                const uint64_t between = above & ray(other, -step[0], -step[1]);
                t->between[square][other] = t->between[other][square] = between;
            }
        }
}

static void fill_leapers(Tables *t)
{
    for (int square = 0; square < 64; square++) {
        const uint64_t here = bit_of(square), row = here | chess_beside(here);
        t->knight[square] = attacked_by_knights(here);
        t->king[square] = (row | row << 8 | row >> 8) & ~here;
        t->pawn[square] = chess_pawn_attacks(here);
    }
}

static void fill_rank_attacks(Tables *t)
{
    for (int file = 0; file < 8; file++)
        for (int inner = 0; inner < 64; inner++) {
            const int men = inner << 1;
            int reached = 0;
            for (int step = -1; step <= 1; step += 2)
                for (int to = file + step; to >= 0 && to < 8; to += step) {
                    reached |= 1 << to;
                    if (men >> to & 1)
                        break;
                }
            t->rank_attacks[file][inner] = (uint8_t)reached;
        }
}

/* Fill the entries of one square for all sets of men that matter, numbered as pext numbers them. */
static uint32_t fill_entries(uint64_t *entries, uint64_t inner, int square, int is_straight)
{
    uint64_t men = 0;
    uint32_t count = 0;
    do {
        entries[count++] = is_straight ? straight_lines(square, men) : diagonal_lines(square, men);
        men = (men - inner) & inner;
    } while (men);
    return count;
}

static void fill_sliders(Tables *t)
{
    uint32_t diagonal = 0, straight = 0;
    for (int square = 0; square < 64; square++) {
        const uint64_t files = t->line[1][square] & ~(RANK_1 | RANK_8);
        const uint64_t ranks = t->line[0][square] & ~(CHESS_FILE_A | CHESS_FILE_H);
        const uint64_t rim = RANK_1 | RANK_8 | CHESS_FILE_A | CHESS_FILE_H;
        t->straight_inner[square] = files | ranks;
        t->diagonal_inner[square] = (t->line[2][square] | t->line[3][square]) & ~rim;
        t->straight_start[square] = straight;
        t->diagonal_start[square] = diagonal;
        straight += fill_entries(t->straight + straight, t->straight_inner[square], square, 1);
        diagonal += fill_entries(t->diagonal + diagonal, t->diagonal_inner[square], square, 0);
    }
}

/* SplitMix64 (Steele, Lea and Flood 2014) of a counter: the keys are numbers of a fixed list. */
static uint64_t number_at(uint64_t index)
{
    uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static void fill_keys(Tables *t)
{
    uint64_t index = 0;
    for (int side = 0; side < 2; side++)
        for (int code = 1; code < CHESS_CODES; code++)
            for (int square = 0; square < 64; square++)
                for (int half = 0; half < 2; half++)
                    t->men[side][code][square][half] = number_at(index++);
    for (int square = 0; square < 64; square++)
        for (int half = 0; half < 2; half++)
            t->castling[square][half] = number_at(index++);
    for (int file = 0; file < 8; file++)
        for (int half = 0; half < 2; half++)
            t->en_passant[file][half] = number_at(index++);
    for (int half = 0; half < 2; half++)
        t->black_to_move[half] = number_at(index++);
}

/* The kernel in use. */
static const ChessKernel *used;

/* ---- keys ----------------------------------------------------------------------- */

static inline void turn_key(ChessBoard *b, const uint64_t number[2])
{
    b->key[0] ^= number[0];
    b->key[1] ^= number[1];
}

/* Turn the key for rooks that may castle: of the board `b` as it is seen. */
static inline void turn_castling(ChessBoard *b, uint64_t rooks, int flip)
{
    for (; rooks; rooks &= rooks - 1)
        turn_key(b, mp_chess_tables.castling[first_of(rooks) ^ flip]);
}

void mp_chess_key(ChessBoard *b)
{
    const int flip = b->is_black ? 56 : 0;
    b->key[0] = b->key[1] = 0;
    for (uint64_t men = chess_occupied(b); men; men &= men - 1) {
        const int square = first_of(men), is_theirs = !(b->us >> square & 1);
        turn_key(b, mp_chess_tables.men[b->is_black ^ is_theirs][chess_code(b, square)]
                                       [square ^ flip]);
    }
    turn_castling(b, b->castling, flip);
    if (b->en_passant != CHESS_NO_SQUARE)
        turn_key(b, mp_chess_tables.en_passant[b->en_passant & 7]);
    if (b->is_black)
        turn_key(b, mp_chess_tables.black_to_move);
}

/* Turn a key for the men that a move moves and takes. */
static inline void turn_men(ChessBoard *key, const ChessBoard *b, ChessMove move)
{
    const int from = move & 63, to = move >> 6 & 63, kind = move >> 12;
    const int side = b->is_black, flip = side ? 56 : 0, code = chess_code(b, from);
    const Tables *t = &mp_chess_tables;
    turn_key(key, t->men[side][code][from ^ flip]);
    if (kind == CHESS_CASTLING) {
        const int is_short = to > from;
        turn_key(key, t->men[side][CHESS_ROOK][to ^ flip]);
        turn_key(key, t->men[side][CHESS_KING][(is_short ? 6 : 2) ^ flip]);
        turn_key(key, t->men[side][CHESS_ROOK][(is_short ? 5 : 3) ^ flip]);
        return;
    }
    turn_key(key, t->men[side][kind > CHESS_EN_PASSANT ? kind : code][to ^ flip]);
    if (kind == CHESS_EN_PASSANT)
        turn_key(key, t->men[side ^ 1][CHESS_PAWN][(to - 8) ^ flip]);
    else if (chess_code(b, to))
        turn_key(key, t->men[side ^ 1][chess_code(b, to)][to ^ flip]);
}

/* Whether a pawn of ours may take en passant: its king is not left attacked. */
static int may_take_en_passant(const ChessBoard *b)
{
    const uint64_t taken = bit_of(b->en_passant - 8);
    const uint64_t pawns = chess_men(b, CHESS_PAWN) & b->us;
    const int king = first_of(chess_men(b, CHESS_KING) & b->us);
    uint64_t takers = chess_their_pawn_attacks(bit_of(b->en_passant)) & pawns;
    for (; takers; takers &= takers - 1) {
        const uint64_t from = takers & -takers;
        const uint64_t occupied = (chess_occupied(b) ^ from ^ taken) | bit_of(b->en_passant);
        if (!(used->attackers(b, king, occupied) & ~b->us & ~taken))
            return 1;
    }
    return 0;
}

void mp_chess_close(ChessBoard *b)
{
    if (b->en_passant != CHESS_NO_SQUARE && !may_take_en_passant(b))
        b->en_passant = CHESS_NO_SQUARE;
}

ChessBoard mp_chess_after(const ChessBoard *board, ChessMove move)
{
    ChessBoard after = board_after(board, move);
    mp_chess_close(&after);
    turn_men(&after, board, move);
    if (board->castling != flipped(after.castling))
        turn_castling(&after, board->castling ^ flipped(after.castling), board->is_black ? 56 : 0);
    if (board->en_passant != CHESS_NO_SQUARE)
        turn_key(&after, mp_chess_tables.en_passant[board->en_passant & 7]);
    if (after.en_passant != CHESS_NO_SQUARE)
        turn_key(&after, mp_chess_tables.en_passant[after.en_passant & 7]);
    turn_key(&after, mp_chess_tables.black_to_move);
    return after;
}

ChessBoard mp_chess_passed(const ChessBoard *board)
{
    ChessBoard after = *board;
    if (after.en_passant != CHESS_NO_SQUARE)
        turn_key(&after, mp_chess_tables.en_passant[after.en_passant & 7]);
    after.en_passant = CHESS_NO_SQUARE;
    after.clock++;
    turn_key(&after, mp_chess_tables.black_to_move);
    chess_give_move(&after);
    return after;
}

uint64_t mp_chess_knight(int square) { return mp_chess_tables.knight[square]; }
uint64_t mp_chess_ring(int square) { return mp_chess_tables.king[square]; }

/* ---- which kernel --------------------------------------------------------------- */

const char *mp_chess_kernel_available(int index)
{
    const char *names[2] = {0, 0};
    int count = 0;
#if HAVE_X86_KERNELS
    if (__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("bmi"))
        names[count++] = kernel_pext.name;
#endif
    names[count++] = kernel_lines.name;
    return index >= 0 && index < count ? names[index] : 0;
}

int mp_chess_kernel_force(const char *name)
{
    for (int index = 0; mp_chess_kernel_available(index); index++)
        if (!strcmp(name, mp_chess_kernel_available(index))) {
            used = &kernel_lines;
#if HAVE_X86_KERNELS
            if (!strcmp(name, kernel_pext.name))
                used = &kernel_pext;
#endif
            return 1;
        }
    return 0;
}

const ChessKernel *mp_chess_kernel(void)
{
    if (!used) {
        fill_lines(&mp_chess_tables);
        fill_leapers(&mp_chess_tables);
        fill_rank_attacks(&mp_chess_tables);
        fill_sliders(&mp_chess_tables);
        fill_keys(&mp_chess_tables);
        mp_chess_kernel_force(mp_chess_kernel_available(0));
    }
    return used;
}
