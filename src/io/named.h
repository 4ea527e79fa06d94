// Names that a scene makes in some places and means in others: what is meant must have been made, before or
// after.
//
// What always holds: the work is bounded, however many names a hostile file makes; where there are more than
// can be, nothing is complained of here, for what makes the names will.

#ifndef SCREE_IO_NAMED_H
#define SCREE_IO_NAMED_H

#include "io/complaint.h"

enum { SCREE_NAMED_MOST = 1000 };

struct scree_named_wish {
    const char *name;
    struct scree_place place;
};

// Texts live as long as the tree that they are from.
struct scree_named {
    SCREE_ARRAY(const char *) made;
    SCREE_ARRAY(struct scree_named_wish) meant;
};

void scree_named_free(struct scree_named *named);

SCREE_NODISCARD scree_status scree_named_make(struct scree_named *named, const char *name);
SCREE_NODISCARD scree_status scree_named_mean(struct scree_named *named, const char *name,
                                              const struct scree_place *place);

// Complains of every name that is meant and was never made; `what` it names, in a word.
void scree_named_resolve(const struct scree_named *named, const char *what,
                         struct scree_complaints *complaints);

#endif
