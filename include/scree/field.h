// Fields: the registry of all data of a world, which can be read, extended and viewed at run time.
//
// An entity (body, grain, material, ...) is a table with rows; a field is one named column of it
// ("body.velocity"). Sorting, digests, validation and views use only the registry, so fields added at run
// time are treated like built-in ones. Views are borrowed: they are valid until the world is changed (compare
// `version`).
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

/** How the components of a field transform under rotations and mirrorings of the axes. */
typedef enum scree_transform {
    SCREE_SCALAR,    /**< invariant */
    SCREE_POINT,     /**< a position */
    SCREE_VECTOR,    /**< a vector */
    SCREE_AXIAL,     /**< an axial vector, such as a spin or a moment: changes sign under a mirror */
    SCREE_TENSOR,    /**< a symmetric second-order tensor */
    SCREE_QUATERNION /**< an orientation */
} scree_transform;

/** Properties of a field; combine with |. */
enum scree_field_flags {
    SCREE_PERSISTED = 1, /**< part of the state: included in digests and checkpoints */
    SCREE_GHOSTED = 2,   /**< copied to neighbouring ranks every step */
    SCREE_DERIVED = 4,   /**< computed from other fields; not part of the state */
    SCREE_OWNED = 8,     /**< written by engines only; read-only for users */
    SCREE_NEUTRAL = 16   /**< persisted but not digested, because no result depends on it */
};

/** Definition of a field to add at run time; all texts are copied. */
struct scree_field_def {
    const char *entity;        /**< name of the entity, not null */
    const char *name;          /**< lower case, not null, unique within the entity */
    scree_type type;           /**< of one component */
    unsigned width;            /**< components, at least 1 */
    const char *unit;          /**< SI unit, null for none */
    scree_transform transform; /**< scalar by default */
    scree_level level;         /**< on-step by default */
    unsigned flags;            /**< of enum scree_field_flags */
    const char *about;         /**< one sentence, not null */
};

/** Description of a field. Texts are borrowed and valid until a field or an entity is added: by you, by
 * creating an engine, or by scree_contact_publish. */
struct scree_field_info {
    const char *entity;        /**< name of the entity */
    const char *name;          /**< name within the entity */
    scree_type type;           /**< of one component */
    unsigned width;            /**< components */
    const char *unit;          /**< SI, empty for none */
    scree_transform transform; /**< under rotations of the axes */
    scree_level level;         /**< time level of the values */
    unsigned flags;            /**< of enum scree_field_flags */
    const char *about;         /**< one sentence */
};

/** A field in memory: component c of row i is at (char *)base + i * stride + c * size of type. */
struct scree_view {
    const void *base; /**< borrowed; null when count is 0 */
    size_t count;     /**< rows */
    unsigned width;   /**< components */
    size_t stride;    /**< bytes from one row to the next */
    scree_type type;
    scree_level level; /**< present time level of the values: velocities are mid-step inside a step */
    uint64_t version;  /**< changes when rows move, appear or disappear; the view is then invalid */
};

/** Bytes of one component of `type`. */
size_t scree_field_size(scree_type type);

/** Number of fields. */
size_t scree_field_count(const struct scree_world *world);

/** Describes field number `index` (0 <= index < count) into `info`, not null. */
SCREE_NODISCARD scree_status scree_field_describe(const struct scree_world *world, size_t index,
                                                  struct scree_field_info *info);

/** Adds an entity with persistent ids named `name` (lower case, copied); an existing name is an error. */
SCREE_NODISCARD scree_status scree_field_add_entity(struct scree_world *world, const char *name);

/** Adds a field; its values are 0, or "not given" for materials. An existing name is an error. */
SCREE_NODISCARD scree_status scree_field_add(struct scree_world *world, const struct scree_field_def *def);

/** Adds a row to an entity that was added at run time; `id` (not null) receives its persistent id. */
SCREE_NODISCARD scree_status scree_field_add_row(struct scree_world *world, const char *entity, uint64_t *id);

/** Removes the row `id` of an entity that was added at run time. */
SCREE_NODISCARD scree_status scree_field_remove_row(struct scree_world *world, const char *entity,
                                                    uint64_t id);

/** Returns a read view of the field "entity.field" in `view`, not null. Rows are in slot order, see
 * "body.id".
 */
SCREE_NODISCARD scree_status scree_field_view(const struct scree_world *world, const char *name,
                                              struct scree_view *view);

/**
 * Begins an edit: returns a view of the field and a writable pointer to its base in `data` (both not null).
 * Refused for ids, derived fields, structural fields (kinds, flags, names, counters) and inside a step. The
 * edit invalidates the forces of all bodies, and its energy change is entered in the ledger as energy input.
 * Spin and angular momentum of a general rigid body depend on each other: if one is edited, the other is
 * updated when the edit ends; editing orientation or inertia keeps the spin.
 */
SCREE_NODISCARD scree_status scree_field_edit(struct scree_world *world, const char *name,
                                              struct scree_view *view, void **data);

/**
 * Ends all edits: enters their energy input in the ledger and validates the world; a failure names the body
 * and the invalid value. A run, and every other function that changes the world, also ends edits. The
 * writable pointers are invalid afterwards.
 */
SCREE_NODISCARD scree_status scree_field_commit(struct scree_world *world);

#ifdef __cplusplus
}
#endif
#endif
