// Columns of tables, conditions and servos with their formulas: read from a scene, bound to a world, and
// evaluated there.
//
// Names in a formula of a table are, first, titles of columns of the same table, then quantities that need no
// further keys. Elsewhere a name is a quantity that needs no further keys, or the title of a column of any
// table. A formula may use columns that are formulas themselves; a ring is refused.
//
// Invariants: the units of a formula have been checked before it is evaluated, so it always has a value,
// which can be infinite or not a number. Evaluation depends on the world only.

#ifndef SCREE_LANGUAGE_COLUMNS_H
#define SCREE_LANGUAGE_COLUMNS_H

#include "language/measurement.h"
#include "text/quantity.h"

enum { SCREE_COLUMNS_MAX = SCREE_COLUMN_MEASURED };

struct scree_columns {
    size_t count, requested;                        // all columns; those requested are the first
    size_t formulas, formula_at[SCREE_COLUMNS_MAX]; // indices of the formulas, each after those it uses
    struct scree_columns_item {
        const char *name;               // title in its table; null for a formula that is no column
        const struct scree_node *table; // the list of columns it is in; null for none
        const char *formula;            // null for a measurement
        const struct scree_node *node;
        struct scree_measurement measurement;
        struct scree_dimension dimension;
        char unit[48];
        enum { SCREE_COLUMNS_UNREAD, SCREE_COLUMNS_READING, SCREE_COLUMNS_READ } state; // of a formula
    } item[SCREE_COLUMNS_MAX];
};

// Checks the formulas of a list of columns whose columns have been checked one by one.
void scree_columns_check(struct scree_reading *reading, const struct scree_node *list);

// Reads and binds the columns of a table; `requested` is 0 after a diagnostic.
SCREE_NODISCARD scree_status scree_columns_table(struct scree_reading *reading, struct scree_world *world,
                                                 const struct scree_node *record,
                                                 struct scree_columns *columns);

// Binds a comparison. If it compares a formula, also reads its limit, in the unit of the formula.
SCREE_NODISCARD scree_status scree_columns_comparison(struct scree_reading *reading,
                                                      struct scree_world *world,
                                                      struct scree_comparison *comparison,
                                                      struct scree_columns *columns);

// Binds a formula outside of tables, whose result must have a unit; `requested` is 0 after a diagnostic.
SCREE_NODISCARD scree_status scree_columns_formula(struct scree_reading *reading, struct scree_world *world,
                                                   const struct scree_node *node, const char *formula,
                                                   const char *unit, struct scree_columns *columns);

// Binds all measurements of a scene, so that flux surfaces exist from the start of the run and mistakes are
// reported before it.
SCREE_NODISCARD scree_status scree_columns_bind_all(struct scree_reading *reading, struct scree_world *world);

// Copies the texts that columns need for their evaluation, so that they outlive the scene; `texts` is to be
// freed by scree_memory_free after the columns.
SCREE_NODISCARD scree_status scree_columns_keep(struct scree_columns *columns, char **texts);

// Evaluates the requested columns.
SCREE_NODISCARD scree_status scree_columns_measure(const struct scree_columns *columns,
                                                   struct scree_world *world, double *values);

#endif
