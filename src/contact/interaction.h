// Interactions from inside: what the rules of a world come to for the materials that are in use.

#ifndef SCREE_CONTACT_INTERACTION_H
#define SCREE_CONTACT_INTERACTION_H

#include "world/contacts.h"
#include "world/world.h"

#include <scree/resistance.h>

// One law with the constants of a pair of materials. Pairs of equal law and constants share a class.
struct scree_law_class {
    const struct scree_contact_law *law;
    const struct scree_contact_law *named;     // by rules: what the history belongs to
    double constants[SCREE_LAW_CONSTANTS + 8]; // of the law, then those of resistance, and what arms are
    bool resists;                              // rolling or twisting
    uint64_t material[2];                      // the first pair of this class, lower id first
};

// Share of the overlap by which arms are shorter than radii: they end in the middle of it, or at a wall.
static inline double scree_law_class_arm(const struct scree_law_class *class, bool wall)
{
    const double share = wall ? 1 : 0.5;
    return class->constants[SCREE_LAW_CONSTANTS + SCREE_RESISTANCE_CONSTANTS] > 0 ? 0 : share;
}

// What always holds: the table is symmetric, and its row and column 0, of grains that have no material, name
// no class.
struct scree_law_classes {
    struct scree_law_class *class;
    struct scree_contacts_layout *layout; // what their histories are of
    size_t count;
    uint8_t *table;   // [materials * materials] by id: number of a class, or SCREE_CONTACTS_NO_CLASS
    size_t materials; // ids are below this
};

// The number of the class of two materials, SCREE_CONTACTS_NO_CLASS where these do not touch.
static inline uint8_t scree_law_class_of(const struct scree_law_classes *classes, uint16_t a, uint16_t b)
{
    const bool known = a < classes->materials && b < classes->materials;
    return known ? classes->table[a * classes->materials + b] : (uint8_t)SCREE_CONTACTS_NO_CLASS;
}

// Finds the classes of all pairs of materials that bodies and walls have; walls touch no walls. What
// `classes` held is replaced; on failure it stays. A world without rules has no classes.
SCREE_NODISCARD scree_status scree_interaction_resolve(const struct scree_world *world,
                                                       struct scree_law_classes *classes);

// What keeps two materials from touching; scree_status_message tells it in words.
struct scree_interaction_fault {
    const char *law;      // null where no rule holds
    size_t rule;          // number in the list
    uint64_t material;    // that lacks a property; 0 where the rule is at fault
    const char *property; // that it lacks
};

// A table of a byte for each pair of materials stays below 16 MiB.
enum { SCREE_INTERACTION_MATERIALS = 4096, SCREE_INTERACTION_OF_BODIES = 1, SCREE_INTERACTION_OF_WALLS = 2 };

// Marks by id which materials can touch: of grains that have a size, and of walls. Of a world with too many
// materials none.
void scree_interaction_mark(const struct scree_world *world, uint8_t used[SCREE_INTERACTION_MATERIALS]);

// Tells all that resolving would fail for with these materials, each rule and property once. Fails for want
// of memory only.
SCREE_NODISCARD scree_status
scree_interaction_examine(const struct scree_world *world, const uint8_t used[SCREE_INTERACTION_MATERIALS],
                          void (*tell)(void *user, const struct scree_interaction_fault *fault), void *user);

// Finds the class of one pair; its law is null where these do not touch.
SCREE_NODISCARD scree_status scree_interaction_pair(const struct scree_world *world, uint64_t a, uint64_t b,
                                                    struct scree_law_class *class);

// What the histories of a class are of.
struct scree_contacts_layout scree_interaction_layout(const struct scree_law_class *class);

// Rules have been put into the world from a file: what follows from them is set. Fails where there is no law
// of the name that one has.
SCREE_NODISCARD scree_status scree_interaction_settle(struct scree_world *world);

// Whether contacts of some rule may pull for longer than a dashpot does. Laws that are not built in may.
bool scree_interaction_pulls(const struct scree_world *world);

void scree_interaction_free(struct scree_law_classes *classes);

// How far beyond touch a contact may live whose effective radius is at most `radius`: no law's reach falls as
// the radius grows.
double scree_interaction_range(const struct scree_law_classes *classes, double radius);

#endif
