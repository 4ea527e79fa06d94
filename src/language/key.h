// The scene language as a table: the keys of each section, the type of their values, and their meaning. The
// parser, the check, the help, the schema and the reference page all derive from this table.

#ifndef SCREE_LANGUAGE_KEY_H
#define SCREE_LANGUAGE_KEY_H

#include <stdbool.h>
#include <stddef.h>

enum scree_key_type {
#define TYPE(type, values) SCREE_KEY_##type,
#include "language/key.def"
};

enum {
    SCREE_KEY_NEEDED = 1,       // required
    SCREE_KEY_ABOVE = 2,        // `least` itself is not allowed
    SCREE_KEY_ONE = 4,          // exactly one key of the section with this flag must be given
    SCREE_KEY_OTHER = 8,        // the word `set` is allowed instead of a number, and reads as infinity
    SCREE_KEY_BELOW = 16,       // `most` itself is not allowed
    SCREE_KEY_SOME = 32,        // at least one key with this flag must be given; false does not count
    SCREE_KEY_ZERO = 64,        // with SCREE_KEY_OTHER: the word reads as 0 instead of infinity
    SCREE_KEY_DIRECTION = 128,  // a vector of nonzero length
    SCREE_KEY_MATERIAL = 256,   // the name of a material
    SCREE_KEY_BODIES = 512,     // the name of a group of bodies
    SCREE_KEY_WALLS = 1024,     // the name of a group of walls
    SCREE_KEY_CLUMP = 2048,     // the name of the shape of a clump
    SCREE_KEY_POLYHEDRON = 4096 // the name of the shape of a polyhedron; with both flags, of either
};

enum scree_section {
#define SECTION(section, name, about) SCREE_SECTION_##section,
#include "language/key.def"
    SCREE_SECTIONS
};

enum scree_key_id {
#define KEY(section, key, ...) SCREE_KEY_##section##_##key,
#include "language/key.def"
    SCREE_KEYS
};

struct scree_key {
    enum scree_section section;
    const char *name;
    enum scree_key_type type;
    const char *unit;
    double least, most;
    unsigned flags;
    const char *set;           // section or set of words of the value; with SCREE_KEY_OTHER, the word
    const char *default_value; // as written in a scene; empty for none
    const char *about, *example;
};

extern const struct scree_key scree_key_rows[SCREE_KEYS];

extern const struct scree_section_row {
    const char *key, *name, *about; // "sphere", "a sphere", description
} scree_key_sections[SCREE_SECTIONS];

// A key that requires another key of its section (`WITH`; of several one), excludes it (`WITHOUT`), or is
// needed only if the other is not given (`UNLESS`). The last row has `key` equal to `other`.
enum scree_key_relation { SCREE_KEY_WITHOUT, SCREE_KEY_WITH, SCREE_KEY_UNLESS };
struct scree_key_constraint {
    enum scree_key_id key, other;
    enum scree_key_relation relation;
};
extern const struct scree_key_constraint scree_key_constraints[];

// Returns the key that makes a needed key optional; SCREE_KEYS if there is none.
enum scree_key_id scree_key_unless(enum scree_key_id key);

// Returns the unit of a key in two or three dimensions.
const char *scree_key_unit(enum scree_key_id key, int dimension);

// Returns the reserved word of a key that takes names, such as `any` for materials; null for none.
const char *scree_key_special(enum scree_key_id key);

// Finds a section by its `key`; SCREE_SECTIONS if there is none.
enum scree_section scree_key_section(const char *key);

// Finds a key of a section by name; null if there is none.
const struct scree_key *scree_key_find(enum scree_section section, const char *name);

// Returns the words of a set, null-terminated; null for an unknown set. The sets `column`, `field`, `format`
// and `units` are the table columns, the arrays of frames, and the formats and unit systems of body files.
const char *const *scree_key_words(const char *set);

// Returns the section of the value of a key; SCREE_SECTIONS if the value is not a section.
enum scree_section scree_key_child_section(const struct scree_key *key);

// Returns the allowed words of a key, null-terminated; null if it takes other values.
const char *const *scree_key_choices(const struct scree_key *key);

// Describes the values of a key type, as "a list of two numbers".
const char *scree_key_values(enum scree_key_type type);

// Names of a key in PFC, in LAMMPS and LIGGGHTS, and in Yade.
struct scree_equivalent {
    const char *section, *key; // section: its name; empty for all sections with the key
    const char *name[3];       // empty if the program has no equivalent
};

extern const struct scree_equivalent scree_equivalent_rows[]; // the last row has a null key

#endif
