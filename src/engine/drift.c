// After a drift, see drift.h. Bodies are checked four at a time. The few that have just left the cell are
// wrapped one by one.

#include "engine/drift.h"

#include "world/cell_servo.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { GROUP = 4 };

#define DRIFT_INLINE static inline __attribute__((always_inline))

static struct scree_vec3 column(struct scree_mat3 m, int k)
{
    const struct scree_mat3 columns = scree_mat3_transpose(m);
    return k == 0   ? scree_mat3_row_x(columns)
           : k == 1 ? scree_mat3_row_y(columns)
                    : scree_mat3_row_z(columns);
}

static void store_columns(struct scree_mat3 m, double to[3][4])
{
    for (int k = 0; k < 3; ++k) {
        scree_vec3_store(column(m, k), to[k]);
        to[k][3] = 0;
    }
}

// The cell at the end of a step, as scree_cell_advance makes it.
static struct scree_cell_lattice lattice_after(const struct scree_world *world, double h)
{
    const struct scree_mat3 vectors = scree_lattice_load(scree_world_lattice(world)->vectors),
                            gradient = scree_lattice_load(scree_world_lattice(world)->coming);
    struct scree_cell_lattice after = {.corner = scree_vec3_load(scree_world_cell(world)->lower)};
    after.half = scree_mat3_product(scree_lattice_rate(gradient, h), vectors);
    after.vectors = scree_mat3_add_scaled(vectors, h, after.half);
    after.inverse = scree_lattice_inverse(after.vectors, scree_world_open_axes(world));
    after.full = scree_mat3_product(scree_lattice_load(scree_world_lattice(world)->end), after.vectors);
    return after;
}

static bool any_rigid(const struct scree_world *world)
{
    bool found = false;
    for (size_t i = 0; i < scree_world_bodies(world) && !found; ++i)
        found = scree_world_grains(world)[i].kind == SCREE_KIND_RIGID;
    return found;
}

scree_status scree_drift_check(const struct scree_world *world, const struct scree_motion_scheme *translation,
                               const struct scree_motion_scheme *rotation)
{
    if (!scree_world_lattice(world))
        return SCREE_OK;
    if (!translation->flow)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "the scheme of translation '%s' cannot move bodies in a cell with cell "
                                 "vectors: use '%s'",
                                 translation->name, scree_velocity_verlet.name);
    if (!rotation->flow && any_rigid(world))
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "the scheme of rotation '%s' cannot move bodies in a cell with cell vectors: "
            "use '%s'",
            rotation->name, scree_splitting.name);
    return scree_cell_check_lattice(world, !world->pending_step || world->outdated);
}

scree_status scree_drift_check_strain(const struct scree_world *world, double h)
{
    const double largest = SCREE_DRIFT_STRAIN;
    const struct scree_lattice *lattice = scree_world_lattice(world);
    const double strain = lattice ? h * scree_lattice_norm(scree_lattice_load(lattice->coming)) : 0;
    if (strain <= largest)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "the velocity gradient of the cell has a norm of %g 1/s, and a step of %g s would "
        "strain the cell by %g: at most %g is allowed, so take steps of at most %g s%s",
        strain / h, h, strain, largest, largest / strain * h,
        scree_world_cell_servo(world) ? ", or let the servo have a smaller `largest-rate`" : "");
}

scree_status scree_drift_prepare(struct scree_world *world, double h)
{
    SCREE_TRY(scree_cell_begin_step(world, h));
    return scree_drift_check_strain(world, h);
}

static void store_gradient(struct scree_mat3 gradient, struct scree_motion_gradient *to)
{
    store_columns(gradient, to->column);
    scree_vec3_store(scree_lattice_spin(gradient), to->spin);
    to->spin[3] = 0;
}

static bool is_zero(double x)
{
    return x == 0 && !signbit(x);
}

// The rows of a matrix that are +0, but for `diagonal` on the diagonal.
static unsigned rows_of(const double (*columns)[4], double diagonal)
{
    unsigned rows = 0;
    for (int k = 0; k < 3; ++k) {
        bool same = true;
        for (int j = 0; j < 3; ++j)
            same = same && (j == k && diagonal != 0 ? columns[j][k] == diagonal : is_zero(columns[j][k]));
        rows |= same ? 1u << k : 0;
    }
    return rows;
}

static void find_simple_rows(struct scree_motion_flow *flow)
{
    flow->zero.before = rows_of((const double(*)[4])flow->before.column, 0);
    flow->zero.now = rows_of((const double(*)[4])flow->now.column, 0);
    flow->zero.middle = rows_of((const double(*)[4])flow->middle.column, 0);
    flow->zero.end = rows_of((const double(*)[4])flow->end.column, 0);
    flow->unit = rows_of((const double(*)[4])flow->forward, 1);
    for (int k = 0; k < 3; ++k) {
        const double *row = flow->inverse[k];
        flow->zero.spin |= is_zero(flow->before.spin[k]) && is_zero(flow->now.spin[k]) ? 1u << k : 0;
        flow->alone |= row[(k + 1) % 3] == 0 && row[(k + 2) % 3] == 0 ? 1u << k : 0;
    }
}

void scree_drift_flow(const struct scree_world *world, double h, double last, struct scree_motion_flow *flow)
{
    const struct scree_lattice *lattice = scree_world_lattice(world);
    const struct scree_mat3 now = scree_lattice_load(lattice->gradient),
                            middle = scree_lattice_load(lattice->coming),
                            end = scree_lattice_load(lattice->end);
    const struct scree_mat3 inverse = lattice_after(world, h).inverse;
    memset(flow, 0, sizeof *flow);
    scree_vec3_store(scree_vec3_load(scree_world_cell(world)->lower), flow->corner);
    store_gradient(scree_lattice_load(lattice->middle), &flow->before);
    store_gradient(now, &flow->now);
    store_gradient(middle, &flow->middle);
    store_gradient(end, &flow->end);
    flow->steady = memcmp(flow->middle.column, flow->now.column, sizeof flow->now.column) == 0;
    store_columns(scree_lattice_forward(middle, h), flow->forward);
    flow->newton = lattice->form == SCREE_CELL_NEWTON;
    store_columns(scree_lattice_forward(now, -last), flow->into_now);
    store_columns(scree_mat3_add_scaled(scree_mat3_identity(), -0.5 * h, now), flow->out_of_now);
    store_columns(scree_lattice_forward(end, -h), flow->into_end);
    scree_vec3_store(scree_mat3_row_x(inverse), flow->inverse[0]);
    scree_vec3_store(scree_mat3_row_y(inverse), flow->inverse[1]);
    scree_vec3_store(scree_mat3_row_z(inverse), flow->inverse[2]);
    find_simple_rows(flow);
}

struct scree_drift scree_drift_begin(const struct scree_world *world, double limit,
                                     const struct scree_motion_step *step)
{
    const struct scree_cell *cell = scree_world_cell(world);
    struct scree_drift drift = {.square_limit = limit * limit * (1 - 1e-12),
                                .periodic = scree_cell_is_periodic(world) || step->flow,
                                .flow = step->flow,
                                .half_step = 0.5 * step->h};
    if (step->flow)
        drift.lattice = lattice_after(world, step->h);
    for (int k = 0; k < 4; ++k) {
        const bool periodic = k < 3 && cell->period[k] > 0;
        drift.lower[k] = periodic ? cell->lower[k] : -DBL_MAX;
        drift.upper[k] = periodic ? cell->upper[k] : (double)INFINITY;
        drift.period[k] = periodic ? cell->period[k] : (double)INFINITY;
    }
    return drift;
}

// Wraps the bodies of a group that are outside. Returns false if one of them cannot be wrapped.
static bool wrap(const struct scree_drift *drift, struct scree_grain *grain, struct scree_image *image,
                 size_t count)
{
    bool valid = true;
    for (size_t i = 0; i < count && drift->flow; ++i)
        valid = scree_cell_enter(&drift->lattice, &grain[i], &image[i], true) && valid;
    if (drift->flow)
        return valid;
    for (size_t i = 0; i < count; ++i)
        for (int k = 0; k < 3; ++k) {
            double *x = &grain[i].position[k];
            // along a non-periodic axis only values that are not finite are outside
            if (!(*x >= drift->lower[k] && *x < drift->upper[k]))
                valid = image &&
                        scree_cell_wrap_coordinate(drift->lower[k], drift->upper[k], drift->period[k], x,
                                                   &image[i].count[k]) &&
                        valid;
        }
    return valid;
}

DRIFT_INLINE scree_lanes_mask inside(const struct scree_drift *drift, const struct scree_grain *grain)
{
    const scree_lanes x = scree_lanes_load(grain->position);
    return (x >= scree_lanes_load(drift->lower)) & (x < scree_lanes_load(drift->upper));
}

// Squares of the components of the velocity, and in lane 3 of the radius.
DRIFT_INLINE scree_lanes squares(const struct scree_grain *grain)
{
    const scree_lanes components = __builtin_shufflevector(scree_lanes_load(grain->velocity),
                                                           scree_lanes_load(grain->position), 0, 1, 2, 7);
    return components * components;
}

struct result {
    scree_lanes fastest;
    scree_lanes_mask finite, far;
    bool valid;
};

// Squared speeds of a group, one body per lane after two shuffles.
DRIFT_INLINE void check_speeds(const struct scree_drift *drift, const struct scree_grain *grain,
                               struct result *result)
{
    const scree_lanes a = squares(grain), b = squares(grain + 1), c = squares(grain + 2),
                      d = squares(grain + 3);
    const scree_lanes ab = __builtin_shufflevector(a, b, 0, 4, 2, 6),
                      cd = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const scree_lanes ab_next = __builtin_shufflevector(a, b, 1, 5, 3, 7),
                      cd_next = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    const scree_lanes speed = __builtin_shufflevector(ab, cd, 0, 1, 4, 5) +
                              __builtin_shufflevector(ab_next, cd_next, 0, 1, 4, 5) +
                              __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    const scree_lanes size = __builtin_shufflevector(ab_next, cd_next, 2, 3, 6, 7);
    result->fastest = scree_lanes_select(speed > result->fastest, speed, result->fastest);
    result->finite &= speed < scree_lanes_all((double)INFINITY);
    result->far |= (speed > scree_lanes_all(drift->square_limit) * size) & (size > scree_lanes_all(0));
}

DRIFT_INLINE void check_group(const struct scree_drift *drift, struct scree_grain *grain,
                              struct scree_image *image, size_t count, struct result *result)
{
    const scree_lanes_mask all =
        inside(drift, grain) & inside(drift, grain + 1) & inside(drift, grain + 2) & inside(drift, grain + 3);
    if (!(all[0] & all[1] & all[2]))
        result->valid = wrap(drift, grain, image, count) && result->valid;
    check_speeds(drift, grain, result);
}

SCREE_MOTION_WIDE static double check_all(const struct scree_drift *drift, struct scree_grain *grain,
                                          struct scree_image *image, size_t count, bool *far)
{
    struct result result = {{0, 0, 0, 0}, {-1, -1, -1, -1}, {0, 0, 0, 0}, true};
    size_t i = 0;
    for (; i + GROUP <= count; i += GROUP)
        check_group(drift, grain + i, image ? image + i : NULL, GROUP, &result);
    if (i < count) {
        // the last bodies, in a group padded with copies of one of them
        struct scree_grain rest[GROUP];
        for (size_t g = 0; g < GROUP; ++g)
            rest[g] = grain[i + g < count ? i + g : i];
        check_group(drift, rest, image ? image + i : NULL, count - i, &result);
        memcpy(grain + i, rest, (count - i) * sizeof *rest);
    }
    double largest = 0;
    for (size_t g = 0; g < GROUP; ++g) {
        largest = result.fastest[g] > largest ? result.fastest[g] : largest;
        result.valid = result.valid && result.finite[g];
        *far = *far || result.far[g];
    }
    return result.valid ? largest : (double)NAN;
}

// Square of the fluctuation of the velocity of a body that has moved, see struct scree_motion_flow.
static double fluctuation(const struct scree_drift *drift, const struct scree_grain *grain)
{
    const scree_lanes v = scree_lanes_load(grain->velocity);
    const scree_lanes x = scree_lanes_load(grain->position) - scree_lanes_load(drift->flow->corner);
    const scree_lanes w =
        v - scree_motion_mapped(drift->flow->middle.column, x - scree_lanes_all(drift->half_step) * v);
    return w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
}

static double check_in_flow(const struct scree_drift *drift, struct scree_grain *grain,
                            struct scree_image *image, size_t count, bool *far)
{
    double largest = 0;
    bool valid = true;
    for (size_t i = 0; i < count; ++i) {
        const double square = fluctuation(drift, &grain[i]), radius = grain[i].radius;
        largest = square > largest ? square : largest;
        valid = valid && square < (double)INFINITY && wrap(drift, &grain[i], &image[i], 1);
        *far = *far || (square > drift->square_limit * (radius * radius) && radius > 0);
    }
    return valid ? largest : (double)NAN;
}

double scree_drift_speed(const struct scree_drift *drift, const struct scree_grain *grain)
{
    return sqrt(drift->flow ? fluctuation(drift, grain)
                            : scree_vec3_norm_squared(scree_vec3_load(grain->velocity)));
}

bool scree_drift_wrap(const struct scree_drift *drift, struct scree_grain *grain, struct scree_image *image)
{
    return wrap(drift, grain, drift->periodic ? image : NULL, 1);
}

double scree_drift_end(const struct scree_drift *drift, struct scree_grain *grain, struct scree_image *image,
                       size_t count, bool *far)
{
    return drift->flow ? check_in_flow(drift, grain, image, count, far)
                       : check_all(drift, grain, drift->periodic ? image : NULL, count, far);
}
