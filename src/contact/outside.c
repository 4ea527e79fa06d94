// Contacts from outside, see outside.h.

#include "contact/outside.h"

#include "convex/pair.h"
#include "shape/surface.h"
#include "world/grain.h"
#include "world/polyhedron.h"
#include "world/wall.h"

#include <math.h>
#include <string.h>

// --- sides

// Inverse inertia tensor of the owner of a grain, in world axes.
static struct scree_mat3 mobility_of(const struct scree_world *world, const struct scree_grain *own,
                                     struct scree_mat3 axes)
{
    const struct scree_rotor *rotors = scree_world_rotors(world);
    if ((own->flags & SCREE_FIX_SPIN) == SCREE_FIX_SPIN)
        return scree_mat3_diagonal(scree_vec3_zero());
    if (own->kind != SCREE_KIND_RIGID) {
        const double inverse = 1 / scree_grain_inertia(own, rotors ? &rotors[own->owner] : NULL);
        return scree_mat3_diagonal(scree_vec3_make(inverse, inverse, inverse));
    }
    const double *inertia = rotors[own->owner].inertia;
    return scree_mat3_rotate(
        axes, scree_mat3_diagonal(scree_vec3_make(1 / inertia[0], 1 / inertia[1], 1 / inertia[2])));
}

static struct scree_outside_side side_of(const struct scree_world *world, const struct scree_grain *grain)
{
    const struct scree_grain *own = &scree_world_grains(world)[grain->owner];
    struct scree_outside_side side = {.grain = grain, .axes = scree_mat3_identity()};
    if (own->kind == SCREE_KIND_RIGID)
        side.axes = scree_grain_axes(world, grain->owner);
    side.shape = grain->part == 0 ? scree_polyhedron_of(world, grain->owner) : NULL;
    side.mobility = mobility_of(world, own, side.axes);
    side.inverse_mass =
        (own->flags & SCREE_FIX_POSITION) == SCREE_FIX_POSITION ? 0 : 1 / own->mass;
    return side;
}

// --- touches

// A sphere is a point with its radius as rounding.
static struct scree_convex_body body_of(const struct scree_outside_side *side, struct scree_vec3 position)
{
    static struct scree_vec3 origin;
    static uint32_t no_neighbours[2];
    static const struct scree_convex point = {
        .dimension = 3, .vertices = 1, .vertex = &origin, .neighbour_first = no_neighbours};
    return (struct scree_convex_body){.shape = side->shape ? side->shape->hull : &point,
                                      .position = position,
                                      .rotation = side->axes,
                                      .rounding = side->shape ? side->shape->rounding : side->grain->radius};
}

static struct scree_vec3 nearest_image(const double *first, const double *second, const double period[3])
{
    double between[3];
    for (int k = 0; k < 3; ++k)
        between[k] = scree_kernel_nearest_image(first[k] - second[k], period[k]);
    return scree_vec3_load(between);
}

// Effective radius of two radii of curvature.
static double effective_radius(double a, double b)
{
    return a > 0 && b > 0 ? a * b / (a + b) : 0;
}

void scree_outside_find(const struct scree_world *world, const struct scree_grain *first,
                        const struct scree_grain *second, const double period[3], double *axis,
                        struct scree_outside_pair *pair)
{
    struct scree_convex_contact found[SCREE_OUTSIDE_MOST];
    pair->side[0] = side_of(world, first);
    pair->side[1] = side_of(world, second);
    pair->between = nearest_image(first->position, second->position, period);
    pair->count = 0;
    const double reach = first->radius + second->radius;
    if (!(scree_vec3_norm_squared(pair->between) < reach * reach))
        return;
    const struct scree_convex_body a = body_of(&pair->side[0], scree_vec3_zero()),
                                   b = body_of(&pair->side[1], scree_vec3_negate(pair->between));
    pair->radius = effective_radius(a.rounding, b.rounding);
    struct scree_vec3 direction = axis ? scree_vec3_load(axis) : scree_vec3_zero();
    const size_t count = scree_convex_contacts(&a, &b, &direction, found, SCREE_OUTSIDE_MOST);
    if (axis)
        scree_vec3_store(direction, axis);
    pair->count = count < SCREE_OUTSIDE_MOST ? count : SCREE_OUTSIDE_MOST;
    for (size_t n = 0; n < pair->count; ++n)
        pair->touch[n] = (struct scree_outside_touch){
            .normal = scree_vec3_negate(found[n].normal),
            .arm = {found[n].point, scree_vec3_add(found[n].point, pair->between)},
            .overlap = found[n].overlap,
            .weight = found[n].share,
            .feature = found[n].feature};
}

enum { VERTEX_BITS = 16 }; // of a feature; the others are the face of the wall

void scree_outside_find_wall(const struct scree_world *world, const struct scree_grain *first,
                             const struct scree_wall *wall, struct scree_outside_pair *pair)
{
    pair->side[0] = side_of(world, first);
    pair->side[1] = (struct scree_outside_side){.wall = wall};
    pair->between = scree_vec3_zero();
    pair->count = 0;
    const struct scree_shape *shape = pair->side[0].shape;
    pair->radius = shape->rounding;
    const struct scree_vec3 centre = scree_vec3_load(first->position);
    for (unsigned feature = 0; feature < scree_surface_features(wall); ++feature) {
        struct scree_surface_touch surface;
        scree_surface_touch(wall, feature, first->position, &surface);
        if (surface.gap >= shape->reach)
            continue;
        for (uint32_t v = 0; v < shape->hull->vertices && pair->count < SCREE_OUTSIDE_MOST; ++v) {
            double place[3];
            const struct scree_vec3 arm = scree_mat3_apply(pair->side[0].axes, shape->hull->vertex[v]);
            scree_vec3_store(scree_vec3_add(centre, arm), place);
            scree_surface_touch(wall, feature, place, &surface);
            const struct scree_vec3 normal = scree_vec3_load(surface.normal);
            const struct scree_vec3 point = scree_vec3_add_scaled(arm, -surface.gap, normal);
            if (surface.gap < shape->rounding)
                pair->touch[pair->count++] =
                    (struct scree_outside_touch){.normal = normal,
                                                 .arm = {point, scree_vec3_zero()},
                                                 .overlap = shape->rounding - surface.gap,
                                                 .weight = 1,
                                                 .feature = feature << VERTEX_BITS | v};
        }
    }
}

const char *scree_outside_wall_fault(const struct scree_wall *wall)
{
    const bool half_spaces = wall->shape == SCREE_WALL_PLANE ||
                             (wall->shape == SCREE_WALL_BOX && wall->side == SCREE_WALL_INSIDE);
    return half_spaces ? NULL : "polyhedra touch only planes, and boxes from inside";
}

// --- records

// Velocities of the surface of a side at a touch, mid-step and on-step.
struct motion {
    struct scree_vec3 half, full, half_spin, full_spin;
};

static struct scree_vec3 with_change(const double *value, const float *change)
{
    return scree_vec3_make(value[0] + (double)change[0], value[1] + (double)change[1],
                           value[2] + (double)change[2]);
}

// Mid-step velocities use the arm at t - h/2, correct to second order.
static struct motion motion_of(const struct scree_grain *grain, struct scree_vec3 arm, double h)
{
    const struct scree_vec3 spin = scree_vec3_load(grain->spin);
    const double time = grain->flags & SCREE_FLAG_SPIN_ON_STEP ? 0 : -0.5 * h;
    const struct scree_vec3 half_arm = scree_vec3_add_scaled(arm, time, scree_vec3_cross(spin, arm));
    struct motion motion = {.half_spin = spin, .full_spin = with_change(grain->spin, grain->half_twist)};
    motion.half = scree_vec3_add(scree_vec3_load(grain->velocity), scree_vec3_cross(spin, half_arm));
    motion.full = scree_vec3_add(with_change(grain->velocity, grain->half_kick),
                                 scree_vec3_cross(motion.full_spin, arm));
    return motion;
}

static struct motion motion_of_wall(const struct scree_wall *wall, struct scree_vec3 point,
                                    struct scree_vec3 normal)
{
    struct scree_wall_touch_motion middle, end;
    scree_wall_motion_mid_step(wall, point, normal, &middle);
    scree_wall_motion_on_step(wall, point, normal, &end);
    return (struct motion){middle.velocity, end.velocity, middle.spin, end.spin};
}

// Mobility of the contact point: velocity along a unit vector per unit of impulse along it, for the normal
// and as the mean of the tangential directions.
struct mobility {
    double normal, tangential;
};

static void add_mobility(const struct scree_outside_side *side, struct scree_vec3 arm,
                         struct scree_vec3 normal, struct mobility *mobility)
{
    const struct scree_vec3 twist = scree_vec3_cross(arm, normal);
    const double along = scree_vec3_dot(twist, scree_mat3_apply(side->mobility, twist));
    // sum over three axes e of (r x e) A (r x e)
    const double all = scree_vec3_norm_squared(arm) * scree_mat3_trace(side->mobility) -
                       scree_vec3_dot(arm, scree_mat3_apply(side->mobility, arm));
    mobility->normal += side->inverse_mass + along;
    mobility->tangential += side->inverse_mass + 0.5 * (all - along);
}

// Sets the effective masses. Two fixed sides have those of the first as if it were free.
static void set_masses(const struct scree_outside_pair *pair, const struct scree_outside_touch *touch,
                       struct scree_kernel_outside *record)
{
    struct mobility mobility = {0};
    for (int s = 0; s < 2 && pair->side[s].grain; ++s)
        add_mobility(&pair->side[s], touch->arm[s], touch->normal, &mobility);
    const bool moves = mobility.normal > 0 && mobility.tangential > 0;
    record->mass = moves ? 1 / mobility.normal : pair->side[0].grain->mass;
    record->tangential_ratio = moves ? mobility.normal / mobility.tangential : 1;
}

// The mid-step normal bisects the angle between the normals before and after the step.
static struct scree_vec3 half_normal_of(struct scree_vec3 normal, const double before[3])
{
    const struct scree_vec3 sum = scree_vec3_add(normal, scree_vec3_load(before));
    return scree_vec3_dot(normal, scree_vec3_load(before)) > 0 ? scree_vec3_normalise(sum) : normal;
}

void scree_outside_record(const struct scree_outside_pair *pair, const struct scree_outside_touch *touch,
                          const double before[3], double h, struct scree_kernel_outside *record)
{
    const struct scree_grain *first = pair->side[0].grain;
    const struct scree_vec3 point = scree_vec3_add(scree_vec3_load(first->position), touch->arm[0]);
    const struct motion a = motion_of(first, touch->arm[0], h),
                        b = pair->side[1].wall
                                ? motion_of_wall(pair->side[1].wall, point, touch->normal)
                                : motion_of(pair->side[1].grain, touch->arm[1], h);
    const struct scree_vec3 half = scree_vec3_sub(a.half, b.half),
                            half_normal = half_normal_of(touch->normal, before);
    scree_vec3_store(touch->normal, record->normal);
    scree_vec3_store(half_normal, record->half_normal);
    scree_vec3_store(half, record->half_velocity);
    scree_vec3_store(scree_vec3_sub(a.full, b.full), record->full_velocity);
    scree_vec3_store(scree_vec3_sub(a.half_spin, b.half_spin), record->half_spin);
    scree_vec3_store(scree_vec3_sub(a.full_spin, b.full_spin), record->full_spin);
    record->overlap = touch->overlap;
    record->previous_overlap = touch->overlap + h * scree_vec3_dot(half, half_normal);
    record->radius = pair->radius;
    record->weight = touch->weight;
    set_masses(pair, touch, record);
}
