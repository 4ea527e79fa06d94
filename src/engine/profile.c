// Profile of a soft engine, see profile.h.

#include "engine/profile.h"

#include <stdint.h>

// Steps between two samples. The more bodies, the longer a step takes, and the more often it is sampled: with
// a slow clock, the twenty readings of a sample cost half a percent of the steps between two samples. The
// periods are coprime to those of occasional work.
static const struct {
    size_t below; // bodies
    unsigned period;
} periods[] = {{16, 997}, {64, 499}, {256, 149}, {1024, 37}, {SIZE_MAX, 17}};

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

void scree_profile_add(struct scree_profile_watch *watch, scree_profile_part part, double begun)
{
    const double passed = scree_clock_now() - begun;
    if (!watch->running)
        return;
    watch->occasional[part] += passed;
    // exclude this time from the part that is being timed
    watch->last += passed;
}

double scree_profile_begin(struct scree_profile_watch *watch)
{
    watch->sampled = watch->running = true;
    watch->weight = 1;
    watch->last = scree_clock_now();
    return watch->last;
}

void scree_profile_end(struct scree_profile_watch *watch, double begun)
{
    watch->sampled = watch->running = false;
    watch->total += scree_clock_now() - begun;
}

void scree_profile_step(struct scree_profile_watch *watch, size_t bodies)
{
    ++watch->steps;
    watch->sampled = watch->wait == 0;
    if (!watch->sampled) {
        --watch->wait;
        return;
    }
    size_t row = 0;
    while (bodies >= periods[row].below)
        ++row;
    watch->wait = periods[row].period - 1;
    watch->weight = periods[row].period;
    watch->last = scree_clock_now();
}

void scree_profile_split(struct scree_profile_watch *watch, const scree_profile_part *part,
                         const double *spent, size_t count)
{
    double all = 0;
    if (!watch->sampled)
        return;
    for (size_t k = 0; k < count; ++k)
        all += spent[k];
    const double now = scree_clock_now(), passed = watch->weight * (now - watch->last);
    for (size_t k = 0; k < count; ++k)
        watch->part[part[k]] += all > 0 ? passed * spent[k] / all : passed / (double)count;
    watch->last = now;
}

void scree_profile_report(const struct scree_profile_watch *watch, struct scree_profile *profile)
{
    double all = 0, rest = watch->total;
    *profile = (struct scree_profile){.total = watch->total, .steps = watch->steps};
    for (size_t k = 0; k < SCREE_PROFILE_PARTS; ++k) {
        all += watch->part[k];
        rest -= watch->occasional[k];
    }
    for (size_t k = 0; k < SCREE_PROFILE_PARTS; ++k)
        profile->seconds[k] = watch->occasional[k] + (all > 0 && rest > 0 ? rest * watch->part[k] / all : 0);
}
