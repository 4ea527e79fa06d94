// Reading what a scene wants measured: columns of tables, by name or with what they are taken of, and the
// comparisons that end stages.
//
// What always holds: what is read here has been found right, or complained about at its place. Checking needs
// no world; binding finds what a gauge is taken of in one: its group, its surface, and whether its region can
// be.

#ifndef SCREE_LANGUAGE_GAUGE_H
#define SCREE_LANGUAGE_GAUGE_H

#include "language/reading.h"
#include "measure/column.h"

#include <scree/gate.h>

// A gauge as it is written, to be bound to a world.
struct scree_gauge_text {
    struct scree_gauge gauge;
    const char *name;  // of the column in its table
    const char *group; // null for none
    struct scree_gate_def gate;
    const struct scree_node *node;
};

struct scree_comparison {
    struct scree_gauge_text text;
    bool below;
    double limit;
};

// Checks what stands under a key of type COLUMNS, whose maps have passed as sections.
void scree_gauge_check_columns(struct scree_reading *reading, const struct scree_node *node,
                               const struct scree_key *key);

// Reads a comparison: a text, or a map that has passed as a section.
bool scree_gauge_comparison(struct scree_reading *reading, const struct scree_node *node,
                            const struct scree_key *key, struct scree_comparison *comparison);

// A gauge in a world; what the world refuses is complained about.
SCREE_NODISCARD scree_status scree_gauge_bind(struct scree_reading *reading, struct scree_world *world,
                                              struct scree_gauge_text *text);

// The columns of a table, bound; `count` of them, 0 after a complaint.
SCREE_NODISCARD scree_status scree_gauge_columns(struct scree_reading *reading, struct scree_world *world,
                                                 const struct scree_node *map, enum scree_key_id key,
                                                 struct scree_gauge_text text[SCREE_COLUMN_MOST],
                                                 size_t *count);

// Binds all that a scene wants measured, so that surfaces are there from the start and mistakes are told
// before it.
SCREE_NODISCARD scree_status scree_gauge_bind_all(struct scree_reading *reading, struct scree_world *world);

#endif
