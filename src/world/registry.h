// The registry: entities, the columns that store their rows, and the fields that name what is in the columns.
//
// What always holds: every present column of an entity has room for `capacity` rows and rows beyond `count`
// are never read; column 0 holds the persistent ids, or the keys; a field lies inside the stride of its
// column. Built from fields.def when the world is made; rows and entities added later are in no way
// different.

#ifndef SCREE_WORLD_REGISTRY_H
#define SCREE_WORLD_REGISTRY_H

#include "base/array.h"
#include "base/pool.h"

#include <scree/field.h>

// Where a body lies now: not an id.
typedef struct scree_slot {
    uint32_t index;
} scree_slot;

enum { SCREE_ENTITY_NAME = 64 };

struct scree_column {
    char name[32];
    size_t stride;
    char *base; // null until something needs the column
    bool present;
    bool lent;     // the memory of the only row there can be is somebody else's
    bool borrowed; // its rows lie in another column, behind what that one has of its own: see grain.h
    size_t beyond; // rows of room behind the capacity, for a column that borrows them
};

struct scree_field {
    char name[32];
    char unit[16];
    char *about;
    uint32_t column;
    scree_type type;
    unsigned width;
    size_t offset;
    scree_transform transform;
    scree_level level;
    unsigned flags;
};

struct scree_entity {
    char name[SCREE_ENTITY_NAME];
    size_t count, capacity;
    uint64_t version;
    bool keyed; // rows have keys and no ids; they are copies of what lies elsewhere
    SCREE_ARRAY(struct scree_column) columns;
    SCREE_ARRAY(struct scree_field) fields;
    struct scree_pool pool;
};

struct scree_registry {
    SCREE_ARRAY(struct scree_entity) entities;
};

// entities and columns of fields.def by number; column 0 of each is its ids
enum {
#define SCREE_ENTITY(symbol, name, about) SCREE_ENTITY_##symbol,
#define SCREE_COLUMN(entity, symbol, name, record, presence)
#define SCREE_FIELD(entity, column, record, member, ...)
#include "world/fields.def"
#undef SCREE_ENTITY
#undef SCREE_COLUMN
#undef SCREE_FIELD
    SCREE_ENTITY_BUILT_IN
};

enum {
    SCREE_BODY_ID,
    SCREE_BODY_GRAIN,
    SCREE_BODY_WRENCH,
    SCREE_BODY_PENDING,
    SCREE_BODY_BEFORE_LOADS,
    SCREE_BODY_LOAD,
    SCREE_BODY_ROTOR,
    SCREE_BODY_DAMPING,
    SCREE_BODY_DRAG,
    SCREE_BODY_MID_STEP,
    SCREE_BODY_LOSSES,
    SCREE_BODY_IMAGE,
    SCREE_BODY_TOUCH,
    SCREE_BODY_GROUPS,
    SCREE_BODY_FLUX_SEEN
};
enum { SCREE_GRAIN_ID, SCREE_GRAIN_GRAIN, SCREE_GRAIN_LOCAL };
enum { SCREE_MATERIAL_ID, SCREE_MATERIAL_MATERIAL };
enum { SCREE_WALL_ID, SCREE_WALL_WALL, SCREE_WALL_GROUPS };
enum { SCREE_INTERACTION_ID, SCREE_INTERACTION_RULE };
enum { SCREE_CELL_ID, SCREE_CELL_CELL };
enum { SCREE_CONTACT_KEY, SCREE_CONTACT_TOUCHING };
enum { SCREE_ENGINE_ID, SCREE_ENGINE_CLOCK };
enum { SCREE_WORLD_ID, SCREE_WORLD_STATE };
enum { SCREE_GROUP_ID, SCREE_GROUP_GROUP };
enum { SCREE_FLUX_SURFACE_ID, SCREE_FLUX_SURFACE_FLUX_SURFACE };

enum { SCREE_SERVO_ID, SCREE_SERVO_SERVO };

// Fills an empty registry from fields.def.
SCREE_NODISCARD scree_status scree_registry_create(struct scree_registry *registry);
void scree_registry_free(struct scree_registry *registry);

// Null when there is none of that name.
struct scree_entity *scree_registry_entity(const struct scree_registry *registry, const char *name);
struct scree_field *scree_registry_field(const struct scree_entity *entity, const char *name);

// Finds "entity.field", or says which names there are.
SCREE_NODISCARD scree_status scree_registry_find(const struct scree_registry *registry, const char *name,
                                                 struct scree_entity **entity, struct scree_field **field);

SCREE_NODISCARD scree_status scree_registry_add_entity(struct scree_registry *registry, const char *name);

// A member of a record that is a field.
struct scree_registry_part {
    size_t offset;
    struct scree_field_def def;
};

// Adds an entity whose rows are named by keys, records of `size` bytes; the last of their parts has no name.
SCREE_NODISCARD scree_status scree_registry_add_keyed(struct scree_registry *registry, const char *name,
                                                      size_t size, const struct scree_registry_part *parts);

// Adds a column of one record type; absent until scree_entity_require.
SCREE_NODISCARD scree_status scree_registry_add_column(struct scree_entity *entity, const char *name,
                                                       size_t stride);

// Adds a field that lies in a column at an offset.
SCREE_NODISCARD scree_status scree_registry_add_field(struct scree_entity *entity, uint32_t column,
                                                      size_t offset, const struct scree_field_def *def);

// Adds a field with a column of its own, present at once; `column` (may be null) receives its number. All or
// nothing.
SCREE_NODISCARD scree_status scree_registry_extend(struct scree_entity *entity,
                                                   const struct scree_field_def *def, uint32_t *column);

static inline const void *scree_registry_at(const struct scree_entity *entity,
                                            const struct scree_field *field, size_t row)
{
    const struct scree_column *column = &entity->columns.data[field->column];
    return column->base + row * column->stride + field->offset;
}

#endif
