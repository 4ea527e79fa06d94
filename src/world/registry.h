// The registry: entities, the columns that store their rows, and the fields that describe the contents of the
// columns.
//
// Invariants: every present column of an entity has room for `capacity` rows, and rows beyond `count` are
// never read; column 0 contains the persistent ids, or the keys; a field lies inside the stride of its
// column. Built from fields.def when the world is created; entities and fields added later are treated alike.

#ifndef SCREE_WORLD_REGISTRY_H
#define SCREE_WORLD_REGISTRY_H

#include "base/array.h"
#include "base/pool.h"

#include <scree/field.h>

// Current row of a body. Slots change with sorting and removal; ids do not.
typedef struct scree_slot {
    uint32_t index;
} scree_slot;

enum { SCREE_ENTITY_NAME = 64 };

struct scree_column {
    char name[32];
    size_t stride;
    char *base; // null while the column is absent
    bool present;
    bool external;     // the memory belongs to the caller and has room for one row
    bool borrowed;     // its rows are stored after those of another entity's column, see grain.h
    size_t extra_rows; // extra rows after the capacity, for a borrowing column
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
    bool keyed; // rows have keys instead of ids, and are copies of data stored elsewhere
    SCREE_ARRAY(struct scree_column) columns;
    SCREE_ARRAY(struct scree_field) fields;
    struct scree_pool pool;
};

struct scree_registry {
    SCREE_ARRAY(struct scree_entity) entities;
};

// indices of the entities and columns of fields.def; column 0 of each contains the ids
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
    SCREE_BODY_CONTACT_FORCES,
    SCREE_BODY_GROUPS,
    SCREE_BODY_FLUX_POSITION,
    SCREE_BODY_START,
    SCREE_BODY_CLUMP,
    SCREE_BODY_BONDS,
    SCREE_BODY_SHAPE,
    SCREE_BODY_FLIGHT,
    SCREE_BODY_FLIGHT_TURN
};
enum { SCREE_GRAIN_ID, SCREE_GRAIN_GRAIN, SCREE_GRAIN_LOCAL, SCREE_GRAIN_SHAPE };
enum { SCREE_MATERIAL_ID, SCREE_MATERIAL_MATERIAL };
enum {
    SCREE_WALL_ID,
    SCREE_WALL_WALL,
    SCREE_WALL_GROUPS,
    SCREE_WALL_START,
    SCREE_WALL_BODY,
    SCREE_WALL_ROUGH,
    SCREE_WALL_COURSE
};
enum { SCREE_INTERACTION_ID, SCREE_INTERACTION_RULE };
enum {
    SCREE_CELL_ID,
    SCREE_CELL_CELL,
    SCREE_CELL_LATTICE,
    SCREE_CELL_SERVO,
    SCREE_CELL_OPEN,
    SCREE_CELL_COURSE
};
enum { SCREE_CONTACT_KEY, SCREE_CONTACT_STATE };
enum { SCREE_ENGINE_ID, SCREE_ENGINE_CLOCK, SCREE_ENGINE_COLLISIONS, SCREE_ENGINE_FREE_PATHS };
enum { SCREE_WORLD_ID, SCREE_WORLD_STATE };
enum { SCREE_GROUP_ID, SCREE_GROUP_GROUP };
enum { SCREE_FLUX_SURFACE_ID, SCREE_FLUX_SURFACE_FLUX_SURFACE };

enum { SCREE_SERVO_ID, SCREE_SERVO_SERVO };
enum { SCREE_FLOW_ID, SCREE_FLOW_FLOW };
enum {
    SCREE_BOND_ID,
    SCREE_BOND_SIDES,
    SCREE_BOND_SPRING,
    SCREE_BOND_ANCHOR,
    SCREE_BOND_STRENGTH,
    SCREE_BOND_DAMAGE,
    SCREE_BOND_RELEASE
};
enum { SCREE_BROKEN_BOND_ID, SCREE_BROKEN_BOND_EVENT };
enum { SCREE_FACET_ID, SCREE_FACET_FACET, SCREE_FACET_WEAR };
enum { SCREE_SHAPE_ID, SCREE_SHAPE_SHAPE };
enum { SCREE_VERTEX_ID, SCREE_VERTEX_VERTEX };
enum { SCREE_DISTRIBUTION_ID, SCREE_DISTRIBUTION_DISTRIBUTION };
enum { SCREE_BIN_ID, SCREE_BIN_BIN };
enum { SCREE_ORIGIN_ID, SCREE_ORIGIN_ORIGIN };

// Fills an empty registry from fields.def.
SCREE_NODISCARD scree_status scree_registry_create(struct scree_registry *registry);
void scree_registry_free(struct scree_registry *registry);

// Return null if there is none of that name.
struct scree_entity *scree_registry_entity(const struct scree_registry *registry, const char *name);
struct scree_field *scree_registry_field(const struct scree_entity *entity, const char *name);

// Finds "entity.field"; the error message names the part that does not exist.
SCREE_NODISCARD scree_status scree_registry_find(const struct scree_registry *registry, const char *name,
                                                 struct scree_entity **entity, struct scree_field **field);

SCREE_NODISCARD scree_status scree_registry_add_entity(struct scree_registry *registry, const char *name);

// A field that is a member of a record.
struct scree_registry_part {
    size_t offset;
    struct scree_field_def def;
};

// Adds an entity whose rows are identified by keys of `size` bytes; `parts` ends with one without a name.
SCREE_NODISCARD scree_status scree_registry_add_keyed(struct scree_registry *registry, const char *name,
                                                      size_t size, const struct scree_registry_part *parts);

// Adds a column for records of `stride` bytes; absent until scree_entity_require.
SCREE_NODISCARD scree_status scree_registry_add_column(struct scree_entity *entity, const char *name,
                                                       size_t stride);

// Adds a field at an offset within a column.
SCREE_NODISCARD scree_status scree_registry_add_field(struct scree_entity *entity, uint32_t column,
                                                      size_t offset, const struct scree_field_def *def);

// Adds a field with a column of its own, present at once; `column` (may be null) receives its index. On
// failure nothing changes.
SCREE_NODISCARD scree_status scree_registry_extend(struct scree_entity *entity,
                                                   const struct scree_field_def *def, uint32_t *column);

static inline const void *scree_registry_at(const struct scree_entity *entity,
                                            const struct scree_field *field, size_t row)
{
    const struct scree_column *column = &entity->columns.data[field->column];
    return column->base + row * column->stride + field->offset;
}

#endif
