// Random sets of grains with all options of the neighbour search, and their gaps by direct computation: the
// reference for candidate lists.

#ifndef SCREE_TESTS_CROWD_H
#define SCREE_TESTS_CROWD_H

#include "base/memory.h"
#include "detect/candidates.h"
#include "support/splitmix.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CROWD_MAX = 3000, CROWD_MATERIALS = 4 };

struct crowd {
    struct scree_grain grain[CROWD_MAX];
    uint64_t id[CROWD_MAX];
    uint8_t class_of[CROWD_MATERIALS * CROWD_MATERIALS];
    struct scree_team team;
    struct scree_candidates_input input;
    uint64_t random, next_id;
    double side, largest, ratio; // side of the region; radii from largest / ratio to largest
};

static inline uint64_t crowd_bits(struct crowd *crowd)
{
    return splitmix_next(&crowd->random);
}

static inline double crowd_draw(struct crowd *crowd, double low, double high)
{
    return low + (high - low) * (double)(crowd_bits(crowd) >> 11) * 0x1p-53;
}

static inline size_t crowd_choice(struct crowd *crowd, size_t count)
{
    return (size_t)(crowd_bits(crowd) % count);
}

// a new id; with `far`, ids differ by more than 2^32
static inline uint64_t crowd_new_id(struct crowd *crowd, bool far)
{
    crowd->next_id += 1 + crowd_choice(crowd, 3) + (far ? crowd_bits(crowd) >> 14 : 0);
    return crowd->next_id;
}

// Draws the radius, material and position of grain `i`.
static inline void crowd_place(struct crowd *crowd, size_t i, bool clustered, bool outliers)
{
    struct scree_grain *grain = &crowd->grain[i];
    // large grains are rare
    const double u = crowd_draw(crowd, 0, 1);
    grain->radius = crowd->largest * pow(crowd->ratio, -sqrt(u));
    grain->material = (uint16_t)(1 + crowd_choice(crowd, CROWD_MATERIALS - 1));
    for (int k = 0; k < 3; ++k) {
        double x = crowd_draw(crowd, 0, crowd->side);
        if (clustered && crowd_choice(crowd, 4))
            x = crowd->side * 0.5 + 0.1 * (x - crowd->side * 0.5);
        if (outliers && crowd_choice(crowd, 40) == 0 && !(crowd->input.period[k] < (double)INFINITY))
            x = crowd_draw(crowd, -1, 1) * pow(10, crowd_draw(crowd, 1, 149));
        grain->position[k] = (crowd->input.period[k] < (double)INFINITY ? crowd->input.lower[k] : -1.5) + x;
    }
    // some at the position of another grain, some on a face of the cell, some without a material or radius
    if (i > 0 && crowd_choice(crowd, 30) == 0)
        memcpy(grain->position, crowd->grain[crowd_choice(crowd, i)].position, sizeof grain->position);
    if (crowd_choice(crowd, 60) == 0)
        grain->position[0] = crowd->input.lower[0];
    if (crowd->input.dimension == 2)
        grain->position[2] = 0;
    if (crowd_choice(crowd, 50) == 0)
        grain->material = 0;
    if (crowd_choice(crowd, 80) == 0)
        grain->radius = 0;
    if (outliers && crowd_choice(crowd, 80) == 0)
        grain->position[crowd_choice(crowd, 2)] = crowd_choice(crowd, 2) ? (double)NAN : (double)INFINITY;
}

// Makes set `number`, which determines dimension, periodic axes, ratio of radii, clusters, outliers and ids.
static inline void crowd_make(struct crowd *crowd, uint64_t number, size_t count, int threads)
{
    *crowd = (struct crowd){.random = number * 977 + 5, .team.threads = threads};
    struct scree_candidates_input *input = &crowd->input;
    input->dimension = number % 3 == 0 ? 2 : 3;
    const bool clustered = number % 5 == 1, outliers = number % 7 == 2, far_ids = number % 11 == 3;
    crowd->ratio = (const double[]){1, 1.3, 4, 100}[number / 2 % 4];
    crowd->largest = crowd_draw(crowd, 0.2, 2);
    const double mean = crowd->largest * (crowd->ratio > 10 ? 0.15 : 0.5);
    crowd->side = mean * (input->dimension == 2 ? 2.5 * sqrt((double)count) : 2.2 * cbrt((double)count));
    for (int k = 0; k < 3; ++k) {
        const bool periodic = (number / 3 >> k & 1) && k < input->dimension;
        input->lower[k] = crowd_draw(crowd, -3, 3);
        input->period[k] = periodic ? crowd->side : (double)INFINITY;
    }
    input->margin = crowd_draw(crowd, 0, 0.2) * mean;
    input->min_touching_per_grain = 1;
    input->max_displacement = 0.5 * input->margin;
    const double min_period = 4 * crowd->largest + 2 * input->margin;
    for (int k = 0; k < 3; ++k)
        if (input->period[k] < min_period)
            input->period[k] = min_period;
    // sometimes some materials have no contacts, sometimes there is one class only
    input->classes = number % 4 == 1 ? 1 : 5;
    for (size_t a = 0; a < CROWD_MATERIALS; ++a)
        for (size_t b = 0; b <= a; ++b) {
            const size_t chosen = crowd_choice(crowd, input->classes);
            const bool no_contact = number % 2 && crowd_choice(crowd, 4) == 0;
            crowd->class_of[a * CROWD_MATERIALS + b] = crowd->class_of[b * CROWD_MATERIALS + a] =
                no_contact ? SCREE_CONTACTS_NO_CLASS : (uint8_t)chosen;
        }
    input->stride = 4 * (number % 3);
    for (size_t i = 0; i < count; ++i) {
        crowd->id[i] = crowd_new_id(crowd, far_ids);
        crowd_place(crowd, i, clustered, outliers);
    }
    for (size_t i = count; i > 1; --i) {
        const size_t j = crowd_choice(crowd, i);
        const uint64_t swap = crowd->id[i - 1];
        crowd->id[i - 1] = crowd->id[j];
        crowd->id[j] = swap;
    }
    input->grain = crowd->grain;
    input->id = crowd->id;
    input->count = count;
    input->class_of = crowd->class_of;
    input->materials = CROWD_MATERIALS;
    input->team = &crowd->team;
}

// Whether a grain can have contacts: it has a material, a radius and a finite position.
static inline bool crowd_touches(const struct crowd *crowd, size_t i)
{
    const struct scree_grain *grain = &crowd->grain[i];
    bool is_finite = true;
    for (int k = 0; k < crowd->input.dimension; ++k)
        is_finite = is_finite && fabs(grain->position[k]) <= 1e150;
    return grain->material != 0 && grain->radius > 0 && is_finite;
}

// Gap between the surfaces. `direct` is true if no periodic image is nearer than the grain itself.
static inline double crowd_gap(const struct crowd *crowd, size_t i, size_t j, bool *direct)
{
    double square = 0;
    *direct = true;
    for (int k = 0; k < crowd->input.dimension; ++k) {
        const double period = crowd->input.period[k];
        double difference = fabs(crowd->grain[i].position[k] - crowd->grain[j].position[k]);
        if (period < (double)INFINITY && period - difference < difference) {
            difference = period - difference;
            *direct = false;
        }
        square += difference * difference;
    }
    return sqrt(square) - crowd->grain[i].radius - crowd->grain[j].radius;
}

#endif
