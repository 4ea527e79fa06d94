// What the schema has from tables beyond that of keys: laws with their parameters, and what columns take.

#ifndef SCREE_LANGUAGE_SCHEMA_BROUGHT_H
#define SCREE_LANGUAGE_SCHEMA_BROUGHT_H

#include "language/key.h"
#include "language/schema_text.h"

// What may stand under a key that names a law; false, and nothing, for another key.
bool scree_schema_brought_type(const struct scree_schema_text *out, const struct scree_key *key);

// A column that its name alone says all of.
void scree_schema_brought_columns(const struct scree_schema_text *out);

// The properties that laws bring to a section, each behind a comma.
void scree_schema_brought_properties(const struct scree_schema_text *out, enum scree_section section);

// What holds in a section by law or by column, as a member behind a comma; nothing in other sections.
void scree_schema_brought_rules(const struct scree_schema_text *out, enum scree_section section);

#endif
