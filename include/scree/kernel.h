// Kernel: the batch loops that an engine runs over contacts, expanded around a law's `force`.
//
// A law's file ends with an inclusion of kernel_loops.inc. The loops it makes load whole records of grains,
// sixteen contacts at a time, transpose them in registers, call the law lane by lane, and add force and
// moment to the sums of both grains. They are compiled for several instruction sets, whose bits agree. C
// only.
//
// Sums have no order: a term v is rounded to a multiple of the grain's quantum q as bits(v + M) - bits(M),
// where M = 7 * 2^50 q, and such integers add exactly, in whichever order they come (pre-rounding: Demmel and
// Nguyen, IEEE ARITH 21, 2013; fixed point: Le Grand et al., Comput. Phys. Commun. 184, 374, 2013). Terms of
// 2^50 q or more are given to the engine, which splits them.
//
// Friction history and time levels: the spring advances with mid-step velocities in the mid-step tangent
// plane and is then turned to the plane of the step by the minimal rotation (Vyas et al., Comput. Phys.
// Commun. 310, 109524, 2025).
#ifndef SCREE_KERNEL_H
#define SCREE_KERNEL_H

#include <scree/law.h>
#include <scree/resistance.h>

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

/** What a grain meets of a wall, two cache lines. */
struct scree_kernel_wall {
    double normal[3];   /**< from the wall to the centre of the grain */
    double gap;         /**< from the surface to that centre, m */
    double velocity[3]; /**< of the wall's matter there, m/s */
    double spin[3];
    double middle[3]; /**< the normal half a step ago */
    double half_gap;  /**< and the gap then, m */
    double spare[2];
};

/** What a contact gives a grain: force, loss to friction, moment, loss to dashpots, and the loss inside the
 * contact. Of losses either side of a contact has half. The first eight are summed side by side. */
enum {
    SCREE_TERM_FORCE = 0,
    SCREE_TERM_FRICTION = 3,
    SCREE_TERM_MOMENT = 4,
    SCREE_TERM_DASHPOT = 7,
    SCREE_TERMS = 8,
    SCREE_TERM_INNER = 8,
    SCREE_TERMS_ALL = 9
};

/** Contacts that a loop works out together: of the widest set of instructions two registers, whose operations
 * alternate, for one would wait for itself most of the time. Tiles are so wide; they are filled, and sums are
 * added to, eight contacts at a time. */
enum { SCREE_KERNEL_WIDTH = 16 };

/** A row of a tile: one value of each contact. */
typedef double scree_kernel_lanes[SCREE_KERNEL_WIDTH];

/** Doubles that a contact with a wall leaves behind: the terms of its grain, then the couple. */
enum { SCREE_KERNEL_PUSH = 12, SCREE_KERNEL_COUPLE = SCREE_TERMS_ALL };

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
    SCREE_KERNEL_LOOK,
    SCREE_KERNEL_LOOK_ROWS
};

/** The numbers that all contacts of a job share. */
struct scree_kernel_rule {
    double constants[SCREE_LAW_CONSTANTS];         /**< of the law */
    double resistance[SCREE_RESISTANCE_CONSTANTS]; /**< to rolling and twisting */
    double step;                                   /**< s */
    double period[3];                              /**< of the cell, infinite where it is not periodic */
    double arm;     /**< share of the overlap by which an arm is shorter than the radius */
    double turning; /**< tangential effective mass over effective mass, of balls 2/7, of disks 1/3 */
    double limit;   /**< overlap over the smaller radius that is too much */
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
    int64_t *sum;   /**< by grain, SCREE_TERMS each, in multiples of its quanta */
    int64_t *inner; /**< likewise the losses inside contacts; null where no law has any */
    const uint32_t
        *into;        /**< by candidate: where the grain in the higher slot is summed; null: at its slot */
    uint32_t nowhere; /**< a sum that is never read */
    double *push;     /**< by candidate, SCREE_KERNEL_PUSH each; at walls only, and not summed */
    const uint32_t *candidate;   /**< filled up to a multiple of SCREE_KERNEL_WIDTH by repeating one */
    size_t count;                /**< that are real */
    size_t first;                /**< of rows: the first candidate, a multiple of 8 */
    const uint8_t *depth;        /**< of each group of rows */
    size_t groups;               /**< of rows */
    uint8_t *live;               /**< of rows: by eight candidates, a bit each: near now */
    double reach;                /**< of rows: how far beyond touch a candidate is near, m */
    scree_kernel_leave *leave;   /**< of rows */
    const double *yield;         /**< by grain: its share m (1/m + R^2/I) in a tangential effective mass; null
                                      where all are balls, or disks, of their own */
    bool holds;                  /**< some grains are fixed in place, and act like a wall */
    bool tries;                  /**< terms are measured alone: neither histories nor sums change */
    scree_kernel_visit *measure; /**< sees all terms; null but now and then */
    scree_kernel_visit *beyond;  /**< leaves of terms beyond their limits what is within */
    double *excess;              /**< largest overlap beyond the limit seen so far, m; positive is an alarm */
    void *context;               /**< of the engine's functions */
    double *stored, *sliding;    /**< of looks: by contact in order, J and W, zero where there is none and for
                                      what fills up; aligned to 64 bytes */
};

#ifndef __cplusplus

#if defined __x86_64__
#include <immintrin.h>
#endif

#define SCREE_KERNEL_INLINE static inline __attribute__((always_inline, unused))

/** One side of a contact: half is the mid-step value, full the on-step one. */
struct scree_kernel_side {
    struct scree_law_vector centre, half_velocity, half_spin, full_velocity, full_spin;
    double radius, mass;
};

/** The geometry and motion of a contact. */
struct scree_kernel_frame {
    struct scree_law_vector normal, middle;               /**< unit, of the step and of half a step ago */
    struct scree_law_vector half_velocity, full_velocity; /**< relative, of the centres */
    struct scree_law_vector half_sweep, full_sweep;       /**< arm by spin, summed over the sides */
    struct scree_law_vector half_spin, full_spin;         /**< relative */
    double overlap, radius, mass, arm[2], smaller;
    double square, size; // of the distance of the centres; the sum of the radii; not at walls
    double turning;      // tangential effective mass over effective mass
};

/** What a contact gives. */
struct scree_kernel_push {
    struct scree_law_vector force, couple; // on the first side
    struct scree_law_vector moment[2];     // about the centres
    double friction, dashpot, inner;
};

/** Tangential effective mass over effective mass of two grains, of which each gives way `yield` times as much
 * as its mass alone: 1/m_t = y_1/m_1 + y_2/m_2. */
SCREE_KERNEL_INLINE double scree_kernel_turning(double yield, double mass, double other_yield,
                                                double other_mass)
{
    return yield == other_yield ? 1.0 / yield
                                : (mass + other_mass) / (yield * other_mass + other_yield * mass);
}

/** Shortest difference in a direction of period `length`. */
SCREE_KERNEL_INLINE double scree_kernel_nearest(double difference, double length)
{
    const double half = 0.5 * length;
    const double down = difference > half ? length : 0.0;
    const double up = difference < -half ? length : 0.0;
    return difference - down + up;
}

/** `first`: 1 where `i` is the side of lower id, else -1: all but the direction of centres that coincide is
 * the same seen from either side, to the bit. */
SCREE_KERNEL_INLINE struct scree_kernel_frame scree_kernel_meet(const struct scree_kernel_rule *rule,
                                                                const struct scree_kernel_side *i,
                                                                const struct scree_kernel_side *j,
                                                                double first, bool periodic)
{
    struct scree_kernel_frame f;
    struct scree_law_vector d = scree_law_subtract(i->centre, j->centre);
    if (periodic) {
        d.x = scree_kernel_nearest(d.x, rule->period[0]);
        d.y = scree_kernel_nearest(d.y, rule->period[1]);
        d.z = scree_kernel_nearest(d.z, rule->period[2]);
    }
    f.half_velocity = scree_law_subtract(i->half_velocity, j->half_velocity);
    f.full_velocity = scree_law_subtract(i->full_velocity, j->full_velocity);
    // centres that coincide are pushed apart along x
    const double given = scree_law_dot(d, d), square = given > 0x1p-1000 ? given : 0x1p-1000;
    d.x = given > 0x1p-1000 ? d.x : first * 0x1p-500;
    const double distance = __builtin_sqrt(square);
    const double size = i->radius + j->radius, weight = i->mass + j->mass;
    f.square = given;
    f.size = size;
    f.turning = rule->turning;
    // one division for two reciprocals
    const double sums = 1.0 / (size * weight);
    // a division beside the root, not after it
    const double inverse_square = 1.0 / square, inverse = distance * inverse_square;
    f.normal = scree_law_scale(inverse, d);
    f.radius = i->radius * j->radius * (sums * weight);
    f.mass = i->mass * j->mass * (sums * size);

    // half a step ago; its direction to third order in what the distance changed by is all that slides need,
    // and where centres nearly coincide nothing is known of it
    const struct scree_law_vector back =
        scree_law_subtract(d, scree_law_scale(0.5 * rule->step, f.half_velocity));
    const double changed = (scree_law_dot(back, back) - square) * inverse_square;
    const double change = changed < 1.0 ? changed : 0.0;
    const struct scree_law_vector from = {changed < 1.0 ? back.x : d.x, changed < 1.0 ? back.y : d.y,
                                          changed < 1.0 ? back.z : d.z};
    f.middle = scree_law_scale(inverse * (1.0 - change * (0.5 - 0.375 * change)), from);

    f.overlap = size - distance;
    f.smaller = i->radius < j->radius ? i->radius : j->radius;
    const double shift = rule->arm * f.overlap;
    f.arm[0] = i->radius - shift;
    f.arm[1] = j->radius - shift;
    // arms change as grains approach, and a slide with the arms of the step is of order 1
    const double half_shift = rule->arm * (f.overlap - 0.5 * change * distance);
    f.half_sweep = scree_law_add(scree_law_scale(i->radius - half_shift, i->half_spin),
                                 scree_law_scale(j->radius - half_shift, j->half_spin));
    f.full_sweep =
        scree_law_add(scree_law_scale(f.arm[0], i->full_spin), scree_law_scale(f.arm[1], j->full_spin));
    f.half_spin = scree_law_subtract(i->half_spin, j->half_spin);
    f.full_spin = scree_law_subtract(i->full_spin, j->full_spin);
    return f;
}

/** A wall has no mass and no radius to share: the grain's are the effective ones. */
SCREE_KERNEL_INLINE struct scree_kernel_frame scree_kernel_meet_wall(const struct scree_kernel_rule *rule,
                                                                     const struct scree_kernel_side *i,
                                                                     const struct scree_kernel_wall *wall)
{
    struct scree_kernel_frame f;
    const struct scree_law_vector velocity = {wall->velocity[0], wall->velocity[1], wall->velocity[2]};
    const struct scree_law_vector spin = {wall->spin[0], wall->spin[1], wall->spin[2]};
    f.normal = (struct scree_law_vector){wall->normal[0], wall->normal[1], wall->normal[2]};
    f.middle = (struct scree_law_vector){wall->middle[0], wall->middle[1], wall->middle[2]};
    f.half_velocity = scree_law_subtract(i->half_velocity, velocity);
    f.full_velocity = scree_law_subtract(i->full_velocity, velocity);
    f.overlap = i->radius - wall->gap;
    f.radius = f.smaller = f.size = i->radius;
    f.square = 0;
    f.mass = i->mass;
    f.turning = rule->turning;
    f.arm[0] = i->radius - rule->arm * f.overlap;
    f.arm[1] = 0;
    f.half_sweep = scree_law_scale(i->radius - rule->arm * (i->radius - wall->half_gap), i->half_spin);
    f.full_sweep = scree_law_scale(f.arm[0], i->full_spin);
    f.half_spin = scree_law_subtract(i->half_spin, spin);
    f.full_spin = scree_law_subtract(i->full_spin, spin);
    return f;
}

/** The part across n of the surface velocity v - w x n. */
SCREE_KERNEL_INLINE struct scree_law_vector scree_kernel_slip(struct scree_law_vector v, double along,
                                                              struct scree_law_vector w,
                                                              struct scree_law_vector n)
{
    return scree_law_subtract(scree_law_subtract(v, scree_law_scale(along, n)), scree_law_cross(w, n));
}

/** Where the middle normal would have to lean to for one unit along the normal: moving along it brings a
 * vector to the plane of the step. */
SCREE_KERNEL_INLINE struct scree_law_vector scree_kernel_lean(const struct scree_kernel_frame *f)
{
    // 1 / x about 1, to second order in what a cosine lacks of 1
    return scree_law_scale(2.0 - scree_law_dot(f->middle, f->normal), f->middle);
}

/** A vector brought to the plane across the normal. The middle normal halves the angle between the normals
 * before and after the step, and a move along it is a turn by that angle. */
SCREE_KERNEL_INLINE struct scree_law_vector
scree_kernel_turn(struct scree_law_vector u, struct scree_law_vector lean, struct scree_law_vector n)
{
    return scree_law_subtract(u, scree_law_scale(scree_law_dot(u, n), lean));
}

/** A vector of a contact's history brought to the plane of the step. */
SCREE_KERNEL_INLINE void scree_kernel_bring(const struct scree_kernel_frame *f, struct scree_law_vector lean,
                                            double *vector)
{
    const struct scree_law_vector old = {vector[0], vector[1], vector[2]};
    const struct scree_law_vector now = scree_kernel_turn(old, lean, f->normal);
    vector[0] = now.x;
    vector[1] = now.y;
    vector[2] = now.z;
}

/** What a law sees of a frame. */
SCREE_KERNEL_INLINE struct scree_law_contact scree_kernel_contact(const struct scree_kernel_rule *rule,
                                                                  const struct scree_kernel_frame *f,
                                                                  struct scree_law_vector lean)
{
    struct scree_law_contact c;
    c.overlap = f->overlap;
    c.normal = f->normal;
    c.arm[0] = f->arm[0];
    c.arm[1] = f->arm[1];
    c.radius = f->radius;
    c.mass = f->mass;
    c.mass_tangential = f->turning * f->mass;
    c.approach = scree_law_dot(f->full_velocity, f->normal);
    c.slip = scree_kernel_slip(f->full_velocity, c.approach, f->full_sweep, f->normal);
    const struct scree_law_vector half = scree_kernel_slip(
        f->half_velocity, scree_law_dot(f->half_velocity, f->middle), f->half_sweep, f->middle);
    c.slide = scree_kernel_turn(scree_law_scale(rule->step, half), lean, f->normal);
    c.step = rule->step;
    return c;
}

/** The resistance to rolling and twisting on top of a law's reply. */
SCREE_KERNEL_INLINE void scree_kernel_resist(const struct scree_kernel_rule *rule,
                                             const struct scree_kernel_frame *f,
                                             const struct scree_law_contact *c, struct scree_law_vector lean,
                                             struct scree_law_reply *reply, const double *before,
                                             double *after)
{
    const double about = scree_law_dot(f->half_spin, f->middle);
    const struct scree_law_vector half = scree_law_subtract(f->half_spin, scree_law_scale(about, f->middle));
    struct scree_law_turning turning;
    turning.twist = scree_law_dot(f->full_spin, f->normal);
    turning.roll = scree_law_subtract(f->full_spin, scree_law_scale(turning.twist, f->normal));
    turning.rolled = scree_kernel_turn(scree_law_scale(rule->step, half), lean, f->normal);
    turning.twisted = rule->step * about;
    scree_law_resist(rule->resistance, c, &turning, before, after, reply);
}

/** Selects: what is not live gives exact zeros, whatever the law computed. */
SCREE_KERNEL_INLINE struct scree_law_vector scree_kernel_keep(double live, struct scree_law_vector v)
{
    return (struct scree_law_vector){live > 0.0 ? v.x : 0.0, live > 0.0 ? v.y : 0.0, live > 0.0 ? v.z : 0.0};
}

SCREE_KERNEL_INLINE struct scree_kernel_push scree_kernel_finish(const struct scree_law_contact *c,
                                                                 const struct scree_law_reply *reply)
{
    const double live = reply->live;
    const struct scree_law_vector torque = scree_law_cross(c->normal, reply->force);
    struct scree_kernel_push push;
    push.force =
        scree_kernel_keep(live, scree_law_add(scree_law_scale(reply->normal, c->normal), reply->force));
    push.couple = scree_kernel_keep(live, reply->couple);
    push.moment[0] = scree_kernel_keep(live, scree_law_scale(-c->arm[0], torque));
    push.moment[1] = scree_kernel_keep(live, scree_law_scale(-c->arm[1], torque));
    push.friction = live > 0.0 ? reply->friction + c->step * reply->sliding : 0.0;
    push.dashpot = live > 0.0 ? reply->dashpot : 0.0;
    push.inner = live > 0.0 ? reply->inner : 0.0;
    return push;
}

/** The sets of instructions that loops are compiled for: features are named one by one, since a function for
 * a named processor cannot take one for another into itself. */
#define SCREE_KERNEL_V3 "avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"
#define SCREE_KERNEL_V4 SCREE_KERNEL_V3 ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl"

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

// clang would carry the first lane of a tile from the registers that filled it, and then sees no loop over
// equal lanes
#if defined __clang__
#define SCREE_KERNEL_SETTLE(tile) __asm__ volatile("" : : "r"(tile) : "memory")
#else
#define SCREE_KERNEL_SETTLE(tile) (void)(tile)
#endif

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
