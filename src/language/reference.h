// Writes the reference page of scenes in Markdown, from the tables of keys and of contact laws.

#ifndef SCREE_LANGUAGE_REFERENCE_H
#define SCREE_LANGUAGE_REFERENCE_H

#include <scree/run.h>

void scree_reference_write(scree_text_function *write, void *user);

#endif
