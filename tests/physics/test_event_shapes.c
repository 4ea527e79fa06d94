// Walls of the event engine that are no planes, and walls that turn, against an independent program in long
// double: one ball in a box with one wall of any shape, which may move, turn and vibrate; the program looks
// for the next collision by short steps, none of which passes a distance that the ball can fly.

#include "support/worlds.h"

#include <scree/event.h>

// all combinations are in 128 worlds
enum { WORLDS = FEWER(256, 128), VIBRATING = FEWER(256, 128), BOUNCES = 12, MOST_FACETS = 64 };

typedef long double real;

static const double pi = 3.14159265358979323846;

// --- the nearest point of a wall, in its axes

struct wall {
    enum scree_wall_shape shape;
    bool inside;
    real size[3]; // half edges; or radii at both ends of the axis, and half of its length; a radius
    real corner[MOST_FACETS][3][3];
    int facets;
    real axes[3][3], reference[3], velocity[3], spin[3], pivot[3];
    real amplitude[3], angular, phase; // of a vibration
};

static real dot(const real *a, const real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const real *a, const real *b, real *c)
{
    for (int k = 0; k < 3; ++k)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static real clamp(real x, real low, real high)
{
    return x < low ? low : x > high ? high : x;
}

static real distance(const real *a, const real *b)
{
    const real d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return sqrtl(dot(d, d));
}

static void nearest_of_segment(const real *a, const real *b, const real *p, real *q)
{
    const real e[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, d[3] = {p[0] - a[0], p[1] - a[1], p[2] - a[2]};
    const real t = clamp(dot(d, e) / dot(e, e), 0, 1);
    for (int k = 0; k < 3; ++k)
        q[k] = a[k] + t * e[k];
}

// The foot on the plane if it is within, else the nearest point of the three sides.
static void nearest_of_triangle(const real corner[3][3], const real *p, real *q)
{
    real n[3], e[2][3];
    for (int k = 0; k < 3; ++k) {
        e[0][k] = corner[1][k] - corner[0][k];
        e[1][k] = corner[2][k] - corner[0][k];
        q[k] = p[k] - corner[0][k];
    }
    cross(e[0], e[1], n);
    const real height = dot(q, n) / dot(n, n);
    bool within = true;
    for (int k = 0; k < 3; ++k)
        q[k] = p[k] - height * n[k];
    for (int s = 0; s < 3; ++s) {
        real side[3], arm[3], c[3];
        for (int k = 0; k < 3; ++k) {
            side[k] = corner[(s + 1) % 3][k] - corner[s][k];
            arm[k] = q[k] - corner[s][k];
        }
        cross(side, arm, c);
        within = within && dot(c, n) >= 0;
    }
    for (int s = 0; s < 3 && !within; ++s) {
        real on[3];
        nearest_of_segment(corner[s], corner[(s + 1) % 3], p, on);
        if (s == 0 || distance(p, on) < distance(p, q))
            memcpy(q, on, sizeof on);
    }
}

static void nearest_of_mesh(const struct wall *wall, const real *p, real *q)
{
    for (int f = 0; f < wall->facets; ++f) {
        real on[3];
        nearest_of_triangle(wall->corner[f], p, on);
        if (f == 0 || distance(p, on) < distance(p, q))
            memcpy(q, on, sizeof on);
    }
}

// A surface of revolution: the line from (radius, height) to (radius, height), on the side of the point.
static void nearest_of_round(const struct wall *wall, const real *p, real *q)
{
    const real out = sqrtl(p[0] * p[0] + p[1] * p[1]);
    const real from[3] = {wall->size[0], -wall->size[2], 0}, to[3] = {wall->size[1], wall->size[2], 0};
    const real here[3] = {out, p[2], 0};
    real on[3];
    nearest_of_segment(from, to, here, on);
    for (int k = 0; k < 2; ++k)
        q[k] = out > 0 ? p[k] / out * on[0] : (k == 0 ? on[0] : 0);
    q[2] = on[1];
}

static void nearest_in_axes(const struct wall *wall, const real *p, real *q)
{
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
        memcpy(q, p, 3 * sizeof *q);
        q[2] = 0;
        break;
    case SCREE_WALL_RECTANGLE:
    case SCREE_WALL_BOX:
        for (int k = 0; k < 3; ++k)
            q[k] = clamp(p[k], -wall->size[k], wall->size[k]);
        break;
    case SCREE_WALL_SPHERE:
        for (int k = 0; k < 3; ++k)
            q[k] = wall->size[0] * p[k] / sqrtl(dot(p, p));
        break;
    case SCREE_WALL_MESH:
        nearest_of_mesh(wall, p, q);
        break;
    default:
        nearest_of_round(wall, p, q);
    }
}

// --- a ball and its walls

struct oracle {
    uint64_t number, seed;
    struct wall wall;
    bool boxed; // in a box of this side, at rest
    real side, gravity[3], radius, x[3], v[3], time, restitution;
    int events, by_wall;
    bool flat; // in two dimensions
};

// Rotates a vector about an axis through the origin (Rodrigues).
static void rotate(const real *spin, real time, real *v)
{
    const real rate = sqrtl(dot(spin, spin)), c = cosl(rate * time), s = sinl(rate * time);
    if (rate == 0)
        return;
    const real axis[3] = {spin[0] / rate, spin[1] / rate, spin[2] / rate}, along = dot(axis, v);
    real across[3];
    cross(axis, v, across);
    for (int k = 0; k < 3; ++k)
        v[k] = c * v[k] + s * across[k] + (1 - c) * along * axis[k];
}

static void fly(const struct oracle *o, real delay, real *x, real *v)
{
    for (int k = 0; k < 3; ++k) {
        x[k] = o->x[k] + delay * (o->v[k] + 0.5L * delay * o->gravity[k]);
        v[k] = o->v[k] + delay * o->gravity[k];
    }
}

// The way of the pivot since the start, and its velocity.
static void move_pivot(const struct wall *wall, real time, real *way, real *velocity)
{
    const real phase = wall->angular * time + wall->phase;
    for (int k = 0; k < 3; ++k) {
        way[k] = time * wall->velocity[k] + wall->amplitude[k] * (sinl(phase) - sinl(wall->phase));
        velocity[k] = wall->velocity[k] + wall->angular * wall->amplitude[k] * cosl(phase);
    }
}

// The gap to the wall, its normal, and the velocity of the wall there.
static real gap_to_wall(const struct oracle *o, real time, const real *x, real *normal, real *velocity)
{
    const struct wall *wall = &o->wall;
    real p[3], q[3], local[3], on[3] = {0}, way[3], speed[3];
    move_pivot(wall, time, way, speed);
    for (int k = 0; k < 3; ++k)
        p[k] = x[k] - wall->pivot[k] - way[k];
    const real arm[3] = {p[0], p[1], p[2]};
    rotate(wall->spin, -time, p);
    for (int k = 0; k < 3; ++k)
        p[k] += wall->pivot[k] - wall->reference[k];
    for (int k = 0; k < 3; ++k)
        local[k] = dot(wall->axes[k], p);
    nearest_in_axes(wall, local, on);
    const real d = distance(local, on);
    for (int k = 0; k < 3; ++k) {
        q[k] = 0;
        for (int m = 0; m < 3; ++m)
            q[k] += (local[m] - on[m]) / d * wall->axes[m][k];
    }
    rotate(wall->spin, time, q);
    real swept[3], contact[3];
    // planes are solid behind, spheres with bodies inside too
    const real sign = (wall->shape == SCREE_WALL_PLANE && local[2] < 0) ||
                              (wall->shape == SCREE_WALL_SPHERE &&
                               (sqrtl(dot(local, local)) < wall->size[0]) != wall->inside)
                          ? -1
                          : 1;
    for (int k = 0; k < 3; ++k)
        contact[k] = arm[k] - d * q[k];
    cross(wall->spin, contact, swept);
    for (int k = 0; k < 3; ++k) {
        normal[k] = sign * q[k];
        velocity[k] = speed[k] + swept[k];
    }
    return sign * d - o->radius;
}

// The least gap to the wall and the faces of the box.
static real least_gap(const struct oracle *o, real delay, real *normal, real *velocity, int *who)
{
    real x[3], v[3];
    fly(o, delay, x, v);
    real least = gap_to_wall(o, o->time + delay, x, normal, velocity);
    *who = 1;
    for (int f = 0; f < (o->flat ? 4 : 6) && o->boxed; ++f) {
        const real sign = f % 2 ? -1 : 1, gap = sign * x[f / 2] + 0.5L * o->side - o->radius;
        if (gap >= least)
            continue;
        least = gap;
        *who = 2;
        for (int k = 0; k < 3; ++k) {
            normal[k] = k == f / 2 ? sign : 0;
            velocity[k] = 0;
        }
    }
    return least;
}

// The first time at which the gap closes. A step is the gap over the greatest relative speed in sight, or
// 1e-8; what a collision within such a step is, bisection finds. The ball may begin in touch.
static real next_collision(const struct oracle *o)
{
    real normal[3], velocity[3], x[3], v[3], delay = 0, before = 0;
    int who;
    const real rate = sqrtl(dot(o->wall.spin, o->wall.spin));
    for (;;) {
        const real gap = least_gap(o, delay, normal, velocity, &who);
        if (gap < 0 && delay > 1e-7L)
            break;
        fly(o, delay, x, v);
        const real shaken = o->wall.angular * sqrtl(dot(o->wall.amplitude, o->wall.amplitude));
        const real fastest = shaken + sqrtl(dot(v, v)) + sqrtl(dot(o->wall.velocity, o->wall.velocity)) +
                             rate * (distance(x, o->wall.pivot) + 5 * o->side) + 1;
        const real step = gap / fastest;
        before = delay;
        delay += step > 1e-8L ? step < 0.1L ? step : 0.1L : 1e-8L;
    }
    for (int n = 0; n < 70; ++n) {
        const real middle = 0.5L * (before + delay);
        *(least_gap(o, middle, normal, velocity, &who) > 0 ? &before : &delay) = middle;
    }
    return delay;
}

static void compare(void *user, const struct scree_event_collision *c)
{
    struct oracle *o = (struct oracle *)user;
    real normal[3], velocity[3], x[3], v[3];
    int who;
    const real delay = next_collision(o), late = (real)c->time - (o->time + delay);
    const real at = (real)c->time - o->time;
    const real gap = least_gap(o, at, normal, velocity, &who);
    fly(o, at, x, v);
    const real closing = dot(normal, v) - dot(normal, velocity);
    // positions of about 4 m are known to some 1e-15 m, and the turned ones after some steps to 1e-13; a
    // gap of 1e-13 m is a delay of it over the closing speed
    const real tolerance = 1e-13L / fmaxl(1e-3L, fabsl(closing));
    if (!(fabsl(late) < tolerance) || c->wall.value != (uint64_t)(o->boxed && who == 2 ? 2 : 1))
        fail_msg(
            "world %llu, event %d: wall %d at %.17g, but the next is wall %d at %.17g (gap %g, closing %g)",
            (unsigned long long)o->number, o->events, (int)c->wall.value, c->time, who,
            (double)(o->time + delay), (double)gap, (double)closing);
    o->time = (real)c->time;
    for (int k = 0; k < 3; ++k) {
        v[k] -= (1 + o->restitution) * closing * normal[k];
        if (fabsl(x[k] - (real)c->position[0][k]) > 1e-13L || fabsl(v[k] - (real)c->velocity[0][k]) > 1e-11L)
            fail_msg("world %llu, event %d: %.17g %.17g instead of %.17g %.17g",
                     (unsigned long long)o->number, o->events, c->position[0][k], c->velocity[0][k],
                     (double)x[k], (double)v[k]);
        o->x[k] = (real)c->position[0][k];
        o->v[k] = (real)c->velocity[0][k];
    }
    ++o->events;
    o->by_wall += c->wall.value == 1;
}

// --- random worlds

static double draw(struct oracle *o)
{
    return splitmix_signed(&o->seed);
}

static double between(struct oracle *o, double low, double high)
{
    return low + (high - low) * (0.5 + 0.5 * draw(o));
}

// A frame with a random third axis, completed as any frame: walls of revolution do not see the other two.
static void make_frame(struct oracle *o, real (*axes)[3])
{
    real z[3] = {(real)draw(o), (real)draw(o), o->flat ? 0 : (real)draw(o)}, x[3] = {-z[1], z[0], 0};
    const real nz = sqrtl(dot(z, z)), nx = sqrtl(dot(x, x));
    for (int k = 0; k < 3; ++k) {
        axes[2][k] = z[k] / nz;
        axes[0][k] = x[k] / nx;
    }
    cross(axes[2], axes[0], axes[1]);
}

static void put(const real *from, double *to)
{
    for (int k = 0; k < 3; ++k)
        to[k] = (double)from[k];
}

// Facets: a pyramid of `sides` sides, open at one of them, with a floor.
static void make_pyramid(struct oracle *o, double (*vertex)[3], uint32_t (*facet)[3])
{
    struct wall *wall = &o->wall;
    const int sides = 3 + (int)between(o, 0, 4.99);
    const double tip = between(o, -0.8, 0.8);
    for (int s = 0; s < sides; ++s) {
        const double r = between(o, 0.4, 0.9);
        vertex[s][0] = r * cos(2 * pi * s / sides);
        vertex[s][1] = r * sin(2 * pi * s / sides);
        vertex[s][2] = between(o, -0.2, 0.2);
    }
    memset(vertex[sides], 0, sizeof vertex[sides]);
    vertex[sides][2] = tip;
    wall->facets = 0;
    for (int s = 0; s + 1 < sides; ++s, ++wall->facets) {
        facet[s][0] = (uint32_t)s;
        facet[s][1] = (uint32_t)s + 1;
        facet[s][2] = (uint32_t)sides;
    }
    for (int f = 0; f < wall->facets; ++f)
        for (int c = 0; c < 3; ++c)
            for (int k = 0; k < 3; ++k)
                wall->corner[f][c][k] = (real)vertex[facet[f][c]][k];
}

static void put_ends(const struct wall *wall, double *from, double *to)
{
    for (int k = 0; k < 3; ++k) {
        from[k] = (double)(wall->reference[k] - wall->size[2] * wall->axes[2][k]);
        to[k] = (double)(wall->reference[k] + wall->size[2] * wall->axes[2][k]);
    }
}

// The definition of the wall for Scree; what it rounds is 1e-16.
static struct scree_wall_def define(struct oracle *o, double (*vertex)[3], uint32_t (*facet)[3])
{
    struct wall *wall = &o->wall;
    struct scree_wall_def def = {.shape = wall->shape};
    const enum scree_wall_side side = wall->inside ? SCREE_WALL_INSIDE : SCREE_WALL_OUTSIDE;
    for (int k = 0; k < 3; ++k)
        wall->size[k] = (real)between(o, 0.2, 0.8);
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
        put(wall->reference, def.plane.point);
        put(wall->axes[2], def.plane.normal);
        break;
    case SCREE_WALL_RECTANGLE:
        wall->size[2] = 0;
        for (int k = 0; k < 3; ++k) {
            def.rectangle.corner[k] = (double)(wall->reference[k] - wall->size[0] * wall->axes[0][k] -
                                               wall->size[1] * wall->axes[1][k]);
            for (int e = 0; e < 2; ++e)
                def.rectangle.edge[e][k] = (double)(2 * wall->size[e] * wall->axes[e][k]);
        }
        break;
    case SCREE_WALL_BOX:
        for (int k = 0; k < 3; ++k) {
            def.box.lower[k] = (double)(wall->reference[k] - wall->size[k]);
            def.box.upper[k] = (double)(wall->reference[k] + wall->size[k]);
            for (int m = 0; m < 3; ++m)
                wall->axes[k][m] = k == m;
        }
        def.box.side = side;
        break;
    case SCREE_WALL_SPHERE:
        put(wall->reference, def.sphere.centre);
        if (wall->inside)
            wall->size[0] = 1.6L;
        def.sphere.radius = (double)wall->size[0];
        def.sphere.side = side;
        break;
    case SCREE_WALL_DISK:
        wall->size[1] = o->number % 2 ? 0 : 0.5L * wall->size[0];
        wall->size[2] = 0;
        put(wall->reference, def.disk.centre);
        put(wall->axes[2], def.disk.normal);
        def.disk.radius = (double)wall->size[0];
        def.disk.hole = (double)wall->size[1];
        break;
    case SCREE_WALL_CYLINDER:
        // half of them around the ball
        if (wall->inside)
            wall->size[0] = 1.2L;
        wall->size[1] = wall->size[0];
        def.cylinder.radius = (double)wall->size[0];
        put_ends(wall, def.cylinder.from, def.cylinder.to);
        break;
    case SCREE_WALL_CONE:
        if (wall->inside)
            wall->size[0] *= 2;
        for (int e = 0; e < 2; ++e)
            def.cone.radius[e] = (double)wall->size[e];
        put_ends(wall, def.cone.from, def.cone.to);
        break;
    default:
        make_pyramid(o, vertex, facet);
        def.mesh = (struct scree_wall_mesh){.vertex = (const double(*)[3])vertex,
                                            .vertices = (size_t)wall->facets + 2,
                                            .facet = (const uint32_t(*)[3])facet,
                                            .facets = (size_t)wall->facets};
        for (int k = 0; k < 3; ++k) {
            wall->reference[k] = 0;
            for (int m = 0; m < 3; ++m)
                wall->axes[k][m] = k == m;
        }
    }
    return def;
}

// A place of the ball with a gap to all walls, of which there is enough room.
static void place_ball(struct oracle *o)
{
    real normal[3], velocity[3];
    int who;
    for (int tries = 0; tries < 10000; ++tries) {
        for (int k = 0; k < 3; ++k) {
            o->x[k] = (real)(double)(o->flat && k == 2 ? 0 : 0.4L * o->side * (real)draw(o));
            o->v[k] = (real)(double)(o->flat && k == 2 ? 0 : 2 * (real)draw(o));
        }
        if (least_gap(o, 0, normal, velocity, &who) > 0.05L)
            return;
    }
    fail_msg("world %llu has no room", (unsigned long long)o->number);
}

static void move_wall(struct oracle *o, struct scree_world *world, scree_wall_id id, int motion)
{
    double velocity[3] = {0}, spin[3] = {0}, pivot[3];
    for (int k = 0; k < 3; ++k) {
        velocity[k] = motion & 1 ? 0.02 * draw(o) : 0;
        spin[k] = motion & 2 ? draw(o) : 0;
        pivot[k] = 0.2 * draw(o);
        o->wall.velocity[k] = (real)velocity[k];
        o->wall.spin[k] = (real)spin[k];
        o->wall.pivot[k] = (real)pivot[k];
    }
    assert_ok(scree_wall_set_pivot(world, id, pivot));
    assert_ok(scree_wall_set_velocity(world, id, velocity));
    assert_ok(scree_wall_set_spin(world, id, spin));
}

static void shake_wall(struct oracle *o, struct scree_world *world, scree_wall_id id)
{
    struct scree_wall_vibration vibration = {
        .amplitude = between(o, 0.005, 0.08), .frequency = between(o, 0.5, 8), .phase = between(o, -3, 3)};
    for (int k = 0; k < 3; ++k) {
        vibration.direction[k] = draw(o);
        vibration.velocity[k] = (double)o->wall.velocity[k];
    }
    const double *d = vibration.direction;
    const real length = sqrtl((real)d[0] * (real)d[0] + (real)d[1] * (real)d[1] + (real)d[2] * (real)d[2]);
    for (int k = 0; k < 3; ++k)
        o->wall.amplitude[k] = (real)vibration.amplitude * (real)d[k] / length;
    o->wall.angular = 2 * acosl(-1) * (real)vibration.frequency;
    o->wall.phase = (real)vibration.phase;
    assert_ok(scree_wall_set_vibration(world, id, &vibration));
}

static void one_world(uint64_t number, int *by_wall)
{
    static const enum scree_wall_shape shapes[] = {
        SCREE_WALL_RECTANGLE, SCREE_WALL_BOX,  SCREE_WALL_SPHERE, SCREE_WALL_DISK,
        SCREE_WALL_CYLINDER,  SCREE_WALL_CONE, SCREE_WALL_MESH,   SCREE_WALL_PLANE};
    struct oracle o = {.number = number, .seed = number, .side = 4, .boxed = true};
    double vertex[MOST_FACETS][3];
    uint32_t facet[MOST_FACETS][3];
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    scree_wall_id wall[2];
    scree_body_id ball;
    const int motion = (int)(number / 8 % 4);
    o.restitution = number / 32 % 2 ? 1 : 0.95L;
    o.radius = (real)between(&o, 0.15, 0.3);
    if (number / 16 % 2)
        o.gravity[1] = -0.5L;
    o.wall.shape = shapes[number % 8];
    o.wall.inside = number / 64 % 2 && o.wall.shape != SCREE_WALL_BOX;
    make_frame(&o, o.wall.axes);
    for (int k = 0; k < 3; ++k)
        o.wall.reference[k] = (real)(0.3 * draw(&o));
    struct scree_wall_def def = define(&o, vertex, facet);
    assert_ok(scree_world_create(
        &(struct scree_world_def){.dimension = 3, .gravity = {0, (double)o.gravity[1], 0}}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "hard", .density = 1}, &material));
    const struct scree_interaction_value values[] = {{"restitution", (double)o.restitution, NULL},
                                                     {"friction", 0, NULL}};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 2}));
    def.material = material;
    assert_ok(scree_wall_add(world, &def, &wall[0]));
    assert_ok(
        scree_wall_add(world,
                       &(struct scree_wall_def){
                           .shape = SCREE_WALL_BOX,
                           .material = material,
                           .box = {.lower = {-2, -2, -2}, .upper = {2, 2, 2}, .side = SCREE_WALL_INSIDE}},
                       &wall[1]));
    move_wall(&o, world, wall[0], motion);
    if (number >= WORLDS)
        shake_wall(&o, world, wall[0]);
    place_ball(&o);
    struct scree_sphere_def sphere = {.radius = (double)o.radius, .material = material};
    put(o.x, sphere.position);
    put(o.v, sphere.velocity);
    assert_ok(scree_body_add_sphere(world, &sphere, &ball));
    assert_ok(scree_event_create(world, &(struct scree_event_def){.step = 0.07}, &engine));
    assert_ok(scree_event_observe(engine, compare, &o));
    for (int k = 0; k < 200 && o.events < BOUNCES; ++k)
        assert_ok(scree_engine_run(engine, 10));
    *by_wall += o.by_wall;
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void the_engine_finds_the_collisions_of_a_search_by_short_steps(void **state)
{
    (void)state;
    int by_wall = 0;
    for (uint64_t number = 0; number < WORLDS; ++number)
        one_world(number, &by_wall);
    assert_true(by_wall > 2 * WORLDS);
}

// Nine worlds of ten hit the wall often; vibrating ones as often as others.
static void vibrating_walls_are_hit_at_the_times_of_the_same_search(void **state)
{
    (void)state;
    int by_wall = 0;
    for (uint64_t number = WORLDS; number < WORLDS + VIBRATING; ++number)
        one_world(number, &by_wall);
    assert_true(by_wall > 2 * VIBRATING);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_finds_the_collisions_of_a_search_by_short_steps),
        cmocka_unit_test(vibrating_walls_are_hit_at_the_times_of_the_same_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
