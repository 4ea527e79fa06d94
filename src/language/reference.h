// The reference page of scenes, written from the table of keys and those of the laws, in Markdown.

#ifndef SCREE_LANGUAGE_REFERENCE_H
#define SCREE_LANGUAGE_REFERENCE_H

#include <scree/run.h>

void scree_reference_write(scree_text_function *write, void *user);

#endif
