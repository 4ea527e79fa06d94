// Arithmetic with quantities, as between `${` and `}` in a scene: + - * / ^, brackets, sqrt abs min max floor
// ceil sin cos tan exp log, pi, numbers with units, and variables. `2 pi` is a product.
//
// Invariants: dimensions are checked, so a length and a time cannot be added. A word directly after a number
// is its unit, any other word is a function, `pi` or a variable. A variable can have the name of a unit, but
// an expression with such a variable after a number, as `2 h`, is refused. Elementary functions come from
// math/, so values have the same bits on every machine. Nesting depth and length are bounded.

#ifndef SCREE_TEXT_EXPRESSION_H
#define SCREE_TEXT_EXPRESSION_H

#include "text/quantity.h"

// Finds the value of a variable; after a failure sets the error, at position 0. With a null `quantity` it
// only returns whether there is a variable of this name, and the error may be null.
typedef bool scree_variable_reader(void *user, const char *name, size_t length,
                                   struct scree_quantity *quantity, struct scree_parse_error *error);

bool scree_expression_read(const char *text, size_t length, scree_variable_reader *variable, void *user,
                           struct scree_quantity *quantity, struct scree_parse_error *error);

// Reads an expression of the time `t`, s, which is not the unit tonne here. It has no other variables.
bool scree_expression_read_of_time(const char *text, size_t length, double time,
                                   struct scree_quantity *quantity, struct scree_parse_error *error);

// Finds the value of a column by the start of a text: `used` gets the length of its name. After a failure
// sets the error, at position 0.
typedef bool scree_column_reader(void *user, const char *text, size_t length, size_t *used,
                                 struct scree_quantity *quantity, struct scree_parse_error *error);

// Characters of the names of columns; a name in a formula begins with a letter or '_'.
#define SCREE_EXPRESSION_COLUMN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_."

// Reads a formula of columns, whose result may be infinite or not a number. A name is as long as possible:
// `a-b` is the column of that name if there is one, else a minus b. A name before '(' is a function.
bool scree_expression_read_of_columns(const char *text, size_t length, scree_column_reader *column,
                                      void *user, struct scree_quantity *quantity,
                                      struct scree_parse_error *error);

// Returns true if a word can be the name of a variable; if not, sets the error.
bool scree_expression_is_name(const char *name, size_t length, struct scree_parse_error *error);

#endif
