// The language of scenes, see key.h.

#include "language/key.h"

#include "exchange/formats.h"
#include "language/frames_field.h"
#include "measure/column.h"
#include "measure/distribution.h"

#include <math.h>
#include <string.h>

#define ANY ((double)INFINITY)
#define NEEDED SCREE_KEY_NEEDED
#define ABOVE SCREE_KEY_ABOVE
#define BELOW SCREE_KEY_BELOW
#define ONE SCREE_KEY_ONE
#define SOME SCREE_KEY_SOME
#define OTHER SCREE_KEY_OTHER
#define ZERO SCREE_KEY_ZERO
#define DIRECTION SCREE_KEY_DIRECTION
#define MATERIAL SCREE_KEY_MATERIAL
#define CLUMP SCREE_KEY_CLUMP
#define POLYHEDRON SCREE_KEY_POLYHEDRON
#define BODIES SCREE_KEY_BODIES
#define WALLS SCREE_KEY_WALLS
const struct scree_key scree_key_rows[SCREE_KEYS] = {
#define KEY(section, key, name, type, ...)                                                                   \
    [SCREE_KEY_##section##_##key] = {SCREE_SECTION_##section, name, SCREE_KEY_##type, __VA_ARGS__},
#include "language/key.def"
};

const struct scree_section_row scree_key_sections[SCREE_SECTIONS] = {
#define SECTION(section, name, about) [SCREE_SECTION_##section] = {#section, name, about},
#include "language/key.def"
};

static const struct {
    const char *name;
    const char *const *words;
} sets[] = {
#define WORDS(set, ...) {#set, (const char *const[]){__VA_ARGS__, NULL}},
#include "language/key.def"
    {"column", scree_column_names},      {"distribution", scree_distribution_names},
    {"field", scree_frames_field_names}, {"format", scree_formats_names},
    {"units", scree_format_unit_names},
};

#define WITH SCREE_KEY_WITH
#define WITHOUT SCREE_KEY_WITHOUT
#define UNLESS SCREE_KEY_UNLESS
const struct scree_key_constraint scree_key_constraints[] = {
#define CONSTRAINT(section, key, how, other)                                                                 \
    {SCREE_KEY_##section##_##key, SCREE_KEY_##section##_##other, how},
#include "language/key.def"
    {0, 0, SCREE_KEY_WITHOUT}};

// A unit or word of a key that is not part of its row.
struct text {
    enum scree_key_id key;
    const char *text;
};

static const struct text units_2d[] = {
#define UNIT_2D(section, key, unit) {SCREE_KEY_##section##_##key, unit},
#include "language/key.def"
};

static const struct text special[] = {
#define SPECIAL(section, key, word) {SCREE_KEY_##section##_##key, word},
#include "language/key.def"
};

enum scree_key_id scree_key_unless(enum scree_key_id key)
{
    for (size_t t = 0; scree_key_constraints[t].key != scree_key_constraints[t].other; ++t)
        if (scree_key_constraints[t].key == key && scree_key_constraints[t].relation == SCREE_KEY_UNLESS)
            return scree_key_constraints[t].other;
    return SCREE_KEYS;
}

const char *scree_key_unit(enum scree_key_id key, int dimension)
{
    for (size_t k = 0; dimension == 2 && k < sizeof units_2d / sizeof units_2d[0]; ++k)
        if (units_2d[k].key == key)
            return units_2d[k].text;
    return scree_key_rows[key].unit;
}

const char *scree_key_special(enum scree_key_id key)
{
    for (size_t k = 0; k < sizeof special / sizeof special[0]; ++k)
        if (special[k].key == key)
            return special[k].text;
    return NULL;
}

enum scree_section scree_key_section(const char *key)
{
    enum scree_section section = 0;
    while (section < SCREE_SECTIONS && strcmp(scree_key_sections[section].key, key) != 0)
        ++section;
    return section;
}

const struct scree_key *scree_key_find(enum scree_section section, const char *name)
{
    for (size_t k = 0; k < SCREE_KEYS; ++k)
        if (scree_key_rows[k].section == section && strcmp(scree_key_rows[k].name, name) == 0)
            return &scree_key_rows[k];
    return NULL;
}

const char *const *scree_key_words(const char *set)
{
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; ++s)
        if (strcmp(sets[s].name, set) == 0)
            return sets[s].words;
    return NULL;
}

enum scree_section scree_key_child_section(const struct scree_key *key)
{
    switch (key->type) {
    case SCREE_KEY_SIZE:
    case SCREE_KEY_COLUMNS:
    case SCREE_KEY_COMPARISON:
    case SCREE_KEY_SECTION:
    case SCREE_KEY_LIST:
    case SCREE_KEY_LIST_OR_ONE:
    case SCREE_KEY_MAP:
        return scree_key_section(key->set);
    default:
        return SCREE_SECTIONS;
    }
}

const char *const *scree_key_choices(const struct scree_key *key)
{
    return key->type == SCREE_KEY_WORD || key->type == SCREE_KEY_NAMES || key->type == SCREE_KEY_COLUMNS
               ? scree_key_words(key->set)
               : NULL;
}

static const char *const descriptions[] = {
#define TYPE(type, values) values,
#include "language/key.def"
};

const char *scree_key_values(enum scree_key_type type)
{
    return descriptions[type];
}
