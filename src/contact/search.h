// When contacts are searched, and the choice of the skin.
//
// The Verlet lists are valid as long as no two grains have come closer by more than the skin and the extras
// of both (displacements.h). Each step adds an upper bound of their relative displacement, from the speed of
// the fastest body; when this has used up the skin, displacements are measured.
//
// Invariants: no result depends on the skin or on the time of a search.

#ifndef SCREE_CONTACT_SEARCH_H
#define SCREE_CONTACT_SEARCH_H

#include "base/team.h"
#include "contact/displacements.h"
#include "contact/interaction.h"
#include "world/world.h"

struct scree_search {
    double skin;               // current skin, m; 0 before the first search
    double prescribed_skin;    // prescribed skin, in mean diameters; 0: adapted automatically
    double range;              // interaction range: largest gap of any law, m
    size_t stride;             // doubles of history per contact
    double lower[3], upper[3]; // bodies are in this box as long as the lists are valid
    double used;               // part of the skin used since the last search, m
    double used_by_walls;      // displacement of walls in this, m
    double used_by_strain;     // part used by strains of the cell, m
    double last_displacement;  // upper bound of the relative displacement of two sides in the last step, m
    double wall_displacement;  // upper bound of the displacement of walls in that step, m
    double end_margin;         // part of the margin for contacts that end, at most `last_displacement`, m
    double smallest_radius;    // m
    double largest_radius;     // m
    uint64_t steps;            // since the last search
    uint64_t searches;         // so far
    double min_touching_per_grain; // see scree_candidates_input
    double crowd_overlap;          // as above; only for the first search
    unsigned sort_every;           // searches between sorting slots along a Morton curve; 0: never
    uint64_t version;              // of the table of bodies at the last search
    struct scree_displacements displacements;
};

// Accounts for a step `h`, in which no body was faster than `fastest`, relative to the mean motion in a cell
// that deforms; walls move with their velocities. `moved`: bodies were moved to other images.
void scree_search_add_displacement(struct scree_search *search, const struct scree_world *world, double h,
                                   double fastest, bool moved);

// Accounts for the largest displacement of a carried grain in that step.
void scree_search_add_carried_displacement(struct scree_search *search, const struct scree_world *world,
                                           double h, double displacement);

// Returns true if bodies were added, removed or moved to other slots since the last search, or if another
// engine made the lists.
bool scree_search_slots_changed(const struct scree_search *search, const struct scree_world *world);

// Returns true if bodies were added or removed; false if they only changed slots, because then their forces
// stay valid. (A new evaluation, from on-step velocities, would make the motion depend on sorting.)
bool scree_search_bodies_changed(const struct scree_search *search, const struct scree_world *world);

// Returns true if the lists may be no longer valid.
bool scree_search_is_needed(const struct scree_search *search, const struct scree_world *world);

// Computes the displacements of grains if the skin seems to be used up. Returns true if a search is needed.
bool scree_search_measure(struct scree_search *search, const struct scree_world *world,
                          const struct scree_team *team);

// Builds new lists. `may_sort`: slots may change.
SCREE_NODISCARD scree_status scree_search_run(struct scree_search *search, struct scree_world *world,
                                              const struct scree_law_classes *classes, bool may_sort,
                                              const struct scree_team *team);

#endif
