// What the laws of hard bodies share: friction and tangential restitution, for the event engine. They differ
// in the normal restitution. A collision takes no time and has no overlap, so these laws have no force.

#ifndef SCREE_LAW_HARD_H
#define SCREE_LAW_HARD_H

#include <scree/law.h>

// Constants and parameters that every such law has, in the order of hard.def, which ends the table.
enum { SCREE_HARD_FRICTION, SCREE_HARD_TANGENTIAL, SCREE_HARD_SHARED };

// Sets the two shared constants. `parameter` points to those of hard.def. Returns null or a message.
const char *scree_hard_prepare(const double *parameter, double *constants);

// Coefficients with this normal restitution, from the shared constants.
static inline struct scree_law_coefficients scree_hard_coefficients(const double *constants,
                                                                    double restitution)
{
    return (struct scree_law_coefficients){.restitution = restitution,
                                           .tangential = constants[SCREE_HARD_TANGENTIAL],
                                           .friction = constants[SCREE_HARD_FRICTION]};
}

#endif
