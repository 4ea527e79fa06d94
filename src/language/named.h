// Names that a scene makes in some places and means in others: what is meant must have been made, before or
// after.
//
// A name may be one for several kinds of things, by bits, and be meant for one of them: then it must have
// been made for that one. 0 is for names of one kind alone.
//
// What always holds: the work is bounded, however many names a hostile file makes; where there are more than
// can be, nothing is complained of here, for what makes the names will.

#ifndef SCREE_LANGUAGE_NAMED_H
#define SCREE_LANGUAGE_NAMED_H

#include "text/diagnostic.h"

enum { SCREE_NAMED_MOST = 1000 };

struct scree_named_name {
    const char *name;
    unsigned kinds;
};

struct scree_named_wish {
    const char *name;
    unsigned kind;
    struct scree_place place;
};

// Texts live as long as the tree that they are from.
struct scree_named {
    SCREE_ARRAY(struct scree_named_name) made;
    SCREE_ARRAY(struct scree_named_wish) meant;
};

void scree_named_free(struct scree_named *named);

SCREE_NODISCARD scree_status scree_named_make(struct scree_named *named, const char *name, unsigned kind);
SCREE_NODISCARD scree_status scree_named_mean(struct scree_named *named, const char *name, unsigned kind,
                                              const struct scree_place *place);

// Complains of every name that is meant and was never made; `what` it names, in a word, and `kinds` the words
// of kinds by the numbers of their bits, null where there is one alone.
void scree_named_resolve(const struct scree_named *named, const char *what, const char *const *kinds,
                         struct scree_diagnostics *diagnostics);

#endif
