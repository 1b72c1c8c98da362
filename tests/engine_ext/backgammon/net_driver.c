/* Evaluate groups of boards with a net file, without Python: for machines that only an emulator
 * has here.
 *
 *   net_driver NET BOARDS > PROBS
 *
 * NET is laid out as net_file.py says.  BOARDS holds groups: a count (uint32), the board that the
 * others are near, and `count` boards of 52 bytes.  PROBS are five doubles a board.  All
 * little-endian, as the machine must be. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net_kernel.h"

enum { HEADER_BYTES = 36, WIDTH_AT = 12, GROUP_BOARDS_MAX = 3060 };

static char *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    char *content;
    if (!file || fseek(file, 0, SEEK_END)) {
        perror(path);
        exit(1);
    }
    *size = (size_t)ftell(file);
    rewind(file);
    content = malloc(*size);
    if (!content || fread(content, 1, *size, file) != *size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    return content;
}

static const char *taken(const char **from, void *to, size_t size)
{
    memcpy(to, *from, size);
    return *from += size;
}

/* The same rearrangement as net.pyx makes. */
static void fill(NetWeights *net, const char *at)
{
    const size_t width = (size_t)net->width;
    int16_t weight;
    taken(&at, net->rows, NET_INPUTS * width * 2);
    taken(&at, net->accumulator_bias, width * 2);
    for (size_t i = 0; i < width / 2; i++)
        for (size_t o = 0; o < NET_HIDDEN; o++)
            taken(&at, &net->hidden1[i / 4 * 128 + o * 4 + i % 4], 1);
    taken(&at, net->hidden1_bias, NET_HIDDEN * 4);
    for (int i = 0; i < NET_HIDDEN; i++)
        for (int o = 0; o < NET_HIDDEN; o++) {
            taken(&at, &weight, 2);
            net->hidden2[i / 2][o][i % 2] = weight;
        }
    taken(&at, net->hidden2_bias, NET_HIDDEN * 4);
    for (int i = 0; i < NET_HIDDEN; i++)
        for (int o = 0; o < NET_OUTPUTS; o++) {
            taken(&at, &weight, 2);
            net->output[i / 2][o][i % 2] = weight;
        }
    taken(&at, net->output_bias, NET_OUTPUTS * 4);
    taken(&at, net->table, NET_TABLE_ENTRIES * 4);
}

int main(int argc, char **argv)
{
    static double probs[GROUP_BOARDS_MAX * NET_OUTPUTS];
    size_t size;
    uint32_t width, count;
    if (argc != 3)
        return 2;
    const char *file = read_file(argv[1], &size);
    memcpy(&width, file + WIDTH_AT, sizeof width);
    NetWeights *net = mp_net_new((int)width);
    if (!net)
        return 1;
    fill(net, file + HEADER_BYTES);
    const char *at = read_file(argv[2], &size), *end = at + size;
    while (at < end) {
        taken(&at, &count, sizeof count);
        const uint8_t *near = (const uint8_t *)at;
        at += (size_t)(count + 1) * NET_SLOTS;
        mp_net_evaluate(net, near, near + NET_SLOTS, (int)count, probs);
        fwrite(probs, sizeof *probs, (size_t)count * NET_OUTPUTS, stdout);
    }
    fprintf(stderr, "%s\n", mp_net_kernel_name());
    return 0;
}
