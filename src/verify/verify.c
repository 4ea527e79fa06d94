// The families of cases, see verify.h.

#include "verify.h"

const struct scree_verify_family scree_verify_families[] = {
#define SCREE_VERIFY_FAMILY(name, about) {#name, about, scree_verify_##name},
#include "families.def"
#undef SCREE_VERIFY_FAMILY
    {0}};

scree_status scree_verify_run(const struct scree_verify_case *of, struct scree_report *report)
{
    struct scree_trial trial = {.report = report, .name = of->name, .data = of->data};
    const scree_status status = of->run(&trial);
    scree_trial_clear(&trial);
    return status;
}
