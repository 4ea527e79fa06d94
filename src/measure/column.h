// Measurements by name: the columns of tables and other single numbers.

#ifndef SCREE_MEASURE_COLUMN_H
#define SCREE_MEASURE_COLUMN_H

#include "base/status.h"

#include <scree/flux_surface.h>
#include <scree/measure.h>

struct scree_world;

// The columns of a table or a report, and those that are measured together: formulas may use more.
enum { SCREE_COLUMN_MAX = 64, SCREE_COLUMN_MEASURED = 128 };

// Arguments of a column. Region and group of bodies are optional, the others are required.
enum {
    SCREE_COLUMN_INSIDE = 1,
    SCREE_COLUMN_OF = 2,
    SCREE_COLUMN_THROUGH = 4,
    SCREE_COLUMN_PERCENTILE = 8,
    SCREE_COLUMN_MEMBERS = 16, // a group of bodies
    SCREE_COLUMN_BY_MASS = 32, // can be weighted by mass
    SCREE_COLUMN_GRID = 64,    // numbers of cells; the group is one of bodies
    SCREE_COLUMN_SINCE = 128,  // measured from the start of the run or of the stage
    SCREE_COLUMN_FACES = 256,  // needs opposite faces of the walls
    SCREE_COLUMN_OVER = 512,   // a mean over a window of time
    SCREE_COLUMN_ABOUT = 1024, // a moment about a point, the origin if none is given
    SCREE_COLUMN_WEAR = 2048,  // needs the wear of meshes to be kept
    SCREE_COLUMN_TRIED = 4096, // measured once before the run, since some cells do not have it
    SCREE_COLUMN_REQUIRED =
        SCREE_COLUMN_OF | SCREE_COLUMN_THROUGH | SCREE_COLUMN_PERCENTILE | SCREE_COLUMN_GRID
};

// A column; the table ends with one without a name.
struct scree_column_row {
    const char *name, *unit, *flat, *about; // `flat` is the unit in two dimensions
    int kind;
    size_t offset;   // of the value in the result
    bool is_integer; // else a double
    unsigned arguments;
};
extern const struct scree_column_row scree_column_rows[];
extern const char *const scree_column_names[]; // ends with null

// The index of a column by its name; the index of the last, nameless row if there is none.
size_t scree_column_find(const char *name);

// Whether a column is measured from contacts or their forces, or from bonds.
bool scree_column_needs_forces(const struct scree_column_row *row);

// Whether only the event engine can measure the column.
bool scree_column_needs_collisions(const struct scree_column_row *row);

// The arguments of a column in words, as "a region"; null for none.
const char *scree_column_arguments(const struct scree_column_row *row);

// A column with its arguments. Initialize with zero bytes: equal measurements must be equal in all bytes.
struct scree_measurement {
    size_t row;
    struct scree_measurement_of {
        struct scree_measure_region region;
        scree_group_id group;
        scree_flux_surface_id flux_surface;
        struct scree_flux_surface_window window; // of a flow
        double percentile;
        uint32_t cells[3];
        double about[3];
        bool by_mass, since_stage;
    } of;
};

// Makes a measurement of a column without required arguments, by its name.
SCREE_NODISCARD scree_status scree_column_by_name(const char *name, struct scree_measurement *measurement);

// Evaluates measurements with on-step velocities. A quantity that several of them need is computed once.
SCREE_NODISCARD scree_status scree_column_measure(struct scree_world *world,
                                                  const struct scree_measurement *measurement, size_t count,
                                                  double *values);

#endif
