// Compression of a cell in the event engine is growth of bodies in a box, against a program in long double
// that searches all pairs of growing bodies after each collision (Lubachevsky, Stillinger, J. Stat. Phys. 60,
// 561, 1990).

#include "support/hard_bodies.h"

#include <scree/cell.h>

enum { MOST = 64 };

typedef long double real;

struct ball {
    real x[3], u[3], radius, mass;
};

// Bodies whose radii grow as 1 + rate t, in a box that does not move.
struct growth {
    struct ball ball[MOST];
    int count, dimension, events;
    real side, rate, time;
    uint64_t number;
};

static void keep_inside(const struct growth *o, struct ball *ball)
{
    for (int k = 0; k < o->dimension; ++k)
        ball->x[k] -= floorl(ball->x[k] / o->side) * o->side;
}

static void fly(struct growth *o, real delay)
{
    for (int i = 0; i < o->count; ++i) {
        for (int k = 0; k < 3; ++k)
            o->ball[i].x[k] += delay * o->ball[i].u[k];
        keep_inside(o, &o->ball[i]);
    }
    o->time += delay;
}

// The displacement of the nearest image of j from i.
static void apart(const struct growth *o, int i, int j, real d[3])
{
    for (int k = 0; k < 3; ++k) {
        d[k] = o->ball[j].x[k] - o->ball[i].x[k];
        d[k] -= k < o->dimension ? roundl(d[k] / o->side) * o->side : 0;
    }
}

static real delay_of(const struct growth *o, int i, int j)
{
    real d[3], a = 0, b = 0, c = 0;
    apart(o, i, j, d);
    const real full = o->ball[i].radius + o->ball[j].radius, size = full * (1 + o->rate * o->time),
               grows = full * o->rate;
    for (int k = 0; k < 3; ++k) {
        const real u = o->ball[j].u[k] - o->ball[i].u[k];
        a += u * u;
        b += d[k] * u;
        c += d[k] * d[k];
    }
    a -= grows * grows;
    b -= size * grows;
    c -= size * size;
    const real q = b * b - a * c;
    if (q <= 0 || (b >= 0 && a >= 0))
        return -1;
    if (b < 0)
        return c > 0 ? c / (sqrtl(q) - b) : 0;
    return (-b - sqrtl(q)) / a;
}

static real find_pair(const struct growth *o, int pair[2])
{
    real best = 1e9L;
    for (int i = 0; i < o->count; ++i)
        for (int j = i + 1; j < o->count; ++j) {
            const real delay = delay_of(o, i, j);
            if (delay >= 0 && delay < best) {
                best = delay;
                pair[0] = i;
                pair[1] = j;
            }
        }
    return best;
}

// Elastic: surfaces that grow push.
static void bounce(struct growth *o, const int pair[2])
{
    struct ball *a = &o->ball[pair[0]], *b = &o->ball[pair[1]];
    real d[3], u = 0, length = 0;
    apart(o, pair[0], pair[1], d);
    for (int k = 0; k < 3; ++k)
        length += d[k] * d[k];
    length = sqrtl(length);
    for (int k = 0; k < 3; ++k)
        u += d[k] / length * (b->u[k] - a->u[k]);
    const real change = 2 * ((a->radius + b->radius) * o->rate - u);
    for (int k = 0; k < 3; ++k) {
        a->u[k] -= change * b->mass / (a->mass + b->mass) * d[k] / length;
        b->u[k] += change * a->mass / (a->mass + b->mass) * d[k] / length;
    }
}

// Goes on from the state of the engine, which is that of a cell with the size 1 - rate s at the time s: all
// lengths are multiplied by 1 + rate t, and t = s / (1 - rate s).
static void take_grown(struct growth *o, const struct scree_event_collision *c)
{
    const real scale = 1 + o->rate * o->time;
    for (int q = 0; q < 2; ++q) {
        struct ball *ball = &o->ball[c->body[q].value - 1], seen = *ball;
        for (int k = 0; k < 3; ++k) {
            seen.x[k] = (real)c->position[q][k] * scale;
            seen.u[k] = ((real)c->velocity[q][k] + o->rate * seen.x[k]) / scale;
        }
        keep_inside(o, &seen);
        for (int k = 0; k < 3; ++k) {
            const real far = seen.x[k] - ball->x[k], off = far - roundl(far / o->side) * o->side;
            if (fabsl(off) > 1e-11L || fabsl(seen.u[k] - ball->u[k]) > 1e-11L)
                fail_msg("growth %llu, event %d, ball %d: %.17g %.17g instead of %.17g %.17g",
                         (unsigned long long)o->number, o->events, (int)c->body[q].value, (double)seen.x[k],
                         (double)seen.u[k], (double)ball->x[k], (double)ball->u[k]);
        }
        *ball = seen;
    }
}

static void compare_growth(void *user, const struct scree_event_collision *c)
{
    struct growth *o = (struct growth *)user;
    const real time = (real)c->time / (1 - o->rate * (real)c->time);
    int pair[2] = {0, 0};
    real delay;
    while ((delay = find_pair(o, pair)) > 0.2L)
        fly(o, 0.2L);
    if (pair[0] != (int)c->body[0].value - 1 || pair[1] != (int)c->body[1].value - 1 ||
        fabsl(o->time + delay - time) > 1e-11L)
        fail_msg("growth %llu, event %d: bodies %d and %d at %.17g, but the next are %d and %d at %.17g",
                 (unsigned long long)o->number, o->events, (int)c->body[0].value, (int)c->body[1].value,
                 (double)time, pair[0] + 1, pair[1] + 1, (double)(o->time + delay));
    fly(o, time - o->time);
    bounce(o, pair);
    take_grown(o, c);
    ++o->events;
}

static struct scree_world *make_world(int dimension, scree_material_id *material)
{
    struct scree_world *world;
    const struct scree_interaction_value values[] = {{"restitution", 1, NULL}, {"friction", 0, NULL}};
    assert_ok(scree_world_create(&(struct scree_world_def){.dimension = dimension}, &world));
    assert_ok(
        scree_material_add(world, &(struct scree_material_def){.name = "hard", .density = 1}, material));
    assert_ok(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 2}));
    return world;
}

static void shrink(void *user, double time, double gradient[9])
{
    const struct growth *o = (const struct growth *)user;
    const double rate = (double)o->rate;
    for (int k = 0; k < o->dimension; ++k)
        gradient[4 * k] = -rate / (1 - rate * time);
}

static int grow(uint64_t number)
{
    static struct growth o;
    o = (struct growth){.number = number, .dimension = number % 2 ? 2 : 3, .side = 8, .rate = 0.0625L};
    uint64_t seed = number;
    scree_material_id material;
    struct scree_world *world = make_world(o.dimension, &material);
    const double side = (double)o.side;
    assert_ok(scree_cell_set(world, &(struct scree_cell_def){.upper = {side, side, side},
                                                             .periodic = {true, true, o.dimension == 3}}));
    assert_ok(scree_cell_set_form(world, SCREE_CELL_NEWTON));
    const int rows = o.dimension == 3 ? 4 : 1;
    for (int n = 0; n < 16 * rows; ++n) {
        struct ball *ball = &o.ball[o.count++];
        double x[3] = {2 * (n % 4) + 1, 2 * (n / 4 % 4) + 1, o.dimension == 3 ? 2 * (n / 16) + 1 : 0},
               v[3] = {0};
        const double r = 0.5 + 0.1 * splitmix_signed(&seed);
        for (int k = 0; k < (o.dimension == 3 ? 3 : 2); ++k) {
            x[k] += 0.3 * splitmix_signed(&seed);
            v[k] = splitmix_signed(&seed);
        }
        hard_add_body(world, x, v, r, material);
        *ball = (struct ball){.radius = (real)r, .mass = (real)(o.dimension == 3 ? r * r * r : r * r)};
        for (int k = 0; k < 3; ++k) {
            ball->x[k] = (real)x[k];
            ball->u[k] = (real)v[k];
        }
    }
    // bodies get the mean motion; fluctuations are the velocities in the box
    assert_ok(scree_cell_set_drive(world, &(struct scree_cell_drive_def){.function = shrink, .user = &o}));
    struct scree_engine *engine;
    assert_ok(scree_event_create(world, &(struct scree_event_def){.step = 0.03125}, &engine));
    assert_ok(scree_event_observe(engine, compare_growth, &o));
    // to 0.75 of the size
    assert_ok(scree_engine_run(engine, 128));
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return o.events;
}

static void compression_of_a_cell_is_growth_of_bodies_in_a_box(void **state)
{
    (void)state;
    int events = 0;
    for (uint64_t number = 1; number <= 8; ++number)
        events += grow(number);
    assert_true(events > 500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compression_of_a_cell_is_growth_of_bodies_in_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
