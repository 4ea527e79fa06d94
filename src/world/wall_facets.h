// Facets of walls that are meshes: rows, and the surface that contacts use.
//
// Rectangles, solid boxes and disks have a surface too, in three dimensions: two facets, twelve, and regular
// polygons of the sides below. Only contacts with polyhedra use it.
//
// Invariants: a wall in the world that is a mesh has its facets as rows, and a surface made from them alone,
// so a restart makes the same surface. Other surfaces are made from the shape of the wall.

#ifndef SCREE_WORLD_WALL_FACETS_H
#define SCREE_WORLD_WALL_FACETS_H

#include "world/world.h"

enum { SCREE_WALL_MOST_FACETS = 1 << 24 }; // of a mesh

// Sides of a disk, and of both rims of one with a hole. With n sides the rim is nowhere farther from the
// circle than 1 - cos(pi / n) of its radius, which is 0.31 % and 0.86 %, and a polyhedron that lies on all
// corners of a disk has room for its contacts (SCREE_OUTSIDE_MOST).
enum { SCREE_WALL_DISK_SIDES = 40, SCREE_WALL_RING_SIDES = 24, SCREE_WALL_FLAT_FACETS = 48 };

// Radii of holes with a surface, over the radius of the disk: narrower rings have no place for the sides.
#define SCREE_WALL_LEAST_HOLE 1e-6
#define SCREE_WALL_MOST_HOLE 0.98

// Half edges of a rectangle or box with a surface, and radii of disks, m: far from overflow.
#define SCREE_WALL_LEAST_EDGE 1e-30
#define SCREE_WALL_MOST_EDGE 1e30

// Adds the rows of a mesh, and makes the surface of the wall, which is not in the world yet. Does nothing for
// a shape without a surface.
SCREE_NODISCARD scree_status scree_wall_facets_add(struct scree_world *world,
                                                   const struct scree_wall_mesh *def,
                                                   struct scree_wall *wall);

// Removes the rows of a mesh and frees the surface of a wall, which is no longer in the world.
void scree_wall_facets_remove(struct scree_world *world, struct scree_wall *wall);

// Makes the surfaces of all walls from restored rows.
SCREE_NODISCARD scree_status scree_wall_facets_restore(struct scree_world *world);

// Number of facets of all meshes.
static inline size_t scree_wall_facets_count(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_FACET)->count;
}

// What bodies did to facets, by slot; null if the world does not record it.
static inline struct scree_facet_wear *scree_wall_facets_wear(const struct scree_world *world)
{
    return (struct scree_facet_wear *)scree_world_column(world, SCREE_ENTITY_FACET, SCREE_FACET_WEAR);
}

// The same of a facet, by its number in the mesh of a wall; null if it is not recorded, or if the wall does
// not exist or is no mesh.
struct scree_facet_wear *scree_wall_facets_wear_of(const struct scree_world *world, uint64_t wall,
                                                   uint32_t facet);

// Frees the surfaces of all walls.
void scree_wall_facets_free(struct scree_world *world);

#endif
