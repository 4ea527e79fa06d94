// A user-defined contact law: springs and dashpots with friction, with its tables and a run that must give
// the same bits as the built-in law "linear", which has the same equations.
//
//     flags="$(pkg-config --variable=law_cflags scree) $(pkg-config --cflags scree)"
//     cc $flags own_law.c $(pkg-config --libs scree) -o own_law
//     cc $flags -shared -fPIC -DLAW_ALONE own_law.c -o own_law.so
//     ./own_law                   registers the compiled-in law
//     ./own_law ./own_law.so      loads it from the shared object
//
// docs/guide/own-law.md explains it.

#include <scree/interaction.h>
#include <scree/kernel.h>

// --- parameters of the law

enum { STIFFNESS, STIFFNESS_TANGENTIAL, DAMPING, FRICTION, PARAMETERS };

static const struct scree_law_parameter parameters[] = {
    {"stiffness", "N/m", 1e-9, 1e30, true, 0, "Normal spring.", NULL},
    {"stiffness-tangential", "N/m", 1e-9, 1e30, true, 0, "Tangential spring.", NULL},
    {"damping", "N s/m", 0, 1e30, false, 0, "Normal and tangential dashpots.", NULL},
    {"friction", "", 0, 1e3, true, 0, "Coefficient of friction.", NULL},
    {0},
};

// --- contact history: vectors first; Scree rotates them with the normal

static const struct scree_law_value values[] = {{"spring", "m", 3, "Tangential deformation of the contact."},
                                                {0}};

// --- called once for each pair of materials: computes the constants, or returns an error message

static const char *prepare(const struct scree_law_pair *pair, double *constants)
{
    for (int k = 0; k < PARAMETERS; ++k)
        constants[k] = pair->parameter[k];
    if (constants[STIFFNESS_TANGENTIAL] > constants[STIFFNESS])
        return "'stiffness-tangential' is at most 'stiffness'";
    return NULL;
}

static double range(const double *constants, double radius)
{
    (void)constants, (void)radius;
    return 0;
}

// at small overlaps the elastic force is proportional to the overlap, and the dashpot force is constant
static struct scree_law_powers powers(const double *constants)
{
    (void)constants;
    return (struct scree_law_powers){1, 0};
}

// --- the force of one contact, without branches that depend on it

SCREE_FN struct scree_law_reply force(const SCREE_REAL *constants, const struct scree_law_contact *c,
                                      const SCREE_REAL *before, SCREE_REAL *after)
{
    const SCREE_REAL damping = constants[DAMPING], tangential = constants[STIFFNESS_TANGENTIAL];
    const SCREE_REAL half = (SCREE_REAL)0.5, advance = c->step > 0 ? 1 : 0;

    // normal force; the Coulomb limit uses compression only
    const SCREE_REAL elastic = (1 + c->spring_extra) * (constants[STIFFNESS] * c->overlap);
    const SCREE_REAL dashpot = damping * c->normal_velocity;
    const SCREE_REAL normal = elastic - dashpot - c->dashpot_extra * dashpot;
    const SCREE_REAL limit = (1 - c->parted) * (constants[FRICTION] * (normal > 0 ? normal : 0));

    const SCREE_REAL tangential_damping = (1 + c->dashpot_extra) * damping;

    // tangential force; beyond the limit spring and dashpot are scaled together, so that neither creates
    // energy
    const struct scree_law_vector old = {before[0], before[1], before[2]};
    const struct scree_law_vector trial = scree_law_add(old, c->tangential_displacement);
    const struct scree_law_vector trial_force = scree_law_add(
        scree_law_scale(tangential, trial), scree_law_scale(tangential_damping, c->tangential_velocity));
    const SCREE_REAL magnitude = scree_law_root(scree_law_dot(trial_force, trial_force));
    const SCREE_REAL scale = magnitude > limit ? limit / magnitude : 1;
    // an evaluation with step 0 does not advance the spring
    const struct scree_law_vector spring = scree_law_scale(advance > 0 ? scale : 1, trial);
    after[0] = spring.x;
    after[1] = spring.y;
    after[2] = spring.z;

    struct scree_law_reply reply = {0};
    reply.live = c->overlap > 0 ? (SCREE_REAL)1 : (SCREE_REAL)0;
    reply.normal = normal;
    reply.force = scree_law_scale(-scale, trial_force);
    reply.stored = half * elastic * c->overlap + half * tangential * scree_law_dot(spring, spring);
    // mean spring force before and after times the sliding distance, (1 - scale) trial
    reply.friction =
        advance * half * tangential * (1 - scale) * scree_law_dot(scree_law_add(old, spring), trial);
    // a sliding dashpot counts as friction
    const SCREE_REAL power =
        scale * tangential_damping * scree_law_dot(c->tangential_velocity, c->tangential_velocity);
    reply.sliding = magnitude > limit ? power : 0;
    reply.dashpot =
        c->step * (elastic - normal) * c->normal_velocity + c->step * (magnitude > limit ? 0 : power);
    reply.stiffness[0] = constants[STIFFNESS];
    reply.stiffness[1] = tangential;
    return reply;
}

// --- the loops over contacts for each instruction set

#define SCREE_KERNEL_FORCE force
#define SCREE_KERNEL_HISTORY 3
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

static const struct scree_contact_law law = {
    .version = SCREE_LAW_VERSION,
    .name = "own",
    .about = "Springs and dashpots with friction.",
    .parameters = parameters,
    .values = values,
    .dimensions = 1 << 2 | 1 << 3, // disks and spheres
    .depends_on_velocity = true,
    .prepare = prepare,
    .range = range,
    .powers = powers,
    .force = force,
    .kernel = SCREE_KERNEL_TABLE,
};

// Called by scree_law_load in a shared object.
scree_law_entry_function scree_law_entry;
const struct scree_contact_law *scree_law_entry(void)
{
    return &law;
}

#ifndef LAW_ALONE

#include <scree/scree.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        if ((call) != SCREE_OK) {                                                                            \
            fprintf(stderr, "%s\n", scree_status_message());                                                 \
            return 1;                                                                                        \
        }                                                                                                    \
    } while (0)

enum { BALLS = 500 };

// The result of a run, only doubles.
struct outcome {
    double ball[BALLS][9]; // position, velocity, spin
    struct scree_energy energy;
};

static int add_balls(struct scree_world *world, scree_material_id glass, scree_body_id *ball)
{
    for (int n = 0; n < BALLS; ++n) {
        const int i = n % 10, j = n / 10 % 10, k = n / 100;
        const struct scree_sphere_def def = {
            .radius = 0.008 + 0.001 * (n % 3),
            .material = glass,
            .position = {0.021 * (i - 4.5), 0.021 * (j - 4.5), 0.021 * (k - 4.5)},
            .spin = {n % 7, n % 11, n % 13}};
        TRY(scree_body_add_sphere(world, &def, &ball[n]));
    }
    return 0;
}

// Spinning balls fall into a spherical dish, with the law of the given name.
static int run(const char *name, const char *path, struct outcome *outcome)
{
    struct scree_world *world;
    TRY(scree_world_create(&(struct scree_world_def){.gravity = {0, 0, -9.81}}, &world));
    if (path)
        TRY(scree_law_load(world, path));
    else
        TRY(scree_law_register(world, &law));
    const struct scree_interaction_value parameter_values[] = {{"stiffness", 1e5, NULL},
                                                               {"stiffness-tangential", 5e4, NULL},
                                                               {"damping", 4, NULL},
                                                               {"friction", 0.4, NULL}};
    TRY(scree_interaction_add(
        world, &(struct scree_interaction_def){.law = name, .values = parameter_values, .count = 4}));
    scree_material_id glass;
    TRY(scree_material_add(world, &(struct scree_material_def){"glass", 2500}, &glass));
    const struct scree_wall_def dish = {
        .shape = SCREE_WALL_SPHERE, .material = glass, .sphere = {.radius = 0.2, .side = SCREE_WALL_INSIDE}};
    scree_wall_id wall;
    TRY(scree_wall_add(world, &dish, &wall));
    scree_body_id ball[BALLS];
    if (add_balls(world, glass, ball))
        return 1;

    struct scree_engine *engine;
    TRY(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-5, .threads = 1}, &engine));
    const clock_t start = clock();
    TRY(scree_engine_run_until(engine, 0.4));
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    TRY(scree_energy_get(world, &outcome->energy));
    for (int n = 0; n < BALLS; ++n) {
        struct scree_body_state state;
        TRY(scree_body_get(world, ball[n], &state));
        memcpy(&outcome->ball[n][0], state.position, sizeof state.position);
        memcpy(&outcome->ball[n][3], state.velocity, sizeof state.velocity);
        memcpy(&outcome->ball[n][6], state.spin, sizeof state.spin);
    }
    printf("%-7s %zu contacts, lost %.6f J to friction and %.6f J to dashpots, %.2f s\n", name,
           scree_contact_count(world), outcome->energy.friction, outcome->energy.dashpot, seconds);
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    return 0;
}

int main(int count, char **argument)
{
    static struct outcome own, built_in;
    const char *path = count > 1 ? argument[1] : NULL;
    if (run("own", path, &own) || run("linear", path, &built_in))
        return 1;
    const bool same = memcmp(&own, &built_in, sizeof own) == 0;
    printf("%s: all bits of %d balls and of the energy ledger, own law against the built-in one\n",
           same ? "equal" : "DIFFERENT", BALLS);
    return same ? 0 : 1;
}

#endif
