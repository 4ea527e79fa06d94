// The list of laws of motion, and finding one by name.

#include "motion/motion.h"

#include <stdio.h>
#include <string.h>

static const struct scree_motion_law *const laws[] = {
#define SCREE_MOTION_LAW(symbol) &scree_##symbol,
#include "motion/motion.def"
#undef SCREE_MOTION_LAW
};

static const struct scree_motion_law *law_at(scree_motion_kind kind, size_t index)
{
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; ++l)
        if (laws[l]->kind == kind && index-- == 0)
            return laws[l];
    return NULL;
}

const char *scree_motion_name(scree_motion_kind kind, size_t index)
{
    const struct scree_motion_law *law = law_at(kind, index);
    return law ? law->name : NULL;
}

const char *scree_motion_about(scree_motion_kind kind, size_t index)
{
    const struct scree_motion_law *law = law_at(kind, index);
    return law ? law->about : NULL;
}

scree_status scree_motion_find(scree_motion_kind kind, const char *name, const struct scree_motion_law **law)
{
    char known[512] = "";
    size_t length = 0;
    for (size_t l = 0; (*law = law_at(kind, l)); ++l) {
        if (!name || strcmp((*law)->name, name) == 0)
            return SCREE_OK;
        length +=
            (size_t)snprintf(known + length, sizeof known - length, "%s%s", l ? ", " : "", (*law)->name);
    }
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no law of %s '%s'; known laws are %s",
                             kind == SCREE_TRANSLATION ? "translation" : "rotation", name, known);
}
