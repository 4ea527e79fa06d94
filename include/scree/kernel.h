// Kernel: the batch loops that an engine runs over contacts, expanded around a law's `force`.
//
// A law's file ends with an inclusion of kernel_loops.inc. The loops it makes load whole records of grains,
// sixteen contacts at a time, transpose them in registers, call the law lane by lane, and add force and
// moment to the sums of both grains. They are compiled for several instruction sets, whose bits agree. C
// only, and double only; what they do with one contact is in frame.h.
//
// Sums have no order: a term v is rounded to a multiple of the grain's quantum q as bits(v + M) - bits(M),
// where M = 7 * 2^50 q, and such integers add exactly, in whichever order they come (pre-rounding: Demmel and
// Nguyen, IEEE ARITH 21, 2013; fixed point: Le Grand et al., Comput. Phys. Commun. 184, 374, 2013). Terms of
// 2^50 q or more are given to the engine, which splits them.
#ifndef SCREE_KERNEL_H
#define SCREE_KERNEL_H

#include <scree/compiler.h>
#include <scree/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One collidable primitive, two cache lines; a sphere's grain is its body. Contact kernels read this and
 * nothing else of a body. The first line is all that a frictionless law needs. */
struct scree_grain {
    double position[3];
    double radius;
    double velocity[3]; /**< see scree_world_level */
    double mass;
    double spin[3];      /**< angular velocity, world axes, at the level of the velocity */
    float half_kick[3];  /**< added to a mid-step velocity, predicts the on-step one */
    float half_twist[3]; /**< likewise for the spin */
    uint32_t owner;      /**< slot of the body */
    uint16_t kind;
    uint16_t material; /**< id, 0 for none */
    uint32_t flags;
    uint16_t part;    /**< number of this grain within its owner, 0 for a body's own */
    uint16_t quantum; /**< the upper bits of the double M that rounds forces; 0 while none is known */
};

/** Slots of the two grains of a candidate, the one of lower id first; at walls the second names no grain. */
struct scree_pair {
    uint32_t low, high;
};

/** What a contact gives a grain: force, loss to friction, moment, loss to dashpots, and the loss inside the
 * contact. Of losses either side of a contact has half. The first eight are summed side by side. */
enum {
    SCREE_TERM_FORCE = 0,
    SCREE_TERM_FRICTION = 3,
    SCREE_TERM_MOMENT = 4,
    SCREE_TERM_DASHPOT = 7,
    SCREE_TERMS = 8,
    SCREE_TERM_INTERNAL = 8,
    SCREE_TERMS_ALL = 9
};

/** Contacts that a loop works out together: of the widest set of instructions two registers, whose operations
 * alternate, for one would wait for itself most of the time. Tiles are so wide; they are filled, and sums are
 * added to, eight contacts at a time. */
enum { SCREE_KERNEL_WIDTH = 16 };

/** A row of a tile: one value of each contact. */
typedef double scree_kernel_lanes[SCREE_KERNEL_WIDTH];

/** Doubles that a contact with a wall leaves behind: the terms of its grain, then the couple. */
enum { SCREE_KERNEL_WALL_TERMS = 12, SCREE_KERNEL_COUPLE = SCREE_TERMS_ALL };

/** The constant M that rounds forces is the double of these upper bits; that of moments is 2^floor(log2
 * radius) times as large, and that of losses in turn SCREE_QUANTUM_LOSS times. A rounded term is within its
 * limit where only bits of v + M that SCREE_QUANTUM_MASK leaves out differ from those of M. */
#define SCREE_QUANTUM_BITS UINT64_C(0xFFFF000000000000)
#define SCREE_QUANTUM_SIZE UINT64_C(0x7FF0000000000000)
#define SCREE_QUANTUM_MASK UINT64_C(0xFFF8000000000000)
#define SCREE_QUANTUM_LOSS 0x1p-10

/** What a loop runs over: lists of candidates inside a tile, across tiles and periodic faces, or with walls;
 * or rows, wherever their grains lie. The last two only look, at any list but of walls, or at rows. */
enum scree_kernel_place {
    SCREE_KERNEL_INSIDE,
    SCREE_KERNEL_ACROSS,
    SCREE_KERNEL_WALL,
    SCREE_KERNEL_ROWS,
    SCREE_KERNEL_EVALUATE,
    SCREE_KERNEL_EVALUATE_ROWS
};

/** Terms of one side of eight contacts, of which the first `count` are real: who the grains are, and where
 * they are summed. The engine looks at them, or takes out of them what is beyond the limits. */
struct scree_kernel_eight {
    const uint32_t *grain, *into;
    scree_kernel_lanes *term;
    unsigned count;
};
typedef void scree_kernel_visit(const struct scree_kernel_job *job, const struct scree_kernel_eight *eight);

/** Of SCREE_KERNEL_WIDTH candidates from `first` on, those of `left` (a bit each) are no longer near: returns
 * which of them remember something, so that the law is asked to end them. */
typedef unsigned scree_kernel_leave(const struct scree_kernel_job *job, size_t first, unsigned left);

/** What a loop works on: candidates of one law and one pair of materials; the law decides which live.
 *
 * Lists name candidates that are near. Rows are candidates that follow each other: those of one grain, the
 * one in the lower slot, are a row, and SCREE_KERNEL_WIDTH rows side by side are a group, as deep as its
 * longest row. Candidate `first + SCREE_KERNEL_WIDTH k + l` is the k-th of row l of the first group; a row is
 * filled up with pairs of its grain with itself, which never live. Either side of a pair may come first. */
struct scree_kernel_job {
    struct scree_kernel_rule rule;
    const struct scree_grain *grain;
    const struct scree_pair *pair;        /**< by candidate */
    const struct scree_kernel_wall *wall; /**< by candidate; at walls only */
    double *history;                      /**< by candidate, `stride` doubles apart */
    size_t stride;
    int64_t *sum;      /**< by grain, SCREE_TERMS each, in multiples of its quanta */
    int64_t *internal; /**< likewise the losses inside contacts; null where no law has any */
    const uint32_t
        *into;        /**< by candidate: where the grain in the higher slot is summed; null: at its slot */
    uint32_t nowhere; /**< a sum that is never read */
    double *push;     /**< by candidate, SCREE_KERNEL_WALL_TERMS each; at walls only, and not summed */
    const uint32_t *candidate;       /**< filled up to a multiple of SCREE_KERNEL_WIDTH by repeating one */
    size_t count;                    /**< that are real */
    size_t first;                    /**< of rows: the first candidate, a multiple of 8 */
    const uint8_t *depth;            /**< of each group of rows */
    size_t groups;                   /**< of rows */
    uint8_t *live;                   /**< of rows: by eight candidates, a bit each: near now */
    double range;                    /**< of rows: how far beyond touch a candidate is near, m */
    scree_kernel_leave *leave;       /**< of rows */
    const double *tangential_factor; /**< by grain: its share m (1/m + R^2/I) in a tangential effective mass;
                              null where all are balls, or disks, of their own */
    bool has_fixed;                  /**< some grains are fixed in place, and act like a wall */
    bool tries;                      /**< terms are measured alone: neither histories nor sums change */
    scree_kernel_visit *measure;     /**< sees all terms; null but now and then */
    scree_kernel_visit *beyond;      /**< leaves of terms beyond their limits what is within */
    double *excess;           /**< largest overlap beyond the limit seen so far, m; positive is an alarm */
    void *context;            /**< of the engine's functions */
    double *stored, *sliding; /**< of looks: by contact in order, J and W, zero where there is none and for
                                   what fills up; aligned to 64 bytes */
};

#ifndef __cplusplus

_Static_assert(sizeof(SCREE_REAL) == sizeof(double), "loops are of doubles");

/** Rows of a tile: the words of a grain's record, then its on-step values. */
enum {
    SCREE_ROW_VELOCITY = 4,
    SCREE_ROW_SPIN = 8,
    SCREE_ROW_RADIUS = 3,
    SCREE_ROW_MASS = 7,
    SCREE_ROW_KICK = 11,
    SCREE_ROW_FLAGS = 15, // and the quantum above them
    SCREE_ROW_FULL_VELOCITY = 16,
    SCREE_ROWS = 24
};

/** What rows know of candidates besides their grains: numbers are one or zero but for `sign`. */
struct scree_kernel_slots {
    double sign[SCREE_KERNEL_WIDTH];   // 1 where the grain of the row is the side of lower id, else -1
    double real[SCREE_KERNEL_WIDTH];   // does not fill up a row
    double ending[SCREE_KERNEL_WIDTH]; // no longer near, and the law is asked to end it
    // Comes out. A word of half the width makes the compiler work on two registers of doubles in turn.
    uint32_t near[SCREE_KERNEL_WIDTH];
};

/** Eight lanes of a tile from a multiple of eight on. */
#define SCREE_KERNEL_EIGHT(tile, lane) ((scree_kernel_lanes *)&(tile)[0][lane])

/** How much wider than touch and reach the test is of what is near, so that only the law decides what lives.
 */
#define SCREE_KERNEL_WIDER (1.0 + 1e-12)

#define SCREE_KERNEL_BODY <scree/kernel_lanes.inc>
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

#endif

#ifdef __cplusplus
}
#endif
#endif
