// Files of bodies: the interface of a format, and the table in memory that a format reads into and writes
// from. formats.h lists the formats.
//
// Invariants: input files are not trusted. Counts in a header never size an allocation: memory grows with the
// rows that were read. Numbers are finite and ids unique. Errors have their line. The table is in SI units.

#ifndef SCREE_EXCHANGE_FORMAT_H
#define SCREE_EXCHANGE_FORMAT_H

#include "text/lines.h"

#include <stdio.h>

// Real values of a body: COLUMN(symbol, name, length, mass, time), with the powers of its dimension.
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
    COLUMN(QUAT_W, "orientation-w", 0, 0, 0)                                                                 \
    COLUMN(QUAT_X, "orientation-x", 0, 0, 0)                                                                 \
    COLUMN(QUAT_Y, "orientation-y", 0, 0, 0)                                                                 \
    COLUMN(QUAT_Z, "orientation-z", 0, 0, 0)                                                                 \
    COLUMN(FORCE_X, "force-x", 1, 1, -2)                                                                     \
    COLUMN(FORCE_Y, "force-y", 1, 1, -2)                                                                     \
    COLUMN(FORCE_Z, "force-z", 1, 1, -2)

enum scree_format_column {
#define COLUMN(symbol, ...) SCREE_FORMAT_##symbol,
    SCREE_FORMAT_NUMBERS(COLUMN)
#undef COLUMN
        SCREE_FORMAT_COLUMNS,
    // columns that are not real values
    SCREE_FORMAT_ID = SCREE_FORMAT_COLUMNS,
    SCREE_FORMAT_TYPE,
    SCREE_FORMAT_SHAPE,   // of clumps
    SCREE_FORMAT_BODY,    // to which a pebble belongs
    SCREE_FORMAT_IMAGE_X, // image flags: periods that the body has crossed
    SCREE_FORMAT_IMAGE_Y,
    SCREE_FORMAT_IMAGE_Z,
    SCREE_FORMAT_SCALED_X, // scaled coordinates: fraction of the box, converted to X
    SCREE_FORMAT_SCALED_Y,
    SCREE_FORMAT_SCALED_Z,
    SCREE_FORMAT_SKIPPED
};

// Name of a column, and the powers of length, mass and time in its unit.
struct scree_format_number {
    const char *name;
    int length, mass, time;
};
extern const struct scree_format_number scree_format_numbers[SCREE_FORMAT_COLUMNS];

enum { SCREE_FORMAT_TYPES = 1024, SCREE_FORMAT_TYPE_LENGTH = 32 };

// The name of a type: a number in most formats, a species or a material in others. Or the name of a shape, or
// its number in the order of the scene; 0 for spheres and disks.
struct scree_format_type {
    char name[SCREE_FORMAT_TYPE_LENGTH];
};
typedef SCREE_ARRAY(struct scree_format_type) scree_format_types;

struct scree_format_table {
    size_t count, capacity; // number of bodies
    unsigned has;           // bit 1 << column for each present column, ids, types and images too
    double *number[SCREE_FORMAT_COLUMNS]; // null for absent columns
    uint64_t *id;
    uint32_t *type;  // index into `types`
    uint32_t *shape; // index into `shapes`
    uint64_t *body;  // of which the row is a pebble; 0 for none
    int32_t (*image)[3];
    uint32_t *line; // line number in the file
    scree_format_types types, shapes;
    bool molecules; // bodies are molecules, whose rows have the masses of single spheres
    bool has_box, has_time, has_step;
    double lower[3], upper[3]; // of the box, m
    bool periodic[3];
    double time; // s
    uint64_t step;
    int dimension; // 0 if unknown
};

static inline bool scree_format_has(const struct scree_format_table *table, int column)
{
    return table->has >> column & 1;
}

// Unit systems of files, with the names of LAMMPS. The array ends with a null name.
struct scree_format_units {
    const char *name;
    double length, mass, time; // the units in SI
};
extern const struct scree_format_units scree_format_units[];
extern const char *const scree_format_unit_names[];

SCREE_NODISCARD scree_status scree_format_find_units(const char *name,
                                                     const struct scree_format_units **units);

// A file that is read, snapshot by snapshot.
struct scree_format_input {
    struct scree_lines lines;
    const char *path;                            // for binary formats, which are not read by lines
    const struct scree_format_units *units;      // given by the user; null: those of the file, else SI
    const struct scree_format_units *file_units; // stated in the file; null if none
    uint64_t snapshots;                          // number of snapshots begun
    bool read_bodies;                            // read the bodies, not only step and time
    bool molecules;                              // rows with the same `mol` are a clump
    bool ignore_rest; // do not check the text after a snapshot, which may be incomplete
};

// A file that is written. Data that the format cannot store are left out.
struct scree_format_output {
    FILE *file;
    const struct scree_format_units *units; // null for SI
    uint64_t snapshots;                     // number of snapshots in the file
};

// What a format can store besides columns, as bits. UNITS: the file states its units. NAMES: types have
// names, else only numbers; WORDS: the names are single words.
enum scree_format_fact {
    SCREE_FORMAT_BOX = 1,
    SCREE_FORMAT_PERIODS = 2,
    SCREE_FORMAT_TIME = 4,
    SCREE_FORMAT_STEP = 8,
    SCREE_FORMAT_NAMES = 16,
    SCREE_FORMAT_WORDS = 32,
    SCREE_FORMAT_UNITS = 64
};

typedef bool scree_format_detect(const char *text, size_t length);
typedef bool scree_format_read(struct scree_format_input *input, struct scree_format_table *table);
typedef void scree_format_write(struct scree_format_output *output, const struct scree_format_table *table);

struct scree_format {
    const char *name, *about;
    const char *const *endings; // of file names; null-terminated, the first is the default
    bool many;                  // a file may have several snapshots
    // Returns whether a file may be of this format; `text` is its zero-terminated beginning.
    scree_format_detect *detect;
    // Reads the next snapshot into an empty table; only step and time unless `input->read_bodies`. Returns
    // false at the end of the file and on errors, which are in `input->lines`.
    scree_format_read *read;
    // Appends a snapshot; an I/O error sets the error flag of the FILE. Null if the format is only read.
    scree_format_write *write;
    // Columns that writing needs, as bits.
    unsigned needs;
    // Columns that are written, as bits, and scree_format_fact bits.
    unsigned columns, facts;
};

// --- tables

// Clears a table but keeps the names of types and shapes, so that they have the same numbers in the next
// snapshot.
void scree_format_empty(struct scree_format_table *table);

void scree_format_free(struct scree_format_table *table);

// Declares `width` columns of an empty table. With one component of a velocity, spin, force or image all
// three are declared; those that no row gives are zero.
void scree_format_declare(struct scree_format_table *table, int column, int width);

// Adds a column of zeros to a table that has rows.
SCREE_NODISCARD scree_status scree_format_extend(struct scree_format_table *table, int column);

// Computes missing densities from mass and radius, as of spheres, if the format needs them.
SCREE_NODISCARD scree_status scree_format_complete(struct scree_format_table *table,
                                                   const struct scree_format *format);

// Multiplies all lengths by a factor, also in velocities.
void scree_format_scale(struct scree_format_table *table, double factor);

// Gets the box; without one, the bounding box of all bodies.
void scree_format_box(const struct scree_format_table *table, double lower[3], double upper[3]);

// Adds a row of zeros; a table has at most UINT32_MAX rows.
SCREE_NODISCARD scree_status scree_format_add(struct scree_format_table *table);

// Finds or adds a type, or a shape; gives SCREE_FORMAT_TYPES if there are too many. The search starts at the
// old `type`.
SCREE_NODISCARD scree_status scree_format_type(scree_format_types *types, const char *name, size_t length,
                                               uint32_t *type);

// The numbers of types in formats without names: the names if all of them are numbers, else 1, 2, ...
bool scree_format_types_are_numbers(const struct scree_format_table *table);
uint32_t scree_format_type_number(const struct scree_format_table *table, size_t row, bool numbers);

// Reads a word as a non-negative integer; returns false if it is not one.
bool scree_format_read_integer(const char *word, size_t length, uint64_t *number);

#endif
