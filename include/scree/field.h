// Fields: what a world consists of, as a table that can be read, extended and viewed at run time.
//
// An entity (body, grain, material, ...) has rows of storage; a field is one named value of every row of an
// entity ("body.velocity"). Sorting, digests, validation and views walk this table alone, so a field added at
// run time is a full citizen. Views are borrowed: they hold until the world is next changed (`version`
// tells).
#ifndef SCREE_FIELD_H
#define SCREE_FIELD_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_world;

/** Machine type of one component of a field. */
typedef enum scree_type {
    SCREE_F64, /**< double */
    SCREE_F32, /**< float */
    SCREE_I64, /**< int64_t */
    SCREE_U64, /**< uint64_t */
    SCREE_U32, /**< uint32_t */
    SCREE_U16, /**< uint16_t */
    SCREE_CHAR /**< a byte of text */
} scree_type;

/** How the components of a field change when the axes of the world are turned or mirrored. */
typedef enum scree_transform {
    SCREE_SCALAR,    /**< not at all */
    SCREE_POINT,     /**< as a place */
    SCREE_VECTOR,    /**< as an arrow */
    SCREE_AXIAL,     /**< as a vector, with a change of sign under a mirror: spin, moment */
    SCREE_TENSOR,    /**< as a symmetric second-order tensor */
    SCREE_QUATERNION /**< as an orientation */
} scree_transform;

/** Properties of a field; combine with |. */
enum scree_field_flags {
    SCREE_PERSISTED = 1, /**< part of the state: digested, and what a restart needs */
    SCREE_GHOSTED = 2,   /**< copied to neighbouring ranks every step */
    SCREE_DERIVED = 4,   /**< computed from other fields; not part of the state */
    SCREE_OWNED = 8,     /**< the engines' own: to be seen, not to be written */
    SCREE_NEUTRAL = 16   /**< of what is persisted: not digested, for no result depends on it */
};

/** Definition of a field to be added at run time; all texts are copied. */
struct scree_field_def {
    const char *entity;        /**< the entity it belongs to, not null */
    const char *name;          /**< lower case, not null, unique within the entity */
    scree_type type;           /**< of one component */
    unsigned width;            /**< components, at least 1 */
    const char *unit;          /**< SI unit, null for none */
    scree_transform transform; /**< scalar when left out */
    scree_level level;         /**< on-step when left out */
    unsigned flags;            /**< of enum scree_field_flags */
    const char *about;         /**< one sentence, not null */
};

/** A field as the registry describes it; texts are borrowed, and hold until a field or an entity is
 * added, by you, by an engine that is made or where contacts are published. */
struct scree_field_info {
    const char *entity;        /**< whose field it is */
    const char *name;          /**< within the entity */
    scree_type type;           /**< of one component */
    unsigned width;            /**< components */
    const char *unit;          /**< SI, empty for none */
    scree_transform transform; /**< under a turn of the axes */
    scree_level level;         /**< the instant that its values belong to */
    unsigned flags;            /**< of enum scree_field_flags */
    const char *about;         /**< one sentence */
};

/** A field as it lies in memory: component c of row i is at (char *)base + i * stride + c * size of type. */
struct scree_view {
    const void *base; /**< borrowed; null when count is 0 */
    size_t count;     /**< rows */
    unsigned width;   /**< components */
    size_t stride;    /**< bytes from one row to the next */
    scree_type type;
    scree_level
        level;        /**< the instant that the values belong to now: velocities are mid-step inside a step */
    uint64_t version; /**< changes whenever rows move, appear or leave, and the view is void then */
};

/** Bytes of one component of `type`. */
size_t scree_field_size(scree_type type);

/** Number of fields of the world's registry. */
size_t scree_field_count(const struct scree_world *world);

/** Describes field number `index` (0 <= index < count) into `info`, not null. */
SCREE_NODISCARD scree_status scree_field_describe(const struct scree_world *world, size_t index,
                                                  struct scree_field_info *info);

/** Adds an entity, with persistent ids, named `name` (lower case, copied); an existing name is an error. */
SCREE_NODISCARD scree_status scree_field_add_entity(struct scree_world *world, const char *name);

/** Adds a field, zero in every row and unknown in every material; an existing name is an error. */
SCREE_NODISCARD scree_status scree_field_add(struct scree_world *world, const struct scree_field_def *def);

/** Adds a row to an entity that was added at run time; `id` (not null) receives its persistent id. */
SCREE_NODISCARD scree_status scree_field_add_row(struct scree_world *world, const char *entity, uint64_t *id);

/** Removes the row `id` of an entity that was added at run time. */
SCREE_NODISCARD scree_status scree_field_remove_row(struct scree_world *world, const char *entity,
                                                    uint64_t id);

/** Views the field "entity.field" for reading; `view` is not null. Rows lie in order of slots, see "body.id".
 */
SCREE_NODISCARD scree_status scree_field_view(const struct scree_world *world, const char *name,
                                              struct scree_view *view);

/**
 * Views the field for writing through `data`, which receives the base of `view` (both not null). Refused for
 * ids, derived fields, what holds the world together (kinds, flags, names, counters) and inside a step. The
 * forces of all bodies count as outdated afterwards, and the energy that the edit brings is booked as fed in.
 * Spin and momentum of a general rigid body are one quantity: where one is edited the other follows when the
 * edit is over; it keeps its spin where orientation or inertia are edited.
 */
SCREE_NODISCARD scree_status scree_field_edit(struct scree_world *world, const char *name,
                                              struct scree_view *view, void **data);

/**
 * Ends all edits: what they bring in energy is booked, and the world is checked; a failure names the body and
 * what is wrong with it. Running, and whatever else changes the world, ends edits too. The data written
 * through is void then.
 */
SCREE_NODISCARD scree_status scree_field_commit(struct scree_world *world);

#ifdef __cplusplus
}
#endif
#endif
