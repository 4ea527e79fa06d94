// Rough walls: a body hits a virtual wall that is inclined at random to the wall (Sommerfeld, Huber, Int. J.
// Multiphase Flow 25, 1457 (1999); van Wachem's slides, erratum 39; EQUATIONS 8).
//
// Virtual walls have normally distributed angles gamma with standard deviation `spread`. A body that
// approaches at the angle alpha to the wall sees a virtual wall in proportion to its width across the path,
// and does not see those that face away from it (the shadow effect):
//
//     P(gamma | alpha) ~ exp(-gamma^2 / (2 spread^2)) sin(alpha + gamma),   gamma > -alpha.
//
// In three dimensions two angles are drawn, along the path and across it, and the virtual wall has the normal
// n - tan(gamma_1) t_1 - tan(gamma_2) t_2, normalised. It is accepted in proportion to the closing speed. So
// at small alpha most virtual walls are inclined towards the body, and it rebounds more steeply than it came.
//
// The draws are a function of (key, id, event, rebound), so that they do not depend on the order of
// collisions.

#ifndef SCREE_LAW_ROUGH_WALL_H
#define SCREE_LAW_ROUGH_WALL_H

#include "base/random.h"
#include "math/elementary.h"
#include "math/vec3.h"

#include <scree/wall.h>

// Attempts per virtual wall, of which at least one in 25 is accepted at small spreads, and virtual walls per
// collision.
enum { SCREE_ROUGH_WALL_ATTEMPTS = 1024, SCREE_ROUGH_WALL_REBOUNDS = 64 };

enum { SCREE_ROUGH_WALL_STREAM = 0x526F };

// sqrt(-2 log u) of the smallest u that scree_random_unit returns, 2^-53, rounded up
#define SCREE_ROUGH_WALL_FARTHEST 8.58

struct scree_rough_wall {
    double spread; // rad
    int dimension; // 2: virtual walls are inclined in the plane
    struct scree_random_key key;
};

SCREE_FN struct scree_rough_wall scree_rough_wall_make(const struct scree_wall_roughness *roughness,
                                                       int dimension)
{
    struct scree_rough_wall wall = {roughness->angle, dimension, {roughness->seed, SCREE_ROUGH_WALL_STREAM}};
    return wall;
}

// Which draws: the body, a number of the collision that occurs once for this body, for example the bits of
// its time, and the rebound, counted from 0 within the collision.
struct scree_rough_wall_draw {
    uint64_t id, event, rebound;
};

// The normal of the virtual wall that a body hits. `velocity` is that of its centre relative to the wall,
// with a component against `normal`, the unit normal of the wall on the side of the body.
SCREE_FN struct scree_vec3 scree_rough_wall_normal(const struct scree_rough_wall *wall,
                                                   struct scree_vec3 normal, struct scree_vec3 velocity,
                                                   struct scree_rough_wall_draw draw)
{
    const double speed = scree_vec3_norm(velocity), closing = -scree_vec3_dot(velocity, normal);
    const struct scree_vec3 along = scree_vec3_add_scaled(velocity, closing, normal);
    const double sliding = scree_vec3_norm(along);
    if (!(wall->spread > 0 && closing > 0))
        return normal;
    const struct scree_vec3 first = sliding > 0
                                        ? scree_vec3_scale(along, 1 / sliding)
                                        : (wall->dimension == 2 ? scree_vec3_make(-normal.y, normal.x, 0)
                                                                : scree_vec3_perpendicular(normal));
    const struct scree_vec3 second = scree_vec3_cross(normal, first);
    // no closing speed is greater than that of a virtual wall at the farthest angle, if that is not beyond
    // `closing`
    const double farthest = SCREE_ROUGH_WALL_FARTHEST * wall->spread;
    double most = speed;
    if (farthest < 0.5 * SCREE_PI && closing < speed * scree_cos(farthest))
        most = closing * scree_cos(farthest) + sliding * scree_sin(farthest);
    for (uint64_t attempt = 0; attempt < SCREE_ROUGH_WALL_ATTEMPTS; ++attempt) {
        const uint64_t at = 4 * (draw.rebound * SCREE_ROUGH_WALL_ATTEMPTS + attempt);
        const double size =
            wall->spread * sqrt(-2 * scree_log(scree_random_uniform(wall->key, draw.id, draw.event, at)));
        const struct scree_sincos turn =
            scree_sincos(2 * SCREE_PI * scree_random_uniform(wall->key, draw.id, draw.event, at + 1));
        const struct scree_sincos angle = scree_sincos(size * turn.cos);
        const struct scree_sincos across = scree_sincos(wall->dimension == 2 ? 0 : size * turn.sin);
        // virtual walls that are turned over are not seen
        if (!(angle.cos > 0 && across.cos > 0))
            continue;
        const struct scree_vec3 tilted = scree_vec3_normalise(scree_vec3_add_scaled(
            scree_vec3_add_scaled(normal, -angle.sin / angle.cos, first), -across.sin / across.cos, second));
        const double seen = -scree_vec3_dot(velocity, tilted);
        if (most * scree_random_uniform(wall->key, draw.id, draw.event, at + 2) < seen)
            return tilted;
    }
    return normal;
}

#endif
