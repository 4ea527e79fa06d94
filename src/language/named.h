// Names that a scene defines in some places and refers to in others. A reference may come before the
// definition.
//
// A name can have several kinds, as bits (a group of bodies, of walls, or both). A reference to a kind needs
// a definition of that kind; kind 0 is for names without kinds.
//
// The work is bounded for hostile files: at most SCREE_NAMED_MAX names are stored. If there are more,
// references are not checked here; creating the named objects fails later.

#ifndef SCREE_LANGUAGE_NAMED_H
#define SCREE_LANGUAGE_NAMED_H

#include "text/diagnostic.h"

enum { SCREE_NAMED_MAX = 1000 };

struct scree_named_name {
    const char *name;
    unsigned kinds;
};

struct scree_named_reference {
    const char *name;
    unsigned kind;
    struct scree_place place;
};

// The texts belong to the tree of the scene.
struct scree_named {
    SCREE_ARRAY(struct scree_named_name) defined;
    SCREE_ARRAY(struct scree_named_reference) references;
};

void scree_named_free(struct scree_named *named);

SCREE_NODISCARD scree_status scree_named_define(struct scree_named *named, const char *name, unsigned kind);
SCREE_NODISCARD scree_status scree_named_refer(struct scree_named *named, const char *name, unsigned kind,
                                               const struct scree_place *place);

// Reports every reference to a name that is not defined, or not of that kind. `object` is the word for the
// named objects, as "group"; `kinds` are the words of the kind bits, null for names without kinds.
void scree_named_resolve(const struct scree_named *named, const char *object, const char *const *kinds,
                         struct scree_diagnostics *diagnostics);

#endif
