# Loss and gradients of a batch on the CPU; the kernel is gradient_kernel.c.

from libc.stdint cimport int64_t, uint8_t, uint16_t

cdef extern from "gradient_kernel.h" nogil:
    # Parameters, or their gradients; shapes: see gradient_kernel.h.
    ctypedef struct NetFloats:
        float *rows
        float *accumulator_bias
        float *hidden1
        float *hidden1_bias
        float *hidden2
        float *hidden2_bias
        float *output
        float *output_bias
    void mp_cumulate(float *rows, int width)
    void mp_round(const float *source, float *target, int count, float one)
    void mp_cumulate_back(float *rows, int width)
    double mp_gradients(int width, const NetFloats *net, const uint8_t *boards,
                        const uint16_t *labels, const int64_t *pick, int count,
                        NetFloats *gradients, float *scratch)
    int mp_scratch_floats(int width)
