// Counter-based random numbers: Philox4x32 with ten rounds (Salmon, Moraes, Dror and Shaw, "Parallel random
// numbers: as easy as 1, 2, 3", SC11, section 3.2 and table 1).
//
// A draw is a pure function of (seed, stream, id, step, draw), so it does not depend on the order of calls or
// on the number of threads. Seed, stream and step are hashed by Philox into the key of a block; id and draw
// are its counter. Compiles as C, C++ and device code.

#ifndef SCREE_BASE_RANDOM_H
#define SCREE_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __CUDACC__
#define SCREE_RANDOM_FN static inline __host__ __device__
#else
#define SCREE_RANDOM_FN static inline
#endif

struct scree_random_key {
    uint64_t seed;
    uint32_t stream; // one per purpose, so that two uses of the same ids and steps have different draws
};

struct scree_random_block {
    uint32_t word[4];
};

// The generator: maps 128 bits of counter and 64 bits of key to 128 random bits.
SCREE_RANDOM_FN struct scree_random_block scree_random_philox(struct scree_random_block counter, uint64_t key)
{
    uint32_t key0 = (uint32_t)key, key1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; ++round) {
        const uint64_t product0 = (uint64_t)0xD2511F53u * counter.word[0];
        const uint64_t product1 = (uint64_t)0xCD9E8D57u * counter.word[2];
        counter.word[0] = (uint32_t)(product1 >> 32) ^ counter.word[1] ^ key0;
        counter.word[1] = (uint32_t)product1;
        counter.word[2] = (uint32_t)(product0 >> 32) ^ counter.word[3] ^ key1;
        counter.word[3] = (uint32_t)product0;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    return counter;
}

SCREE_RANDOM_FN struct scree_random_block scree_random_counter(uint64_t low, uint64_t high)
{
    struct scree_random_block counter;
    counter.word[0] = (uint32_t)low;
    counter.word[1] = (uint32_t)(low >> 32);
    counter.word[2] = (uint32_t)high;
    counter.word[3] = (uint32_t)(high >> 32);
    return counter;
}

SCREE_RANDOM_FN uint64_t scree_random_join(uint32_t low, uint32_t high)
{
    return low | (uint64_t)high << 32;
}

// Key of all draws of one stream at one step.
SCREE_RANDOM_FN uint64_t scree_random_step_key(struct scree_random_key key, uint64_t step)
{
    const struct scree_random_block mixed =
        scree_random_philox(scree_random_counter(step, key.stream), key.seed);
    return scree_random_join(mixed.word[0], mixed.word[1]);
}

// Converts 64 random bits to a double in the open interval (0, 1): 52 bits plus one half, so that 0 and 1
// never occur and the mean is exactly 1/2.
SCREE_RANDOM_FN double scree_random_unit(uint64_t bits)
{
    return ((double)(bits >> 12) + 0.5) * 0x1p-52;
}

// 64 random bits. Draws 2k and 2k + 1 are the halves of block k.
SCREE_RANDOM_FN uint64_t scree_random_bits(struct scree_random_key key, uint64_t id, uint64_t step,
                                           uint64_t draw)
{
    const struct scree_random_block block =
        scree_random_philox(scree_random_counter(id, draw / 2), scree_random_step_key(key, step));
    return draw % 2 == 0 ? scree_random_join(block.word[0], block.word[1])
                         : scree_random_join(block.word[2], block.word[3]);
}

// Uniform on the open interval (0, 1).
SCREE_RANDOM_FN double scree_random_uniform(struct scree_random_key key, uint64_t id, uint64_t step,
                                            uint64_t draw)
{
    return scree_random_unit(scree_random_bits(key, id, step, draw));
}

// Draws 0, 1, ..., count - 1: the same numbers as from scree_random_uniform, at a quarter of the cost.
SCREE_RANDOM_FN void scree_random_fill(struct scree_random_key key, uint64_t id, uint64_t step, double *out,
                                       size_t count)
{
    const uint64_t step_key = scree_random_step_key(key, step);
    for (size_t draw = 0; draw < count; draw += 2) {
        const struct scree_random_block block =
            scree_random_philox(scree_random_counter(id, draw / 2), step_key);
        out[draw] = scree_random_unit(scree_random_join(block.word[0], block.word[1]));
        if (draw + 1 < count)
            out[draw + 1] = scree_random_unit(scree_random_join(block.word[2], block.word[3]));
    }
}

#endif
