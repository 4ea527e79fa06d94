// Law: the interface of contact laws.
//
// A law gives the force of a contact, for the soft engine, or the coefficients of a collision, for the event
// engine, or both. It contains only physics: no allocation, no input or output, no sums over contacts. Its
// functions are `static inline` functions of the structs below, which are expanded into batch loops
// (kernel.h). History is an input and an output and is stored by the caller, so a state can be evaluated
// without changing it. The number type is SCREE_REAL (double unless defined before) and the function
// qualifier is SCREE_FN: the same source compiles for float or double, for host or device.
//
// Signs: the normal points from the second side to the first; `overlap` is positive for touching surfaces;
// forces and couples are those on the first side.
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
// batch loops are only vectorised if the functions are inlined
#define SCREE_FN static inline __attribute__((always_inline))
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Incremented when the structs of law.h, frame.h, kernel.h or resistance.h, or their meaning, change,
 * because the loops compiled with a law depend on them. A law compiled with another version is refused. */
#define SCREE_LAW_VERSION 14

enum {
    SCREE_LAW_HISTORY = 12,    /**< maximum number of history values of a contact */
    SCREE_LAW_CONSTANTS = 16,  /**< maximum number of constants, computed by `prepare` */
    SCREE_LAW_PARAMETERS = 24, /**< maximum number of parameters */
    SCREE_LAW_PROPERTIES = 8   /**< maximum number of material properties */
};

/** Three components. */
struct scree_law_vector {
    SCREE_REAL x, y, z;
};

/** Input of a law. Velocities are those of the first side relative to the second, at the contact point. */
struct scree_law_contact {
    SCREE_REAL overlap; /**< m; negative for separated surfaces within the interaction range */
    struct scree_law_vector normal;
    SCREE_REAL arm[2];          /**< from each centre to the contact point, m */
    SCREE_REAL radius;          /**< effective: 1/R = 1/R1 + 1/R2, m */
    SCREE_REAL mass;            /**< effective: 1/m = 1/m1 + 1/m2, kg */
    SCREE_REAL mass_tangential; /**< tangential effective: 1/m_t = 1/m + R1^2/I1 + R2^2/I2, kg */
    SCREE_REAL normal_velocity; /**< on-step, negative while the sides approach each other, m/s */
    struct scree_law_vector tangential_velocity;     /**< on-step, m/s */
    struct scree_law_vector tangential_displacement; /**< in the step, in the plane of `normal`, m */
    SCREE_REAL step;  /**< time step, s; 0 to evaluate a state without advancing it */
    SCREE_REAL share; /**< part of the step in which the surfaces touch; contained in the displacement */
    SCREE_REAL tangential_extra; /**< sqrt(mass_tangential / mass) is 1 + this times that of solid spheres or
                                    disks: not 0 only with other bodies */
    // not 0 only in a step in which the contact begins or ends, see `powers` of a law
    SCREE_REAL spring_extra;  /**< elastic forces are multiplied by 1 + this */
    SCREE_REAL dashpot_extra; /**< dashpot forces are multiplied by 1 + this */
    SCREE_REAL parted;        /**< 1 if the surfaces do not touch any more: the Coulomb limit is 0 */
};

/** Output of a law. */
struct scree_law_reply {
    SCREE_REAL live;                /**< 1 if the contact exists; 0: everything else is ignored */
    SCREE_REAL normal;              /**< normal force, positive if repulsive, N */
    struct scree_law_vector force;  /**< tangential force, N */
    struct scree_law_vector couple; /**< in addition to the moments of the force about the centres, N m */
    SCREE_REAL stored;              /**< elastic energy of the contact, J */
    SCREE_REAL friction;            /**< loss of the sliding spring in this step, J */
    SCREE_REAL sliding;             /**< power of sliding dashpots, counted as friction, W */
    SCREE_REAL dashpot;             /**< lost to dashpots in this step, J */
    SCREE_REAL internal; /**< internal dissipation in this step, by plastic flow or adhesion, J; negative if
                           the law generates energy */
    SCREE_REAL stiffness[2]; /**< tangent stiffness: [0] normal, [1] tangential, N/m */
};

/** Input of `collision`: two bodies, or a body and a wall, at first touch. */
struct scree_law_impact {
    SCREE_REAL speed;  /**< closing speed along the normal at the contact point, positive, m/s */
    SCREE_REAL radius; /**< effective: 1/R = 1/R1 + 1/R2, m */
    SCREE_REAL mass;   /**< effective: 1/m = 1/m1 + 1/m2, kg */
};

/** Output of `collision`. The relative velocity at the contact point becomes -restitution times its normal
 * part and -tangential times its tangential part, unless friction is too small for that: the tangential
 * impulse is at most friction times the normal one. */
struct scree_law_coefficients {
    SCREE_REAL restitution; /**< from 0 to 1 */
    SCREE_REAL tangential;  /**< 1: reversed (perfectly rough); 0: stopped; -1: unchanged (smooth) */
    SCREE_REAL friction;    /**< at least 0; 0: smooth, whatever `tangential` is */
};

/** A parameter of a law, given for a pair of materials. */
struct scree_law_parameter {
    const char *name;
    const char *unit;           /**< SI; empty for none */
    double least, most;         /**< allowed range, ends included */
    bool required;              /**< leaving it out is an error; else `fallback` is the default */
    double fallback;            /**< default value; NaN: the law sees that it was not given */
    const char *about;          /**< one sentence */
    const char *const *choices; /**< words for 0, 1, 2..., terminated by null; null for a number */
};

/** A value of the contact history. */
struct scree_law_value {
    const char *name;
    const char *unit;
    unsigned width; /**< 3: a tangential vector, rotated with the normal; 1: a number. Vectors come first */
    const char *about;
};

/** Input of `prepare`. */
struct scree_law_pair {
    const double *parameter;     /**< in the order of the table of parameters */
    const double (*property)[2]; /**< of the two materials, in the order of the list of properties */
    int dimension;
};

/** Powers of the overlap to which normal forces are proportional at small overlaps: 0, 1/4, 1/2, 1 or 3/2. */
struct scree_law_powers {
    double elastic, dashpot;
};

struct scree_kernel_job;

/** A batch loop over contacts, see kernel.h. */
typedef void scree_kernel(const struct scree_kernel_job *job);

enum {
    SCREE_KERNEL_SETS = 3,  /**< instruction sets: x86-64-v2 or any other processor, v3, v4 */
    SCREE_KERNEL_LOOPS = 7, /**< number of enum scree_kernel_loop */
    SCREE_KERNEL_EXTRAS = 2 /**< the law alone, and with resistance to rolling and twisting */
};

/** Whether a law is valid for contacts whose geometry the engine computes, those of polyhedra. */
enum scree_law_outside {
    SCREE_LAW_OUTSIDE_REFUSED,     /**< it needs the arms or gaps of spheres */
    SCREE_LAW_OUTSIDE_VALID,       /**< for any shapes */
    SCREE_LAW_OUTSIDE_WITH_RADIUS, /**< where both sides have a radius of curvature */
};

/** A contact law. The engine rotates the vectors of the history with the normal before it calls the law. A
 * law has `force` or `collision`, or both. All other functions are non-null; a law without `force` needs
 * neither them, except `prepare`, nor `values`, `powers` and `kernel`. `force` must not branch on contact
 * data; use selects (`a > b ? x : y` over plain values), which can be vectorised. */
struct scree_contact_law {
    unsigned version; /**< SCREE_LAW_VERSION */
    const char *name;
    const char *about;                            /**< one sentence, with the reference */
    const struct scree_law_parameter *parameters; /**< terminated by a row without a name */
    const char *const *properties;                /**< of the materials, terminated by null; or null */
    const struct scree_law_value *values;         /**< the history, terminated by a row without a name */
    unsigned dimensions;                          /**< bit 2: valid for disks; bit 3: valid for spheres */
    bool couple_or_internal;  /**< `couple` or `internal` of the reply is not always zero */
    bool depends_on_velocity; /**< dashpots: the force depends on velocities */
    /** Contacts of polyhedra, as enum scree_law_outside: the law sees neither arms nor gaps there. */
    uint8_t outside;
    /** Computes the constants; returns null, or a message if the parameters are invalid. */
    const char *(*prepare)(const struct scree_law_pair *pair, double *constants);
    /** Interaction range: largest gap at which a contact of this effective radius can exist, m. It must not
     * decrease with the radius, because the neighbour lists use the value for the largest radius. A contact
     * that leaves the range with a nonzero history is evaluated once more to end it, then its history is
     * cleared. */
    double (*range)(const double *constants, double radius);
    /** For laws whose contacts begin and end at overlap 0: forces in steps in which contacts begin or end are
     * then corrected (onset.h), if `force` uses `spring_extra`, `dashpot_extra` and `parted`. Null: not
     * corrected. */
    struct scree_law_powers (*powers)(const double *constants);
    /** Computes the force and updates the history from `before` to `after`, which are different arrays. Null:
     * the law is for the event engine only. */
    struct scree_law_reply (*force)(const SCREE_REAL *constants, const struct scree_law_contact *contact,
                                    const SCREE_REAL *before, SCREE_REAL *after);
    /** The coefficients of a collision; null: the law is for the soft engine only. */
    struct scree_law_coefficients (*collision)(const SCREE_REAL *constants,
                                               const struct scree_law_impact *impact);
    /** The batch loops, SCREE_KERNEL_TABLE of kernel_loops.inc. */
    scree_kernel *kernel[SCREE_KERNEL_SETS][SCREE_KERNEL_EXTRAS][SCREE_KERNEL_LOOPS];
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

/** Square root of a non-negative number. */
SCREE_FN SCREE_REAL scree_law_root(SCREE_REAL x)
{
    return sizeof x == sizeof(float) ? (SCREE_REAL)__builtin_sqrtf((float)x)
                                     : (SCREE_REAL)__builtin_sqrt((double)x);
}

#ifdef __cplusplus
}
#endif
#endif
