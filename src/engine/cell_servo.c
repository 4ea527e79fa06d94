// The servo of a cell in a step, see include/scree/cell.h: sets entries of the velocity gradient such that
// components of the stress reach their targets, by the rule of all servos (engine/servo_rule.h).
//
// The stress is that of the last evaluation of all contacts, from sums over bodies (contact/across.h), with
// the kinetic part of fluctuations; compression is positive. The stiffness of a component is that of the
// contacts for an affine strain,
//   K = 1/V sum of r_j^2 (k_n n_i^2 + k_t (1 - n_i^2))
// for the entry i, j with branch vectors r and normals n; packings yield, so they are not stiffer. In a gas
// the kinetic part answers too, and the stress is averaged (docs/theory/deforming-cell.md).
//
// Invariant: an update depends on the state only, and sums are independent of order.

#include "engine/cell_servo.h"

#include "base/sum.h"
#include "contact/across.h"
#include "contact/stiffness.h"
#include "contact/walk.h"
#include "engine/servo_rule.h"
#include "law/prepare.h"
#include "math/real.h"
#include "world/body.h"
#include "world/cell_servo.h"
#include "world/grain.h"

#define TRANSPOSED(k) ((k) % 3 * 3 + (k) / 3)

enum { ENTRIES = 9, ISOTROPIC = ENTRIES, SUMS };

// --- stress

enum { KINETIC = 6 };
static const int kinetic_entry[KINETIC] = {0, 4, 8, 1, 2, 5}; // of the upper triangle

struct sums {
    const struct scree_force_moment *force; // of contacts; null: contact forces are all forces of the bodies
    struct scree_sum contact[ENTRIES], kinetic[KINETIC], momentum[3], mass;
};

// Of the whole cell; compression positive, symmetric.
struct stress {
    double contact[ENTRIES], kinetic[ENTRIES];
    double density; // mass of the bodies per volume of the cell
};

static void add_bodies(const struct scree_world *world, size_t first, size_t count,
                       const struct scree_on_step *motion, void *user)
{
    struct sums *sums = (struct sums *)user;
    const struct scree_vec3 corner = scree_vec3_load(scree_world_cell(world)->lower);
    double contact[ENTRIES][SCREE_WALK_BLOCK], kinetic[KINETIC][SCREE_WALK_BLOCK];
    double momentum[3][SCREE_WALK_BLOCK], mass[SCREE_WALK_BLOCK];
    for (size_t i = 0; i < count; ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[first + i];
        const double *force =
            sums->force ? sums->force[first + i].force : scree_world_wrenches(world)[first + i].force;
        double x[3], w[3];
        scree_vec3_store(scree_vec3_sub(scree_vec3_load(grain->position), corner), x);
        scree_vec3_store(scree_body_fluctuation(world, grain, motion[i].velocity), w);
        mass[i] = grain->mass;
        for (int k = 0; k < ENTRIES; ++k)
            contact[k][i] = force[k / 3] * x[k % 3];
        for (int k = 0; k < 3; ++k)
            momentum[k][i] = grain->mass * w[k];
        for (int k = 0; k < KINETIC; ++k)
            kinetic[k][i] = grain->mass * w[kinetic_entry[k] / 3] * w[kinetic_entry[k] % 3];
    }
    scree_sum_add_all(&sums->mass, mass, count);
    for (int k = 0; k < ENTRIES; ++k)
        scree_sum_add_all(&sums->contact[k], contact[k], count);
    for (int k = 0; k < 3; ++k)
        scree_sum_add_all(&sums->momentum[k], momentum[k], count);
    for (int k = 0; k < KINETIC; ++k)
        scree_sum_add_all(&sums->kinetic[k], kinetic[k], count);
}

// A wall pushes at the contact, not at the centre of the body.
static void subtract_wall(const struct scree_walk_item *item, void *user)
{
    struct sums *sums = (struct sums *)user;
    const double *corner = scree_world_cell(item->world)->lower;
    for (int k = 0; k < ENTRIES && !item->side[1]; ++k)
        scree_sum_add(&sums->contact[k], -item->force[k / 3] * (item->point[k % 3] - corner[k % 3]));
}

static scree_status measure_stress(struct scree_world *world, double volume, struct stress *stress)
{
    const struct scree_lattice *lattice = scree_world_lattice(world);
    struct sums sums = {.force = scree_world_contact_forces(world)};
    double across[ENTRIES], whole[ENTRIES];
    SCREE_TRY(scree_walk_blocks(world, add_bodies, &sums));
    if (scree_world_entity(world, SCREE_ENTITY_WALL)->count > 0)
        SCREE_TRY(scree_walk_forces(world, subtract_wall, &sums));
    scree_lattice_store(scree_mat3_product(scree_lattice_load(lattice->across),
                                           scree_mat3_transpose(scree_lattice_load(lattice->vectors))),
                        across);
    for (int k = 0; k < ENTRIES; ++k)
        whole[k] = (scree_sum_value(&sums.contact[k]) - across[k]) / volume;
    for (int k = 0; k < ENTRIES; ++k)
        stress->contact[k] = 0.5 * (whole[k] + whole[TRANSPOSED(k)]);
    // a motion that all bodies have in common is no stress, as in scree_measure_kinetic_stress
    const double mass = scree_sum_value(&sums.mass);
    for (int k = 0; k < KINETIC; ++k) {
        const int i = kinetic_entry[k];
        const double common =
            mass > 0 ? scree_sum_value(&sums.momentum[i / 3]) * scree_sum_value(&sums.momentum[i % 3]) / mass
                     : 0;
        stress->kinetic[i] = stress->kinetic[TRANSPOSED(i)] =
            (scree_sum_value(&sums.kinetic[k]) - common) / volume;
    }
    stress->density = mass / volume;
    return SCREE_OK;
}

// --- grains that move

// Grains that move give the stress of single collisions, which fluctuates, and answer to a rate only with
// later collisions. So stresses are averaged, and the drag is such that they are near their targets in a few
// times this time. In a packing both are negligible.
struct agitation {
    double stiffness[SUMS];
    double drag;  // Pa s
    double delay; // of the mean stress, s
    double share; // of the kinetic part in the pressure
};

// The delay in times in which a grain moves by its diameter; the drag for a loop without oscillations.
// With a smaller share than the last one contacts last, and give a packing its stiffness.
static const double crossings = 4, drag_ratio = 12, dense_share = 0.05;

static double trace(const double stress[ENTRIES])
{
    return stress[0] + stress[4] + stress[8];
}

static struct agitation agitation_of(const struct scree_world *world, const struct scree_cell_servo *servo,
                                     const struct stress *stress)
{
    struct agitation agitation = {.drag = 0};
    const bool newton = scree_world_lattice(world)->form == SCREE_CELL_NEWTON;
    const double pressure = trace(stress->kinetic) / world->dimension;
    if (!(pressure > 0))
        return agitation;
    // of grains that do not collide, for an affine strain
    for (int k = 0; k < ENTRIES; ++k)
        agitation.stiffness[k] = k % 4 == 0 ? (newton ? 3 : 1) * stress->kinetic[k]
                                 : newton   ? stress->kinetic[k % 3 * 4]
                                            : 0;
    agitation.stiffness[ISOTROPIC] = (world->dimension + (newton ? 2 : 0)) * pressure;
    const double crossing = servo->diameter / sqrt(pressure / stress->density);
    double contacts = 0;
    for (int k = 0; k < ENTRIES; k += 4)
        contacts += fabs(servo->mean[k] - stress->kinetic[k]) / world->dimension;
    agitation.share = pressure / (pressure + contacts);
    agitation.delay = crossings * agitation.share * agitation.share * crossing;
    agitation.drag =
        drag_ratio * crossings * pressure * crossing * scree_real_min(1, agitation.share / dense_share);
    return agitation;
}

// Fails if nothing can bear what is wanted: the cell would shrink or grow without end.
static scree_status check_bearing(const struct scree_world *world, const struct scree_cell_servo *servo,
                                  const struct stress *stress)
{
    static const char *const names[ENTRIES] = {"xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"};
    bool any = false;
    for (int k = 0; k < ENTRIES; ++k)
        any = any || stress->contact[k] != 0;
    for (int k = 0; k < ENTRIES && !any; ++k) {
        if (!(servo->controlled >> k & 1) || servo->stress[k] == 0)
            continue;
        if (scree_world_bodies(world) == 0)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the servo of the cell wants a stress %s of %g Pa, but there are no "
                                     "bodies that could bear it: add bodies first",
                                     names[k], servo->stress[k]);
        if (k % 4 == 0 && servo->stress[k] < 0)
            return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                     "the servo of the cell wants a stress %s of %g Pa, a tension, but no "
                                     "bodies touch: the cell would grow without end; compression is "
                                     "positive, and tension needs bonds or cohesion",
                                     names[k], servo->stress[k]);
    }
    return SCREE_OK;
}

// --- stiffness

struct stiffness {
    double speed; // at which dashpots are evaluated, m/s
    struct scree_sum spring[SUMS], dashpot[SUMS];
};

// Adds a spring or dashpot with these normal and tangential constants to the sums of all entries.
static void add_spring(double normal, double tangential, const double *n, const double *r,
                       struct scree_sum *sum)
{
    double square = 0, along = 0;
    for (int i = 0; i < 3; ++i) {
        square += r[i] * r[i];
        along += n[i] * r[i];
        for (int j = 0; j < 3; ++j)
            scree_sum_add(&sum[3 * i + j],
                          r[j] * r[j] * (normal * n[i] * n[i] + tangential * (1 - n[i] * n[i])));
    }
    scree_sum_add(&sum[ISOTROPIC], normal * along * along + tangential * (square - along * along));
}

static void add_contact(const struct scree_walk_item *item, void *user)
{
    struct stiffness *stiffness = (struct stiffness *)user;
    const struct scree_evaluated *evaluated = item->evaluated;
    add_spring(evaluated->stiffness[0], evaluated->stiffness[1], item->normal, item->branch,
               stiffness->spring);
    const struct scree_stiffness_contact contact = {
        .overlap = evaluated->overlap,
        .radius = evaluated->radius,
        .mass = evaluated->mass,
        .arm = {evaluated->arm[0], evaluated->arm[1]},
        .speed = stiffness->speed,
        .normal_speed_squared = stiffness->speed * stiffness->speed,
        .tangential_ratio = scree_law_tangential_share(item->world->dimension)};
    struct scree_stiffness_damping damping;
    if (evaluated->class && scree_stiffness_of_contact(evaluated->class, &contact, NULL, 1, &damping))
        add_spring(damping.dashpot.normal, damping.dashpot.tangential, item->normal, item->branch,
                   stiffness->dashpot);
}

static double norm(const double v[ENTRIES])
{
    double square = 0;
    for (int k = 0; k < ENTRIES; ++k)
        square += v[k] * v[k];
    return sqrt(square);
}

// Measures stiffnesses and dashpots if they may have changed.
static scree_status keep_measured(const struct scree_world *world, struct scree_cell_servo *servo,
                                  double volume)
{
    const uint64_t step = scree_world_clock(world)->steps;
    const double stress = norm(servo->mean);
    if (servo->reference_stress > 0 && !scree_servo_rule_has_changed(stress, servo->reference_stress) &&
        step - servo->reference_step < SCREE_SERVO_RULE_LARGEST_AGE * servo->every)
        return SCREE_OK;
    servo->diameter = scree_body_mean(world).diameter;
    struct stiffness stiffness = {.speed = servo->largest * servo->diameter};
    SCREE_TRY(scree_walk_forces(world, add_contact, &stiffness));
    for (int k = 0; k < ENTRIES; ++k) {
        servo->stiffness[k] = scree_sum_value(&stiffness.spring[k]) / volume;
        servo->dashpots[k] = scree_sum_value(&stiffness.dashpot[k]) / volume;
    }
    servo->isotropic_stiffness = scree_sum_value(&stiffness.spring[ISOTROPIC]) / (world->dimension * volume);
    servo->isotropic_dashpots = scree_sum_value(&stiffness.dashpot[ISOTROPIC]) / (world->dimension * volume);
    servo->reference_stress = stress;
    servo->reference_step = step;
    return SCREE_OK;
}

// --- rates

// Without a given largest rate the strain is quasi-static: the inertial number rate d (density / p)^(1/2) is
// at most 1e-3, for the largest target p so far (GDR MiDi, Eur. Phys. J. E 14, 341, 2004).
static const double default_inertial_number = 1e-3;

static void raise_largest(const struct scree_world *world, struct scree_cell_servo *servo)
{
    const struct scree_body_mean bodies = scree_body_mean(world);
    if (bodies.density > 0)
        servo->largest =
            scree_real_max(servo->largest,
                           default_inertial_number * sqrt(servo->highest / bodies.density) / bodies.diameter);
}

// A steady rate is learnt more slowly where the answer takes many updates.
static void set_drag(struct scree_servo_rule_state *state, const struct agitation *agitation,
                     double stiffness, double dashpots)
{
    state->drag = stiffness + dashpots + agitation->drag;
    state->learns =
        SCREE_SERVO_RULE_LEARNS * (agitation->drag > 0 ? stiffness / (stiffness + agitation->drag) : 1);
}

// One common rate for the controlled entries of the diagonal, from the means of their stresses.
static void choose_common(struct scree_cell_servo *servo, const struct scree_servo_rule *rule,
                          const struct agitation *agitation, double duration)
{
    struct scree_servo_rule_state state = {0};
    set_drag(&state, agitation, (servo->isotropic_stiffness + agitation->stiffness[ISOTROPIC]) * duration,
             servo->isotropic_dashpots);
    int count = 0, first = 0;
    for (int k = 0; k < ENTRIES; k += 4)
        if (servo->controlled >> k & 1) {
            state.target += servo->stress[k];
            state.measured += servo->mean[k];
            state.kept = servo->isotropic_dashpots * -servo->rate[k];
            first = count == 0 ? k : first;
            ++count;
        }
    state.target /= count;
    state.measured /= count;
    struct scree_servo_rule_steady steady = {servo->steady[first], servo->error[first]};
    const double compression = scree_servo_rule_rate(rule, &state, &steady);
    for (int k = 0; k < ENTRIES; k += 4)
        if (servo->controlled >> k & 1) {
            servo->rate[k] = 0 - compression;
            servo->steady[k] = steady.rate;
            servo->error[k] = steady.error;
        }
}

// Whether the entry has a rate of its own.
static bool is_alone(const struct scree_cell_servo *servo, int k)
{
    return servo->controlled >> k & 1 && !(servo->common && k % 4 == 0);
}

// How far the magnitude of a stress is beyond what is wanted; negative if it is below.
static double excess(const struct scree_cell_servo *servo, int k)
{
    const double wanted = servo->stress[k], measured = servo->mean[k];
    return wanted < 0 ? wanted - measured : measured - wanted;
}

// An entry that is loaded, whose stress is far below what is wanted, raises the stresses of others, which
// give way with a rate that they have to learn. So loading slows down while another stress is beyond what is
// wanted. Both limits are parts of the largest wanted stress; stresses that are held scatter between them,
// those of a gas more. A constant wanted stress that has been reached once is held, not loaded: in a flow
// other stresses are beyond what is wanted all the time.
static const double far_below = 0.02, beyond = 0.0025, slower = 0.9, faster = 1.02, slowest = 1.0 / 8;

static void set_pace(struct scree_cell_servo *servo, double largest)
{
    double most = 0;
    for (int k = 0; k < ENTRIES; ++k)
        most = is_alone(servo, k) ? scree_real_max(most, excess(servo, k)) : most;
    servo->pace *= most > beyond * largest ? slower : faster;
    servo->pace = scree_real_max(slowest, scree_real_min(servo->pace, 1));
}

static void choose(struct scree_cell_servo *servo, const struct scree_servo_rule *common_rule,
                   const struct agitation *agitation, double duration)
{
    double largest = 0;
    for (int k = 0; k < ENTRIES; ++k)
        largest = is_alone(servo, k) ? scree_real_max(largest, fabs(servo->stress[k])) : largest;
    set_pace(servo, largest);
    const double far = scree_real_max(far_below, agitation->share);
    for (int k = 0; k < ENTRIES; ++k) {
        if (!is_alone(servo, k))
            continue;
        struct scree_servo_rule rule = *common_rule;
        const bool below = excess(servo, k) < -far * largest;
        if (!below && !servo->by_function)
            servo->reached |= UINT64_C(1) << k;
        rule.largest *= below && !(servo->reached >> k & 1) ? servo->pace : 1;
        struct scree_servo_rule_state state = {.target = servo->stress[k],
                                               .measured = servo->mean[k],
                                               .kept = servo->dashpots[k] * -servo->rate[k]};
        set_drag(&state, agitation, (servo->stiffness[k] + agitation->stiffness[k]) * duration,
                 servo->dashpots[k]);
        struct scree_servo_rule_steady steady = {servo->steady[k], servo->error[k]};
        servo->rate[k] = 0 - scree_servo_rule_rate(&rule, &state, &steady);
        servo->steady[k] = steady.rate;
        servo->error[k] = steady.error;
    }
    if (servo->common)
        choose_common(servo, common_rule, agitation, duration);
}

// The mean stress over about `delay`.
static void add_to_mean(struct scree_cell_servo *servo, double duration, double delay)
{
    servo->averaged = scree_real_min(servo->averaged, delay) + duration;
    for (int k = 0; k < ENTRIES; ++k)
        servo->mean[k] += duration / servo->averaged * (servo->measured[k] - servo->mean[k]);
}

scree_status scree_cell_servo_act(struct scree_soft *soft)
{
    struct scree_world *world = soft->world;
    const struct scree_clock *clock = scree_world_clock(world);
    struct scree_cell_servo *servo = scree_world_cell_servo(world);
    struct stress stress;
    if (!servo || servo->controlled == 0 || clock->steps % servo->every != 0)
        return SCREE_OK;
    const double volume = scree_mat3_determinant(scree_lattice_load(scree_world_lattice(world)->vectors));
    const double duration = (double)servo->every * clock->step;
    SCREE_TRY(scree_cell_servo_check_walls(world));
    SCREE_TRY(scree_cell_servo_set_targets(world, clock->time));
    for (int k = 0; k < ENTRIES; ++k)
        if (servo->controlled >> k & 1)
            servo->highest = scree_real_max(servo->highest, fabs(servo->stress[k]));
    if (servo->rate_limit == 0 && (servo->largest == 0 || servo->by_function))
        raise_largest(world, servo);
    SCREE_TRY(measure_stress(world, volume, &stress));
    for (int k = 0; k < ENTRIES; ++k)
        servo->measured[k] = stress.contact[k] + stress.kinetic[k];
    SCREE_TRY(check_bearing(world, servo, &stress));
    // at the first update
    if (!(servo->reference_stress > 0))
        memcpy(servo->mean, servo->measured, sizeof servo->mean);
    SCREE_TRY(keep_measured(world, servo, volume));
    const struct agitation agitation = agitation_of(world, servo, &stress);
    add_to_mean(servo, duration, agitation.delay);
    const struct scree_servo_rule rule = {
        .gain = servo->gain, .tolerance = servo->tolerance, .largest = servo->largest};
    choose(servo, &rule, &agitation, duration);
    return SCREE_OK;
}
