// What elastic collisions keep exactly: energy, momentum, angular momentum, and the way back.

#include "algebra.h"
#include "event.h"
#include "hard_gas.h"
#include "verify.h"

enum { BALLS = 1000, CHANGES = 8 };

static const double pi = 3.14159265358979323846;

// Rounding changes the energy and the momentum of the two bodies of a collision by less than 20 units of
// round-off: of the impulse, which has some ten operations, and of the sums. If all errors had the same sign,
// they would add up to this for each body.
static double limit_of(double collisions)
{
    return 20 * SCREE_VERIFY_EPSILON * collisions;
}

// --- energy and momentum

// `collisions` is twice their number for each sphere; `limit` is that of the relative change of energy.
static scree_status check_elastic(struct scree_trial *trial, bool rough, double collisions, double limit)
{
    const struct scree_hard_gas gas = {.dimension = 3,
                                       .side = 10,
                                       .fraction = 0.4,
                                       .restitution = 1,
                                       .rough = rough,
                                       .tangential = 1,
                                       .spin = rough ? 0.5 : 0,
                                       .seed = 1,
                                       .step = 0.5};
    struct scree_energy before, after;
    struct scree_momentum momentum;
    struct scree_event_counts counts;
    SCREE_TRY(scree_hard_gas_begin(trial, &gas));
    SCREE_TRY(scree_energy_get(trial->world, &before));
    SCREE_TRY(scree_hard_gas_collide(trial, &gas, collisions));
    SCREE_TRY(scree_energy_get(trial->world, &after));
    SCREE_TRY(scree_energy_momentum(trial->world, &momentum));
    SCREE_TRY(scree_event_get_counts(trial->engine, &counts));
    const double start = before.translation + before.rotation, end = after.translation + after.rotation;
    scree_report_at_most(trial, limit, fabs(end / start - 1),
                         "%s: relative change of energy, %.0f collisions", rough ? "rough" : "smooth",
                         (double)counts.pairs);
    // the speeds of the bodies are of order 1
    scree_report_at_most(trial, limit_of(collisions), scree_algebra_norm(momentum.linear, 3) / BALLS,
                         "%s: momentum for each sphere", rough ? "rough" : "smooth");
    return SCREE_OK;
}

scree_status scree_event_elastic(struct scree_trial *trial)
{
    const double collisions = 2000;
    SCREE_TRY(check_elastic(trial, false, collisions, limit_of(collisions)));
    return check_elastic(trial, true, collisions, limit_of(collisions));
}

// The bound of errors that all have the same sign would be 9e-10; rounding without a preferred sign leaves
// less.
scree_status scree_event_long_elastic(struct scree_trial *trial)
{
    SCREE_TRY(check_elastic(trial, false, 2e5, 1e-10));
    return check_elastic(trial, true, 2e5, 1e-10);
}

// --- angular momentum

// A cube of spheres in empty space that moves towards its centre, turns, and flies apart again.
static scree_status make_cloud(struct scree_trial *trial)
{
    const struct scree_interaction_value values[] = {
        {"restitution", 1, NULL}, {"friction", 1e9, NULL}, {"tangential-restitution", 1, NULL}};
    SCREE_TRY(scree_trial_world(trial, &(struct scree_world_def){0}));
    SCREE_TRY(scree_material_add(
        trial->world, &(struct scree_material_def){.name = "grain", .density = 6 / pi}, &trial->material));
    SCREE_TRY(scree_interaction_add(
        trial->world, &(struct scree_interaction_def){.law = "hard", .values = values, .count = 3}));
    for (size_t b = 0; b < BALLS; ++b) {
        const size_t site[3] = {b % 10, b / 10 % 10, b / 100};
        struct scree_sphere_def ball = {.radius = 0.5, .material = trial->material};
        for (size_t k = 0; k < 3; ++k) {
            ball.position[k] = 1.3 * ((double)site[k] - 4.5);
            ball.velocity[k] = -ball.position[k] + scree_algebra_draw(5, b, k);
            ball.spin[k] = scree_algebra_draw(5, b, 3 + k);
        }
        ball.velocity[0] -= 0.2 * ball.position[1];
        ball.velocity[1] += 0.2 * ball.position[0];
        SCREE_TRY(scree_body_add_sphere(trial->world, &ball, &trial->body));
    }
    return scree_event_create(trial->world, &(struct scree_event_def){.step = 0.05}, &trial->engine);
}

// All are told by their change over the sum of the magnitudes of the parts.
scree_status scree_event_cloud(struct scree_trial *trial)
{
    struct scree_momentum before, after;
    struct scree_energy first, last;
    struct scree_event_counts counts;
    struct scree_body_state state[BALLS];
    double linear = 0, angular = 0;
    SCREE_TRY(make_cloud(trial));
    SCREE_TRY(scree_energy_momentum(trial->world, &before));
    SCREE_TRY(scree_energy_get(trial->world, &first));
    SCREE_TRY(scree_engine_run(trial->engine, 100));
    SCREE_TRY(scree_energy_momentum(trial->world, &after));
    SCREE_TRY(scree_energy_get(trial->world, &last));
    SCREE_TRY(scree_event_get_counts(trial->engine, &counts));
    SCREE_TRY(scree_trial_states(trial, BALLS, state));
    for (int b = 0; b < BALLS; ++b) {
        const double speed = scree_algebra_norm(state[b].velocity, 3);
        linear += speed;
        angular += speed * scree_algebra_norm(state[b].position, 3);
    }
    // a step rounds the positions too
    const double limit = limit_of(2 * (double)counts.pairs / BALLS + 100);
    scree_report_at_most(trial, limit, scree_algebra_distance(before.linear, after.linear, 3) / linear,
                         "momentum, %.0f collisions", (double)counts.pairs);
    scree_report_at_most(trial, limit, scree_algebra_distance(before.angular, after.angular, 3) / angular,
                         "angular momentum, %.3g of the sum of its parts",
                         scree_algebra_norm(before.angular, 3) / angular);
    scree_report_at_most(
        trial, limit, fabs((last.translation + last.rotation) / (first.translation + first.rotation) - 1),
        "energy, a part of %.3g of it in spins", last.rotation / (last.translation + last.rotation));
    return SCREE_OK;
}

// --- the way back

static const struct scree_hard_gas back = {
    .dimension = 3, .side = 10, .fraction = 0.3, .restitution = 1, .seed = 3, .step = 0.01};

// Root of the mean square distance of the bodies of two states, through faces of the cell.
static double distance(const struct scree_body_state *a, const struct scree_body_state *b)
{
    const double edge = cbrt(BALLS * pi / 6 / back.fraction);
    double square = 0;
    for (int i = 0; i < BALLS; ++i)
        for (int k = 0; k < 3; ++k)
            square += pow(remainder(a[i].position[k] - b[i].position[k], edge), 2);
    return sqrt(square / BALLS);
}

// A gas that has mixed, whose velocities are then changed by a relative amount, in a direction of its own for
// each seed.
static scree_status begin(struct scree_trial *trial, double amount, uint64_t seed)
{
    struct scree_body_state state[BALLS];
    SCREE_TRY(scree_hard_gas_begin(trial, &back));
    SCREE_TRY(scree_hard_gas_collide(trial, &back, 10));
    SCREE_TRY(scree_trial_states(trial, BALLS, state));
    for (uint64_t b = 0; b < BALLS; ++b) {
        for (size_t k = 0; k < 3; ++k)
            state[b].velocity[k] *= 1 + amount * scree_algebra_draw(seed, b, k);
        SCREE_TRY(scree_body_set_velocity(trial->world, (scree_body_id){b + 1}, state[b].velocity));
    }
    return SCREE_OK;
}

static scree_status turn_back(struct scree_trial *trial)
{
    struct scree_body_state state[BALLS];
    SCREE_TRY(scree_trial_states(trial, BALLS, state));
    for (uint64_t b = 0; b < BALLS; ++b) {
        for (size_t k = 0; k < 3; ++k)
            state[b].velocity[k] = -state[b].velocity[k];
        SCREE_TRY(scree_body_set_velocity(trial->world, (scree_body_id){b + 1}, state[b].velocity));
    }
    return SCREE_OK;
}

// There and back: the distance of the bodies from where they began, and the largest distance that small
// changes of all velocities have become on the way there.
struct way {
    double events, error, spread;
};

static scree_status travel(struct scree_trial *trial, uint64_t events, double amount, struct way *way)
{
    struct scree_body_state start[BALLS], there[BALLS], end[BALLS];
    struct scree_hard_gas_state from, to;
    uint64_t steps = 0;
    SCREE_TRY(begin(trial, 0, 0));
    SCREE_TRY(scree_trial_states(trial, BALLS, start));
    SCREE_TRY(scree_hard_gas_get(trial, &back, &from));
    for (to = from; to.collisions < from.collisions + events; ++steps) {
        SCREE_TRY(scree_engine_run(trial->engine, 1));
        SCREE_TRY(scree_hard_gas_get(trial, &back, &to));
    }
    SCREE_TRY(scree_trial_states(trial, BALLS, there));
    SCREE_TRY(turn_back(trial));
    SCREE_TRY(scree_engine_run(trial->engine, steps));
    SCREE_TRY(scree_trial_states(trial, BALLS, end));
    *way = (struct way){.events = (double)(to.collisions - from.collisions), .error = distance(start, end)};
    for (uint64_t seed = 1; seed <= CHANGES; ++seed) {
        SCREE_TRY(begin(trial, amount, seed));
        SCREE_TRY(scree_engine_run(trial->engine, steps));
        SCREE_TRY(scree_trial_states(trial, BALLS, end));
        way->spread = scree_report_larger(way->spread, distance(there, end));
    }
    return SCREE_OK;
}

// Errors grow exponentially, as all small changes do: those of rounding, made in both directions, by the same
// exponent as given changes of velocities. The growth between 5,000 and 15,000 collisions is exp(13), and
// directions differ by a factor of order e: errors have many, so the largest of some counts. A rounding error
// is one of a coordinate, at most half of a unit of the edge, and is made in each of ten collisions of a body
// and in some hundred steps, at random.
scree_status scree_event_reversal(struct scree_trial *trial)
{
    enum { WAYS = 3 };
    const double amount = 1e-13, edge = cbrt(BALLS * pi / 6 / back.fraction);
    struct way way[WAYS];
    for (int k = 0; k < WAYS; ++k) {
        SCREE_TRY(travel(trial, 5000 * (uint64_t)(k + 1), amount, &way[k]));
        scree_report_at_most(trial, 10 * exp(1) * SCREE_VERIFY_EPSILON * edge * way[k].spread / amount,
                             way[k].error, "error on return, %.0f collisions", way[k].events);
        scree_report_unchecked(trial, 0, way[k].spread, "what a change of 1e-13 becomes");
    }
    const double error = log(way[WAYS - 1].error / way[0].error),
                 spread = log(way[WAYS - 1].spread / way[0].spread),
                 collisions = 2 * (way[WAYS - 1].events - way[0].events) / BALLS;
    scree_report_near(trial, spread / collisions, error / collisions, 1 / collisions,
                      "exponent of the error for each collision of a body");
    return SCREE_OK;
}
