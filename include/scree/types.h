// Types shared by the whole interface: ids and time levels.
//
// SI units throughout; angles in radian. Vectors are double[3], orientations double[4] (unit Hamilton
// quaternion, scalar first, rotating body axes to world axes). An id of value 0 means none. Pointer arguments
// must not be null unless documented otherwise; the caller keeps ownership of the data, which are not
// referenced after the call.
#ifndef SCREE_TYPES_H
#define SCREE_TYPES_H

#include <scree/renamed.h>
#include <scree/status.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Id of a body, in order of creation; never reused in a world. */
typedef struct scree_body_id {
    uint64_t value;
} scree_body_id;

/** Id of a material in its world. */
typedef struct scree_material_id {
    uint64_t value;
} scree_material_id;

/** Id of a load in its world. */
typedef struct scree_load_id {
    uint64_t value;
} scree_load_id;

/** Id of a wall in its world. */
typedef struct scree_wall_id {
    uint64_t value;
} scree_wall_id;

/** Id of a group in its world. */
typedef struct scree_group_id {
    uint64_t value;
} scree_group_id;

/** Id of a flux surface in its world. */
typedef struct scree_flux_surface_id {
    uint64_t value;
} scree_flux_surface_id;

/** Id of a bond, in order of creation; never reused in a world. */
typedef struct scree_bond_id {
    uint64_t value;
} scree_bond_id;

/** Id of a shape of polyhedra in its world. */
typedef struct scree_shape_id {
    uint64_t value;
} scree_shape_id;

/** Id of a callback in its engine. */
typedef struct scree_callback_id {
    uint64_t value;
} scree_callback_id;

/** Time level of a value, relative to the world's time t. */
typedef enum scree_level {
    SCREE_ON_STEP = 0,  /**< valid at t */
    SCREE_MID_STEP = 1, /**< valid at t - h/2, the middle of the step that led to t */
    SCREE_TIMELESS = 2, /**< constant in time, such as a mass or an id */
    // for field descriptions: the present level depends on the point of the step and on the integration
    // scheme
    SCREE_LEVEL_OF_VELOCITY = 3, /**< the present level of velocities */
    SCREE_LEVEL_OF_SPIN = 4,     /**< the present level of spins */
    SCREE_LEVEL_OF_MOMENTUM = 5, /**< the present level of angular momenta */
    SCREE_LEVELS                 /**< number of levels */
} scree_level;

/** Receives a piece of text. */
typedef void scree_text_function(void *user, const char *text);

#ifdef __cplusplus
}
#endif
#endif
