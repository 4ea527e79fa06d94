// The families of cases, see verify.h.

#include "verify.h"

const struct scree_verify_family *const scree_verify_families[] = {
#define SCREE_VERIFY_FAMILY(name) &scree_verify_##name,
#include "families.def"
#undef SCREE_VERIFY_FAMILY
    NULL};
