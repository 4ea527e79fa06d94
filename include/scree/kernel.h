// Kernel: batch loops over contacts, expanded around the `force` function of a law.
//
// The source of a law includes kernel_loops.inc at its end. The resulting loops load the grain records of
// sixteen contacts at a time, transpose them in registers, call the law for each lane, and add forces and
// moments to the sums of both grains. They are compiled for several instruction sets that give the same bits.
// C only, double only. The computation of one contact is in frame.h.
//
// Sums are independent of the order: a term v is rounded to a multiple of the quantum q of the grain as
// bits(v + M) - bits(M), where M = 7 * 2^50 q, and the integers add exactly (pre-rounding: Demmel and Nguyen,
// IEEE ARITH 21, 2013; fixed point: Le Grand et al., Comput. Phys. Commun. 184, 374, 2013). Terms of 2^50 q
// or more are passed to the engine, which splits them.
#ifndef SCREE_KERNEL_H
#define SCREE_KERNEL_H

#include <scree/compiler.h>
#include <scree/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Grain: a sphere or disk that can have contacts, two cache lines. All data of a body that contact kernels
 * read. A frictionless law reads only the first line. */
struct scree_grain {
    double position[3];
    double radius;
    double velocity[3]; /**< at the level of scree_world_level */
    double mass;
    double spin[3];      /**< angular velocity, world axes, same level */
    float half_kick[3];  /**< mid-step velocity + half_kick = predicted on-step velocity */
    float half_twist[3]; /**< the same for the spin */
    uint32_t owner;      /**< slot of the body */
    uint16_t kind;       /**< as the field "body.kind" */
    uint16_t material;   /**< id, 0 for none */
    uint32_t flags;
    uint16_t part;    /**< number of the grain within its owner, 0 for the body's own */
    uint16_t quantum; /**< upper 16 bits of the double M that rounds forces; 0: not yet known */
};

/** Slots of the two grains of a candidate pair, lower id first; at walls the second is unused. */
struct scree_pair {
    uint32_t low, high;
};

/** Terms that a contact adds to a grain: force, friction loss, moment, dashpot loss and internal dissipation.
 * Each side gets half of the losses. The first eight terms are adjacent in memory. */
enum {
    SCREE_TERM_FORCE = 0,
    SCREE_TERM_FRICTION = 3,
    SCREE_TERM_MOMENT = 4,
    SCREE_TERM_DASHPOT = 7,
    SCREE_TERMS = 8,
    SCREE_TERM_INTERNAL = 8,
    SCREE_TERMS_ALL = 9
};

/** Contacts per tile: two registers of the widest instruction set, whose interleaved operations hide latency.
 * Tiles are loaded, and sums updated, eight contacts at a time. */
enum { SCREE_KERNEL_WIDTH = 16 };

/** A row of a tile: one value for each contact. */
typedef double scree_kernel_lanes[SCREE_KERNEL_WIDTH];

/** Output of a contact with a wall or from outside: the terms of the first side, then the couple. */
enum { SCREE_KERNEL_WALL_TERMS = 12, SCREE_KERNEL_COUPLE = SCREE_TERMS_ALL };

/** Rounding constants M of a grain: M of forces is the double whose upper 16 bits are `quantum`,
 *     M of moments = 2^floor(log2 radius) M of forces,
 *     M of losses = SCREE_QUANTUM_LOSS M of moments.
 * A term v is within its limit if v + M and M agree in the bits of SCREE_QUANTUM_MASK. SCREE_QUANTUM_SIZE
 * selects the exponent: a positive x becomes 2^floor(log2 x). */
#define SCREE_QUANTUM_BITS UINT64_C(0xFFFF000000000000)
#define SCREE_QUANTUM_SIZE UINT64_C(0x7FF0000000000000)
#define SCREE_QUANTUM_MASK UINT64_C(0xFFF8000000000000)
#define SCREE_QUANTUM_LOSS 0x1p-10

/** The loops of a law, by the candidates that they process. */
enum scree_kernel_loop {
    SCREE_KERNEL_INSIDE,        /**< list: both grains in one spatial tile */
    SCREE_KERNEL_ACROSS,        /**< list: grains in two tiles, or near periodic faces */
    SCREE_KERNEL_WALL,          /**< list: a grain and a wall */
    SCREE_KERNEL_ROWS,          /**< rows, see scree_kernel_job */
    SCREE_KERNEL_EVALUATE,      /**< energies only: list of pairs of grains */
    SCREE_KERNEL_EVALUATE_ROWS, /**< energies only: rows */
    SCREE_KERNEL_OUTSIDE,       /**< list: contacts whose geometry the engine computes */
};

/** Terms of one side of eight contacts, passed to the engine's functions `measure` and `split`: the slots of
 * the grains, the indices of their sums, and the terms. The first `count` contacts are valid. */
struct scree_kernel_eight {
    const uint32_t *grain, *sum_index;
    scree_kernel_lanes *term;
    unsigned count;
};
typedef void scree_kernel_visit(const struct scree_kernel_job *job, const struct scree_kernel_eight *eight);

/** Forces on the first sides of eight contacts, the first three rows of `term`, and the numbers of periods by
 * which the second sides were moved to their nearest images, some of which are not 0. The first `count`
 * contacts are valid. */
typedef void scree_kernel_visit_across(const struct scree_kernel_job *job, scree_kernel_lanes *term,
                                       scree_kernel_lanes *periods, unsigned count);

/** Finds the contacts that the law must evaluate once more to end them. The bit mask `out_of_range` marks
 * those of the SCREE_KERNEL_WIDTH candidates from `first` on that left the interaction range; returns the
 * mask of those whose energy is in the ledger. */
typedef unsigned scree_kernel_find_ended(const struct scree_kernel_job *job, size_t first,
                                         unsigned out_of_range);

/** Input and output of a loop: candidates of one class (law and constants). The law decides which are live.
 *
 * A list contains the indices of candidates within the interaction range. A row contains all candidates of
 * one grain, which has the lower slot in each pair. SCREE_KERNEL_WIDTH rows side by side are a group; its
 * depth is the length of its longest row. Candidate `first + SCREE_KERNEL_WIDTH k + l` is the k-th of row l
 * of the first group. Rows are padded with self-pairs of the grain, which are never live. The grain of the
 * row may have the lower or the higher id. */
struct scree_kernel_job {
    struct scree_kernel_rule rule;
    const struct scree_grain *grain;
    const struct scree_kernel_cell *cell; /**< lists ACROSS: moves second sides to their nearest images; null:
                                               the periods of the rule apply */
    const struct scree_pair *pair;        /**< per candidate */
    const struct scree_kernel_wall *wall; /**< per candidate; walls only */
    const struct scree_kernel_outside *outside; /**< per candidate; contacts from outside only */
    double *history;                            /**< per candidate, `stride` doubles each */
    size_t stride;
    int64_t *sum;              /**< per grain, SCREE_TERMS each, in multiples of its quanta */
    int64_t *internal;         /**< per grain, internal dissipation; null if no law has any */
    const uint32_t *sum_index; /**< per candidate: index in `sum` for the higher slot; null: that slot */
    uint32_t dummy_sum;        /**< index of a sum that is never read, for padding */
    double *wall_terms;        /**< per candidate, SCREE_KERNEL_WALL_TERMS each, not summed; walls and
                                  contacts from outside */
    const uint32_t *candidate; /**< padded to a multiple of SCREE_KERNEL_WIDTH by repeating one */
    size_t count;              /**< number without padding */
    size_t first;              /**< rows: the first candidate, a multiple of 8 */
    const uint8_t *depth;      /**< rows: per group */
    size_t groups;             /**< rows: number of groups */
    uint8_t *live;             /**< rows: one bit per candidate: within range */
    double range;              /**< rows: interaction range, m */
    scree_kernel_find_ended *find_ended; /**< rows */
    struct scree_law_powers powers;      /**< of the law, to correct contacts that begin or end */
    bool has_powers;                     /**< the law has powers */
    const double *tangential_factor; /**< per grain: m (1/m + R^2/I), for tangential effective masses; null if
                                        all are own grains of solid spheres or disks */
    bool has_fixed;                  /**< some grains have a fixed position: infinite mass */
    bool measure_only;               /**< only call `measure`; histories and sums stay unchanged */
    scree_kernel_visit *measure;     /**< called with all terms; usually null */
    scree_kernel_visit *split;       /**< splits terms beyond their limits */
    scree_kernel_visit_across *across; /**< with `cell`: called for contacts with other images */
    void *across_context;
    double *excess;           /**< largest value so far of overlap minus its limit, m; positive: alarm */
    void *context;            /**< for the engine's functions */
    double *stored, *sliding; /**< energy loops: per contact in order, J and W, zero without contact and for
                                   padding; aligned to 64 bytes */
};

#ifndef __cplusplus

_Static_assert(sizeof(SCREE_REAL) == sizeof(double), "the batch loops need SCREE_REAL double");

/** Rows of a tile: the words of a grain record, then the on-step velocities. */
enum {
    SCREE_ROW_VELOCITY = 4,
    SCREE_ROW_SPIN = 8,
    SCREE_ROW_RADIUS = 3,
    SCREE_ROW_MASS = 7,
    SCREE_ROW_KICK = 11,
    SCREE_ROW_FLAGS = 15, // with the quantum in the upper bits
    SCREE_ROW_FULL_VELOCITY = 16,
    SCREE_ROW_WALL_PACKED = 14, /**< of a wall: the change of its velocity and its mobility, as floats,
                                     and widened */
    SCREE_ROW_WALL_CHANGE = 16,
    SCREE_ROW_OUTSIDE_RATIO = 19, /**< of a contact from outside */
    SCREE_ROW_OUTSIDE_WEIGHT = 23,
    SCREE_ROWS = 24
};

/** Properties of the candidates of a tile, one per lane. */
struct scree_kernel_candidates {
    double sign[SCREE_KERNEL_WIDTH];   // 1 if the grain of the row has the lower id, else -1
    double valid[SCREE_KERNEL_WIDTH];  // 1, or 0 for padding
    double ending[SCREE_KERNEL_WIDTH]; // 1 if out of range and to be ended by the law, else 0
    // the members of scree_kernel_onset
    double share[SCREE_KERNEL_WIDTH], spring_extra[SCREE_KERNEL_WIDTH], dashpot_extra[SCREE_KERNEL_WIDTH],
        parted[SCREE_KERNEL_WIDTH];
    // Output: overlaps now and one step ago, m.
    double overlap[SCREE_KERNEL_WIDTH], previous_overlap[SCREE_KERNEL_WIDTH];
    // Output: nonzero if within range, and if only one of both overlaps is positive. 32 bits make the
    // compiler interleave two registers of doubles.
    uint32_t in_range[SCREE_KERNEL_WIDTH], crossed[SCREE_KERNEL_WIDTH];
};

/** Tangential masses of the contacts of a tile, see scree_kernel_frame. */
struct scree_kernel_masses {
    double ratio[SCREE_KERNEL_WIDTH], extra[SCREE_KERNEL_WIDTH];
};

/** No contact begins or ends. */
SCREE_KERNEL_INLINE void scree_kernel_clear_onsets(struct scree_kernel_candidates *restrict candidates)
{
    for (int l = 0; l < SCREE_KERNEL_WIDTH; ++l) {
        candidates->share[l] = 1.0;
        candidates->spring_extra[l] = candidates->dashpot_extra[l] = candidates->parted[l] = 0.0;
    }
}

/** Corrects the contacts of the bit mask `crossed`, which begin or end. */
static __attribute__((noinline, unused)) void
scree_kernel_set_onsets(struct scree_kernel_candidates *restrict candidates, unsigned crossed,
                        struct scree_law_powers powers)
{
    for (; crossed; crossed &= crossed - 1) {
        const int l = __builtin_ctz(crossed);
        const struct scree_kernel_onset onset =
            scree_kernel_onset_of(powers, candidates->previous_overlap[l], candidates->overlap[l]);
        candidates->share[l] = onset.share;
        candidates->spring_extra[l] = onset.spring_extra;
        candidates->dashpot_extra[l] = onset.dashpot_extra;
        candidates->parted[l] = onset.parted;
    }
}

/** Eight lanes of a tile, from lane `lane`, a multiple of eight. */
#define SCREE_KERNEL_EIGHT(tile, lane) ((scree_kernel_lanes *)&(tile)[0][lane])

/** Safety factor on the squared interaction range, so that round-off cannot exclude a live contact. */
#define SCREE_KERNEL_WIDER (1.0 + 1e-12)

#define SCREE_KERNEL_BODY <scree/kernel_lanes.inc>
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

#endif

#ifdef __cplusplus
}
#endif
#endif
