// The record `frames`: bodies, contacts, walls, pebbles, bonds and polyhedra for ParaView, each as a separate
// series (series.h) of grids (vtk.h).
//
// Invariant: the content depends only on the state of the world, with rows by ascending id, so that the same
// state gives the same bytes. The calling thread copies the data; the thread of the writer writes the files.

#ifndef SCREE_RUN_FRAMES_H
#define SCREE_RUN_FRAMES_H

#include "base/team.h"
#include "file/vtk.h"
#include "language/frames_field.h"
#include "math/vec3.h"

#include <scree/contact.h>

// The data from which grids are made.
struct scree_frames_source {
    struct scree_world *world;
    struct scree_team team;
    scree_type real; // type in the file of numbers that are double: SCREE_F32 or SCREE_F64
    const struct scree_contact *contact; // all contacts, if some array needs them
    size_t contacts;
};

// Add points, cells and the chosen arrays to an empty grid; free the grid also after a failure. `field` are
// row numbers of scree_frames_field_rows; fields of other series are ignored.
SCREE_NODISCARD scree_status scree_frames_bodies(const struct scree_frames_source *source,
                                                 const size_t *field, size_t fields,
                                                 struct scree_vtk_grid *grid);
SCREE_NODISCARD scree_status scree_frames_contacts(const struct scree_frames_source *source,
                                                   const size_t *field, size_t fields,
                                                   struct scree_vtk_grid *grid);
SCREE_NODISCARD scree_status scree_frames_walls(const struct scree_frames_source *source, const size_t *field,
                                                size_t fields, struct scree_vtk_grid *grid);
SCREE_NODISCARD scree_status scree_frames_pebbles(const struct scree_frames_source *source,
                                                  const size_t *field, size_t fields,
                                                  struct scree_vtk_grid *grid);

SCREE_NODISCARD scree_status scree_frames_polyhedra(const struct scree_frames_source *source,
                                                    const size_t *field, size_t fields,
                                                    struct scree_vtk_grid *grid);

SCREE_NODISCARD scree_status scree_frames_cell(const struct scree_frames_source *source, const size_t *field,
                                               size_t fields, struct scree_vtk_grid *grid);
SCREE_NODISCARD scree_status scree_frames_bonds(const struct scree_frames_source *source, const size_t *field,
                                                size_t fields, struct scree_vtk_grid *grid);

// Returns the periodic image of `position` that is nearest to `other`.
struct scree_vec3 scree_frames_contacts_image(const struct scree_world *world, struct scree_vec3 position,
                                              struct scree_vec3 other);

#endif
