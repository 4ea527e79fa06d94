// Parts of the JSON schema of scenes, see schema.c.

#ifndef SCREE_LANGUAGE_SCHEMA_H
#define SCREE_LANGUAGE_SCHEMA_H

#include "language/key.h"
#include "language/print.h"

// numbers as scree_decimal_length reads them
#define SCREE_SCHEMA_NUMBER "[-+]?(?:[0-9]+[.]?[0-9]*|[.][0-9]+)(?:[eEdD][-+]?[0-9]+)?"
#define SCREE_SCHEMA_VARIABLE "[$][{]"

enum { SCREE_SCHEMA_NAMES = 256 }; // maximum number of laws, schemes or columns

struct scree_schema_out {
    scree_text_function *write;
    void *user;
};

__attribute__((format(printf, 2, 3))) void scree_schema_print(const struct scree_schema_out *out,
                                                              const char *format, ...);

// Writes a JSON string, in quotes.
void scree_schema_string(const struct scree_schema_out *out, const char *text);

// Writes the schema of a value that is one of the words, null-terminated, or a text with variables.
void scree_schema_choice(const struct scree_schema_out *out, const char *const *words);

// Writes the pattern of a number with a unit, as members of an object. `unit` is null for any unit; `unit_2d`
// is the unit in two dimensions, which may be the same.
void scree_schema_unit(const struct scree_schema_out *out, const char *unit, const char *unit_2d);

// Writes the definitions that scree_schema_unit refers to, for all units of keys and laws.
void scree_schema_units(const struct scree_schema_out *out);

// Writes the names of the contact laws or integration schemes that a key selects; returns false and writes
// nothing if there are none.
bool scree_schema_named_choice(const struct scree_schema_out *out, const struct scree_key *key);

// Declares the parameters of all laws as properties; their types are in the rules of each law.
void scree_schema_parameter_names(const struct scree_schema_out *out);

// Writes the rules of all laws.
void scree_schema_laws(const struct scree_schema_out *out);

#endif
