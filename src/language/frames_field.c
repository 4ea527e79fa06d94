// Names of what frames can show, see frames_field.h.

#include "language/frames_field.h"

#include <string.h>

// what is computed of bodies, and all of contacts and walls: series, what, prefix, name, components
#define OWN                                                                                                  \
    OWN_ROW(BODIES, DIAMETER, "", "diameter", 1)                                                             \
    OWN_ROW(BODIES, SPEED, "", "speed", 1)                                                                   \
    OWN_ROW(BODIES, COORDINATION, "", "coordination", 1)                                                     \
    OWN_ROW(BODIES, UNWRAPPED, "", "unwrapped", 3)                                                           \
    OWN_ROW(BODIES, STRESS, "", "stress", 6)                                                                 \
    OWN_ROW(CONTACTS, FIRST, "contact.", "first", 1)                                                         \
    OWN_ROW(CONTACTS, SECOND, "contact.", "second", 1)                                                       \
    OWN_ROW(CONTACTS, TOUCHED_WALL, "contact.", "wall", 1)                                                   \
    OWN_ROW(CONTACTS, FEATURE, "contact.", "feature", 1)                                                     \
    OWN_ROW(CONTACTS, POINT, "contact.", "point", 3)                                                         \
    OWN_ROW(CONTACTS, NORMAL, "contact.", "normal", 3)                                                       \
    OWN_ROW(CONTACTS, OVERLAP, "contact.", "overlap", 1)                                                     \
    OWN_ROW(CONTACTS, FORCE, "contact.", "force", 3)                                                         \
    OWN_ROW(CONTACTS, NORMAL_FORCE, "contact.", "normal_force", 1)                                           \
    OWN_ROW(CONTACTS, SHEAR_FORCE, "contact.", "shear_force", 1)                                             \
    OWN_ROW(CONTACTS, COUPLE, "contact.", "couple", 3)                                                       \
    OWN_ROW(CONTACTS, STORED, "contact.", "stored", 1)                                                       \
    OWN_ROW(WALLS, WALL_ID, "wall.", "id", 1)                                                                \
    OWN_ROW(WALLS, WALL_MATERIAL, "wall.", "material", 1)                                                    \
    OWN_ROW(WALLS, WALL_SHAPE, "wall.", "shape", 1)                                                          \
    OWN_ROW(WALLS, WALL_FORCE, "wall.", "force", 3)                                                          \
    OWN_ROW(WALLS, WALL_MOMENT, "wall.", "moment", 3)                                                        \
    OWN_ROW(WALLS, WALL_VELOCITY, "wall.", "velocity", 3)                                                    \
    OWN_ROW(WALLS, WALL_SPIN, "wall.", "spin", 3)

// of the table of fields, those that are no text and whose entity is BODY: only for that PROBE has a second
// part
#define SCREE_ENTITY(symbol, name, about)
#define SCREE_COLUMN(entity, symbol, name, record, presence)
#define SCREE_FIELD(entity, column, record, member, name, type, ...) OF_##type(PROBE_##entity, name)
#define OF_SCREE_F64(probe, name) CHOOSE(probe)(name)
#define OF_SCREE_F32(probe, name) CHOOSE(probe)(name)
#define OF_SCREE_I64(probe, name) CHOOSE(probe)(name)
#define OF_SCREE_U64(probe, name) CHOOSE(probe)(name)
#define OF_SCREE_U32(probe, name) CHOOSE(probe)(name)
#define OF_SCREE_U16(probe, name) CHOOSE(probe)(name)
#define OF_SCREE_CHAR(probe, name)
#define PROBE_BODY ~, TAKE
#define CHOOSE(...) SECOND(__VA_ARGS__, PASS, ~)
#define SECOND(first, second, ...) second
#define PASS(name)

#define TAKE(name) {SCREE_FRAMES_BODIES, SCREE_FRAMES_FIELD, name, 0},
#define OWN_ROW(series, what, prefix, name, width) {SCREE_FRAMES_##series, SCREE_FRAMES_##what, name, width},
const struct scree_frames_field scree_frames_field_rows[] = {TAKE("id")
#include "world/fields.def"
                                                                 OWN};
#undef TAKE
#undef OWN_ROW

#define TAKE(name) name,
#define OWN_ROW(series, what, prefix, name, width) prefix name,
const char *const scree_frames_field_names[] = {TAKE("id")
#include "world/fields.def"
                                                    OWN NULL};

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
