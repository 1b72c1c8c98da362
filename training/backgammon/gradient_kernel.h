/* Loss and gradients of the evaluation net on the CPU, in single precision.
 *
 * The same function as model.py's, several times faster, because a board has only
 * some twelve occupied slots: each costs one cumulative row forward and one back.
 * Sums are in a fixed order for one machine; training makes no promise of equal
 * bits between machines (the shipped integers do).
 */
#ifndef MANYPLY_GRADIENT_KERNEL_H
#define MANYPLY_GRADIENT_KERNEL_H

#include <stdint.h>

/* Parameters, or their gradients; all C-contiguous. */
typedef struct NetFloats {
    float *rows;                /* [780][width]; cumulative: see mp_cumulate */
    float *accumulator_bias;    /* [width] */
    float *hidden1;             /* [width/2][32] */
    float *hidden1_bias;        /* [32] */
    float *hidden2;             /* [32][32] */
    float *hidden2_bias;        /* [32] */
    float *output;              /* [32][5] */
    float *output_bias;         /* [5] */
} NetFloats;

/* In each slot, rows[k] += rows[k-1] upwards (thermometer to cumulative). */
void mp_cumulate(float *rows, int width);
/* to[i] = from[i] rounded to a multiple of 1 / one. */
void mp_round(const float *from, float *to, int count, float one);
/* In each slot, rows[k] += rows[k+1] downwards (gradients, cumulative to thermometer). */
void mp_cumulate_back(float *rows, int width);

/* Add the gradients of the summed loss over boards[pick[i]], i < count, to `gradients`;
 * returns the summed loss.  labels: uint16[5], 65535 = 1.0.  scratch: see mp_scratch_floats. */
double mp_gradients(int width, const NetFloats *net, const uint8_t *boards, const uint16_t *labels,
                    const int64_t *pick, int count, NetFloats *gradients, float *scratch);
int mp_scratch_floats(int width);

#endif
