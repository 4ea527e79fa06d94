// The values of a scene: what the texts of its tree come to, as numbers, words and texts, with the variables
// of the scene put in.
//
// What always holds: `${...}` holds an expression. A text that is nothing but one such is that quantity; in a
// longer text it is put in as it would be written. A number without a unit is in SI units; one with a unit
// must have the dimension that is asked for. Variables may use others, before or after them, but not
// themselves. What all texts become has a bound, whatever is put in how often. Every reader complains at the
// place of the text and returns false, so that all of a scene can be read and all diagnostics be made.

#ifndef SCREE_LANGUAGE_VALUE_H
#define SCREE_LANGUAGE_VALUE_H

#include "text/quantity.h"
#include "text/tree.h"

enum scree_variable_state {
    SCREE_VARIABLE_UNREAD,
    SCREE_VARIABLE_BUSY,
    SCREE_VARIABLE_WRONG,
    SCREE_VARIABLE_NUMBER,
    SCREE_VARIABLE_TEXT
};

struct scree_variable {
    const char *name;
    const struct scree_node *node;
    enum scree_variable_state state;
    bool again; // it was declared once more, which did not count
    struct scree_quantity quantity;
    const char *text;
    size_t length;
};

struct scree_values {
    struct scree_tree *tree;
    SCREE_ARRAY(struct scree_variable) variables;
    size_t outside;       // of these, the first ones, set from outside the scene
    size_t depth;         // of variables within variables
    size_t bytes;         // of texts that variables were put into
    scree_status trouble; // memory ran out on the way
};

// What a number has to be.
struct scree_value_rule {
    const char *name; // of the key, as diagnostics say it
    const char *unit; // "" for a plain number; null for any
    double least, most;
    bool beyond; // least itself is not allowed
    bool below;  // most itself is not allowed
    bool flat;   // its unit is that of two dimensions
};

void scree_value_free(struct scree_values *values);

// Declares a variable, unless there is one of that name, which stays: so what the command line says comes
// first. Complains of what cannot be, and keeps it as a wrong one.
SCREE_NODISCARD scree_status scree_value_declare(struct scree_values *values, const struct scree_node *name,
                                                 const struct scree_node *value);

// Reads those that nothing has asked for, so that what is wrong with them is told.
void scree_value_read_all(struct scree_values *values);

bool scree_value_number(struct scree_values *values, const struct scree_node *node,
                        const struct scree_value_rule *rule, double *number);
bool scree_value_whole(struct scree_values *values, const struct scree_node *node,
                       const struct scree_value_rule *rule, uint64_t *number);
bool scree_value_flag(struct scree_values *values, const struct scree_node *node, const char *name,
                      bool *flag);

// One of some words, closed by null; gives its number.
bool scree_value_word(struct scree_values *values, const struct scree_node *node, const char *name,
                      const char *const *words, size_t *number);

// A text with its variables put in; it lives as long as the tree.
bool scree_value_text(struct scree_values *values, const struct scree_node *node, const char *name,
                      const char **text);

#endif
