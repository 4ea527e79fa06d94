// Stiffness of one body in impacts and in beds, and its critical step; part of critical_step.h.

#ifndef SCREE_ENGINE_CRITICAL_IMPACT_H
#define SCREE_ENGINE_CRITICAL_IMPACT_H

#include "engine/lever.h"

// Critical step of a mass on a spring with a dashpot.
double scree_critical_impact_longest_step(double stiffness, double damping, double mass);

// Adds the impact of a bin with one partner. A radius of 0 means a wall, a mass of 0 a wall or a fixed body.
void scree_critical_impact_add(const struct scree_step_inputs *inputs, struct scree_critical_step_bin *bin,
                               double speed, const struct scree_law_class *class, double radius, double mass);

// Finds the worst impact of a bin. The partner has the largest mass, and the largest or the same radius.
void scree_critical_impact_find(const struct scree_critical_step *critical,
                                const struct scree_step_inputs *inputs, size_t material,
                                struct scree_critical_step_bin *bin, double speed);

// The limit for the worst impact of a bin.
double scree_critical_impact_limit(const struct scree_step_inputs *inputs,
                                   const struct scree_critical_step_bin *bin);

// Finds the stiffest contact of a bin in a bed under a stress. The partner has the same radius and the same
// material; if `any_partner`, any material, and the same or the largest radius.
void scree_critical_impact_find_bed(const struct scree_critical_step *critical,
                                    const struct scree_step_inputs *inputs, size_t material,
                                    struct scree_critical_step_bin *bin,
                                    const struct scree_critical_step_expected *expected);

#endif
