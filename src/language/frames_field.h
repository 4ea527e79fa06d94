// What frames can show: arrays over bodies, contacts and walls, by name.
//
// Of bodies it is any field of the registry that is a number, and what is computed of them; of contacts and
// walls it is a list, whose names begin with "contact." and "wall.".

#ifndef SCREE_LANGUAGE_FRAMES_FIELD_H
#define SCREE_LANGUAGE_FRAMES_FIELD_H

#include "base/status.h"

#include <stddef.h>

enum { SCREE_FRAMES_BODIES, SCREE_FRAMES_CONTACTS, SCREE_FRAMES_WALLS, SCREE_FRAMES_SERIES };

// What is no plain field of the registry.
enum scree_frames_what {
    SCREE_FRAMES_FIELD, // of the registry, by its name
    SCREE_FRAMES_DIAMETER,
    SCREE_FRAMES_SPEED,
    SCREE_FRAMES_COORDINATION,
    SCREE_FRAMES_UNWRAPPED,
    SCREE_FRAMES_STRESS,

    SCREE_FRAMES_FIRST,
    SCREE_FRAMES_SECOND,
    SCREE_FRAMES_TOUCHED_WALL,
    SCREE_FRAMES_FEATURE,
    SCREE_FRAMES_POINT,
    SCREE_FRAMES_NORMAL,
    SCREE_FRAMES_OVERLAP,
    SCREE_FRAMES_FORCE,
    SCREE_FRAMES_NORMAL_FORCE,
    SCREE_FRAMES_SHEAR_FORCE,
    SCREE_FRAMES_COUPLE,
    SCREE_FRAMES_STORED,

    SCREE_FRAMES_WALL_ID,
    SCREE_FRAMES_WALL_MATERIAL,
    SCREE_FRAMES_WALL_SHAPE,
    SCREE_FRAMES_WALL_FORCE,
    SCREE_FRAMES_WALL_MOMENT,
    SCREE_FRAMES_WALL_VELOCITY,
    SCREE_FRAMES_WALL_SPIN
};

struct scree_frames_field {
    int series;
    enum scree_frames_what what;
    const char *name; // of the array
    unsigned width;   // of what is no field of the registry
};

// By number, as scree_frames_field_names has them.
extern const struct scree_frames_field scree_frames_field_rows[];
extern const char *const scree_frames_field_names[]; // closed by null

// The number of a field by its name in that list; that of the closing null for none.
size_t scree_frames_field_find(const char *name);

// The names of those that are shown of a series when none are chosen, closed by null.
const char *const *scree_frames_field_usual(int series);

#endif
