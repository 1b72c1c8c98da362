# built with: gradient_kernel.c, fast math
"""The endpoint to gradient_kernel.c: loss and gradients of a batch.

Knows shapes.  Must not know optimisers, files or schedules.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.string cimport memcpy

cdef enum:
    ACCUMULATOR_ONE = 255     # model.py has the same
    HIDDEN1_ONE = 128

NAMES = ("rows", "accumulator_bias", "hidden1", "hidden1_bias", "hidden2", "hidden2_bias",
         "output", "output_bias")


cdef int _point(NetFloats *floats, object arrays, int width) except -1:
    """Take the addresses of the arrays, after a look at their shapes."""
    cdef float[:, ::1] matrix
    cdef float[::1] vector
    shapes = (780, width), (width,), (width // 2, 32), (32,), (32, 32), (32,), (32, 5), (5,)
    for name, shape in zip(NAMES, shapes, strict=True):
        if tuple(arrays[name].shape) != shape:
            raise ValueError(f"{name} must be {shape}")
    matrix = arrays["rows"]
    floats.rows = &matrix[0, 0]
    matrix = arrays["hidden1"]
    floats.hidden1 = &matrix[0, 0]
    matrix = arrays["hidden2"]
    floats.hidden2 = &matrix[0, 0]
    matrix = arrays["output"]
    floats.output = &matrix[0, 0]
    vector = arrays["accumulator_bias"]
    floats.accumulator_bias = &vector[0]
    vector = arrays["hidden1_bias"]
    floats.hidden1_bias = &vector[0]
    vector = arrays["hidden2_bias"]
    floats.hidden2_bias = &vector[0]
    vector = arrays["output_bias"]
    floats.output_bias = &vector[0]
    return 0


def scratch_floats(int width):
    """Return how many floats of scratch a net of this width needs."""
    return mp_scratch_floats(width) + width // 2 * 32


def batch_gradients(dict net, dict gradients, float[:, ::1] cumulative, float[::1] scratch,
                    const uint8_t[:, ::1] boards, const uint16_t[:, ::1] labels,
                    const int64_t[::1] pick):
    """Overwrite gradients with those of the mean loss over boards[pick].

    Shapes: net and gradients map NAMES to float32 arrays; cumulative as rows, written;
    scratch float32[scratch_floats(width)]; boards uint8[n, 52]; labels uint16[n, 5],
    65535 = 1.0; pick int64[count], each in 0..n-1.

    Returns: the mean loss.
    GIL: released.
    """
    cdef NetFloats weights, slopes
    cdef int width = <int>cumulative.shape[1], count = <int>pick.shape[0]
    cdef double loss
    cdef Py_ssize_t i
    _point(&weights, net, width)
    _point(&slopes, gradients, width)
    if (boards.shape[1] != 52 or labels.shape[1] != 5 or boards.shape[0] != labels.shape[0]
            or scratch.shape[0] < scratch_floats(width) or cumulative.shape[0] != 780):
        raise ValueError("shapes do not fit")
    for i in range(count):
        if not 0 <= pick[i] < boards.shape[0]:
            raise ValueError("pick is outside the boards")
    memcpy(&cumulative[0, 0], weights.rows, 780 * width * sizeof(float))
    for name in NAMES:
        gradients[name][...] = 0
    weights.rows = &cumulative[0, 0]
    cdef float *hidden1 = &scratch[mp_scratch_floats(width)]
    with nogil:
        mp_cumulate(weights.rows, width)
        mp_round(weights.rows, weights.rows, 780 * width, ACCUMULATOR_ONE)
        mp_round(weights.hidden1, hidden1, width // 2 * 32, HIDDEN1_ONE)
        weights.hidden1 = hidden1
        loss = mp_gradients(width, &weights, &boards[0, 0], &labels[0, 0], &pick[0], count,
                            &slopes, &scratch[0])
        mp_cumulate_back(slopes.rows, width)
    for name in NAMES:
        gradients[name] /= count
    return loss / count
