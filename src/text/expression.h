// Arithmetic of quantities, as between `${` and `}` in a scene: + - * / ^, brackets, sqrt abs min max floor
// ceil sin cos tan exp log, pi, numbers with units, and variables.
//
// What always holds: dimensions are carried along, so lengths and times cannot be added. A unit belongs to
// the number before it, and no variable has the name of a unit. Functions come from math/, so a value has the
// same bits on every machine. Depth and length are bounded.

#ifndef SCREE_TEXT_EXPRESSION_H
#define SCREE_TEXT_EXPRESSION_H

#include "text/quantity.h"

// Finds the value of a variable; on failure says what is wrong with it, at 0.
typedef bool scree_variable_reader(void *user, const char *name, size_t length,
                                   struct scree_quantity *quantity, struct scree_slip *slip);

bool scree_expression_read(const char *text, size_t length, scree_variable_reader *variable, void *user,
                           struct scree_quantity *quantity, struct scree_slip *slip);

// Whether a word can be the name of a variable; else the slip says why not.
bool scree_expression_is_name(const char *name, size_t length, struct scree_slip *slip);

#endif
