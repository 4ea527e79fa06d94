// Event-driven motion of hard spheres in uniform shear, see events.h.
//
// Velocities are those in a frame at rest; the image that is n periods higher along y is n t L ahead along x,
// and n L faster. Each sphere knows the next of its collisions within a short time, in which none comes as
// far as half of a period, so that the nearest image along x and z at the beginning is the one that it meets.

#include "events.h"

#include "algebra.h"

enum { MOST = 512, SEED = 23, NOBODY = -1 };

static const double pi = 3.14159265358979323846;

struct sphere {
    double position[3], velocity[3], next; // time of the next collision, or of the next look
    int partner;
};

struct gas {
    struct sphere sphere[MOST];
    int count;
    double edge, restitution, now, look, impulse[4];
};

// How far the next image along y is ahead.
static double slide(const struct gas *gas)
{
    return fmod(gas->now * gas->edge, gas->edge);
}

// The separation and relative velocity of b and the image of a that is `above` periods lower.
static void separate(const struct gas *gas, const struct sphere *a, const struct sphere *b, int above,
                     double x[3], double v[3])
{
    for (int k = 0; k < 3; ++k) {
        x[k] = a->position[k] - b->position[k];
        v[k] = a->velocity[k] - b->velocity[k];
    }
    x[0] -= above * slide(gas);
    x[1] -= above * gas->edge;
    v[0] -= above * gas->edge;
    for (int k = 0; k < 3; k += 2)
        x[k] -= gas->edge * rint(x[k] / gas->edge);
}

static void predict(struct gas *gas, int first)
{
    struct sphere *a = &gas->sphere[first];
    a->next = gas->now + gas->look;
    a->partner = NOBODY;
    for (int s = 0; s < gas->count; ++s)
        for (int above = -1; above <= 1 && s != first; ++above) {
            double x[3], v[3];
            const double y = a->position[1] - gas->sphere[s].position[1] - above * gas->edge;
            // farther than any comes in the look
            if (fabs(y) > 0.75 * gas->edge)
                continue;
            separate(gas, a, &gas->sphere[s], above, x, v);
            const double closing = scree_algebra_dot(x, v, 3), square = scree_algebra_dot(v, v, 3),
                         root = closing * closing - square * (scree_algebra_dot(x, x, 3) - 1);
            if (closing >= 0 || root < 0)
                continue;
            const double time = gas->now + fmax(0, (-closing - sqrt(root)) / square);
            if (time < a->next) {
                a->next = time;
                a->partner = s;
            }
        }
}

static void begin(struct gas *gas, int side, double spacing, double temperature)
{
    double mean[3] = {0}, square = 0;
    for (int s = 0; s < gas->count; ++s) {
        const int site[3] = {s % side, s / side % side, s / side / side};
        for (int k = 0; k < 3; ++k) {
            gas->sphere[s].position[k] = spacing * (site[k] + 0.5);
            gas->sphere[s].velocity[k] = scree_algebra_draw(SEED, (uint64_t)s, (uint64_t)k);
            mean[k] += gas->sphere[s].velocity[k] / gas->count;
        }
    }
    for (int s = 0; s < gas->count; ++s)
        for (int k = 0; k < 3; ++k) {
            gas->sphere[s].velocity[k] -= mean[k];
            square += gas->sphere[s].velocity[k] * gas->sphere[s].velocity[k] / (3 * gas->count);
        }
    for (int s = 0; s < gas->count; ++s) {
        for (int k = 0; k < 3; ++k)
            gas->sphere[s].velocity[k] *= sqrt(temperature / square);
        gas->sphere[s].velocity[0] += gas->sphere[s].position[1];
    }
}

static void move(struct gas *gas, double time)
{
    const double step = time - gas->now;
    gas->now = time;
    for (int s = 0; s < gas->count; ++s) {
        double *x = gas->sphere[s].position, *v = gas->sphere[s].velocity;
        for (int k = 0; k < 3; ++k)
            x[k] += step * v[k];
        const double up = floor(x[1] / gas->edge);
        v[0] -= up * gas->edge;
        x[0] -= up * slide(gas);
        for (int k = 0; k < 3; ++k)
            x[k] -= gas->edge * floor(x[k] / gas->edge);
    }
}

static void collide(struct gas *gas, int first)
{
    const int second = gas->sphere[first].partner;
    struct sphere *a = &gas->sphere[first], *b = &gas->sphere[second];
    double x[3], v[3];
    // the image that is at the distance of a diameter
    for (int above = -1; above <= 1; ++above) {
        separate(gas, a, b, above, x, v);
        if (scree_algebra_dot(x, x, 3) < 1 + 1e-6)
            break;
    }
    const double impulse = -0.5 * (1 + gas->restitution) * scree_algebra_dot(x, v, 3);
    for (int k = 0; k < 3; ++k) {
        a->velocity[k] += impulse * x[k];
        b->velocity[k] -= impulse * x[k];
        gas->impulse[k] += impulse * x[k] * x[k];
    }
    gas->impulse[3] += impulse * x[0] * x[1];
    a->partner = b->partner = NOBODY;
    for (int s = 0; s < gas->count; ++s)
        if (s == first || s == second || gas->sphere[s].partner == first || gas->sphere[s].partner == second)
            predict(gas, s);
}

// Sums of products of fluctuations; their means are 0.
static void sum_kinetic(const struct gas *gas, double sum[4])
{
    memset(sum, 0, 4 * sizeof *sum);
    for (int s = 0; s < gas->count; ++s) {
        const struct sphere *sphere = &gas->sphere[s];
        const double w[3] = {sphere->velocity[0] - sphere->position[1], sphere->velocity[1],
                             sphere->velocity[2]};
        for (int k = 0; k < 3; ++k)
            sum[k] += w[k] * w[k];
        sum[3] += w[0] * w[1];
    }
}

// Runs to a time, and adds the collisions until then and the velocities at its end to the sums.
static void run_to(struct gas *gas, double time)
{
    for (;;) {
        int first = 0;
        for (int s = 1; s < gas->count; ++s)
            if (gas->sphere[s].next < gas->sphere[first].next)
                first = s;
        if (gas->sphere[first].next >= time)
            break;
        move(gas, gas->sphere[first].next);
        if (gas->sphere[first].partner == NOBODY)
            predict(gas, first);
        else
            collide(gas, first);
    }
    move(gas, time);
}

struct scree_enskog_state scree_events_shear(double fraction, double restitution, int side,
                                             double temperature, double strain)
{
    static struct gas gas;
    const double spacing = cbrt(pi / 6 / fraction), every = 0.05, volume = pow(spacing * side, 3);
    const size_t total = (size_t)(strain / every), before = total / 5;
    struct scree_enskog_sums sums = {0};
    // the fastest move 4 standard deviations of 2 T in the look, besides the shear
    gas = (struct gas){.count = side * side * side, .edge = spacing * side, .restitution = restitution};
    gas.look = 0.25 * gas.edge / (4 * sqrt(2 * temperature) + 0.5 * gas.edge);
    begin(&gas, side, spacing, temperature);
    for (int s = 0; s < gas.count; ++s)
        predict(&gas, s);
    for (size_t s = 0; s < before + total; ++s) {
        double kinetic[4];
        memset(gas.impulse, 0, sizeof gas.impulse);
        run_to(&gas, every * (double)(s + 1));
        if (s < before)
            continue;
        sum_kinetic(&gas, kinetic);
        for (int k = 0; k < 3; ++k)
            scree_series_add(&sums.normal[k], s - before, total,
                             (kinetic[k] + gas.impulse[k] / every) / volume);
        scree_series_add(&sums.temperature, s - before, total,
                         (kinetic[0] + kinetic[1] + kinetic[2]) / (3 * (gas.count - 1)));
        scree_series_add(&sums.shear, s - before, total, -(kinetic[3] + gas.impulse[3] / every) / volume);
    }
    return scree_enskog_from(&sums);
}
