// `scree demo`: T-handles in free flight. One is followed flip by flip against Jacobi's closed form; a family
// around it, each spun at another tilt, shows how the time of a flip depends on that.

#include "algebra.h"
#include "cli.h"
#include "handle.h"
#include "picture.h"
#include "verify.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

// body FOLLOWED has a tilt of 0.01 rad; tilts grow by equal ratios
enum { BODIES = 769, FOLLOWED = 256, STRIDE = 20, FLIPS = 10, INSTANTS = 4096 };

static const double step = 2e-4, pace = 15; // s; rad/s

struct demo {
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_handle handle;
    struct scree_picture_member members[BODIES];
    double before[BODIES];              // spin about the stem when last looked at
    double first[BODIES], last[BODIES]; // flips, s
    struct scree_picture_instant instants[INSTANTS];
    size_t instant_count;
    double energy, energy_error, momentum[3];
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static scree_status add_member(struct demo *demo, int index)
{
    struct scree_picture_member *member = &demo->members[index];
    member->tilt = pow(10, -3 + 3.0 * index / (BODIES - 1));
    struct scree_rigid_def def = {.mass = demo->handle.mass,
                                  .position = {0.2 * (index % 28), 0.2 * (index / 28), 0},
                                  .spin = {pace * sin(member->tilt), pace * cos(member->tilt), 0}};
    memcpy(def.inertia, demo->handle.inertia, sizeof def.inertia);
    double share;
    member->expected = scree_handle_flip(&demo->handle, def.spin, &share);
    demo->before[index] = def.spin[1];
    scree_body_id id;
    return scree_body_add_rigid(demo->world, &def, &id);
}

static scree_status begin(struct demo *demo)
{
    struct scree_energy energy;
    struct scree_momentum momentum;
    demo->handle = scree_handle_make();
    SCREE_VERIFY_TRY(scree_world_create(NULL, &demo->world));
    for (int b = 0; b < BODIES; ++b)
        SCREE_VERIFY_TRY(add_member(demo, b));
    SCREE_VERIFY_TRY(
        scree_soft_create(demo->world, &(struct scree_soft_def){.step = step, .threads = 1}, &demo->engine));
    SCREE_VERIFY_TRY(scree_energy_get(demo->world, &energy));
    SCREE_VERIFY_TRY(scree_energy_momentum(demo->world, &momentum));
    demo->energy = energy.rotation;
    memcpy(demo->momentum, momentum.angular, sizeof demo->momentum);
    return SCREE_OK;
}

static void see_member(struct demo *demo, int index, const double *orientation, const double *spin)
{
    struct scree_picture_member *member = &demo->members[index];
    double body_spin[3];
    scree_algebra_unrotate(orientation, spin, body_spin);
    const double before = demo->before[index], time = scree_world_time(demo->world);
    demo->before[index] = body_spin[1];
    if (before * body_spin[1] < 0) {
        // a straight line in between: at its zero this spin has no curvature
        demo->last[index] = time - STRIDE * step * body_spin[1] / (body_spin[1] - before);
        if (member->flips++ == 0)
            demo->first[index] = demo->last[index];
    }
    if (index == FOLLOWED && demo->instant_count < INSTANTS) {
        struct scree_picture_instant *instant = &demo->instants[demo->instant_count++];
        instant->time = time;
        memcpy(instant->orientation, orientation, sizeof instant->orientation);
        memcpy(instant->body_spin, body_spin, sizeof body_spin);
    }
}

// Looks at all bodies where they lie; nothing sorts this world, so slots are in order of creation.
static scree_status look(struct demo *demo)
{
    struct scree_view orientation, spin;
    struct scree_energy energy;
    SCREE_VERIFY_TRY(scree_field_view(demo->world, "body.orientation", &orientation));
    SCREE_VERIFY_TRY(scree_field_view(demo->world, "body.spin", &spin));
    for (int b = 0; b < BODIES; ++b)
        see_member(
            demo, b,
            (const double *)(const void *)((const char *)orientation.base + (size_t)b * orientation.stride),
            (const double *)(const void *)((const char *)spin.base + (size_t)b * spin.stride));
    SCREE_VERIFY_TRY(scree_energy_get(demo->world, &energy));
    demo->energy_error = fmax(demo->energy_error, fabs(energy.rotation / demo->energy - 1));
    return SCREE_OK;
}

static scree_status print_flip(struct demo *demo, double previous, double began)
{
    const struct scree_picture_member *member = &demo->members[FOLLOWED];
    struct scree_momentum momentum;
    SCREE_VERIFY_TRY(scree_energy_momentum(demo->world, &momentum));
    const double took = demo->last[FOLLOWED] - previous;
    printf("%8.4f %6zu ", demo->last[FOLLOWED], member->flips);
    if (member->flips > 1)
        printf("%12.6f %12.6f %12.1e ", took, member->expected, took / member->expected - 1);
    else
        printf("%12s %12.6f %12s ", "-", member->expected, "-");
    printf("%12.1e %12.1e %8.1f\n", demo->energy_error,
           scree_algebra_distance(momentum.angular, demo->momentum, 3) /
               scree_algebra_norm(demo->momentum, 3),
           (double)BODIES * (double)scree_world_steps(demo->world) / (now() - began) / 1e6);
    fflush(stdout);
    return SCREE_OK;
}

static scree_status fly(struct demo *demo)
{
    const double began = now();
    printf("%d steel T-handles in free flight, each spun at %.0f rad/s about its stem but for a tilt of "
           "0.001 to "
           "1 rad.\nOne of them, at 0.01 rad, flip by flip:\n\n",
           BODIES, pace);
    printf("%8s %6s %12s %12s %12s %12s %12s %8s\n", "time", "flips", "flip took", "Jacobi", "differs by",
           "energy by", "momentum by", "million");
    printf("%8s %6s %12s %12s %12s %12s %12s %8s\n", "s", "", "s", "s", "", "", "", "steps/s");
    SCREE_VERIFY_TRY(look(demo));
    while (demo->members[FOLLOWED].flips < FLIPS) {
        const size_t flips = demo->members[FOLLOWED].flips;
        const double previous = demo->last[FOLLOWED];
        SCREE_VERIFY_TRY(scree_engine_run(demo->engine, STRIDE));
        SCREE_VERIFY_TRY(look(demo));
        if (demo->members[FOLLOWED].flips > flips)
            SCREE_VERIFY_TRY(print_flip(demo, previous, began));
    }
    return SCREE_OK;
}

static void sum_up(struct demo *demo)
{
    size_t flips = 0, wrong = 0;
    for (int b = 0; b < BODIES; ++b) {
        struct scree_picture_member *member = &demo->members[b];
        flips += member->flips;
        member->measured =
            member->flips > 1 ? (demo->last[b] - demo->first[b]) / (double)(member->flips - 1) : (double)NAN;
        if (fabs(member->measured / member->expected - 1) >
            fabs(demo->members[wrong].measured / demo->members[wrong].expected - 1))
            wrong = (size_t)b;
    }
    const struct scree_picture_member *worst = &demo->members[wrong];
    printf(
        "\nAll together made %zu flips. The mean flip of every handle agrees with the closed form to %.1e of "
        "it.\n",
        flips, fabs(worst->measured / worst->expected - 1));
}

// --- what is left behind

static int make_folders(const char *path)
{
    char part[512];
    snprintf(part, sizeof part, "%s", path);
    for (char *at = part + 1;; ++at) {
        const char end = *at;
        if (end != '/' && end != 0)
            continue;
        *at = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            return -1;
        *at = end;
        if (end == 0)
            return 0;
    }
}

static int write_instants(const char *path, const struct demo *demo)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    fprintf(file, "# the followed T-handle: orientation q, and spin w in its own axes (bar, stem, normal)\n"
                  "t,q0,q1,q2,q3,w_bar,w_stem,w_normal\n");
    for (size_t i = 0; i < demo->instant_count; ++i) {
        const struct scree_picture_instant *instant = &demo->instants[i];
        fprintf(file, "%.17g", instant->time);
        for (int k = 0; k < 4; ++k)
            fprintf(file, ",%.17g", instant->orientation[k]);
        for (int k = 0; k < 3; ++k)
            fprintf(file, ",%.17g", instant->body_spin[k]);
        fprintf(file, "\n");
    }
    const int failed = ferror(file);
    return fclose(file) == 0 && !failed ? 0 : -1;
}

static int write_members(const char *path, const struct demo *demo)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    fprintf(file, "# T-handles by the tilt of their first spin: time of a flip, closed form and measured\n"
                  "tilt,expected,measured,flips\n");
    for (int b = 0; b < BODIES; ++b) {
        const struct scree_picture_member *member = &demo->members[b];
        fprintf(file, "%.17g,%.17g,%.17g,%zu\n", member->tilt, member->expected, member->measured,
                member->flips);
    }
    const int failed = ferror(file);
    return fclose(file) == 0 && !failed ? 0 : -1;
}

static int leave(const struct demo *demo, const char *folder)
{
    const struct scree_picture picture = {.handle = &demo->handle,
                                          .instants = demo->instants,
                                          .instant_count = demo->instant_count,
                                          .first_flip = demo->first[FOLLOWED],
                                          .flip = demo->members[FOLLOWED].expected,
                                          .members = demo->members,
                                          .member_count = BODIES,
                                          .step = step,
                                          .energy_error = demo->energy_error};
    char drawing[600], followed[600], family[600];
    snprintf(drawing, sizeof drawing, "%s/t-handle.svg", folder);
    snprintf(followed, sizeof followed, "%s/t-handle.csv", folder);
    snprintf(family, sizeof family, "%s/t-handle-family.csv", folder);
    if (make_folders(folder) != 0 || scree_picture_write(drawing, &picture) != 0 ||
        write_instants(followed, demo) != 0 || write_members(family, demo) != 0) {
        fprintf(stderr, "scree demo: cannot write to %s: %s; choose another folder with --out DIR\n", folder,
                strerror(errno));
        return SCREE_CLI_FAILED;
    }
    printf("The picture: %s\nThe numbers: %s, %s\n", drawing, followed, family);
    return SCREE_CLI_OK;
}

int scree_cli_demo(const struct scree_cli_line *line)
{
    const char *folder = scree_cli_has(line, "out") ? scree_cli_value(line, "out") : "build/demo";
    if (!scree_cli_words(line, 0, 0, "takes no name, only --out DIR"))
        return SCREE_CLI_USAGE;
    if (folder[0] == 0 || strlen(folder) > 500) {
        fprintf(stderr, "scree demo: --out takes the path of a folder, of at most 500 characters\n");
        return SCREE_CLI_USAGE;
    }
    static struct demo demo;
    scree_status status = begin(&demo);
    if (status == SCREE_OK)
        status = fly(&demo);
    scree_engine_destroy(demo.engine);
    demo.engine = NULL;
    if (status != SCREE_OK)
        fprintf(stderr, "scree demo: %s\n", scree_status_message());
    else
        sum_up(&demo);
    scree_world_destroy(demo.world);
    demo.world = NULL;
    return status == SCREE_OK ? leave(&demo, folder) : SCREE_CLI_FAILED;
}
