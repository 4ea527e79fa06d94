// Contact classes: the law and constants of each pair of materials in use, from the rules of a world.

#ifndef SCREE_CONTACT_INTERACTION_H
#define SCREE_CONTACT_INTERACTION_H

#include "world/contacts.h"
#include "world/world.h"

#include <scree/resistance.h>

// One law with the constants of a pair of materials. Pairs of equal law and constants share a class.
struct scree_law_class {
    const struct scree_contact_law *law;       // null for materials that do not touch
    const struct scree_contact_law *named;     // the law named in the rule, to which the history belongs
    double constants[SCREE_LAW_CONSTANTS + 8]; // of the law, of resistance, and the choice of arms
    bool resists;                              // has rolling or twisting resistance
    uint64_t material[2];                      // the first pair of this class, lower id first
};

// Share of the overlap that is subtracted from radii to get arms: 1/2 between grains, 1 at a wall, or 0 if
// arms equal the radii.
static inline double scree_law_class_arm(const struct scree_law_class *class, bool wall)
{
    const double share = wall ? 1 : 0.5;
    return class->constants[SCREE_LAW_CONSTANTS + SCREE_RESISTANCE_CONSTANTS] > 0 ? 0 : share;
}

// Invariants: the table is symmetric; row and column 0 are for grains without a material, which have no
// class.
struct scree_law_classes {
    struct scree_law_class *class;
    struct scree_contacts_layout *layout; // history layouts, by class
    size_t count;
    uint8_t *table;   // [materials * materials] by id: number of a class, or SCREE_CONTACTS_NO_CLASS
    size_t materials; // ids are below this
};

// The class of two materials, SCREE_CONTACTS_NO_CLASS if they do not touch.
static inline uint8_t scree_law_class_of(const struct scree_law_classes *classes, uint16_t a, uint16_t b)
{
    const bool known = a < classes->materials && b < classes->materials;
    return known ? classes->table[a * classes->materials + b] : (uint8_t)SCREE_CONTACTS_NO_CLASS;
}

// Finds the classes with a force of all pairs of materials of bodies and walls; walls do not touch walls.
// Pairs whose law has collisions only get no class. Replaces `classes`, which is unchanged on failure. A
// world without rules has no classes.
SCREE_NODISCARD scree_status scree_interaction_resolve(const struct scree_world *world,
                                                       struct scree_law_classes *classes);

// The same for the classes with a collision; fails if the world has a law without one.
SCREE_NODISCARD scree_status scree_interaction_resolve_collisions(const struct scree_world *world,
                                                                  struct scree_law_classes *classes);

// Fails if some rule has a law of collisions only, which the soft engine cannot use; or one without, which
// the event engine cannot use.
SCREE_NODISCARD scree_status scree_interaction_check_forces(const struct scree_world *world);
SCREE_NODISCARD scree_status scree_interaction_check_collisions(const struct scree_world *world);

// An error in the contact law of two materials; scree_status_message gives the message.
struct scree_interaction_fault {
    const char *law;      // null if no rule matches
    size_t rule;          // index in the list of rules
    uint64_t material;    // the material that lacks a property; 0 for an error in the rule
    const char *property; // the missing property
};

// Limits the class table, one byte per pair of materials, to 16 MiB.
enum { SCREE_INTERACTION_MATERIALS = 4096, SCREE_INTERACTION_OF_BODIES = 1, SCREE_INTERACTION_OF_WALLS = 2 };

// Marks the materials, by id, of grains with a radius and of walls. Marks none if the world has too many
// materials.
void scree_interaction_mark(const struct scree_world *world, uint8_t used[SCREE_INTERACTION_MATERIALS]);

// Reports all errors of resolving these materials, each rule and property once. Fails only if memory runs
// out.
SCREE_NODISCARD scree_status scree_interaction_report_errors(
    const struct scree_world *world, const uint8_t used[SCREE_INTERACTION_MATERIALS],
    void (*report)(void *user, const struct scree_interaction_fault *fault), void *user);

// Finds the class of one pair; its law is null if they do not touch, and may have no force.
SCREE_NODISCARD scree_status scree_interaction_pair(const struct scree_world *world, uint64_t a, uint64_t b,
                                                    struct scree_law_class *class);

// The history layout of a class.
struct scree_contacts_layout scree_interaction_layout(const struct scree_law_class *class);

// Updates the world after rules were restored from a file. Fails if a rule names an unknown law.
SCREE_NODISCARD scree_status scree_interaction_restore(struct scree_world *world);

// Returns true if some law may attract by more than its dashpots; laws of users always count as attractive.
bool scree_interaction_has_attraction(const struct scree_world *world);

void scree_interaction_free(struct scree_law_classes *classes);

// Interaction range: largest gap of a contact with an effective radius of at most `radius`. The range of a
// law never decreases with the radius.
double scree_interaction_range(const struct scree_law_classes *classes, double radius);

#endif
