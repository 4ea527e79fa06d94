// When contacts are searched, and with how thick a skin.
//
// Candidates hold as long as no two grains can have come nearer by more than the skin. That is known without
// looking at a single grain again: in every step the fastest one says how much of the skin is spent. What
// always holds: neither the skin nor the moment of a search shows in any result.

#ifndef SCREE_CONTACT_SEARCH_H
#define SCREE_CONTACT_SEARCH_H

#include "base/team.h"
#include "contact/interaction.h"
#include "world/world.h"

struct scree_search {
    double skin;               // in use, m; 0 before the first search
    double fixed;              // a skin that is not to be adapted, in mean diameters; 0 when it is
    double range;              // beyond touch, the largest of all laws, m
    size_t stride;             // doubles that a contact keeps
    double lower[3], upper[3]; // bodies are in here as long as the lists hold
    double spent;              // of the skin
    double went;               // that two sides can have parted by in the last step, m
    double ending;             // how much of that the lists reach beyond what holds on, m
    double swept;              // that a wall can have come nearer to a place by in it, m
    double smallest;           // radius
    uint64_t steps;            // since the last search
    uint64_t searches;         // so far
    double rows_from;          // see candidates.h
    unsigned sort_every;       // searches; slots follow a Morton curve again
    uint64_t version;          // of the bodies' rows that the lists are for
};

// A step of `h` was taken in which no body was faster than `fastest`, and walls moved as they do.
void scree_search_spend(struct scree_search *search, const struct scree_world *world, double h,
                        double fastest);

// No carried grain has gone farther than this in that step.
void scree_search_spend_carried(struct scree_search *search, double displacement);

// Whether bodies came, went or changed places since the last search, or that was another engine's.
bool scree_search_misses_rows(const struct scree_search *search, const struct scree_world *world);

// Whether bodies came or went since: where they only changed places, their forces hold on, and evaluating
// them anew from on-step velocities would make sorting show in the motion.
bool scree_search_misses_bodies(const struct scree_search *search, const struct scree_world *world);

// Whether the lists no longer hold.
bool scree_search_is_due(const struct scree_search *search, const struct scree_world *world);

// Searches. `may_sort`: nobody holds slots.
SCREE_NODISCARD scree_status scree_search_run(struct scree_search *search, struct scree_world *world,
                                              const struct scree_law_classes *classes, bool may_sort,
                                              const struct scree_team *team);

#endif
