// bench-polyhedra: which force model of convex polyhedra conserves energy, and what a query costs.
//
// Two cubes collide without friction and damping, at random orientations and offsets. Velocity Verlet is of
// order 2, so the error of the energy after a collision must fall by four when the step is halved, if the
// force is the gradient of a smooth potential. See docs/decisions/polyhedra.md.

#include "convex/library.h"
#include "convex/pair.h"
#include "convex/point.h"
#include "math/quat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { COLLISIONS = 200, HALVINGS = 5, MOST = 256 };

// stiffness of the springs, N/m, for a mass of 1 kg and a speed of 1 m/s: overlaps of about 0.01 edges
static const double stiffness = 5000, rounding = 0.05;

struct body {
    struct scree_vec3 position, velocity, spin;
    struct scree_quat orientation;
};

struct wrench {
    double energy;
    struct scree_vec3 force, moment[2]; // on b; on a and b about their centres
    double overlap;
};

static struct scree_convex cube, core;

// --- random numbers

static double draw(uint64_t *seed)
{
    uint64_t x = (*seed += UINT64_C(0x9E3779B97F4A7C15));
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return (double)((x ^ (x >> 31)) >> 11) * 0x1p-52 - 1;
}

static struct scree_vec3 draw_vector(uint64_t *seed)
{
    const double x = draw(seed), y = draw(seed), z = draw(seed);
    return scree_vec3_make(x, y, z);
}

// --- models

static struct scree_convex_body place(const struct body *body, const struct scree_convex *shape,
                                      double radius)
{
    return (struct scree_convex_body){shape, body->position, scree_quat_to_matrix(body->orientation), radius};
}

static void push(struct wrench *w, const struct body *a, const struct body *b, struct scree_vec3 point,
                 struct scree_vec3 force)
{
    w->force = scree_vec3_add(w->force, force);
    w->moment[0] = scree_vec3_sub(w->moment[0], scree_vec3_cross(point, force));
    const struct scree_vec3 arm = scree_vec3_sub(point, scree_vec3_sub(b->position, a->position));
    w->moment[1] = scree_vec3_add(w->moment[1], scree_vec3_cross(arm, force));
}

// Rounded cubes: a spring at each vertex and pair of edges.
static struct wrench features(const struct body *a, const struct body *b)
{
    static struct scree_convex_contact contact[MOST];
    static struct scree_vec3 axis;
    struct wrench w = {.energy = 0};
    const struct scree_convex_body p = place(a, &core, rounding), q = place(b, &core, rounding);
    const size_t count = scree_convex_contacts(&p, &q, &axis, contact, MOST);
    for (size_t n = 0; n < count; ++n) {
        const struct scree_convex_contact *c = &contact[n];
        w.energy += 0.5 * stiffness * c->overlap * c->overlap;
        w.overlap = scree_real_max(w.overlap, c->overlap);
        push(&w, a, b, c->point, scree_vec3_scale(c->normal, stiffness * c->overlap * c->share));
    }
    return w;
}

// Keeps the part of a polygon below a plane.
static int cut(struct scree_vec3 *p, int count, struct scree_vec3 normal, double offset)
{
    struct scree_vec3 out[MOST];
    int kept = 0;
    for (int k = 0; k < count; ++k) {
        const struct scree_vec3 from = p[k], to = p[(k + 1) % count];
        const double h = scree_vec3_dot(normal, from) - offset, g = scree_vec3_dot(normal, to) - offset;
        if (h <= 0)
            out[kept++] = from;
        if ((h <= 0) != (g <= 0))
            out[kept++] = scree_vec3_add_scaled(from, h / (h - g), scree_vec3_sub(to, from));
    }
    memcpy(p, out, sizeof out[0] * (size_t)kept);
    return kept;
}

// The face of a body whose normal is nearest to a direction.
static const struct scree_convex_face *face_along(const struct scree_convex_body *body,
                                                  struct scree_vec3 axis, double *cosine)
{
    const struct scree_vec3 own = scree_mat3_apply_transposed(body->rotation, axis);
    const struct scree_convex_face *best = NULL;
    for (uint32_t f = 0; f < body->shape->faces; ++f) {
        const double c = scree_vec3_dot(body->shape->face[f].normal, own);
        if (best == NULL || c > *cosine) {
            best = &body->shape->face[f];
            *cosine = c;
        }
    }
    return best;
}

// Springs at the corners of the common area of two faces, at the shortest separating translation: the way of
// physics engines for games.
static struct wrench corners(const struct body *a, const struct body *b)
{
    struct wrench w = {.energy = 0};
    const struct scree_convex_body side[2] = {place(a, &cube, 0), place(b, &cube, 0)};
    const struct scree_convex_gap gap = scree_convex_distance(&side[0], &side[1]);
    if (gap.gap >= 0)
        return w;
    w.overlap = -gap.gap;
    double cosine[2] = {0, 0};
    const struct scree_convex_face *face[2] = {
        face_along(&side[0], gap.normal, &cosine[0]),
        face_along(&side[1], scree_vec3_negate(gap.normal), &cosine[1])};
    const int reference = cosine[1] > cosine[0];
    if (cosine[reference] < 1 - 1e-9) { // two edges
        const struct scree_vec3 middle = scree_vec3_scale(scree_vec3_add(gap.point[0], gap.point[1]), 0.5);
        w.energy = 0.5 * stiffness * gap.gap * gap.gap;
        push(&w, a, b, middle, scree_vec3_scale(gap.normal, -stiffness * gap.gap));
        return w;
    }
    const struct scree_convex_body *r = &side[reference], *o = &side[1 - reference];
    const struct scree_convex_face *ground = face[reference], *other = face[1 - reference];
    struct scree_vec3 p[MOST];
    int count = (int)other->corners;
    for (int k = 0; k < count; ++k) { // in the axes of the reference body
        const struct scree_vec3 v = o->shape->vertex[o->shape->corner[other->first + (uint32_t)k]];
        const struct scree_vec3 world = scree_vec3_add(scree_mat3_apply(o->rotation, v), o->position);
        p[k] = scree_mat3_apply_transposed(r->rotation, scree_vec3_sub(world, r->position));
    }
    for (uint32_t f = 0; f < r->shape->faces && count > 0; ++f)
        if (&r->shape->face[f] != ground)
            count = cut(p, count, r->shape->face[f].normal, r->shape->face[f].offset);
    for (int k = 0; k < count; ++k) {
        const double depth = ground->offset - scree_vec3_dot(ground->normal, p[k]);
        if (depth <= 0)
            continue;
        w.energy += 0.5 * stiffness * depth * depth;
        const struct scree_vec3 point =
            scree_vec3_sub(scree_vec3_add(scree_mat3_apply(r->rotation, p[k]), r->position), a->position);
        push(&w, a, b, point, scree_vec3_scale(gap.normal, stiffness * depth));
    }
    return w;
}

// The overlap volume as potential, k V^2 / 2: the gradient is k V times the area vector, and its moment.
static struct wrench volume(const struct body *a, const struct body *b)
{
    struct wrench w = {.energy = 0};
    struct scree_convex_overlap overlap;
    const struct scree_convex_body p = place(a, &cube, 0), q = place(b, &cube, 0);
    if (!scree_convex_overlap(&p, &q, &overlap))
        return w;
    w.energy = 0.5 * stiffness * overlap.volume * overlap.volume;
    w.overlap = -scree_convex_distance(&p, &q).gap;
    w.force = scree_vec3_scale(overlap.area, stiffness * overlap.volume);
    const struct scree_vec3 moment = scree_vec3_scale(overlap.moment, stiffness * overlap.volume);
    w.moment[0] = scree_vec3_negate(moment);
    w.moment[1] = scree_vec3_sub(moment, scree_vec3_cross(scree_vec3_sub(b->position, a->position), w.force));
    return w;
}

// An elastic layer: k V d / 2 with the sum d of the depths of the centroid of the overlap in both bodies,
// which for two faces is the integral of k depth^2 / 2 over their common area.
static double layer_energy(const struct body *a, const struct body *b)
{
    struct scree_convex_overlap overlap;
    const struct scree_convex_body p = place(a, &cube, 0), q = place(b, &cube, 0);
    if (!scree_convex_overlap(&p, &q, &overlap))
        return 0;
    const struct scree_vec3 own = scree_mat3_apply_transposed(p.rotation, overlap.centroid);
    const struct scree_vec3 other = scree_mat3_apply_transposed(
        q.rotation, scree_vec3_sub(overlap.centroid, scree_vec3_sub(b->position, a->position)));
    const double depth = -scree_convex_point(&cube, own, 1).gap - scree_convex_point(&cube, other, 1).gap;
    return 0.5 * stiffness * overlap.volume * depth;
}

// Its gradient by differences, which is enough here.
static struct wrench layer(const struct body *a, const struct body *b)
{
    static const double small = 1e-6;
    struct wrench w = {.energy = layer_energy(a, b)};
    const struct scree_convex_body p = place(a, &cube, 0), q = place(b, &cube, 0);
    if (w.energy == 0)
        return w;
    w.overlap = -scree_convex_distance(&p, &q).gap;
    double slope[3][3];
    for (int part = 0; part < 3; ++part)
        for (int k = 0; k < 3; ++k) {
            double value[2];
            for (int sign = 0; sign < 2; ++sign) {
                struct body moved[2] = {*a, *b};
                double step[3] = {0};
                step[k] = sign == 0 ? small : -small;
                if (part == 2)
                    moved[1].position = scree_vec3_add(b->position, scree_vec3_load(step));
                else
                    moved[part].orientation =
                        scree_quat_product(scree_quat_exp(scree_vec3_load(step)), moved[part].orientation);
                value[sign] = layer_energy(&moved[0], &moved[1]);
            }
            slope[part][k] = -(value[0] - value[1]) / (2 * small);
        }
    w.moment[0] = scree_vec3_load(slope[0]);
    w.moment[1] = scree_vec3_load(slope[1]);
    w.force = scree_vec3_load(slope[2]);
    return w;
}

// --- collisions

typedef struct wrench (*model)(const struct body *a, const struct body *b);

static void kick(struct body body[2], const struct wrench *w, double time)
{
    // mass 1, moment of inertia 1/6
    body[0].velocity = scree_vec3_add_scaled(body[0].velocity, -time, w->force);
    body[1].velocity = scree_vec3_add_scaled(body[1].velocity, time, w->force);
    for (int k = 0; k < 2; ++k)
        body[k].spin = scree_vec3_add_scaled(body[k].spin, 6 * time, w->moment[k]);
}

static double energy(const struct body body[2], const struct wrench *w)
{
    double sum = w->energy;
    for (int k = 0; k < 2; ++k)
        sum += 0.5 * scree_vec3_norm_squared(body[k].velocity) + scree_vec3_norm_squared(body[k].spin) / 12;
    return sum;
}

// The relative change of the energy by a collision.
static double collide(model forces, bool parallel, uint64_t seed, double step, double *overlap)
{
    struct body body[2] = {0};
    for (int k = 0; k < 2; ++k) {
        const struct scree_vec3 v = scree_vec3_scale(draw_vector(&seed), parallel ? 3e-3 : 1);
        body[k].orientation =
            scree_quat_normalise(scree_quat_make(parallel ? 1 : draw(&seed), v.x, v.y, v.z));
        body[k].spin = scree_vec3_scale(draw_vector(&seed), parallel ? 3e-3 : 1);
    }
    struct scree_vec3 direction = scree_vec3_normalise(draw_vector(&seed));
    direction = parallel ? scree_vec3_make(0, 0, 1) : direction;
    body[1].position = scree_vec3_scale(direction, parallel ? 1.5 : 1.9);
    // of parallel cubes, the edges of half lie on each other
    const double aside = !parallel ? 0.4 : draw(&seed) > 0 ? 0.003 : 0.3;
    body[1].position = scree_vec3_add_scaled(body[1].position, aside, draw_vector(&seed));
    body[1].velocity = scree_vec3_scale(direction, -1);
    struct wrench w = forces(&body[0], &body[1]);
    const double before = energy(body, &w);
    const int steps = (int)(3 / step + 0.5);
    for (int n = 0; n < steps; ++n) {
        kick(body, &w, 0.5 * step);
        for (int k = 0; k < 2; ++k) {
            body[k].position = scree_vec3_add_scaled(body[k].position, step, body[k].velocity);
            body[k].orientation = scree_quat_normalise(scree_quat_product(
                scree_quat_exp(scree_vec3_scale(body[k].spin, step)), body[k].orientation));
        }
        w = forces(&body[0], &body[1]);
        *overlap = scree_real_max(*overlap, w.overlap);
        kick(body, &w, 0.5 * step);
    }
    return energy(body, &w) / before - 1;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const char *name, model forces, bool parallel)
{
    printf("%-10s", name);
    double before = 0, overlap = 0, worst = 0;
    for (int h = 0; h < HALVINGS; ++h) {
        double error[COLLISIONS];
        worst = 0;
        for (int n = 0; n < COLLISIONS; ++n) {
            error[n] = fabs(collide(forces, parallel, (uint64_t)n + 1, 2e-3 / (1 << h), &overlap));
            worst = scree_real_max(worst, error[n]);
        }
        qsort(error, COLLISIONS, sizeof error[0], compare);
        // of the collisions, at least half touch
        const double high = error[COLLISIONS * 9 / 10];
        printf("  %8.1e", high);
        if (h > 0)
            printf(" (%3.1f)", scree_real_max(0, before / high > 0 ? log2(before / high) : 0));
        before = high;
    }
    printf("   largest error %.0e, overlap %.3f\n", worst, overlap);
}

// --- resting

// A cube on a cube of the same orientation: the moment that turns it back when it tilts.
static void tilt(const char *name, model forces, double gap)
{
    struct body body[2] = {{.orientation = {1, 0, 0, 0}}, {.orientation = {1, 0, 0, 0}}};
    const double angle = 1e-4, overlap = 1e-3;
    body[0].position = scree_vec3_make(0.03, 0.02, 0);
    body[1].position = scree_vec3_make(0, 0, gap - overlap);
    double moment[2], force = 0;
    for (int sign = 0; sign < 2; ++sign) {
        body[1].orientation = scree_quat_exp(scree_vec3_make(sign == 0 ? angle : -angle, 0, 0));
        const struct wrench w = forces(&body[0], &body[1]);
        moment[sign] = w.moment[1].x;
        force = w.force.z;
    }
    printf("%-10s force %8.4f N, moment %8.1f Nm per rad\n", name, force,
           (moment[0] - moment[1]) / (2 * angle));
}

// --- cost

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Pairs of cubes: one that rests on its face, one that touches with a corner, and one apart.
static void time_queries(void)
{
    static const char *name[] = {"face on face", "corner on face", "apart"};
    enum { REPEATS = 200000 };
    for (int kind = 0; kind < 3; ++kind) {
        struct body body[2] = {{.orientation = {1, 0, 0, 0}}, {.orientation = {1, 0, 0, 0}}};
        body[1].position = scree_vec3_make(0.2, 0.1, 0.999);
        if (kind > 0) {
            body[1].orientation = scree_quat_normalise(scree_quat_make(0.88, 0.33, -0.34, 0));
            body[1].position.z = kind == 1 ? 1.3 : 1.6;
        }
        struct scree_convex_contact contact[MOST];
        struct scree_vec3 axis = scree_vec3_zero();
        const struct scree_convex_body p = place(&body[0], &core, rounding),
                                       q = place(&body[1], &core, rounding);
        size_t count = scree_convex_contacts(&p, &q, &axis, contact, MOST);
        double from = seconds();
        for (int n = 0; n < REPEATS; ++n)
            count += scree_convex_contacts(&p, &q, &axis, contact, MOST);
        const double contacts = seconds() - from;
        double sum = 0;
        struct scree_convex_overlap overlap;
        const struct scree_convex_body s = place(&body[0], &cube, 0), t = place(&body[1], &cube, 0);
        from = seconds();
        for (int n = 0; n < REPEATS / 10; ++n) {
            (void)scree_convex_overlap(&s, &t, &overlap);
            sum += overlap.volume;
        }
        const double volumes = 10 * (seconds() - from);
        printf("%-16s %3zu contacts in %6.0f ns; overlap volume %.1e in %6.0f ns\n", name[kind],
               count / (REPEATS + 1), 1e9 / REPEATS * contacts, sum / REPEATS * 10, 1e9 / REPEATS * volumes);
    }
}

// Spheres of radius 0.5 on a face and on a corner of a cube.
static void time_spheres(void)
{
    static const char *name[] = {"sphere on face", "sphere on corner"};
    static const struct scree_vec3 centre[] = {{0.1, 0.2, 0.99}, {0.7, 0.7, 0.7}};
    enum { REPEATS = 1000000 };
    const struct body body = {.orientation = {1, 0, 0, 0}};
    const struct scree_convex_body p = place(&body, &core, rounding);
    for (int kind = 0; kind < 2; ++kind) {
        struct scree_convex_contact contact;
        size_t count = 0;
        const double from = seconds();
        for (int n = 0; n < REPEATS; ++n)
            count += scree_convex_sphere_contact(&p, centre[kind], 0.5, &contact);
        printf("%-16s %3zu contacts in %6.0f ns\n", name[kind], count / REPEATS,
               1e9 / REPEATS * (seconds() - from));
    }
}

static int make_cube(double edge, struct scree_convex *shape)
{
    const struct scree_convex_def def = {.kind = SCREE_CONVEX_CUBE, .length = {edge}};
    return scree_convex_library(&def, shape) == SCREE_OK;
}

int main(int arguments, char **argument)
{
    if (!make_cube(1, &cube) || !make_cube(1 - 2 * rounding, &core)) {
        fprintf(stderr, "%s\n", scree_status_message());
        return 1;
    }
    static const struct {
        const char *name;
        model forces;
    } models[] = {{"features", features}, {"corners", corners}, {"volume", volume}, {"layer", layer}};
    const char *only = arguments > 1 ? argument[1] : "";
    if (strcmp(only, "time") == 0) {
        time_queries();
        time_spheres();
    }
    for (size_t m = 0; m < sizeof models / sizeof models[0]; ++m) {
        if (only[0] != '\0' && strcmp(only, models[m].name) != 0)
            continue;
        printf("%s: relative energy error of 9 of 10 collisions, steps of 2 ms halved, (order)\n",
               models[m].name);
        measure("random", models[m].forces, false);
        measure("parallel", models[m].forces, true);
        tilt("tilted", models[m].forces, 1);
    }
    scree_convex_free(&cube);
    scree_convex_free(&core);
    return 0;
}
