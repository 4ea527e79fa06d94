// Reads the measurements of a scene: columns of tables, and the comparisons that end stages.
//
// Invariants: a measurement that has been read is valid, or was reported at its place. Reading needs no
// world. Binding resolves the group and the flux surface of a measurement in a world and checks its region
// there.

#ifndef SCREE_LANGUAGE_MEASUREMENT_H
#define SCREE_LANGUAGE_MEASUREMENT_H

#include "language/reading.h"
#include "measure/column.h"

#include <scree/flux_surface.h>

// A measurement as written in the scene, before it is bound to a world.
struct scree_measurement_text {
    struct scree_measurement measurement;
    const char *name;  // of the column in its table
    const char *group; // null for none
    const char *mesh;  // the group of the mesh that is the region; null for none
    struct scree_flux_surface_def flux_surface;
    const char *flux_mesh; // the group of the mesh that is the surface; null for none
    const struct scree_node *node;
    const char *formula; // null for a measurement; else there is no row
};

struct scree_comparison {
    struct scree_measurement_text text;
    bool below;
    double limit;                 // of a formula: known when it is bound
    struct scree_node limit_node; // text of the limit
    const char *limit_name;       // of its key
};

// Checks the value of a key of type COLUMNS, whose maps have passed the check of sections.
void scree_measurement_check_columns(struct scree_reading *reading, const struct scree_node *node,
                                     const struct scree_key *key);

// Reads a comparison: a text, or a map that has passed the check of sections.
bool scree_measurement_comparison(struct scree_reading *reading, const struct scree_node *node,
                                  const struct scree_key *key, struct scree_comparison *comparison);

// Binds a measurement to a world; reports an error of the world as a diagnostic. A formula is left as it is.
SCREE_NODISCARD scree_status scree_measurement_bind(struct scree_reading *reading, struct scree_world *world,
                                                    struct scree_measurement_text *text);

// Reads a column: a name, or a map that has passed the check of sections.
bool scree_measurement_read_column(struct scree_reading *reading, const struct scree_node *node,
                                   struct scree_measurement_text *text);

// Gives a flow without a window the interval of the record of its table, null for none; returns false after a
// diagnostic.
bool scree_measurement_give_window(struct scree_reading *reading, const struct scree_node *record,
                                   struct scree_measurement_text *text);

// Reads a region of measurement; `mesh` receives the group of the mesh that it is, null for other shapes.
// Returns false after a diagnostic.
bool scree_measurement_region(struct scree_reading *reading, const struct scree_node *node,
                              struct scree_measure_region *region, const char **mesh);

// Reads the limit of a comparison in a unit.
bool scree_measurement_read_limit(struct scree_reading *reading, struct scree_comparison *comparison,
                                  const char *unit);

#endif
