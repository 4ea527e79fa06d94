// Law: what a contact law offers, and the plain values it works on.
//
// A law is physics alone: no memory, no input or output, no sums over contacts. Its functions are `static
// inline` over the structs below, so that an engine expands them into a batch loop, a user compiles them with
// this header, and an implicit engine can try a state: history goes in and comes out, and nothing is
// committed. The number type is SCREE_REAL (double unless defined before) and the function qualifier
// SCREE_FN, so the same text compiles for float or double, for host or device.
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
#define SCREE_FN static inline
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** History values that one contact can have under one law. */
enum { SCREE_LAW_HISTORY = 16 };

/** One contact as a law sees it. Velocities are of the first side relative to the second, at the contact. */
struct scree_law_contact {
    SCREE_REAL overlap;         /**< m; negative within reach but apart */
    SCREE_REAL normal[3];       /**< unit */
    SCREE_REAL arm[2];          /**< from each centre to the contact, m */
    SCREE_REAL radius;          /**< effective: 1/R = 1/R1 + 1/R2, m */
    SCREE_REAL mass;            /**< effective: 1/m = 1/m1 + 1/m2, kg */
    SCREE_REAL mass_tangential; /**< with the inertias: 1/m_t = 1/m + R1^2/I1 + R2^2/I2, kg */
    SCREE_REAL approach;        /**< on-step normal velocity, negative when closing, m/s */
    SCREE_REAL slip[3];         /**< on-step tangential velocity, m/s */
    SCREE_REAL slide[3];        /**< tangential way gone in the step, in the plane of `normal`, m */
    SCREE_REAL roll[3];         /**< relative angular velocity in the plane, rad/s */
    SCREE_REAL twist;           /**< relative angular velocity about the normal, rad/s */
    SCREE_REAL step;            /**< time step, s */
};

/** What a law makes of it. */
struct scree_law_reply {
    SCREE_REAL normal;    /**< force along the normal, positive when it pushes apart, N */
    SCREE_REAL force[3];  /**< tangential force, N */
    SCREE_REAL couple[3]; /**< besides that of the force about each centre, N m */
    SCREE_REAL stored;    /**< elastic energy of the contact, J */
    SCREE_REAL friction;  /**< lost to slipping in this step, J */
    SCREE_REAL dashpot;   /**< lost to dashpots in this step, J */
    bool live;            /**< whether the contact exists; history of one that does not is zero */
};

/** One parameter of a law: a number, or one for each pair of materials. */
struct scree_law_parameter {
    const char *name;
    const char *unit;   /**< SI, empty for none */
    double least, most; /**< the range, both ends allowed */
    bool required;      /**< an error that names it when it is left out; else `fallback` */
    double fallback;
    const char *about; /**< one sentence */
};

/** What a contact law offers; all functions are non-null. Parameters come in the order of the table, and
 * history as `history` values that are rotated by the engine, three by three from `vectors` of them, when the
 * normal turns. */
struct scree_contact_law {
    const char *name;
    const char *about;                            /**< one sentence, with the source */
    const struct scree_law_parameter *parameters; /**< closed by one without a name */
    unsigned history;                             /**< values, at most SCREE_LAW_HISTORY */
    unsigned vectors;    /**< how many of them, in threes from the first, are vectors */
    unsigned dimensions; /**< bit 2: has a meaning for disks; bit 3: for spheres */
    /** How far beyond touch a contact may live, m. */
    SCREE_REAL (*reach)(const SCREE_REAL *parameters, SCREE_REAL radius);
    /** The force, from the history before to that after; both of `history` values, never the same array. */
    struct scree_law_reply (*force)(const SCREE_REAL *parameters, const struct scree_law_contact *contact,
                                    const SCREE_REAL *before, SCREE_REAL *after);
    /** Tangent stiffnesses at the contact, N/m: [0] along the normal, [1] across it. */
    void (*stiffness)(const SCREE_REAL *parameters, const struct scree_law_contact *contact,
                      const SCREE_REAL *history, SCREE_REAL stiffness[2]);
};

#ifdef __cplusplus
}
#endif
#endif
