// The list of integration schemes, and finding one by name.

#include "motion/motion.h"

#include <stdio.h>
#include <string.h>

static const struct scree_motion_scheme *const schemes[] = {
#define SCREE_MOTION_SCHEME(symbol) &scree_##symbol,
#include "motion/motion.def"
#undef SCREE_MOTION_SCHEME
};

static const struct scree_motion_scheme *scheme_at(scree_motion_kind kind, size_t index)
{
    for (size_t l = 0; l < sizeof schemes / sizeof schemes[0]; ++l)
        if (schemes[l]->kind == kind && index-- == 0)
            return schemes[l];
    return NULL;
}

const char *scree_motion_name(scree_motion_kind kind, size_t index)
{
    const struct scree_motion_scheme *scheme = scheme_at(kind, index);
    return scheme ? scheme->name : NULL;
}

const char *scree_motion_about(scree_motion_kind kind, size_t index)
{
    const struct scree_motion_scheme *scheme = scheme_at(kind, index);
    return scheme ? scheme->about : NULL;
}

scree_status scree_motion_find(scree_motion_kind kind, const char *name,
                               const struct scree_motion_scheme **scheme)
{
    char known[512] = "";
    size_t length = 0;
    for (size_t l = 0; (*scheme = scheme_at(kind, l)); ++l) {
        if (!name || strcmp((*scheme)->name, name) == 0)
            return SCREE_OK;
        length +=
            (size_t)snprintf(known + length, sizeof known - length, "%s%s", l ? ", " : "", (*scheme)->name);
    }
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "there is no scheme of %s '%s'; known schemes are %s",
                             kind == SCREE_TRANSLATION ? "translation" : "rotation", name, known);
}
