// The record `frames`: bodies, contacts and walls for ParaView, each a series of its own (series.h) of grids
// (vtk.h).
//
// What always holds: what is kept depends on the state of the world alone, rows by ascending id, so that the
// same state gives the same bytes. The caller's thread copies what is to be kept; the thread of the writer
// makes files of it.

#ifndef SCREE_RUN_FRAMES_H
#define SCREE_RUN_FRAMES_H

#include "base/team.h"
#include "file/vtk.h"
#include "language/frames_field.h"
#include "math/vec3.h"

#include <scree/contact.h>

// What grids are made of.
struct scree_frames_check {
    struct scree_world *world;
    struct scree_team team;
    scree_type real;                     // of numbers that are double: SCREE_F32 or SCREE_F64
    const struct scree_contact *contact; // all, where some array needs them
    size_t contacts;
};

// Add points, cells and the chosen arrays to an empty grid; on failure it is to be freed all the same.
// `field` are numbers of fields, those of other series among them.
SCREE_NODISCARD scree_status scree_frames_bodies(const struct scree_frames_check *check, const size_t *field,
                                                 size_t fields, struct scree_vtk_grid *grid);
SCREE_NODISCARD scree_status scree_frames_contacts(const struct scree_frames_check *check,
                                                   const size_t *field, size_t fields,
                                                   struct scree_vtk_grid *grid);
SCREE_NODISCARD scree_status scree_frames_walls(const struct scree_frames_check *check, const size_t *field,
                                                size_t fields, struct scree_vtk_grid *grid);

// The periodic image of a place that is nearest to another.
struct scree_vec3 scree_frames_contacts_image(const struct scree_world *world, struct scree_vec3 place,
                                              struct scree_vec3 other);

#endif
