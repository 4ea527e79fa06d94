// What other discrete element programs have and Scree does not have yet, from absent.def.

#ifndef SCREE_LANGUAGE_ABSENT_H
#define SCREE_LANGUAGE_ABSENT_H

// Something that other discrete element programs have, but Scree does not have yet.
struct scree_absent {
    const char *what;   // as in "Scree has no triangle meshes yet"
    const char *words;  // names under which users may search for it, separated by spaces
    const char *advice; // what to use instead
};
extern const struct scree_absent scree_absent_rows[]; // the last one has a null `what`

// Returns the row that has a word, in upper or lower case; null if there is none.
const struct scree_absent *scree_absent_find(const char *word);

#endif
