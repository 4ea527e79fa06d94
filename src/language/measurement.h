// Reading what a scene wants measured: columns of tables, by name or with what they are taken of, and the
// comparisons that end stages.
//
// What always holds: what is read here has been found right, or complained about at its place. Checking needs
// no world; binding finds what a measurement is taken of in one: its group, its surface, and whether its
// region can be.

#ifndef SCREE_LANGUAGE_MEASUREMENT_H
#define SCREE_LANGUAGE_MEASUREMENT_H

#include "language/reading.h"
#include "measure/column.h"

#include <scree/flux_surface.h>

// A measurement as it is written, to be bound to a world.
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

// Checks what stands under a key of type COLUMNS, whose maps have passed as sections.
void scree_measurement_check_columns(struct scree_reading *reading, const struct scree_node *node,
                                     const struct scree_key *key);

// Reads a comparison: a text, or a map that has passed as a section.
bool scree_measurement_comparison(struct scree_reading *reading, const struct scree_node *node,
                                  const struct scree_key *key, struct scree_comparison *comparison);

// A measurement in a world; what the world refuses is complained about.
SCREE_NODISCARD scree_status scree_measurement_bind(struct scree_reading *reading, struct scree_world *world,
                                                    struct scree_measurement_text *text);

// The columns of a table, bound; `count` of them, 0 after a diagnostic.
SCREE_NODISCARD scree_status scree_measurement_columns(struct scree_reading *reading,
                                                       struct scree_world *world,
                                                       const struct scree_node *map, enum scree_key_id key,
                                                       struct scree_measurement_text text[SCREE_COLUMN_MOST],
                                                       size_t *count);

// Binds all that a scene wants measured, so that surfaces are there from the start and mistakes are told
// before it.
SCREE_NODISCARD scree_status scree_measurement_bind_all(struct scree_reading *reading,
                                                        struct scree_world *world);

#endif
