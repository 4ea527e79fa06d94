// What can be measured of a world, by name: the columns of tables, and whatever else is asked for by a
// number.

#ifndef SCREE_MEASURE_COLUMN_H
#define SCREE_MEASURE_COLUMN_H

#include "base/status.h"

#include <scree/measure.h>

struct scree_world;

enum { SCREE_COLUMN_MOST = 64 }; // in a table or a report

// What a column takes; all but a region and its bodies must be given.
enum {
    SCREE_COLUMN_INSIDE = 1,
    SCREE_COLUMN_OF = 2,
    SCREE_COLUMN_THROUGH = 4,
    SCREE_COLUMN_PERCENTILE = 8,
    SCREE_COLUMN_MEMBERS = 16, // a group too, of bodies
    SCREE_COLUMN_BY_MASS = 32, // its percentile by mass too
    SCREE_COLUMN_NEEDS = SCREE_COLUMN_OF | SCREE_COLUMN_THROUGH | SCREE_COLUMN_PERCENTILE
};

// What a column shows; closed by one without a name.
struct scree_column_row {
    const char *name, *unit, *flat, *about; // `flat` is the unit in two dimensions
    int kind;
    size_t place;
    unsigned takes;
};
extern const struct scree_column_row scree_column_rows[];
extern const char *const scree_column_names[]; // closed by null

// The number of a column by its name; that of the closing row for none.
size_t scree_column_find(const char *name);

// What a column takes in words, as "a region"; null for nothing.
const char *scree_column_takes(const struct scree_column_row *row);

// What a column measures, and of what. Made from zero bytes, so that two of the same are equal in all bytes.
struct scree_measurement {
    size_t row;
    struct scree_measurement_of {
        struct scree_measure_region region;
        scree_group_id group;
        scree_flux_surface_id flux_surface;
        double percentile;
        bool by_mass;
    } of;
};

// A measurement of a column that needs nothing, by its name.
SCREE_NODISCARD scree_status scree_column_named(const char *name, struct scree_measurement *measurement);

// What measurements show of a world in step. What several need is measured once.
SCREE_NODISCARD scree_status scree_column_measure(struct scree_world *world,
                                                  const struct scree_measurement *measurement, size_t count,
                                                  double *values);

#endif
