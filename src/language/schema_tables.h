// Schema parts from other tables: laws with their parameters, and the keys that columns take.

#ifndef SCREE_LANGUAGE_SCHEMA_TABLES_H
#define SCREE_LANGUAGE_SCHEMA_TABLES_H

#include "language/key.h"
#include "language/schema_text.h"

// Writes the names allowed for a key that names a law; returns false and writes nothing for other keys.
bool scree_schema_tables_type(const struct scree_schema_text *out, const struct scree_key *key);

// Writes the names of columns that need no further keys.
void scree_schema_tables_columns(const struct scree_schema_text *out);

// Writes the parameters of laws as properties of a section, each after a comma.
void scree_schema_tables_properties(const struct scree_schema_text *out, enum scree_section section);

// Writes the rules of a section by law or by column, as a member after a comma; nothing for other sections.
void scree_schema_tables_rules(const struct scree_schema_text *out, enum scree_section section);

#endif
