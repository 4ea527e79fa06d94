// The event engine against an independent program in long double: in random small worlds all pairs, images
// and walls are searched after each collision for the next one. It must be the one that the engine executes,
// at the same time, with the velocities of the collision rule. After each comparison the program goes on from
// the state of the engine, so that chaos does not amplify differences.
//
// The environment variable SCREE_EVENT_WORLDS sets the number of worlds.

#include "support/worlds.h"

#include <scree/event.h>

#include <stdlib.h>

enum { MOST = 10, PER_BODY = 20, WORLDS = 40 };

typedef long double real;

static const double contact_time = 1e-6;

struct ball {
    real x[3], v[3], radius, mass;
    bool fixed;
    real since; // time of its last collision
};

// what the program knows of a world
struct oracle {
    struct ball ball[MOST];
    int count, dimension;
    bool walls; // a box instead of a periodic cell
    real side, gravity[3], time;
    double restitution;
    uint64_t number, seed;
    int events, last[2]; // pair of the last collision; a wall has a number above MOST
    int same;            // collisions of the same pair at the same time
};

struct next {
    real delay;
    int first, second; // or MOST + 2 k + side of a wall
    real image[3];     // added to the position of the second
};

static real dot(const real *a, const real *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// The first time at which f, with its coefficients of powers of t, goes from above zero to below, by
// steps and bisection in long double; negative if it does not up to `search_end`. The step is short enough
// for the gases here: two bodies approach or part over times of the order of radius over speed.
static const real search_end = 2;
enum { SEARCH_STEPS = 1000 };

static real first_fall(const real c[5])
{
    const real end = search_end;
    const int steps = SEARCH_STEPS;
    real before = c[0];
    for (int k = 1; k <= steps; ++k) {
        const real low = end * (k - 1) / steps, high = end * k / steps;
        const real now = (((c[4] * high + c[3]) * high + c[2]) * high + c[1]) * high + c[0];
        if (before > 0 && now <= 0) {
            real a = low, b = high;
            for (int n = 0; n < 80; ++n) {
                const real t = 0.5L * (a + b);
                *((((c[4] * t + c[3]) * t + c[2]) * t + c[1]) * t + c[0] > 0 ? &a : &b) = t;
            }
            return b;
        }
        before = now;
    }
    return -1;
}

// Two bodies: a quadratic equation, because their accelerations are equal or one of them is fixed.
static real delay_of_pair(const struct oracle *o, const struct ball *a, const struct ball *b,
                          const real *image)
{
    real d[3], u[3];
    const real size = a->radius + b->radius;
    for (int k = 0; k < 3; ++k) {
        d[k] = b->x[k] + image[k] - a->x[k];
        u[k] = b->v[k] - a->v[k];
    }
    if (a->fixed != b->fixed && dot(o->gravity, o->gravity) > 0) {
        real g[3];
        for (int k = 0; k < 3; ++k)
            g[k] = (b->fixed ? -0.5L : 0.5L) * o->gravity[k];
        const real c[5] = {dot(d, d) - size * size, 2 * dot(d, u), dot(u, u) + 2 * dot(d, g), 2 * dot(u, g),
                           dot(g, g)};
        // just after a collision the distance is that at touch, to the rounding of places and, at speeds of
        // order 1, of times
        const real touch = 2 * size * 1e-15L * fmaxl(o->side, o->time);
        if (fabsl(c[0]) < touch) {
            const real moved[5] = {touch, c[1], c[2], c[3], c[4]};
            return c[1] < 0 ? 0 : first_fall(moved);
        }
        return first_fall(c);
    }
    const real b_ = dot(d, u), c = dot(d, d) - size * size, a_ = dot(u, u), q = b_ * b_ - a_ * c;
    if (!(b_ < 0) || !(q > 0))
        return -1;
    return c > 0 ? c / (sqrtl(q) - b_) : 0;
}

static real delay_of_wall(const struct oracle *o, const struct ball *a, int k, int side)
{
    const real sign = side ? -1 : 1, gap = sign * (a->x[k] - (side ? o->side : 0)) - a->radius;
    const real u = sign * a->v[k], g = a->fixed ? 0 : sign * o->gravity[k];
    const real q = u * u - 2 * g * gap;
    if (gap <= 0 && u < 0)
        return 0;
    if (q < 0)
        return -1;
    if (u < 0)
        return 2 * gap / (sqrtl(q) - u);
    return g < 0 ? (u + sqrtl(q)) / -g : -1;
}

static void keep(struct next *best, real delay, int first, int second, const real *image)
{
    if (delay < 0 || !(delay < best->delay))
        return;
    *best = (struct next){.delay = delay, .first = first, .second = second};
    if (image)
        memcpy(best->image, image, sizeof best->image);
}

static struct next find_next(const struct oracle *o)
{
    struct next best = {.delay = 1e9L};
    for (int i = 0; i < o->count; ++i) {
        for (int j = i + 1; j < o->count; ++j)
            for (int m = 0; m < 27 && !(o->ball[i].fixed && o->ball[j].fixed); ++m) {
                const real image[3] = {(m % 3 - 1) * o->side, (m / 3 % 3 - 1) * o->side,
                                       (m / 9 - 1) * o->side};
                const bool middle = m == 13;
                if ((o->walls && !middle) || (o->dimension == 2 && m / 9 != 1))
                    continue;
                keep(&best, delay_of_pair(o, &o->ball[i], &o->ball[j], image), i, j, image);
            }
        for (int w = 0; w < 2 * o->dimension && o->walls && !o->ball[i].fixed; ++w)
            keep(&best, delay_of_wall(o, &o->ball[i], w / 2, w % 2), i, MOST + w, NULL);
    }
    return best;
}

// Smooth spheres with restitution, elastic in the contact time after the last collision of either. Returns
// the closing speed.
static real rebound(struct oracle *o, const struct next *next, real n[3])
{
    struct ball *a = &o->ball[next->first], *b = next->second < MOST ? &o->ball[next->second] : NULL;
    real u = 0, length = 0;
    for (int k = 0; k < 3; ++k) {
        n[k] = b ? a->x[k] - b->x[k] - next->image[k]
                 : ((next->second - MOST) / 2 == k ? ((next->second - MOST) % 2 ? -1 : 1) : 0);
        length += n[k] * n[k];
    }
    for (int k = 0; k < 3; ++k) {
        n[k] /= sqrtl(length);
        u += n[k] * (a->v[k] - (b ? b->v[k] : 0));
    }
    const real light_a = a->fixed ? 0 : 1 / a->mass, light_b = b && !b->fixed ? 1 / b->mass : 0;
    const real last = b && b->since > a->since ? b->since : a->since;
    const real e = o->time - last < (real)contact_time ? 1 : (real)o->restitution;
    const real impulse = -(1 + e) * u / (light_a + light_b);
    for (int k = 0; k < 3; ++k) {
        a->v[k] += light_a * impulse * n[k];
        if (b)
            b->v[k] -= light_b * impulse * n[k];
    }
    a->since = o->time;
    if (b)
        b->since = o->time;
    return -u;
}

static void advance(struct oracle *o, real delay)
{
    for (int i = 0; i < o->count; ++i)
        for (int k = 0; k < 3; ++k) {
            const real g = o->ball[i].fixed ? 0 : o->gravity[k];
            o->ball[i].x[k] += delay * (o->ball[i].v[k] + 0.5L * delay * g);
            o->ball[i].v[k] += delay * g;
        }
    o->time += delay;
}

// The rounding of places at a collision. They are rounded themselves, and times are, at their speed; and the
// engine solves |d + u t| = R from the later one of the last collisions of both, where terms of (u t)^2
// cancel, which leaves some units in the last place of (u t)^2 / R.
static real rounding_at(const struct oracle *o, const struct next *next)
{
    const struct ball *a = &o->ball[next->first], *b = next->second < MOST ? &o->ball[next->second] : NULL;
    const real now = o->time + next->delay, since = now - (b ? fmaxl(a->since, b->since) : a->since);
    real u[3];
    for (int k = 0; k < 3; ++k)
        u[k] = a->v[k] - (b ? b->v[k] : 0);
    const real speed = fmaxl(sqrtl(dot(a->v, a->v)), b ? sqrtl(dot(b->v, b->v)) : 0),
               flown = (sqrtl(dot(u, u)) + sqrtl(dot(o->gravity, o->gravity)) * since) * since,
               size = a->radius + (b ? b->radius : 0);
    return 1e-14L * fmaxl(o->side, speed * now) + 1e-15L * flown * flown / size;
}

// Takes a ball from the engine, in the image next to where it is here.
static void take(struct oracle *o, int i, const double *x, const double *v, real allowed)
{
    for (int k = 0; k < 3; ++k) {
        const real turns = o->walls ? 0 : roundl((o->ball[i].x[k] - (real)x[k]) / o->side);
        const real here = (real)x[k] + turns * o->side;
        if (fabsl(here - o->ball[i].x[k]) > allowed || fabsl((real)v[k] - o->ball[i].v[k]) > allowed)
            fail_msg("world %llu, event %d, ball %d: %.17g %.17g instead of %.17g %.17g",
                     (unsigned long long)o->number, o->events, i + 1, x[k], v[k], (double)o->ball[i].x[k],
                     (double)o->ball[i].v[k]);
        o->ball[i].x[k] = here;
        o->ball[i].v[k] = (real)v[k];
        // back into the cell
        while (!o->walls && o->ball[i].x[k] >= o->side)
            o->ball[i].x[k] -= o->side;
        while (!o->walls && o->ball[i].x[k] < 0)
            o->ball[i].x[k] += o->side;
    }
}

static void wrap_all(struct oracle *o)
{
    for (int i = 0; i < o->count && !o->walls; ++i)
        for (int k = 0; k < 3; ++k)
            o->ball[i].x[k] -= floorl(o->ball[i].x[k] / o->side) * o->side;
}

// The next collision, after short advances in each of which no pair of images is out of sight.
static struct next advance_to_next(struct oracle *o)
{
    for (;;) {
        real fastest = 0.1L;
        for (int i = 0; i < o->count; ++i)
            fastest = fmaxl(fastest, sqrtl(dot(o->ball[i].v, o->ball[i].v)) + 1);
        const real longest = 0.2L * o->side / fastest;
        const struct next next = find_next(o);
        if (next.delay <= longest)
            return next;
        advance(o, longest);
        wrap_all(o);
    }
}

// The search by steps can miss that a ball which falls grazes a fixed one for less than a step. Then the
// engine is right if both touch now and approach, slowly because it is a graze; `next` becomes this
// collision.
static bool is_missed_graze(const struct oracle *o, int first, int second, struct next *next)
{
    if (second < 0 || o->ball[first].fixed == o->ball[second].fixed || o->gravity[1] == 0)
        return false;
    const struct ball *a = &o->ball[first], *b = &o->ball[second];
    struct next graze = {.first = first, .second = second};
    real square = 0, approach = 0, u[3];
    for (int k = 0; k < 3; ++k) {
        const real d = a->x[k] - b->x[k];
        u[k] = a->v[k] - b->v[k];
        graze.image[k] = o->walls ? 0 : o->side * roundl(d / o->side);
        square += (d - graze.image[k]) * (d - graze.image[k]);
        approach -= (d - graze.image[k]) * u[k];
    }
    const real size = a->radius + b->radius, duration = 2 * approach / dot(u, u);
    if (!(fabsl(sqrtl(square) - size) < fmaxl(1e-10L, 10 * rounding_at(o, &graze)) && approach > 0 &&
          duration < search_end / SEARCH_STEPS))
        return false;
    *next = graze;
    return true;
}

static void compare(void *user, const struct scree_event_collision *c)
{
    struct oracle *o = (struct oracle *)user;
    // a step may have many more, when a ball comes to rest
    if (o->events >= PER_BODY * o->count)
        return;
    struct next next = advance_to_next(o);
    const int first = (int)c->body[0].value - 1, second = (int)c->body[1].value - 1;
    // places differ by some roundings, and times by that over the closing speed; mostly less than 1e-10
    const real rounding = rounding_at(o, &next), expected = o->time + next.delay;
    real late = (real)c->time - expected;
    bool same = next.first == first && (next.second >= MOST ? c->wall.value > 0 : next.second == second);
    real n[3];
    advance(o, (real)c->time - o->time);
    if (late < -1e-10L && is_missed_graze(o, first, second, &next)) {
        same = true;
        late = 0;
    }
    const real closing = rebound(o, &next, n);
    if (!same || fabsl(late) > fmaxl(1e-10L, rounding / closing))
        fail_msg("world %llu, event %d: bodies %d and %d at %.17g, but the next are %d and %d at %.17g",
                 (unsigned long long)o->number, o->events, first + 1, second + 1, c->time, next.first + 1,
                 next.second + 1, (double)expected);
    take(o, first, c->position[0], c->velocity[0], fmaxl(1e-10L, 100 * rounding));
    if (second >= 0)
        take(o, second, c->position[1], c->velocity[1], fmaxl(1e-10L, 100 * rounding));
    wrap_all(o);
    o->time = (real)c->time;
    ++o->events;
}

// A number between -1 and 1.
static real draw(struct oracle *o)
{
    return (real)splitmix_signed(&o->seed);
}

// Balls of different sizes at random places without overlap, from the seed; in every third world half of them
// are six times smaller.
static void fill(struct oracle *o)
{
    const int wanted = 2 + (int)(8 * (0.5 + 0.5 * splitmix_signed(&o->seed)));
    for (int tries = 0; tries < 2000 && o->count < wanted; ++tries) {
        struct ball ball = {.radius = 0.5L + 0.2L * draw(o), .mass = 1};
        bool free = true;
        if (o->number % 3 == 0 && splitmix_signed(&o->seed) > 0)
            ball.radius /= 6;
        for (int k = 0; k < o->dimension; ++k) {
            ball.x[k] = 0.5L * o->side + (0.5L * o->side - (o->walls ? ball.radius : 0)) * draw(o);
            ball.v[k] = draw(o);
        }
        for (int i = 0; i < o->count && free; ++i) {
            real square = 0;
            for (int k = 0; k < 3; ++k) {
                const real d = ball.x[k] - o->ball[i].x[k], turns = o->walls ? 0 : roundl(d / o->side);
                square += (d - turns * o->side) * (d - turns * o->side);
            }
            free = square > (ball.radius + o->ball[i].radius) * (ball.radius + o->ball[i].radius);
        }
        ball.fixed = o->count == 0 && splitmix_signed(&o->seed) > 0.3;
        for (int k = 0; k < 3 && ball.fixed; ++k)
            ball.v[k] = 0;
        if (free)
            o->ball[o->count++] = ball;
    }
}

static void add_balls(struct oracle *o, struct scree_world *world, scree_material_id material)
{
    const double pi = 3.14159265358979323846;
    for (int i = 0; i < o->count; ++i) {
        struct ball *ball = &o->ball[i];
        double x[3], v[3];
        for (int k = 0; k < 3; ++k) {
            x[k] = (double)ball->x[k];
            v[k] = (double)ball->v[k];
            ball->x[k] = (real)x[k];
            ball->v[k] = (real)v[k];
        }
        ball->radius = (real)(double)ball->radius;
        const unsigned fixed = ball->fixed ? SCREE_FIX_ALL : 0;
        scree_body_id id;
        const double r = (double)ball->radius;
        if (o->dimension == 2) {
            struct scree_disk_def def = {.radius = r, .thickness = 1, .material = material, .fixed = fixed};
            memcpy(def.position, x, sizeof x);
            memcpy(def.velocity, v, sizeof v);
            ball->mass = (real)(pi * r * r);
            assert_ok(scree_body_add_disk(world, &def, &id));
        } else {
            struct scree_sphere_def def = {.radius = r, .material = material, .fixed = fixed};
            memcpy(def.position, x, sizeof x);
            memcpy(def.velocity, v, sizeof v);
            ball->mass = (real)(4 * pi / 3 * r * r * r);
            assert_ok(scree_body_add_sphere(world, &def, &id));
        }
    }
}

static void one_world(uint64_t seed)
{
    struct oracle o = {.number = seed,
                       .seed = seed,
                       .dimension = seed % 2 ? 2 : 3,
                       .walls = seed / 2 % 2,
                       .side = 4,
                       .restitution = seed / 4 % 2 ? 1 : 0.9};
    if (seed / 8 % 2)
        o.gravity[1] = -0.25L;
    fill(&o);
    struct scree_world *world;
    struct scree_engine *engine;
    scree_material_id material;
    assert_ok(scree_world_create(
        &(struct scree_world_def){.dimension = o.dimension, .gravity = {0, (double)o.gravity[1], 0}},
        &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "hard", .density = 1}, &material));
    const struct scree_interaction_value values[] = {{"restitution", o.restitution, NULL},
                                                     {"friction", 0, NULL}};
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 2}));
    const double side = (double)o.side, high = o.dimension == 2 ? 0 : side;
    scree_wall_id wall;
    if (o.walls)
        assert_ok(scree_wall_add(
            world,
            &(struct scree_wall_def){.shape = SCREE_WALL_BOX,
                                     .material = material,
                                     .box = {.upper = {side, side, high}, .side = SCREE_WALL_INSIDE}},
            &wall));
    else
        assert_ok(
            scree_cell_set(world, &(struct scree_cell_def){.upper = {side, side, high},
                                                           .periodic = {true, true, o.dimension == 3}}));
    add_balls(&o, world, material);
    assert_ok(scree_event_create(world, &(struct scree_event_def){.step = 0.1, .contact_time = contact_time},
                                 &engine));
    assert_ok(scree_event_observe(engine, compare, &o));
    for (int k = 0; k < 2000 && o.events < PER_BODY * o.count; ++k)
        assert_ok(scree_engine_run(engine, 10));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
}

static void the_engine_finds_the_collisions_of_a_search_of_all_pairs(void **state)
{
    (void)state;
    const char *requested = getenv("SCREE_EVENT_WORLDS");
    const uint64_t worlds = requested ? strtoull(requested, NULL, 10) : WORLDS;
    assert_true(worlds > 0);
    for (uint64_t world = 1; world <= worlds; ++world)
        one_world(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_finds_the_collisions_of_a_search_of_all_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
