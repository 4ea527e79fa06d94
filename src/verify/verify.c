// The families of cases, see verify.h.

#include "verify.h"

const struct scree_verify_family scree_verify_families[] = {
#define SCREE_VERIFY_FAMILY(name, about) {#name, about, scree_verify_##name, false},
#define SCREE_VERIFY_LONG_FAMILY(name, about) {#name, about, scree_verify_##name, true},
#include "families.def"
#undef SCREE_VERIFY_FAMILY
#undef SCREE_VERIFY_LONG_FAMILY
    {0}};

scree_status scree_verify_run(const struct scree_verify_case *row, struct scree_report *report)
{
    struct scree_trial trial = {.report = report, .name = row->name, .data = row->data};
    const scree_status status = row->run(&trial);
    scree_trial_clear(&trial);
    return status;
}
