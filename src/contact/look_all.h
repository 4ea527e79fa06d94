// A look at all contacts of grains at once: what they store and lose to slipping, as look.h tells it of one,
// to the bit, by the batch loops that look and change nothing.

#ifndef SCREE_CONTACT_LOOK_ALL_H
#define SCREE_CONTACT_LOOK_ALL_H

#include "contact/look.h"

// So many contacts are seen at a time.
enum { SCREE_LOOK_ALL_ROOM = 1024 };

// Is shown what some contacts store, J, and their power of sliding, W, in any order; zeros are none.
typedef void scree_look_all_visitor(void *context, const double *stored, const double *sliding, size_t count);

// False, and nothing is shown, where that cannot be told so: where bodies have got other slots since contacts
// were searched, contacts are to be searched anew, or laws have changed. `looker` knows pairs and no classes.
bool scree_look_all(const struct scree_looker *looker, scree_look_all_visitor *visit, void *context);

#endif
