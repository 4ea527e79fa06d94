// A shared object with a contact law, as a user builds one; MODULE_FAULT selects a variant that must be
// refused.

#include "support/spring_law.h"

#include <scree/interaction.h>
#include <scree/kernel.h>

#define FAULT_NO_ENTRY 1
#define FAULT_NO_LAW 2
#define FAULT_VERSION 3

#define SCREE_KERNEL_FORCE spring_force
#define SCREE_KERNEL_HISTORY 3
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_HAS_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

static const struct scree_contact_law law = {
    .version = MODULE_FAULT == FAULT_VERSION ? SCREE_LAW_VERSION + 1 : SCREE_LAW_VERSION,
    SPRING_LAW,
    .kernel = SCREE_KERNEL_TABLE,
};

#if MODULE_FAULT == FAULT_NO_ENTRY
const struct scree_contact_law *spring_entry(void);
const struct scree_contact_law *spring_entry(void)
#else
scree_law_entry_function scree_law_entry;
const struct scree_contact_law *scree_law_entry(void)
#endif
{
    return MODULE_FAULT == FAULT_NO_LAW ? NULL : &law;
}
