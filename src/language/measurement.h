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
    struct scree_flux_surface_def flux_surface;
    const struct scree_node *node;
};

struct scree_comparison {
    struct scree_measurement_text text;
    bool below;
    double limit;
};

// Checks the value of a key of type COLUMNS, whose maps have passed the check of sections.
void scree_measurement_check_columns(struct scree_reading *reading, const struct scree_node *node,
                                     const struct scree_key *key);

// Reads a comparison: a text, or a map that has passed the check of sections.
bool scree_measurement_comparison(struct scree_reading *reading, const struct scree_node *node,
                                  const struct scree_key *key, struct scree_comparison *comparison);

// Binds a measurement to a world; reports an error of the world as a diagnostic.
SCREE_NODISCARD scree_status scree_measurement_bind(struct scree_reading *reading, struct scree_world *world,
                                                    struct scree_measurement_text *text);

// Reads and binds the columns of a table; `count` is 0 after a diagnostic.
SCREE_NODISCARD scree_status scree_measurement_columns(struct scree_reading *reading,
                                                       struct scree_world *world,
                                                       const struct scree_node *map, enum scree_key_id key,
                                                       struct scree_measurement_text text[SCREE_COLUMN_MAX],
                                                       size_t *count);

// Binds all measurements of a scene, so that flux surfaces exist from the start of the run and mistakes are
// reported before it.
SCREE_NODISCARD scree_status scree_measurement_bind_all(struct scree_reading *reading,
                                                        struct scree_world *world);

#endif
