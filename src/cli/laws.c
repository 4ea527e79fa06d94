// Facts on the laws of motion, see laws.h.

#include "laws.h"

#include <string.h>

static const struct {
    const char *name;
    int order;
    struct scree_laws_lead lead;
} laws[] = {
    {"velocity-verlet", 2, {0, 0}},
    {"leapfrog", 2, {0, 0}},
    {"leapfrog-unadjusted", 1, {1, 1}},
    {"central-difference", 2, {0, 0}},
    {"central-difference-document", 1, {1, 1}},
    {"euler", 1, {0, -1}},
    {"euler-semi-implicit", 1, {0, 1}},
};

int scree_laws_order(struct scree_report *report, const char *translation)
{
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; ++l)
        if (strcmp(laws[l].name, translation) == 0)
            return laws[l].order;
    (void)scree_report_complain(report, SCREE_ERROR_MISSING, "what order has the law '%s'?", translation);
    return 0;
}

struct scree_laws_lead scree_laws_lead(const char *translation)
{
    for (size_t l = 0; l < sizeof laws / sizeof laws[0]; ++l)
        if (strcmp(laws[l].name, translation) == 0)
            return laws[l].lead;
    return (struct scree_laws_lead){0, 0};
}

const char *scree_laws_general(size_t index)
{
    const char *name;
    for (size_t l = 0; (name = scree_motion_name(SCREE_ROTATION, l)); ++l)
        if (strcmp(name, "spherical") != 0 && index-- == 0)
            return name;
    return NULL;
}
