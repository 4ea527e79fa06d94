// Rigid bodies in the event engine against an independent program in long double: in random small worlds of
// dimers, trimers and spheres, smooth and elastic or not, everything is moved in small steps, orientations by
// the method of Runge and Kutta, and all pairs of spheres and walls are searched for the first time at which
// two surfaces overlap and approach. It must be the next collision of the engine, with the velocities and
// angular momenta of the collision rule. After each comparison the program goes on from the state of the
// engine, so that chaos does not amplify differences. In worlds that are sheared the images of Lees and
// Edwards are used, rows of boxes along x that slide past each other.

#include "support/clumps.h"
#include "world/world.h"

#include <scree/cell.h>
#include <scree/event.h>

enum { MOST = 6, PIECES = 3, PER_BODY = FEWER(6, 3), WORLDS = 16, SHEARED = 12, WALL = 100 };

typedef long double real;

// A step of the search, and the angle of a step of Runge and Kutta, who lose its fifth power over 120, 5e-13,
// in each; at most some thousand steps are between two comparisons of a body.
static const real dt = 1e-3L, angle = 4e-3L;

struct solid {
    real x[3], v[3], q[4], momentum[3], spin[3]; // the spin of a body whose motion is given
    real light, turning[3];                      // inverse mass and principal moments
    real offset[PIECES][3], radius[PIECES];
    real at[PIECES][3], speed[PIECES][3]; // of the pieces, now
    int pieces;
    bool given, clump;
};

struct oracle {
    struct solid solid[MOST];
    int count, dimension;
    bool walls; // a box instead of a periodic cell
    real side, gravity, time, restitution;
    real rate;  // of shear: velocity along x over y
    int passed; // collisions with images in other rows
    uint64_t number, seed;
    int events;
    struct scree_world *world;
};

// Piece `piece` of body `one` and piece of body `other`, or wall 2 k + side if that is WALL or more.
struct contact {
    int one, piece, other, other_piece;
};
struct gap {
    real gap, rate, n[3]; // n: towards the first
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

// v turned by q, or back by `sign` -1.
static void turn(const real *q, real sign, const real *v, real *out)
{
    const real u[3] = {sign * q[1], sign * q[2], sign * q[3]};
    real t[3], s[3];
    cross(u, v, t);
    cross(u, t, s);
    for (int k = 0; k < 3; ++k)
        out[k] = v[k] + 2 * (q[0] * t[k] + s[k]);
}

static void spin_of(const struct solid *s, const real *q, real *w)
{
    real inside[3];
    memcpy(w, s->spin, sizeof s->spin);
    if (s->given)
        return;
    turn(q, -1, s->momentum, inside);
    for (int k = 0; k < 3; ++k)
        inside[k] *= s->turning[k];
    turn(q, 1, inside, w);
}

static void slope(const struct solid *s, const real *q, real *out)
{
    real w[3], c[3];
    spin_of(s, q, w);
    cross(w, q + 1, c);
    out[0] = -0.5L * dot(w, q + 1);
    for (int k = 0; k < 3; ++k)
        out[k + 1] = 0.5L * (q[0] * w[k] + c[k]);
}

// Centres and velocities of the pieces.
static void place(struct solid *s)
{
    real arm[3], w[3];
    spin_of(s, s->q, w);
    for (int p = 0; p < s->pieces; ++p) {
        turn(s->q, 1, s->offset[p], arm);
        cross(w, arm, s->speed[p]);
        for (int k = 0; k < 3; ++k) {
            s->at[p][k] = s->x[k] + arm[k];
            s->speed[p][k] += s->v[k];
        }
    }
}

static void turn_by(struct solid *s, real h)
{
    real k[4][4], q[4];
    for (int stage = 0; stage < 4; ++stage) {
        const real part = stage == 0 ? 0 : stage == 3 ? h : 0.5L * h;
        for (int c = 0; c < 4; ++c)
            q[c] = s->q[c] + (stage > 0 ? part * k[stage - 1][c] : 0);
        slope(s, q, k[stage]);
    }
    real square = 0;
    for (int c = 0; c < 4; ++c) {
        s->q[c] += h / 6 * (k[0][c] + 2 * k[1][c] + 2 * k[2][c] + k[3][c]);
        square += s->q[c] * s->q[c];
    }
    for (int c = 0; c < 4; ++c)
        s->q[c] /= sqrtl(square);
}

static void move(const struct oracle *o, struct solid *s, real h)
{
    real w[3];
    spin_of(s, s->q, w);
    const int parts = 1 + (int)(sqrtl(dot(w, w)) * h / angle);
    for (int n = 0; n < parts; ++n)
        turn_by(s, h / parts);
    for (int axis = 0; axis < 3; ++axis)
        s->x[axis] += h * s->v[axis];
    if (!s->given) {
        s->x[1] += 0.5L * h * h * o->gravity;
        s->v[1] += h * o->gravity;
    }
    place(s);
}

// Moves a displacement and its rate by rows of boxes, which slide.
static void pass_rows(const struct oracle *o, real time, real rows, real *x, real *v)
{
    x[0] -= rows * o->rate * o->side * time;
    x[1] -= rows * o->side;
    v[0] -= rows * o->rate * o->side;
}

static struct gap gap_of(const struct oracle *o, real time, const struct solid *a, const struct solid *b,
                         struct contact c)
{
    const real *x = a->at[c.piece], *v = a->speed[c.piece];
    real length = 0;
    struct gap gap = {0};
    if (c.other >= WALL) {
        const int k = (c.other - WALL) / 2, side = (c.other - WALL) % 2;
        gap.n[k] = side ? -1 : 1;
        gap.gap = gap.n[k] * (x[k] - (side ? o->side : 0)) - a->radius[c.piece];
        gap.rate = gap.n[k] * v[k];
        return gap;
    }
    real u[3];
    for (int k = 0; k < 3; ++k) {
        gap.n[k] = x[k] - b->at[c.other_piece][k];
        u[k] = v[k] - b->speed[c.other_piece][k];
    }
    if (o->rate != 0)
        pass_rows(o, time, roundl(gap.n[1] / o->side), gap.n, u);
    for (int k = 0; k < 3; ++k) {
        if (!o->walls && (k < 2 || o->dimension == 3))
            gap.n[k] -= roundl(gap.n[k] / o->side) * o->side;
        length += gap.n[k] * gap.n[k];
    }
    for (int k = 0; k < 3; ++k)
        gap.n[k] /= sqrtl(length);
    gap.gap = sqrtl(length) - a->radius[c.piece] - b->radius[c.other_piece];
    gap.rate = dot(gap.n, u);
    return gap;
}

static struct gap gap_after(const struct oracle *o, struct contact c, real h)
{
    struct solid a = o->solid[c.one], b = o->solid[c.other >= WALL ? c.one : c.other];
    move(o, &a, h);
    move(o, &b, h);
    return gap_of(o, o->time + h, &a, &b, c);
}

// The time in a step at which a gap falls below 0, negative if it does not. The gap has one highest and one
// lowest value in it at most.
static real fall_in(const struct oracle *o, struct contact c, struct gap start, struct gap end, real h)
{
    real low = 0, high = h;
    if (start.rate >= 0 && end.rate < 0 && end.gap < 0) {
        // it rises and falls below 0: from the highest value on
        for (real top = h; top - low > 1e-19L;) {
            const real middle = 0.5L * (low + top);
            if (middle <= low || middle >= top)
                break;
            *(gap_after(o, c, middle).rate >= 0 ? &low : &top) = middle;
        }
    } else if (start.rate < 0 && end.rate >= 0 && start.gap > 0) {
        // it falls and rises: up to the lowest value
        real bottom = 0;
        for (int n = 0; n < 60; ++n) {
            const real middle = 0.5L * (bottom + high);
            *(gap_after(o, c, middle).rate < 0 ? &bottom : &high) = middle;
        }
        if (gap_after(o, c, high).gap >= 0)
            return -1;
    } else if (!(end.gap < 0 && end.rate < 0)) {
        return -1;
    }
    for (int n = 0; n < 60; ++n) {
        const real middle = 0.5L * (low + high);
        *(gap_after(o, c, middle).gap > 0 ? &low : &high) = middle;
    }
    return high;
}

// All contacts that are possible; returns their number.
static int list(const struct oracle *o, struct contact *c)
{
    int count = 0;
    for (int i = 0; i < o->count; ++i)
        for (int p = 0; p < o->solid[i].pieces; ++p) {
            for (int j = i + 1; j < o->count; ++j)
                for (int r = 0; r < o->solid[j].pieces; ++r)
                    c[count++] = (struct contact){i, p, j, r};
            for (int w = 0; w < 2 * o->dimension && o->walls && !o->solid[i].given; ++w)
                c[count++] = (struct contact){i, p, WALL + w, 0};
        }
    return count;
}

// Moves to the next collision and returns it.
static struct contact go_on(struct oracle *o)
{
    static struct contact all[MOST * PIECES * (MOST * PIECES + 6)];
    static struct gap gap[2][MOST * PIECES * (MOST * PIECES + 6)];
    const int count = list(o, all);
    for (int k = 0; k < count; ++k)
        gap[0][k] = gap_after(o, all[k], 0);
    for (;;) {
        struct oracle later = *o;
        struct contact next = {0};
        real first = 2 * dt;
        for (int i = 0; i < o->count; ++i)
            move(o, &later.solid[i], dt);
        later.time += dt;
        for (int k = 0; k < count; ++k) {
            gap[1][k] = gap_of(o, later.time, &later.solid[all[k].one],
                               &later.solid[all[k].other >= WALL ? all[k].one : all[k].other], all[k]);
            if (gap[0][k].gap > 0.1L && gap[1][k].gap > 0.1L)
                continue;
            const real fall = gap[0][k].gap < 1e-10L && gap[0][k].rate < 0
                                  ? 0
                                  : fall_in(o, all[k], gap[0][k], gap[1][k], dt);
            if (fall >= 0 && fall < first) {
                first = fall;
                next = all[k];
            }
        }
        if (first <= dt) {
            for (int i = 0; i < o->count; ++i)
                move(o, &o->solid[i], first);
            o->time += first;
            return next;
        }
        *o = later;
        memcpy(gap[0], gap[1], sizeof gap[0]);
    }
}

// Smooth bodies with restitution: J = -(1 + e) q_n / (1/m_1 + 1/m_2 + (r_1 x n) . I_1^-1 (r_1 x n) + ...).
static void rebound(struct oracle *o, struct contact c)
{
    struct solid *s[2] = {&o->solid[c.one], &o->solid[c.other >= WALL ? c.one : c.other]};
    const int piece[2] = {c.piece, c.other_piece}, sides = c.other >= WALL ? 1 : 2;
    const struct gap gap = gap_of(o, o->time, s[0], s[1], c);
    real moment[2][3], mobility = 0;
    for (int k = 0; k < sides; ++k) {
        real arm[3], inside[3];
        turn(s[k]->q, 1, s[k]->offset[piece[k]], arm);
        cross(arm, gap.n, moment[k]);
        turn(s[k]->q, -1, moment[k], inside);
        mobility += s[k]->light;
        for (int axis = 0; axis < 3; ++axis)
            mobility += s[k]->turning[axis] * inside[axis] * inside[axis];
    }
    const real impulse = -(1 + o->restitution) * gap.rate / mobility;
    for (int k = 0; k < sides; ++k)
        for (int axis = 0; axis < 3; ++axis) {
            s[k]->v[axis] += (k ? -1 : 1) * impulse * s[k]->light * gap.n[axis];
            s[k]->momentum[axis] += s[k]->given ? 0 : (k ? -1 : 1) * impulse * moment[k][axis];
        }
}

static void take_number(const struct oracle *o, int i, const char *what, real *own, real got)
{
    if (!(fabsl(*own - got) < 1e-8L))
        fail_msg("world %llu, event %d: %s of body %d is %.17g instead of %.17g",
                 (unsigned long long)o->number, o->events, what, i + 1, (double)got, (double)*own);
    *own = got;
}

// Compares a body with the engine and takes its state, in the image next to where it is here. The sign of the
// orientation is free.
static void take(struct oracle *o, int i)
{
    struct solid *s = &o->solid[i];
    scree_slot slot;
    assert_ok(scree_entity_find(scree_world_entity(o->world, SCREE_ENTITY_BODY), (uint64_t)i + 1, &slot));
    const struct scree_flight *flight = &scree_world_flights(o->world)[slot.index];
    if (o->rate != 0)
        pass_rows(o, o->time, roundl((s->x[1] - (real)flight->position[1]) / o->side), s->x, s->v);
    for (int k = 0; k < 3; ++k) {
        const bool periodic = !o->walls && (k < 2 || o->dimension == 3);
        const real at = (real)flight->position[k];
        const real image = periodic ? roundl((s->x[k] - at) / o->side) * o->side : 0;
        take_number(o, i, "position", &s->x[k], at + image);
        s->x[k] -= image;
        take_number(o, i, "velocity", &s->v[k], (real)flight->velocity[k]);
    }
    if (!s->clump || s->given)
        return;
    const double *q = scree_world_flight_turns(o->world)[slot.index].orientation;
    const struct scree_rotor *rotor = &scree_world_rotors(o->world)[slot.index];
    real sign = 0;
    for (int c = 0; c < 4; ++c)
        sign += s->q[c] * (real)q[c];
    for (int c = 0; c < 4; ++c) {
        s->q[c] *= sign < 0 ? -1 : 1;
        take_number(o, i, "orientation", &s->q[c], (real)q[c]);
    }
    const double spin = scree_world_grains(o->world)[slot.index].spin[2];
    for (int k = 0; k < 3 && o->dimension == 3; ++k)
        take_number(o, i, "momentum", &s->momentum[k], (real)rotor->momentum[k]);
    if (o->dimension == 2)
        take_number(o, i, "momentum", &s->momentum[2], (real)spin / s->turning[2]);
}

static void compare(void *user, const struct scree_event_collision *c)
{
    struct oracle *o = (struct oracle *)user;
    const struct contact next = go_on(o);
    const bool wall = next.other >= WALL;
    const int one = (int)c->body[0].value - 1, other = (int)c->body[1].value - 1;
    const int part = o->solid[next.one].clump ? next.piece + 1 : 0,
              other_part = !wall && o->solid[next.other].clump ? next.other_piece + 1 : 0;
    const bool same = one == next.one && (wall ? c->wall.value > 0 : other == next.other) &&
                      (int)c->part[0] == part && (int)c->part[1] == other_part;
    // errors of 1e-12 in the gap, and a glancing collision, at 1e-3 of the speed, a thousand times later
    if (!same || fabsl((real)c->time - o->time) > 1e-9L)
        fail_msg("world %llu, event %d: bodies %d and %d at %.17g, but the next are %d and %d at %.17g",
                 (unsigned long long)o->number, o->events, one + 1, other + 1, c->time, next.one + 1,
                 wall ? 0 : next.other + 1, (double)o->time);
    for (int i = 0; i < o->count; ++i)
        move(o, &o->solid[i], (real)c->time - o->time);
    o->time = (real)c->time;
    rebound(o, next);
    o->passed += !wall && fabsl(o->solid[next.one].x[1] - o->solid[next.other].x[1]) > 0.5L * o->side;
    take(o, one);
    if (!wall)
        take(o, other);
    for (int i = 0; i < o->count; ++i)
        place(&o->solid[i]);
    ++o->events;
}

// --- worlds

static real draw(struct oracle *o)
{
    return (real)splitmix_signed(&o->seed);
}

// The shapes: a sphere, a dimer, a trimer with three different moments.
static void make_shape(int kind, struct scree_test_clump *shape)
{
    static const double spheres[3][3][4] = {{{0, 0, 0, 0.4}},
                                            {{-0.35, 0, 0, 0.35}, {0.35, 0, 0, 0.35}},
                                            {{0, 0, 0, 0.3}, {0.5, 0, 0, 0.2}, {0.1, 0.5, 0.05, 0.2}}};
    scree_test_clump_make(spheres[kind], (size_t)kind + 1, 1, shape);
}

static real reach_of(const struct solid *s)
{
    real reach = 0;
    for (int p = 0; p < s->pieces; ++p)
        reach = fmaxl(reach, sqrtl(dot(s->offset[p], s->offset[p])) + s->radius[p]);
    return reach;
}

// Adds a body to the world and to the program.
static void add(struct oracle *o, scree_material_id material, int kind, const real *x, bool given)
{
    struct scree_test_clump shape;
    struct solid *s = &o->solid[o->count++];
    const bool flat = o->dimension == 2;
    make_shape(kind, &shape);
    struct scree_rigid_def at = {.fixed = given ? SCREE_FIX_ALL : 0};
    double norm = 0;
    for (int k = 0; k < 3; ++k) {
        at.position[k] = (double)x[k];
        at.velocity[k] = given || (flat && k == 2) ? 0 : (double)draw(o);
        at.spin[k] = flat && k < 2 ? 0 : 2 * (double)draw(o);
    }
    for (int c = 0; c < 4; ++c) {
        at.orientation[c] = flat && (c == 1 || c == 2) ? 0 : (double)draw(o);
        norm += at.orientation[c] * at.orientation[c];
    }
    for (int c = 0; c < 4; ++c)
        at.orientation[c] /= sqrt(norm);
    if (flat) {
        shape.def.body.polar = shape.def.body.inertia[2];
        memset(shape.def.body.inertia, 0, sizeof shape.def.body.inertia);
        for (int p = 0; p <= kind; ++p)
            shape.pebble[p].offset[2] = 0;
    }
    scree_body_id id;
    if (kind > 0 || flat) {
        id = scree_test_clump_add(o->world, &shape, material, &at);
    } else {
        struct scree_sphere_def def = {.radius = 0.4, .material = material, .fixed = at.fixed};
        memcpy(def.position, at.position, sizeof def.position);
        memcpy(def.velocity, at.velocity, sizeof def.velocity);
        assert_ok(scree_body_add_sphere(o->world, &def, &id));
    }
    struct scree_body_state state;
    assert_ok(scree_body_get(o->world, id, &state));
    *s = (struct solid){.pieces = kind + 1,
                        .clump = kind > 0 || flat,
                        .given = given,
                        .light = given ? 0 : 1 / (real)state.mass};
    for (int k = 0; k < 3; ++k) {
        s->x[k] = x[k];
        s->v[k] = (real)state.velocity[k];
        s->momentum[k] = (real)state.momentum[k];
        s->spin[k] = (real)state.spin[k];
        s->turning[k] = given || !(state.inertia[k] > 0) ? 0 : 1 / (real)state.inertia[k];
        for (int p = 0; p <= kind; ++p)
            s->offset[p][k] = (real)shape.pebble[p].offset[k];
    }
    for (int c = 0; c < 4; ++c)
        s->q[c] = (real)state.orientation[c];
    for (int p = 0; p <= kind; ++p)
        s->radius[p] = (real)shape.pebble[p].radius;
    place(s);
}

// Bodies at random places, so far apart that the spheres around them do not overlap.
static void fill(struct oracle *o, scree_material_id material)
{
    for (int tries = 0; tries < 3000 && o->count < MOST - (o->dimension == 2 ? 2 : 0); ++tries) {
        real x[3] = {0};
        for (int k = 0; k < o->dimension; ++k)
            x[k] = 0.5L * o->side + (0.5L * o->side - (o->walls ? 0.75L : 0)) * draw(o);
        bool free = true;
        for (int i = 0; i < o->count && free; ++i) {
            real square = 0;
            for (int k = 0; k < 3; ++k) {
                const real d = x[k] - o->solid[i].x[k];
                const real turns = o->walls ? 0 : roundl(d / o->side);
                square += (d - turns * o->side) * (d - turns * o->side);
            }
            const real size = reach_of(&o->solid[i]) + 0.75L;
            free = square > size * size;
        }
        if (free)
            add(o, material, (int)((o->number + (uint64_t)o->count) % 3), x,
                o->count == 0 && o->number % 5 == 0 && o->rate == 0);
    }
}

static void shear(const struct oracle *o)
{
    const double side = (double)o->side, high = o->dimension == 2 ? 0 : side, corner[3] = {0},
                 vectors[9] = {side, 0, 0, 0, side, 0, 0, 0, high}, gradient[9] = {0, (double)o->rate};
    assert_ok(scree_cell_set_vectors(o->world, corner, vectors));
    assert_ok(scree_cell_set_form(o->world, SCREE_CELL_NEWTON));
    assert_ok(scree_cell_deform(o->world, gradient));
}

// Returns the number of collisions with images in other rows.
static int one_world(uint64_t seed, bool sheared)
{
    struct oracle o = {.number = seed,
                       .seed = seed,
                       .dimension = seed % 3 == 0 ? 2 : 3,
                       .walls = !sheared && seed / 2 % 2,
                       .side = sheared ? 4.2L : 3.2L,
                       .rate = !sheared       ? 0
                               : seed / 2 % 2 ? 0.5L
                                              : -0.25L,
                       .restitution = seed / 4 % 2 ? 1 : 0.9L};
    if (seed / 8 % 2 && !sheared)
        o.gravity = -0.25L;
    struct scree_engine *engine;
    scree_material_id material;
    assert_ok(scree_world_create(
        &(struct scree_world_def){.dimension = o.dimension, .gravity = {0, (double)o.gravity, 0}}, &o.world));
    assert_ok(
        scree_material_add(o.world, &(struct scree_material_def){.name = "hard", .density = 1}, &material));
    const struct scree_interaction_value values[] = {{"restitution", (double)o.restitution, NULL},
                                                     {"friction", 0, NULL}};
    o.restitution = (real)(double)o.restitution;
    o.side = (real)(double)o.side;
    assert_ok(scree_interaction_add(
        o.world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 2}));
    const double side = (double)o.side, high = o.dimension == 2 ? 0 : side;
    scree_wall_id wall;
    if (o.walls)
        assert_ok(scree_wall_add(
            o.world,
            &(struct scree_wall_def){.shape = SCREE_WALL_BOX,
                                     .material = material,
                                     .box = {.upper = {side, side, high}, .side = SCREE_WALL_INSIDE}},
            &wall));
    else if (!sheared)
        assert_ok(
            scree_cell_set(o.world, &(struct scree_cell_def){.upper = {side, side, high},
                                                             .periodic = {true, true, o.dimension == 3}}));
    else
        shear(&o);
    fill(&o, material);
    // a step strains the cell by some thousandths at most
    assert_ok(scree_event_create(o.world, &(struct scree_event_def){.step = sheared ? 0.01 : 0.1}, &engine));
    assert_ok(scree_event_observe(engine, compare, &o));
    for (int k = 0; k < 200 && o.events < PER_BODY * o.count; ++k)
        assert_ok(scree_engine_run(engine, sheared ? 20 : 2));
    assert_true(o.events > 0);
    scree_engine_destroy(engine);
    scree_world_destroy(o.world);
    return o.passed;
}

static void the_engine_finds_the_collisions_of_a_search_in_small_steps(void **state)
{
    (void)state;
    for (uint64_t world = 1; world <= WORLDS; ++world)
        (void)one_world(world, false);
}

static void the_engine_finds_the_collisions_of_images_that_slide(void **state)
{
    (void)state;
    int passed = 0;
    for (uint64_t world = 1; world <= SHEARED; ++world)
        passed += one_world(world, true);
    assert_true(12 * passed > 5 * SHEARED * PER_BODY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_engine_finds_the_collisions_of_a_search_in_small_steps),
        cmocka_unit_test(the_engine_finds_the_collisions_of_images_that_slide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
