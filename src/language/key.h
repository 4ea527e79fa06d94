// The language of scenes as a table: which keys there are in which section, what each takes, and what it
// means. Parser, checker, help, schema and reference page read this and nothing else.

#ifndef SCREE_LANGUAGE_KEY_H
#define SCREE_LANGUAGE_KEY_H

#include <stdbool.h>
#include <stddef.h>

enum scree_key_type {
    SCREE_KEY_NUMBER,
    SCREE_KEY_SIZE, // a number, or keys of the section that `of` names
    SCREE_KEY_WHOLE,
    SCREE_KEY_INTERVAL, // a time, or a number of steps
    SCREE_KEY_FLAG,
    SCREE_KEY_WORD, // one of the words that `of` names
    SCREE_KEY_TEXT,
    SCREE_KEY_PATH,        // a file beside the scene
    SCREE_KEY_SOME_PATHS,  // or a list of such
    SCREE_KEY_COLUMNS,     // a list of columns of tables, by name or as keys of the section that `of` names
    SCREE_KEY_COMPARISON,  // a column of tables, '<' or '>', and a number, or keys of that section
    SCREE_KEY_MEASURED,    // a number in the unit of a column
    SCREE_KEY_NAME,        // of something in the scene
    SCREE_KEY_NAMES,       // a list of such, or of the words that `of` names, as many as the bounds say
    SCREE_KEY_SOME_NAMES,  // or one alone
    SCREE_KEY_SOME_WHOLES, // a whole number, or a list of such
    SCREE_KEY_VECTOR,      // three numbers; two in a world of two dimensions
    SCREE_KEY_PAIR,        // two numbers
    SCREE_KEY_QUADRUPLE,   // four numbers
    SCREE_KEY_BOX,         // two vectors
    SCREE_KEY_TABLE,       // a list of pairs: a number, and a share from 0 to 1
    SCREE_KEY_SECTION,     // keys of the section that `of` names
    SCREE_KEY_LIST,        // a list of such
    SCREE_KEY_LIST_OR_ONE, // or one alone
    SCREE_KEY_MAP,         // names, each with such
    SCREE_KEY_VARIABLES    // names with numbers or texts
};

enum {
    SCREE_KEY_NEEDED = 1, // an error to leave it out
    SCREE_KEY_ABOVE = 2,  // `least` itself is not allowed
    SCREE_KEY_ONE = 4,    // exactly one of the keys of the section that have this
    SCREE_KEY_OTHER = 8,  // the word that `of` names in place of a number
    SCREE_KEY_BELOW = 16, // `most` itself is not allowed
    SCREE_KEY_SOME = 32,  // at least one of the keys of the section that have this; one that is false is none
    SCREE_KEY_ZERO = 64,  // the other word reads as 0 and not as infinity
    SCREE_KEY_DIRECTION = 128, // a vector whose length is not 0
    SCREE_KEY_MATERIAL = 256,  // the name of a material
    SCREE_KEY_BODIES = 512,    // the name of a group of bodies
    SCREE_KEY_WALLS = 1024     // the name of a group of walls
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
    const char *of;
    const char *standard; // what is taken when it is left out; empty for nothing
    const char *about, *example;
};

extern const struct scree_key scree_key_rows[SCREE_KEYS];

extern const struct scree_section_row {
    const char *key, *name, *about; // "sphere", "a sphere", what it is
} scree_key_sections[SCREE_SECTIONS];

// A key that goes only with another, or only without it; several that it goes with are a choice. Closed by
// one whose keys are the same.
struct scree_key_constraint {
    enum scree_key_id key, other;
    bool with;
};
extern const struct scree_key_constraint scree_key_ties[];

// The unit of a key in a world of so many dimensions.
const char *scree_key_unit(enum scree_key_id key, int dimension);

// The word that is no name under a key that takes names, as `any` material; null for none.
const char *scree_key_special(enum scree_key_id key);

// The section of that key; SCREE_SECTIONS for none.
enum scree_section scree_key_section(const char *key);

// The row of a key in a section; null for none.
const struct scree_key *scree_key_find(enum scree_section section, const char *name);

// The words of a set, closed by null; null for none. Those of `column` are the columns of tables, those of
// `field` the arrays of frames, those of `format` and `units` what files of bodies may be in.
const char *const *scree_key_words(const char *of);

// The section of which keys stand under a key; SCREE_SECTIONS for none.
enum scree_section scree_key_opens(const struct scree_key *key);

// The words that stand under a key, closed by null; null where there are others.
const char *const *scree_key_choices(const struct scree_key *key);

// What stands under a key of a type, in words.
const char *scree_key_takes(enum scree_key_type type);

#endif
