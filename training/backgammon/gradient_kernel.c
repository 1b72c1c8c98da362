/* See gradient_kernel.h.  Boards go through in blocks, so that each weight loaded
 * serves a whole block. */
#include "gradient_kernel.h"

#include <math.h>
#include <string.h>

enum { SLOTS = 52, LEVELS = 15, HIDDEN = 32, OUTPUTS = 5, BLOCK = 8, LANES = 16 };

/* Squared error beyond which a board's loss grows as the error, no longer as its square:
 * boards out of the ordinary must not take the net's strength. model.py has the same. */
static const double ROBUST = 0.0025;

/* Sixteen floats, wherever they lie; narrower machines split them. */
typedef float Lanes __attribute__((vector_size(64), aligned(4), may_alias));

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define CLONES
#endif
#define INLINE static inline __attribute__((always_inline))

/* What one block of boards needs between the way forward and the way back. */
typedef struct Block {
    int count;
    const uint8_t *board[BLOCK];
    float *accumulator[BLOCK];      /* [width], clipped; then its gradient */
    float *product[BLOCK];          /* [width/2] */
    float hidden1[BLOCK][HIDDEN], hidden2[BLOCK][HIDDEN];
    float hidden1_gradient[BLOCK][HIDDEN];
} Block;

INLINE float clip(float value)
{
    return value < 0 ? 0 : value > 1 ? 1 : value;
}

CLONES void mp_cumulate(float *rows, int width)
{
    for (int slot = 0; slot < SLOTS; slot++)
        for (int i = (slot * LEVELS + 1) * width; i < (slot + 1) * LEVELS * width; i++)
            rows[i] += rows[i - width];
}

CLONES void mp_round(const float *from, float *to, int count, float one)
{
    for (int i = 0; i < count; i++)
        to[i] = rintf(from[i] * one) / one;
}

CLONES void mp_cumulate_back(float *rows, int width)
{
    for (int slot = 0; slot < SLOTS; slot++)
        for (int level = LEVELS - 2; level >= 0; level--) {
            float *row = rows + (slot * LEVELS + level) * width;
            for (int i = 0; i < width; i++)
                row[i] += row[i + width];
        }
}

/* The rows of the occupied slots; returns their number. */
INLINE int occupied_rows(const uint8_t *board, int width, int *offsets)
{
    int count = 0;
    for (int slot = 0; slot < SLOTS; slot++)
        if (board[slot])
            offsets[count++] = (slot * LEVELS + board[slot] - 1) * width;
    return count;
}

INLINE void first_layer(int width, const NetFloats *net, const uint8_t *board, float *accumulator,
                        float *product)
{
    int offsets[SLOTS];
    const int rows = occupied_rows(board, width, offsets), half = width / 2;
    for (int first = 0; first < width; first += 4 * LANES) {
        Lanes sums[4];
        for (int v = 0; v < 4; v++)
            sums[v] = *(const Lanes *)(net->accumulator_bias + first + v * LANES);
        for (int r = 0; r < rows; r++)
            for (int v = 0; v < 4; v++)
                sums[v] += *(const Lanes *)(net->rows + offsets[r] + first + v * LANES);
        memcpy(accumulator + first, sums, sizeof sums);
    }
    for (int i = 0; i < width; i++)
        accumulator[i] = clip(accumulator[i]);
    for (int i = 0; i < half; i++)
        product[i] = accumulator[i] * accumulator[i + half];
}

INLINE void hidden1_forward(int width, const NetFloats *net, Block *block)
{
    Lanes sums[BLOCK][2];
    for (int b = 0; b < BLOCK; b++)
        for (int v = 0; v < 2; v++)
            sums[b][v] = *(const Lanes *)(net->hidden1_bias + v * LANES);
    for (int i = 0; i < width / 2; i++) {
        const Lanes low = *(const Lanes *)(net->hidden1 + i * HIDDEN);
        const Lanes high = *(const Lanes *)(net->hidden1 + i * HIDDEN + LANES);
        for (int b = 0; b < BLOCK; b++) {
            sums[b][0] += block->product[b][i] * low;
            sums[b][1] += block->product[b][i] * high;
        }
    }
    for (int b = 0; b < BLOCK; b++)
        memcpy(block->hidden1[b], sums[b], sizeof sums[b]);
    for (int b = 0; b < BLOCK; b++)
        for (int j = 0; j < HIDDEN; j++)
            block->hidden1[b][j] = clip(block->hidden1[b][j]);
}

/* Loss of one board, and its gradient by the logits. */
INLINE double loss_and_slope(const float *logits, const uint16_t *label, float *slope)
{
    static const float equity_weights[OUTPUTS] = {2, 1, 1, -1, -1};
    float difference[OUTPUTS], probability[OUTPUTS], equity = 0;
    double loss = 0;
    for (int o = 0; o < OUTPUTS; o++) {
        probability[o] = 1 / (1 + expf(-logits[o]));
        difference[o] = probability[o] - (float)label[o] / 65535.0f;
        equity += equity_weights[o] * difference[o];
        loss += difference[o] * difference[o];
    }
    loss += 0.5 * equity * equity;
    const double root = sqrt(1 + loss / ROBUST);
    for (int o = 0; o < OUTPUTS; o++)
        slope[o] = (2 * difference[o] + equity * equity_weights[o]) * probability[o]
                   * (1 - probability[o]) / (float)root;
    return 2 * ROBUST * (root - 1);
}

/* Hidden 2 and the outputs of one board, forward and back to hidden 1. */
INLINE double outer_layers(const NetFloats *net, NetFloats *gradients, const float *hidden1,
                           const uint16_t *label, float *hidden1_gradient)
{
    float hidden2[HIDDEN], logits[OUTPUTS], slope[OUTPUTS], back[HIDDEN];
    memcpy(hidden2, net->hidden2_bias, sizeof hidden2);
    for (int i = 0; i < HIDDEN; i++)
        for (int j = 0; j < HIDDEN; j++)
            hidden2[j] += hidden1[i] * net->hidden2[i * HIDDEN + j];
    memcpy(logits, net->output_bias, sizeof logits);
    for (int j = 0; j < HIDDEN; j++) {
        hidden2[j] = clip(hidden2[j]);
        for (int o = 0; o < OUTPUTS; o++)
            logits[o] += hidden2[j] * net->output[j * OUTPUTS + o];
    }
    const double loss = loss_and_slope(logits, label, slope);
    for (int o = 0; o < OUTPUTS; o++)
        gradients->output_bias[o] += slope[o];
    for (int j = 0; j < HIDDEN; j++) {
        float sum = 0;
        for (int o = 0; o < OUTPUTS; o++) {
            gradients->output[j * OUTPUTS + o] += hidden2[j] * slope[o];
            sum += net->output[j * OUTPUTS + o] * slope[o];
        }
        back[j] = hidden2[j] > 0 && hidden2[j] < 1 ? sum : 0;
        gradients->hidden2_bias[j] += back[j];
    }
    for (int i = 0; i < HIDDEN; i++) {
        float sum = 0;
        for (int j = 0; j < HIDDEN; j++) {
            gradients->hidden2[i * HIDDEN + j] += hidden1[i] * back[j];
            sum += net->hidden2[i * HIDDEN + j] * back[j];
        }
        hidden1_gradient[i] = hidden1[i] > 0 && hidden1[i] < 1 ? sum : 0;
        gradients->hidden1_bias[i] += hidden1_gradient[i];
    }
    return loss;
}

/* One lane group of the products: gradients of the transposed hidden1 weights, and of the
 * accumulator through the pairwise product and the clipping. */
INLINE void products_back(int half, const float *transposed, float *transposed_gradient,
                          Block *block, int first)
{
    Lanes back[BLOCK], product[BLOCK];
    const Lanes zero = {0};
    for (int b = 0; b < BLOCK; b++) {
        back[b] = zero;
        product[b] = *(const Lanes *)(block->product[b] + first);
    }
    for (int j = 0; j < HIDDEN; j++) {
        const Lanes weights = *(const Lanes *)(transposed + j * half + first);
        Lanes *gradient = (Lanes *)(transposed_gradient + j * half + first), sum = *gradient;
        for (int b = 0; b < BLOCK; b++) {
            back[b] += block->hidden1_gradient[b][j] * weights;
            sum += block->hidden1_gradient[b][j] * product[b];
        }
        *gradient = sum;
    }
    for (int b = 0; b < BLOCK; b++) {
        float *low = block->accumulator[b] + first, *high = low + half, step[LANES];
        memcpy(step, &back[b], sizeof step);
        for (int v = 0; v < LANES; v++) {
            const float x = low[v], y = high[v];
            low[v] = x > 0 && x < 1 ? step[v] * y : 0;
            high[v] = y > 0 && y < 1 ? step[v] * x : 0;
        }
    }
}

INLINE void first_layer_back(int width, const uint8_t *board, const float *gradient,
                             NetFloats *gradients)
{
    int offsets[SLOTS];
    const int rows = occupied_rows(board, width, offsets);
    for (int first = 0; first < width; first += 4 * LANES) {
        Lanes step[4];
        for (int v = 0; v < 4; v++) {
            step[v] = *(const Lanes *)(gradient + first + v * LANES);
            *(Lanes *)(gradients->accumulator_bias + first + v * LANES) += step[v];
        }
        for (int r = 0; r < rows; r++)
            for (int v = 0; v < 4; v++)
                *(Lanes *)(gradients->rows + offsets[r] + first + v * LANES) += step[v];
    }
}

int mp_scratch_floats(int width)
{
    return BLOCK * (width + width / 2) + 2 * HIDDEN * width / 2;
}

CLONES double mp_gradients(int width, const NetFloats *net, const uint8_t *boards,
                           const uint16_t *labels, const int64_t *pick, int count,
                           NetFloats *gradients, float *scratch)
{
    const int half = width / 2;
    float *transposed = scratch, *transposed_gradient = scratch + HIDDEN * half;
    double loss = 0;
    Block block;
    memset(&block, 0, sizeof block);
    memset(scratch, 0, (size_t)mp_scratch_floats(width) * sizeof(float));
    for (int b = 0; b < BLOCK; b++) {
        block.accumulator[b] = scratch + 2 * HIDDEN * half + b * width;
        block.product[b] = scratch + 2 * HIDDEN * half + BLOCK * width + b * half;
    }
    for (int i = 0; i < half; i++)
        for (int j = 0; j < HIDDEN; j++)
            transposed[j * half + i] = net->hidden1[i * HIDDEN + j];
    for (int begin = 0; begin < count; begin += BLOCK) {
        block.count = count - begin < BLOCK ? count - begin : BLOCK;
        memset(block.hidden1_gradient, 0, sizeof block.hidden1_gradient);
        for (int b = 0; b < block.count; b++) {
            block.board[b] = boards + pick[begin + b] * SLOTS;
            first_layer(width, net, block.board[b], block.accumulator[b], block.product[b]);
        }
        hidden1_forward(width, net, &block);
        for (int b = 0; b < block.count; b++)
            loss += outer_layers(net, gradients, block.hidden1[b],
                                 labels + pick[begin + b] * OUTPUTS, block.hidden1_gradient[b]);
        for (int first = 0; first < half; first += LANES)
            products_back(half, transposed, transposed_gradient, &block, first);
        for (int b = 0; b < block.count; b++)
            first_layer_back(width, block.board[b], block.accumulator[b], gradients);
    }
    for (int i = 0; i < half; i++)
        for (int j = 0; j < HIDDEN; j++)
            gradients->hidden1[i * HIDDEN + j] += transposed_gradient[j * half + i];
    return loss;
}
