// `scree check`: checks a scene, prints what it contains, and estimates the cost of its run.

#include "forecast.h"
#include "load.h"

#include <scree/scree.h>

#include <math.h>

static const double pi = 3.14159265358979323846;

// Totals over all bodies.
struct census {
    size_t bodies;
    double mass, volume; // m^2 in two dimensions
    double least, most;  // smallest and largest radius
    double lower[3], upper[3];
};

static void include_body(struct census *census, const struct scree_body_state *body, int dimension)
{
    ++census->bodies;
    census->mass += body->mass;
    for (int k = 0; k < 3; ++k) {
        census->lower[k] = fmin(census->lower[k], body->position[k] - body->radius);
        census->upper[k] = fmax(census->upper[k], body->position[k] + body->radius);
    }
    if (!(body->radius > 0))
        return;
    census->volume += dimension == 2 ? pi * body->radius * body->radius
                                     : 4.0 / 3 * pi * body->radius * body->radius * body->radius;
    census->least = fmin(census->least, body->radius);
    census->most = fmax(census->most, body->radius);
}

static struct census take_census(const struct scree_world *world)
{
    const double inf = (double)INFINITY;
    struct census census = {.least = inf, .lower = {inf, inf, inf}, .upper = {-inf, -inf, -inf}};
    for (uint64_t id = 1; census.bodies < scree_body_count(world); ++id) {
        struct scree_body_state body;
        if (scree_body_exists(world, (scree_body_id){id}) &&
            scree_body_get(world, (scree_body_id){id}, &body) == SCREE_OK)
            include_body(&census, &body, scree_world_dimension(world));
    }
    return census;
}

static double box_volume(const double *lower, const double *upper, int dimension)
{
    double volume = 1;
    for (int k = 0; k < dimension; ++k)
        volume *= upper[k] - lower[k];
    return volume;
}

static void print_bodies(const struct scree_world *world)
{
    const struct census census = take_census(world);
    const int dimension = scree_world_dimension(world);
    struct scree_cell_def cell;
    scree_cell_get(world, &cell);
    printf("bodies     %zu", census.bodies);
    if (census.bodies > 0)
        printf(", total mass %g kg", census.mass);
    if (census.least < (double)INFINITY)
        printf(census.least < census.most ? ", radii from %g to %g m" : ", radius %g m", census.least,
               census.most);
    printf("\n");
    const bool has_box = box_volume(cell.lower, cell.upper, dimension) > 0;
    const double around = box_volume(census.lower, census.upper, dimension);
    double share = around > 0 ? census.volume / around : 0;
    // scree_measure_solid leaves out bodies outside of the world's box
    if (census.volume > 0 && (has_box ? scree_measure_solid(world, NULL, &share) == SCREE_OK : around > 0))
        printf("filled     %.3g of the %s of the %s\n", share, dimension == 2 ? "area" : "volume",
               has_box ? "world's box" : "bounding box of all bodies");
    printf("walls      %zu\n", scree_wall_count(world));
}

// Prints one side of the pair that limits the time step.
static void print_side(const struct scree_world *world, const struct scree_limit *limit, int side)
{
    const char *material = scree_material_name(world, limit->material[side]);
    if (limit->body[side].value > 0)
        printf("body %llu (", (unsigned long long)limit->body[side].value);
    else if (side == 1 && limit->wall.value > 0)
        printf("wall %llu (", (unsigned long long)limit->wall.value);
    else
        printf(limit->radius[side] > 0 ? "a body (" : "a wall (");
    printf("%s", material ? material : "no material");
    if (limit->radius[side] > 0)
        printf(", radius %g m", limit->radius[side]);
    printf(")");
}

// Prints the time step and what limits it.
static void print_step(const struct scree_world *world, double step, const struct scree_limit *limit)
{
    const char *material = scree_material_name(world, limit->material[0]);
    printf("time step  %g s", step);
    // `stable` is that of contacts, which is larger than the step that elastic waves allow
    if (limit->stable < (double)INFINITY && limit->kind != SCREE_LIMIT_WAVE)
        printf("; stable up to %g s", limit->stable);
    printf("\n");
    if (limit->kind == SCREE_LIMIT_CONTACT || limit->kind == SCREE_LIMIT_IMPACT) {
        printf("           limited by ");
        print_side(world, limit, 0);
        printf(limit->kind == SCREE_LIMIT_CONTACT ? " in contact with " : " if it hits ");
        print_side(world, limit, 1);
        if (limit->kind == SCREE_LIMIT_IMPACT)
            printf(" at %.3g m/s", limit->speed);
        printf("\n");
    } else if (limit->kind == SCREE_LIMIT_WAVE) {
        printf("           limited by elastic waves in the smallest body of %s\n", material ? material : "?");
    } else if (limit->kind == SCREE_LIMIT_DISPLACEMENT) {
        printf("           limited by the displacement per step, relative to the size of the body\n");
    }
}

static void print_bytes(double bytes)
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB", "PB"};
    size_t u = 0;
    for (; u < 5 && bytes >= 1000; ++u)
        bytes /= 1000;
    printf("%.3g %s", bytes, unit[u]);
}

static void print_seconds(double seconds)
{
    if (seconds < 120)
        printf("%.2g s", seconds);
    else if (seconds < 7200)
        printf("%.0f min", seconds / 60);
    else if (seconds < 172800)
        printf("%.1f h", seconds / 3600);
    else
        printf("%.1f days", seconds / 86400);
}

static void print_trial(const struct scree_forecast *trial, size_t bodies)
{
    // an automatic time step can become smaller during the run; only a given number of steps is an upper
    // bound
    const char *about = trial->whole ? "" : trial->grows ? "more than " : "about ";
    const char *steps = trial->whole || (trial->counted && !trial->may_stop) ? ""
                        : trial->counted                                     ? "at most "
                                                                             : "about ";
    if (trial->arrivals > 0)
        printf("inserted   about %.3g bodies, if there is space for all\n", trial->arrivals);
    printf("contacts   %zu at the end of the trial run\n", trial->contacts);
    printf("memory     ");
    print_bytes(trial->memory);
    if (bodies > 1000) {
        printf(", or ");
        print_bytes(trial->memory / (double)bodies);
        printf(" per body");
    }
    printf("\ndisk       %s", about);
    print_bytes(trial->bytes);
    printf("\nrun        %s%.3g steps at %.3g steps/s: %s", steps, trial->steps, trial->rate, about);
    print_seconds(trial->seconds);
    printf(trial->may_stop && !trial->whole ? "; less if a stop condition ends a stage early\n" : "\n");
}

static int print_scene(struct scree_scene *scene)
{
    if (scree_scene_print(scene, scree_cli_write, stdout) == SCREE_OK)
        return SCREE_CLI_OK;
    scree_load_report(scene, ".", SCREE_ERROR_STATE);
    return SCREE_CLI_FAILED;
}

// Prints the initial state. Runs one step, to report errors that would end the run immediately.
static scree_status print_world(struct scree_world *world, struct scree_engine *engine)
{
    struct scree_limit limit;
    double step;
    print_bodies(world);
    // without bodies nothing limits the step; inserted bodies will
    if (scree_body_count(world) == 0) {
        if (scree_soft_step(engine, &step) == SCREE_OK)
            printf("time step  %g s\n", step);
        return SCREE_OK;
    }
    scree_status status = scree_soft_limit(engine, &limit);
    if (status == SCREE_OK)
        status = scree_engine_run(engine, 1);
    if (status == SCREE_OK)
        status = scree_soft_step(engine, &step);
    if (status == SCREE_OK)
        print_step(world, step, &limit);
    return status;
}

static int check_scene(const struct scree_cli_line *line, struct scree_scene *scene, int threads)
{
    struct scree_world *world;
    struct scree_engine *engine;
    struct scree_forecast trial;
    struct scree_scene_stage stage;
    const bool print = scree_cli_has(line, "print"), quick = scree_cli_has(line, "quick");
    const bool no_stages = !print && !quick && !scree_scene_stage_at(scene, 0, &stage);
    const long before = scree_forecast_resident();
    const scree_status built = scree_scene_build(scene, threads, &world, &engine);
    if (built != SCREE_OK) {
        // adds the diagnostic of the missing stages to the others
        if (no_stages && built == SCREE_ERROR_ARGUMENT)
            (void)!scree_scene_run(scene, NULL, NULL);
        scree_load_report(scene, ".", built);
        return SCREE_CLI_FAILED;
    }
    const size_t bodies = scree_body_count(world);
    const scree_status status = print ? SCREE_OK : print_world(world, engine);
    const size_t contacts = scree_contact_count(world);
    if (status != SCREE_OK)
        fprintf(stderr, "scree: %s\n", scree_status_message());
    scree_engine_destroy(engine);
    scree_world_destroy(world);
    if (status != SCREE_OK)
        return SCREE_CLI_FAILED;
    if (print)
        return print_scene(scene);
    if (quick) {
        printf("contacts   %zu after one step\n", contacts);
        return SCREE_CLI_OK;
    }
    fflush(stdout);
    if (!scree_forecast_make(scene, threads, before, &trial))
        return SCREE_CLI_FAILED;
    print_trial(&trial, bodies);
    return SCREE_CLI_OK;
}

int scree_cli_check(const struct scree_cli_line *line)
{
    struct scree_scene *scene;
    int threads, status = scree_load_scene(line, &scene, &threads);
    if (status == SCREE_CLI_OK)
        status = check_scene(line, scene, threads);
    scree_scene_free(scene);
    return status;
}
