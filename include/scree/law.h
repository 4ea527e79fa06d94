// Law: what a contact law offers, and the plain values it works on.
//
// A law is physics alone: no memory, no input or output, no sums over contacts. Its functions are `static
// inline` over the structs below, so that an engine expands them into a batch loop (kernel.h), a user
// compiles them with this header, and an implicit engine can try a state: history goes in and comes out, and
// nothing is committed. The number type is SCREE_REAL (double unless defined before) and the function
// qualifier SCREE_FN, so the same text compiles for float or double, for host or device.
//
// Signs: the normal points from the second side to the first; `overlap` is positive in touch; forces and
// couples are those on the first side.
#ifndef SCREE_LAW_H
#define SCREE_LAW_H

#include <scree/types.h>

#ifndef SCREE_REAL
#define SCREE_REAL double
#endif

#ifndef SCREE_FN
#ifdef __CUDACC__
#define SCREE_FN static inline __host__ __device__
#else
// a batch loop around a call is no vector code
#define SCREE_FN static inline __attribute__((always_inline))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Grows when the structs of this header, of frame.h, kernel.h or resistance.h change, or what is to be found
 * in them: the loops that are compiled with a law know them all. A law compiled with another is refused. */
#define SCREE_LAW_VERSION 8

enum {
    SCREE_LAW_HISTORY = 12,   /**< values that one contact can have under one law */
    SCREE_LAW_CONSTANTS = 16, /**< that a law computes once from parameters and properties */
    SCREE_LAW_PARAMETERS = 24,
    SCREE_LAW_PROPERTIES = 8
};

/** Three components. */
struct scree_law_vector {
    SCREE_REAL x, y, z;
};

/** One contact as a law sees it. Velocities are of the first side relative to the second, at the contact. */
struct scree_law_contact {
    SCREE_REAL overlap; /**< m; negative within reach but apart */
    struct scree_law_vector normal;
    SCREE_REAL arm[2];             /**< from each centre to the contact, m */
    SCREE_REAL radius;             /**< effective: 1/R = 1/R1 + 1/R2, m */
    SCREE_REAL mass;               /**< effective: 1/m = 1/m1 + 1/m2, kg */
    SCREE_REAL mass_tangential;    /**< with the inertias: 1/m_t = 1/m + R1^2/I1 + R2^2/I2, kg */
    SCREE_REAL approach;           /**< on-step normal velocity, negative when closing, m/s */
    struct scree_law_vector slip;  /**< on-step tangential velocity, m/s */
    struct scree_law_vector slide; /**< tangential way gone in the step, in the plane of `normal`, m */
    SCREE_REAL step;               /**< time step, s; 0 when a state is only looked at */
};

/** What a law makes of it. */
struct scree_law_reply {
    SCREE_REAL live;                /**< 1 where the contact exists, else 0, and then nothing else counts */
    SCREE_REAL normal;              /**< force along the normal, positive when it pushes apart, N */
    struct scree_law_vector force;  /**< tangential force, N */
    struct scree_law_vector couple; /**< besides that of the force about each centre, N m */
    SCREE_REAL stored;              /**< elastic energy of the contact, J */
    SCREE_REAL friction;            /**< lost to slipping on the way of this step, J */
    SCREE_REAL sliding;             /**< power that is lost to slipping now, by dashpots that slip, W */
    SCREE_REAL dashpot;             /**< lost to dashpots in this step, J */
    SCREE_REAL internal; /**< lost inside the contact in this step, to plastic flow or adhesion, J; negative
                           where the law itself makes energy */
    SCREE_REAL stiffness[2]; /**< tangent: [0] along the normal, [1] across it, N/m */
};

/** A parameter of a law, of a pair of materials. */
struct scree_law_parameter {
    const char *name;
    const char *unit;           /**< SI, empty for none */
    double least, most;         /**< the range, both ends allowed */
    bool required;              /**< an error that names it when it is left out; else `fallback` */
    double fallback;            /**< not a number: the law sees that it was not given */
    const char *about;          /**< one sentence */
    const char *const *choices; /**< words that stand for 0, 1, 2..., closed by null; or null for a number */
};

/** A value of a contact's history. */
struct scree_law_value {
    const char *name;
    const char *unit;
    unsigned width; /**< 3: a vector across the normal, turned with it; 1: a number. Vectors come first */
    const char *about;
};

/** What a law's constants are made from. */
struct scree_law_pair {
    const double *parameter;     /**< in the order of the law's table */
    const double (*property)[2]; /**< of the two materials, in the order of the law's list */
    int dimension;
};

struct scree_kernel_job;

/** A batch loop over contacts, see kernel.h. */
typedef void scree_kernel(const struct scree_kernel_job *job);

enum {
    SCREE_KERNEL_SETS = 3,   /**< instruction sets: x86-64-v2 or any other processor, v3, v4 */
    SCREE_KERNEL_PLACES = 6, /**< what a loop runs over, enum scree_kernel_place */
    SCREE_KERNEL_EXTRAS = 2  /**< the bare law, and with resistance to rolling and twisting */
};

/** What a contact law offers. History is `history` values, of which the vectors among them come first and are
 * turned by the engine as the normal turns before the law sees them. All functions are non-null and free of
 * branches that depend on a contact: selects (`a > b ? x : y` over plain values) become vector code. */
struct scree_contact_law {
    unsigned version; /**< SCREE_LAW_VERSION */
    const char *name;
    const char *about;                            /**< one sentence, with the source */
    const struct scree_law_parameter *parameters; /**< closed by one without a name */
    const char *const *properties;                /**< of the materials, closed by null; or null */
    const struct scree_law_value *values;         /**< the history, closed by one without a name */
    unsigned dimensions;                          /**< bit 2: has a meaning for disks; bit 3: for spheres */
    bool loses;                                   /**< its `inner` losses or couples are not always zero */
    bool damps;                                   /**< its force depends on velocity besides friction */
    /** Computes the constants; returns null, or what is wrong with the parameters. */
    const char *(*prepare)(const struct scree_law_pair *pair, double *constants);
    /** How far beyond touch a contact of this effective radius may live, m. The lists of a world go as far as
     * the answer for its largest radius, so it must not be less for a larger one. What went farther while its
     * history is not all zero is asked once more, to end, and is forgotten then, whatever the law says. */
    double (*range)(const double *constants, double radius);
    /** The force, from the history before to that after, which are never the same array. */
    struct scree_law_reply (*force)(const SCREE_REAL *constants, const struct scree_law_contact *contact,
                                    const SCREE_REAL *before, SCREE_REAL *after);
    /** The batch loops, SCREE_KERNEL_TABLE of kernel_loops.inc. */
    scree_kernel *kernel[SCREE_KERNEL_SETS][SCREE_KERNEL_EXTRAS][SCREE_KERNEL_PLACES];
};

SCREE_FN struct scree_law_vector scree_law_add(struct scree_law_vector a, struct scree_law_vector b)
{
    const struct scree_law_vector sum = {a.x + b.x, a.y + b.y, a.z + b.z};
    return sum;
}

SCREE_FN struct scree_law_vector scree_law_subtract(struct scree_law_vector a, struct scree_law_vector b)
{
    const struct scree_law_vector difference = {a.x - b.x, a.y - b.y, a.z - b.z};
    return difference;
}

SCREE_FN struct scree_law_vector scree_law_scale(SCREE_REAL s, struct scree_law_vector a)
{
    const struct scree_law_vector scaled = {s * a.x, s * a.y, s * a.z};
    return scaled;
}

SCREE_FN SCREE_REAL scree_law_dot(struct scree_law_vector a, struct scree_law_vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

SCREE_FN struct scree_law_vector scree_law_cross(struct scree_law_vector a, struct scree_law_vector b)
{
    const struct scree_law_vector product = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z,
                                             a.x * b.y - a.y * b.x};
    return product;
}

/** Square root of a number that is not negative. */
SCREE_FN SCREE_REAL scree_law_root(SCREE_REAL x)
{
    return sizeof x == sizeof(float) ? (SCREE_REAL)__builtin_sqrtf((float)x)
                                     : (SCREE_REAL)__builtin_sqrt((double)x);
}

#ifdef __cplusplus
}
#endif
#endif
