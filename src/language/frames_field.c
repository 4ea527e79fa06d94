// Names of the arrays in frames, see frames_field.h.

#include "language/frames_field.h"

#include <string.h>

// derived arrays of bodies, and all arrays of contacts and walls: series, quantity, prefix, name, components
#define DERIVED                                                                                              \
    DERIVED_ROW(BODIES, DIAMETER, "", "diameter", 1)                                                         \
    DERIVED_ROW(BODIES, SPEED, "", "speed", 1)                                                               \
    DERIVED_ROW(BODIES, COORDINATION, "", "coordination", 1)                                                 \
    DERIVED_ROW(BODIES, UNWRAPPED, "", "unwrapped", 3)                                                       \
    DERIVED_ROW(BODIES, STRESS, "", "stress", 6)                                                             \
    DERIVED_ROW(CONTACTS, FIRST, "contact.", "first", 1)                                                     \
    DERIVED_ROW(CONTACTS, SECOND, "contact.", "second", 1)                                                   \
    DERIVED_ROW(CONTACTS, TOUCHED_WALL, "contact.", "wall", 1)                                               \
    DERIVED_ROW(CONTACTS, FEATURE, "contact.", "feature", 1)                                                 \
    DERIVED_ROW(CONTACTS, POINT, "contact.", "point", 3)                                                     \
    DERIVED_ROW(CONTACTS, NORMAL, "contact.", "normal", 3)                                                   \
    DERIVED_ROW(CONTACTS, OVERLAP, "contact.", "overlap", 1)                                                 \
    DERIVED_ROW(CONTACTS, FORCE, "contact.", "force", 3)                                                     \
    DERIVED_ROW(CONTACTS, NORMAL_FORCE, "contact.", "normal_force", 1)                                       \
    DERIVED_ROW(CONTACTS, SHEAR_FORCE, "contact.", "shear_force", 1)                                         \
    DERIVED_ROW(CONTACTS, COUPLE, "contact.", "couple", 3)                                                   \
    DERIVED_ROW(CONTACTS, STORED, "contact.", "stored", 1)                                                   \
    DERIVED_ROW(WALLS, WALL_ID, "wall.", "id", 1)                                                            \
    DERIVED_ROW(WALLS, WALL_MATERIAL, "wall.", "material", 1)                                                \
    DERIVED_ROW(WALLS, WALL_SHAPE, "wall.", "shape", 1)                                                      \
    DERIVED_ROW(WALLS, WALL_FORCE, "wall.", "force", 3)                                                      \
    DERIVED_ROW(WALLS, WALL_MOMENT, "wall.", "moment", 3)                                                    \
    DERIVED_ROW(WALLS, WALL_VELOCITY, "wall.", "velocity", 3)                                                \
    DERIVED_ROW(WALLS, WALL_SPIN, "wall.", "spin", 3)

// select the numeric fields of the entity BODY from the table of fields: SELECT_BODY alone expands to two
// macro arguments, so that CHOOSE takes the second of them, TAKE, instead of PASS
#define SCREE_ENTITY(symbol, name, about)
#define SCREE_COLUMN(entity, symbol, name, record, presence)
#define SCREE_FIELD(entity, column, record, member, name, type, ...) OF_##type(SELECT_##entity, name)
#define OF_SCREE_F64(select, name) CHOOSE(select)(name)
#define OF_SCREE_F32(select, name) CHOOSE(select)(name)
#define OF_SCREE_I64(select, name) CHOOSE(select)(name)
#define OF_SCREE_U64(select, name) CHOOSE(select)(name)
#define OF_SCREE_U32(select, name) CHOOSE(select)(name)
#define OF_SCREE_U16(select, name) CHOOSE(select)(name)
#define OF_SCREE_CHAR(select, name)
#define SELECT_BODY ~, TAKE
#define CHOOSE(...) SECOND(__VA_ARGS__, PASS, ~)
#define SECOND(first, second, ...) second
#define PASS(name)

#define TAKE(name) {SCREE_FRAMES_BODIES, SCREE_FRAMES_FIELD, name, 0},
#define DERIVED_ROW(series, what, prefix, name, width)                                                       \
    {SCREE_FRAMES_##series, SCREE_FRAMES_##what, name, width},
const struct scree_frames_field scree_frames_field_rows[] = {TAKE("id")
#include "world/fields.def"
                                                                 DERIVED};
#undef TAKE
#undef DERIVED_ROW

#define TAKE(name) name,
#define DERIVED_ROW(series, what, prefix, name, width) prefix name,
const char *const scree_frames_field_names[] = {TAKE("id")
#include "world/fields.def"
                                                    DERIVED NULL};

size_t scree_frames_field_find(const char *name)
{
    size_t f = 0;
    while (scree_frames_field_names[f] && strcmp(scree_frames_field_names[f], name) != 0)
        ++f;
    return f;
}

const char *const *scree_frames_field_usual(int series)
{
    static const char *const bodies[] = {"id", "radius", "material", "velocity", "spin", NULL};
    static const char *const contacts[] = {
        "contact.first", "contact.second",       "contact.wall",        "contact.overlap",
        "contact.force", "contact.normal_force", "contact.shear_force", NULL};
    static const char *const walls[] = {"wall.id", "wall.material", "wall.force", "wall.velocity", NULL};
    return series == SCREE_FRAMES_BODIES ? bodies : series == SCREE_FRAMES_CONTACTS ? contacts : walls;
}
