// Worlds with a cell of given vectors, for tests of cells that deform.

#ifndef SCREE_TESTS_SUPPORT_CELLS_H
#define SCREE_TESTS_SUPPORT_CELLS_H

#include "support/worlds.h"

// Cell vectors: a unit cube, and a skewed cell.
extern const double scree_cells_cube[9], scree_cells_skewed[9], scree_cells_origin[3];

struct scree_cells {
    struct scree_world *world;
    struct scree_engine *engine;
};

// A soft engine without the alarm of overlaps: grains at random places have any.
struct scree_engine *scree_cells_engine(struct scree_world *world, double step, int threads);

// An empty world with cell vectors, and its engine; and their end.
struct scree_cells scree_cells_make(const double vectors[9], double step);
void scree_cells_end(struct scree_cells *made);

// A material whose bodies touch with the linear law, friction and dashpots.
scree_material_id scree_cells_add_law(struct scree_world *world);

// Adds a sphere, and returns its id.
uint64_t scree_cells_add(struct scree_world *world, scree_material_id material, double radius,
                         const double position[3], const double velocity[3], const double spin[3]);

// A random position in a cell, a velocity of at most 0.05 and a spin of at most 1 along each axis.
void scree_cells_random(const double vectors[9], uint64_t *seed, double position[3], double velocity[3],
                        double spin[3]);

// Adds a face-centred cubic crystal of `cells` unit cells along each vector, with random velocities of at
// most 0.05 and spins of at most 1 along each axis; neighbours touch at a radius of side / 8^(1/2) of a unit
// cell. `id` receives 4 cells^3 ids.
void scree_cells_add_crystal(struct scree_world *world, scree_material_id material, const double vectors[9],
                             int cells, double radius, uint64_t *seed, uint64_t *id);

struct scree_cell_state scree_cells_state(const struct scree_world *world);

#endif
