// Where the time of a soft engine goes, see profile.h.

#include "engine/profile.h"

// From so many bodies on the clock is read in every step; in fewer a step takes no longer than some dozens of
// readings. The period is prime to those at which things happen now and then.
enum { MANY = 4096, PERIOD = 17 };

static const struct {
    const char *name, *about;
} parts[] = {
#define PROFILE(symbol, name, about) {name, about},
#include <scree/profile.def>
#undef PROFILE
};

const char *scree_profile_name(size_t part)
{
    return part < SCREE_PROFILE_PARTS ? parts[part].name : NULL;
}

const char *scree_profile_about(size_t part)
{
    return part < SCREE_PROFILE_PARTS ? parts[part].about : NULL;
}

double scree_profile_begin(struct scree_profile_watch *watch)
{
    watch->on = true;
    watch->weight = 1;
    watch->last = scree_profile_now();
    return watch->last;
}

void scree_profile_end(struct scree_profile_watch *watch, double begun)
{
    watch->on = false;
    watch->total += scree_profile_now() - begun;
}

void scree_profile_step(struct scree_profile_watch *watch, size_t bodies)
{
    ++watch->steps;
    watch->on = watch->wait == 0;
    if (!watch->on) {
        --watch->wait;
        return;
    }
    watch->wait = bodies < MANY ? PERIOD - 1 : 0;
    watch->weight = watch->wait + 1;
    watch->last = scree_profile_now();
}

void scree_profile_split(struct scree_profile_watch *watch, const scree_profile_part *part,
                         const double *spent, size_t count)
{
    double all = 0;
    if (!watch->on)
        return;
    for (size_t k = 0; k < count; ++k)
        all += spent[k];
    const double now = scree_profile_now(), passed = watch->weight * (now - watch->last);
    for (size_t k = 0; k < count; ++k)
        watch->part[part[k]] += all > 0 ? passed * spent[k] / all : passed / (double)count;
    watch->last = now;
}

void scree_profile_tell(const struct scree_profile_watch *watch, struct scree_profile *profile)
{
    double all = 0;
    *profile = (struct scree_profile){.total = watch->total, .steps = watch->steps};
    for (size_t k = 0; k < SCREE_PROFILE_PARTS; ++k)
        all += watch->part[k];
    for (size_t k = 0; k < SCREE_PROFILE_PARTS && all > 0; ++k)
        profile->seconds[k] = watch->total * watch->part[k] / all;
}
