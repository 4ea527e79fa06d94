// Shapes of clumps, see shapes.h.

#include "shapes.h"

#include "algebra.h"
#include "balls.h"

void scree_shapes_make(const double (*sphere)[4], size_t count, double density, double overlap_volume,
                       struct scree_shapes_clump *clump)
{
    double centre[3] = {0}, volume = 0, *inertia = clump->def.body.inertia;
    *clump = (struct scree_shapes_clump){.def = {.pebbles = count}};
    for (size_t p = 0; p < count; ++p) {
        const double one = scree_balls_volume(sphere[p][3]);
        for (int k = 0; k < 3; ++k)
            centre[k] += one * sphere[p][k];
        volume += one;
    }
    for (size_t p = 0; p < count; ++p) {
        const double mass = density * scree_balls_volume(sphere[p][3]);
        struct scree_pebble *pebble = &clump->pebble[p];
        for (int k = 0; k < 3; ++k)
            pebble->offset[k] = sphere[p][k] - centre[k] / volume;
        pebble->radius = sphere[p][3];
        const double *d = pebble->offset, own = 0.4 * pebble->radius * pebble->radius;
        for (int k = 0; k < 3; ++k)
            inertia[k] += mass * (own + scree_algebra_dot(d, d, 3) - d[k] * d[k]);
    }
    clump->def.body.mass = density * (volume - overlap_volume);
    clump->def.equal_radius = cbrt((volume - overlap_volume) / scree_balls_volume(1));
}

// Two spheres of radius R at the distance d share pi (2 R - d)^2 (d^2 + 4 d R) / (12 d).
void scree_shapes_dimer(double distance, double density, struct scree_shapes_clump *clump)
{
    const double sphere[2][4] = {{-0.5 * distance, 0, 0, 0.5}, {0.5 * distance, 0, 0, 0.5}};
    const double lens = distance < 1 ? acos(-1) * (1 - distance) * (1 - distance) * (distance + 2) / 12 : 0;
    scree_shapes_make(sphere, 2, density, lens, clump);
}

void scree_shapes_tee(double density, struct scree_shapes_clump *clump)
{
    static const double sphere[4][4] = {{-1, 0, 0, 0.5}, {0, 0, 0, 0.5}, {1, 0, 0, 0.5}, {0, 0, 1, 0.5}};
    scree_shapes_make(sphere, 4, density, 0, clump);
}

scree_status scree_shapes_add(struct scree_trial *trial, const struct scree_shapes_clump *clump,
                              const struct scree_rigid_def *at)
{
    struct scree_clump_def def = clump->def;
    def.pebble = clump->pebble;
    def.body.material = trial->material;
    def.body.fixed = at->fixed;
    memcpy(def.body.position, at->position, sizeof def.body.position);
    memcpy(def.body.orientation, at->orientation, sizeof def.body.orientation);
    memcpy(def.body.velocity, at->velocity, sizeof def.body.velocity);
    memcpy(def.body.spin, at->spin, sizeof def.body.spin);
    return scree_body_add_clump(trial->world, &def, &trial->body);
}

void scree_shapes_orientation(uint64_t seed, uint64_t item, double orientation[4])
{
    double square = 0;
    for (uint64_t round = 0; square < 0.01 || square > 1; ++round) {
        for (uint64_t k = 0; k < 4; ++k)
            orientation[k] = scree_algebra_draw(seed, item, 100 + 4 * round + k);
        square = scree_algebra_dot(orientation, orientation, 4);
    }
}
