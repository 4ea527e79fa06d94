// Reads the texts in the tree of a scene as numbers, words and texts, and expands variables.
//
// Invariants: `${...}` contains an expression. A text that is one expression has its value; in a longer text
// the value is inserted as it would be written. A number without a unit is in SI units; a unit must have the
// expected dimension. Variables may depend on others, before or after them, but not on themselves. The total
// length of expanded texts is bounded. Every function reports a mistake at its place and returns false, so
// that one check finds all mistakes of a scene.

#ifndef SCREE_LANGUAGE_VALUE_H
#define SCREE_LANGUAGE_VALUE_H

#include "text/quantity.h"
#include "text/tree.h"

enum scree_variable_state {
    SCREE_VARIABLE_UNREAD,
    SCREE_VARIABLE_EVALUATING,
    SCREE_VARIABLE_WRONG,
    SCREE_VARIABLE_NUMBER,
    SCREE_VARIABLE_TEXT
};

struct scree_variable {
    const char *name;
    const struct scree_node *node;
    enum scree_variable_state state;
    bool redeclared; // the first declaration counts
    struct scree_quantity quantity;
    const char *text;
    size_t length;
};

struct scree_values {
    struct scree_tree *tree;
    SCREE_ARRAY(struct scree_variable) variables;
    size_t caller_count; // number of variables given by the caller, which come first
    size_t depth;        // nesting of the variables being evaluated
    size_t bytes;        // total length of expanded texts
    scree_status status; // failure while reading: a lack of memory
};

// Constraints on a number.
struct scree_value_rule {
    const char *name;    // of the key, for diagnostics
    const char *unit;    // "" for no unit; null for any
    const char *example; // of the key with a value, for diagnostics; null for none
    double least, most;
    bool above; // `least` itself is not allowed
    bool below; // `most` itself is not allowed
    bool is_2d; // the unit is for two dimensions only
};

void scree_value_free(struct scree_values *values);

// Reports a mistake in the text of a node, at its exact place if the text is on one line without escapes;
// returns false.
bool scree_value_report_at(struct scree_values *values, const struct scree_node *node,
                           const struct scree_parse_error *error);

// Declares a variable. The first declaration of a name counts, so the caller's variables are declared first.
// An invalid variable is reported and stored as wrong.
SCREE_NODISCARD scree_status scree_value_declare(struct scree_values *values, const struct scree_node *name,
                                                 const struct scree_node *value);

// Evaluates the variables that no value uses, to report their mistakes too.
void scree_value_read_all(struct scree_values *values);

// Returns true if a text is a number with a unit, or an expression with one.
bool scree_value_has_unit(struct scree_values *values, const struct scree_node *node);

bool scree_value_number(struct scree_values *values, const struct scree_node *node,
                        const struct scree_value_rule *rule, double *number);
bool scree_value_whole(struct scree_values *values, const struct scree_node *node,
                       const struct scree_value_rule *rule, uint64_t *number);
bool scree_value_flag(struct scree_values *values, const struct scree_node *node, const char *name,
                      bool *flag);

// Reads one of the words, null-terminated; `number` gets its index.
bool scree_value_word(struct scree_values *values, const struct scree_node *node, const char *name,
                      const char *const *words, size_t *number);

// Reads a text with its variables expanded; it lives as long as the tree.
bool scree_value_text(struct scree_values *values, const struct scree_node *node, const char *name,
                      const char **text);

#endif
