// Gases of hard bodies for tests of the stochastic engine.

#ifndef SCREE_SUPPORT_DRAWN_GAS_H
#define SCREE_SUPPORT_DRAWN_GAS_H

#include "support/hard_bodies.h"

#include <scree/stochastic.h>

// Bodies on a cubic lattice with random velocities: those with odd numbers have the second radius. Their
// number is a multiple of four; the total momentum is that of their drift, which cells that deform must not
// have: it would change with them.
struct drawn_gas {
    int dimension, side; // number of bodies along an axis
    double spacing, radius[2], restitution, friction;
    bool spinning, fixed_spins, walls; // walls: a box of them instead of a periodic cell
    bool deforms;
    double gradient[9];             // of a cell that deforms
    double gravity, drift, closing; // closing: velocity of the last wall against the first
};

static inline double drawn_gas_edge(const struct drawn_gas *gas)
{
    return gas->side * gas->spacing;
}

static inline void drawn_gas_limit(const struct drawn_gas *gas, const struct hard *hard)
{
    const double edge = drawn_gas_edge(gas), corner[3] = {0};
    const double vectors[9] = {edge, 0, 0, 0, edge, 0, 0, 0, edge};
    const bool flat = gas->dimension == 2;
    if (gas->deforms) {
        assert_ok(scree_cell_set_vectors(hard->world, corner, vectors));
        assert_ok(scree_cell_set_form(hard->world, SCREE_CELL_NEWTON));
    } else if (!gas->walls) {
        assert_ok(scree_cell_set(hard->world, &(struct scree_cell_def){.lower = {0, 0, flat ? -1 : 0},
                                                                       .upper = {edge, edge, flat ? 1 : edge},
                                                                       .periodic = {true, true, !flat}}));
    }
    for (int w = 0; w < 2 * gas->dimension && gas->walls; ++w) {
        struct scree_wall_def def = {.shape = SCREE_WALL_PLANE, .material = hard->material};
        scree_wall_id id;
        def.plane.point[w / 2] = w % 2 ? edge : 0;
        def.plane.normal[w / 2] = w % 2 ? -1 : 1;
        def.velocity[w / 2] = w + 1 == 2 * gas->dimension ? -gas->closing : 0;
        assert_ok(scree_wall_add(hard->world, &def, &id));
    }
}

static inline void drawn_gas_add(const struct drawn_gas *gas, const struct hard *hard, int number,
                                 uint64_t seed)
{
    const int n = gas->side, at[3] = {number % n, number / n % n, number / n / n};
    struct scree_sphere_def def = {.radius = gas->radius[number % 2], .material = hard->material};
    scree_body_id id;
    // numbers 4n + 2 and 4n + 3 move against 4n and 4n + 1
    seed += (uint64_t)(number / 4 * 2 + number % 2) << 32;
    for (int k = 0; k < gas->dimension; ++k) {
        def.position[k] = (at[k] + 0.5) * gas->spacing;
        def.velocity[k] = (number % 4 < 2 ? 1 : -1) * splitmix_signed(&seed) + gas->drift;
    }
    for (int k = gas->dimension == 2 ? 2 : 0; k < 3 && gas->spinning; ++k)
        def.spin[k] = 3 * splitmix_signed(&seed);
    const struct scree_disk_def disk = {.radius = def.radius,
                                        .thickness = 1,
                                        .material = hard->material,
                                        .position = {def.position[0], def.position[1]},
                                        .velocity = {def.velocity[0], def.velocity[1]},
                                        .spin = def.spin[2],
                                        .fixed = gas->fixed_spins ? SCREE_FIX_SPIN_Z : 0};
    def.fixed = gas->fixed_spins ? SCREE_FIX_SPIN : 0;
    assert_ok(gas->dimension == 3 ? scree_body_add_sphere(hard->world, &def, &id)
                                  : scree_body_add_disk(hard->world, &disk, &id));
}

static inline struct hard drawn_gas_make(const struct drawn_gas *gas)
{
    const struct scree_world_def def = {.dimension = gas->dimension, .gravity = {0, -gas->gravity}};
    struct hard hard = hard_make(&def, 1, gas->restitution, gas->friction, 0.3);
    const int layers = gas->dimension == 2 ? 1 : gas->side;
    drawn_gas_limit(gas, &hard);
    for (int b = 0; b < gas->side * gas->side * layers; ++b)
        drawn_gas_add(gas, &hard, b, 7);
    // fluctuations stay
    if (gas->deforms)
        assert_ok(scree_cell_deform(hard.world, gas->gradient));
    return hard;
}

#endif
