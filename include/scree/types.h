// The small types that every part of the interface shares: ids, time levels, status.
//
// SI units throughout; angles in radian. Vectors are double[3], orientations double[4] (Hamilton quaternion,
// scalar first, unit, turning body axes into world axes). An id of value 0 names nothing.
// Pointers handed in are not null unless their sentence says so; what they point to stays the caller's and is
// not kept.
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

/** Names a body for as long as its world lives: given in order of creation, never given twice. */
typedef struct scree_body_id {
    uint64_t value;
} scree_body_id;

/** Names a material of one world. */
typedef struct scree_material_id {
    uint64_t value;
} scree_material_id;

/** Names a load of one world. */
typedef struct scree_load_id {
    uint64_t value;
} scree_load_id;

/** Names a wall of one world. */
typedef struct scree_wall_id {
    uint64_t value;
} scree_wall_id;

/** Names a group of one world. */
typedef struct scree_group_id {
    uint64_t value;
} scree_group_id;

/** Names a flux surface of one world. */
typedef struct scree_flux_surface_id {
    uint64_t value;
} scree_flux_surface_id;

/** Names a callback of one engine. */
typedef struct scree_callback_id {
    uint64_t value;
} scree_callback_id;

/** The instant that a value belongs to, next to the world's time t. */
typedef enum scree_level {
    SCREE_ON_STEP = 0,  /**< valid at t */
    SCREE_MID_STEP = 1, /**< valid at t - h/2, the middle of the step that led to t */
    SCREE_TIMELESS = 2, /**< does not depend on time: a mass, an id */
    // in tables of fields: what moves inside a step, each at the level that its law of motion leaves it at
    SCREE_LEVEL_OF_VELOCITY = 3, /**< that of velocities now */
    SCREE_LEVEL_OF_SPIN = 4,     /**< that of spins now */
    SCREE_LEVEL_OF_MOMENTUM = 5, /**< that of angular momenta now */
    SCREE_LEVELS                 /**< how many there are */
} scree_level;

/** Gets a piece of a text. */
typedef void scree_text_function(void *user, const char *text);

#ifdef __cplusplus
}
#endif
#endif
