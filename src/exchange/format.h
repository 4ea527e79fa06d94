// Other programs' files of bodies: what a format is, and the table in memory that each format reads into, or
// writes from. formats.h has all formats.
//
// What always holds: a file is hostile until it has been read: counts in it are believed only as far as there
// are rows, numbers are finite, ids are there once, memory grows with what has been read. What is wrong is
// complained about with its line. A table in memory is in SI units, whatever the file is in.

#ifndef SCREE_EXCHANGE_FORMAT_H
#define SCREE_EXCHANGE_FORMAT_H

#include "text/lines.h"

#include <stdio.h>

// Numbers that a body may have: COLUMN(symbol, name, length, mass, time), the powers of its dimension.
#define SCREE_FORMAT_NUMBERS(COLUMN)                                                                         \
    COLUMN(X, "x", 1, 0, 0)                                                                                  \
    COLUMN(Y, "y", 1, 0, 0)                                                                                  \
    COLUMN(Z, "z", 1, 0, 0)                                                                                  \
    COLUMN(RADIUS, "radius", 1, 0, 0)                                                                        \
    COLUMN(DENSITY, "density", -3, 1, 0)                                                                     \
    COLUMN(MASS, "mass", 0, 1, 0)                                                                            \
    COLUMN(VELOCITY_X, "velocity-x", 1, 0, -1)                                                               \
    COLUMN(VELOCITY_Y, "velocity-y", 1, 0, -1)                                                               \
    COLUMN(VELOCITY_Z, "velocity-z", 1, 0, -1)                                                               \
    COLUMN(SPIN_X, "spin-x", 0, 0, -1)                                                                       \
    COLUMN(SPIN_Y, "spin-y", 0, 0, -1)                                                                       \
    COLUMN(SPIN_Z, "spin-z", 0, 0, -1)                                                                       \
    COLUMN(TURN_W, "orientation-w", 0, 0, 0)                                                                 \
    COLUMN(TURN_X, "orientation-x", 0, 0, 0)                                                                 \
    COLUMN(TURN_Y, "orientation-y", 0, 0, 0)                                                                 \
    COLUMN(TURN_Z, "orientation-z", 0, 0, 0)                                                                 \
    COLUMN(FORCE_X, "force-x", 1, 1, -2)                                                                     \
    COLUMN(FORCE_Y, "force-y", 1, 1, -2)                                                                     \
    COLUMN(FORCE_Z, "force-z", 1, 1, -2)

enum scree_format_column {
#define COLUMN(symbol, ...) SCREE_FORMAT_##symbol,
    SCREE_FORMAT_NUMBERS(COLUMN)
#undef COLUMN
        SCREE_FORMAT_COLUMNS,
    // what is not a number as it stands
    SCREE_FORMAT_ID = SCREE_FORMAT_COLUMNS,
    SCREE_FORMAT_TYPE,
    SCREE_FORMAT_IMAGE_X, // whole periods that a body has gone
    SCREE_FORMAT_IMAGE_Y,
    SCREE_FORMAT_IMAGE_Z,
    SCREE_FORMAT_SHARE_X, // of the box, in place of X
    SCREE_FORMAT_SHARE_Y,
    SCREE_FORMAT_SHARE_Z,
    SCREE_FORMAT_SKIPPED
};

// What a column is called, and the powers of length, mass and time in its unit.
struct scree_format_number {
    const char *name;
    int length, mass, time;
};
extern const struct scree_format_number scree_format_numbers[SCREE_FORMAT_COLUMNS];

enum { SCREE_FORMAT_TYPES = 1024, SCREE_FORMAT_TYPE_LENGTH = 32 };

// The name of a type, a number in most formats, a species or a material in others.
struct scree_format_type {
    char name[SCREE_FORMAT_TYPE_LENGTH];
};

struct scree_format_table {
    size_t count, room;                   // bodies, and those that memory is there for
    unsigned has;                         // bit 1 << column for each that is there, ids, types and images too
    double *number[SCREE_FORMAT_COLUMNS]; // null where they are not there
    uint64_t *id;
    uint32_t *type; // from 0, see below
    int32_t (*image)[3];
    uint32_t *line; // where each stands in its file
    SCREE_ARRAY(struct scree_format_type) types;
    bool boxed, timed, stepped;
    double lower[3], upper[3]; // of the box, m
    bool periodic[3];
    double time; // s
    uint64_t step;
    int dimension; // 0 where nothing tells
};

static inline bool scree_format_has(const struct scree_format_table *table, enum scree_format_column column)
{
    return table->has >> column & 1;
}

// Units that files may be in, by the names that LAMMPS gives them; closed by one without a name.
struct scree_format_units {
    const char *name;
    double length, mass, time; // one of each in SI
};
extern const struct scree_format_units scree_format_units[];
extern const char *const scree_format_unit_names[];

SCREE_NODISCARD scree_status scree_format_find_units(const char *name,
                                                     const struct scree_format_units **units);

// A file that is read, snapshot by snapshot.
struct scree_format_input {
    struct scree_lines lines;
    const char *path;                       // for what is not read by lines
    const struct scree_format_units *units; // asked for; null for what the file says, else SI
    const struct scree_format_units *said;  // by the file; null where it says nothing
    uint64_t snapshots;                     // that have been begun
    bool whole;                             // bodies are wanted, and not only step and time
    bool torn;                              // what follows a snapshot may be anything
};

// How a format lays out a table. What it cannot hold is left out.
struct scree_format_output {
    FILE *file;
    const struct scree_format_units *units; // null for SI
    uint64_t snapshots;                     // that are there already
};

// What a format may hold besides columns; bits. Units are those of the file that is written. Without names,
// types have numbers alone; some have names that are one word.
enum scree_format_fact {
    SCREE_FORMAT_BOX = 1,
    SCREE_FORMAT_PERIODS = 2,
    SCREE_FORMAT_TIME = 4,
    SCREE_FORMAT_STEP = 8,
    SCREE_FORMAT_NAMES = 16,
    SCREE_FORMAT_WORDS = 32,
    SCREE_FORMAT_UNITS = 64
};

struct scree_format {
    const char *name, *about;
    const char *const *endings; // closed by null; the first one is usual
    bool many;                  // a file may hold several snapshots
    // Whether a file that begins so may be one, `text` closed by a zero.
    bool (*detect)(const char *text, size_t length);
    // Reads the next snapshot into an empty table; where it is not wanted whole, its step and time alone.
    // False at the end, and after diagnostics and failures, which `input` holds.
    bool (*read)(struct scree_format_input *input, struct scree_format_table *table);
    // Appends a snapshot. Failures are those of the disk, which the file remembers. Null where a format is
    // only read.
    void (*write)(struct scree_format_output *output, const struct scree_format_table *table);
    // What a table must have for that; bits of columns.
    unsigned needs;
    // What is written of a table: bits of columns, and of what is there besides.
    unsigned holds, facts;
};

// --- tables

// Frees all but the names of types, which have the same numbers in what is read next.
void scree_format_empty(struct scree_format_table *table);

void scree_format_free(struct scree_format_table *table);

// Declares what the rows to come have; of an empty table. With one component of a velocity, spin, force or
// image come all three, zero where no row says more.
void scree_format_declare(struct scree_format_table *table, enum scree_format_column column);

// Declares a column of numbers of a table that has rows; zero in all of them.
SCREE_NODISCARD scree_status scree_format_extend(struct scree_format_table *table,
                                                 enum scree_format_column column);

// The density of spheres by their mass, where a format needs it and there is none.
SCREE_NODISCARD scree_status scree_format_complete(struct scree_format_table *table,
                                                   const struct scree_format *format);

// Multiplies lengths, those in velocities too.
void scree_format_scale(struct scree_format_table *table, double factor);

// The box, or where there is none one around all bodies.
void scree_format_box(const struct scree_format_table *table, double lower[3], double upper[3]);

// A row more, all zero; at most UINT32_MAX of them.
SCREE_NODISCARD scree_status scree_format_add(struct scree_format_table *table);

// The number of a type by its name, which becomes one where it is new; SCREE_FORMAT_TYPES where there is no
// room for it.
SCREE_NODISCARD scree_status scree_format_type(struct scree_format_table *table, const char *name,
                                               size_t length, uint32_t *type);

// The numbers that formats without names have for types: what they are called where that is a number for all
// of them, else from 1.
bool scree_format_types_are_numbers(const struct scree_format_table *table);
uint32_t scree_format_type_number(const struct scree_format_table *table, size_t row, bool numbers);

// Reads a whole number of a word; false where it is none.
bool scree_format_whole(const char *word, size_t length, uint64_t *number);

#endif
