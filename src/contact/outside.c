// Contacts from outside, see outside.h.

#include "contact/outside.h"

#include "contact/outside_mesh.h"
#include "contact/outside_round.h"
#include "shape/surface.h"
#include "world/grain.h"
#include "world/polyhedron.h"
#include "world/wall.h"
#include "world/wall_body.h"
#include "world/wall_faces.h"

#include <math.h>
#include <string.h>

// --- sides

// Inverse inertia tensor of a body, in world axes.
static struct scree_mat3 mobility_of(const struct scree_world *world, const struct scree_grain *own)
{
    const struct scree_rotor *rotors = scree_world_rotors(world);
    if ((own->flags & SCREE_FIX_SPIN) == SCREE_FIX_SPIN)
        return scree_mat3_diagonal(scree_vec3_zero());
    if (own->kind != SCREE_KIND_RIGID) {
        const double inverse = 1 / scree_grain_inertia(own, rotors ? &rotors[own->owner] : NULL),
                     in_plane = world->dimension == 2 ? 0 : inverse;
        return scree_mat3_diagonal(scree_vec3_make(in_plane, in_plane, inverse));
    }
    const double *inertia = rotors[own->owner].inertia;
    return scree_mat3_rotate(
        scree_grain_axes(world, own->owner),
        scree_mat3_diagonal(scree_vec3_make(1 / inertia[0], 1 / inertia[1], 1 / inertia[2])));
}

static struct scree_outside_side side_of(const struct scree_world *world, const struct scree_grain *grain)
{
    const size_t number = (size_t)(grain - scree_world_grains(world));
    struct scree_outside_side side = {.grain = grain, .shape = scree_polyhedron_of_grain(world, number)};
    side.axes = side.shape ? scree_polyhedron_axes(world, number) : scree_mat3_identity();
    return side;
}

static struct scree_vec3 offset_of(const struct scree_world *world, const struct scree_grain *carried)
{
    double arm[3];
    scree_grain_arm(world, (size_t)(carried - scree_world_grains(world)) - scree_world_bodies(world), arm);
    return scree_vec3_load(arm);
}

// Sets what only pairs need that touch.
static void complete(const struct scree_world *world, struct scree_outside_pair *pair)
{
    for (int s = 0; s < 2 && pair->count > 0 && pair->side[s].grain; ++s) {
        struct scree_outside_side *side = &pair->side[s];
        const struct scree_grain *own = &scree_world_grains(world)[side->grain->owner];
        side->mobility = mobility_of(world, own);
        side->tangents = world->dimension - 1;
        side->inverse_mass = (own->flags & SCREE_FIX_POSITION) == SCREE_FIX_POSITION ? 0 : 1 / own->mass;
        if (side->grain->part > 0)
            side->offset = offset_of(world, side->grain);
    }
}

// --- touches

// The polyhedron of a side, at the origin.
static struct scree_convex_body body_of(const struct scree_outside_side *side)
{
    return (struct scree_convex_body){
        .shape = side->shape->hull, .rotation = side->axes, .rounding = side->shape->rounding};
}

// Adds a contact found with side a at the origin. `swapped`: a is the second side.
static void add_touch(struct scree_outside_pair *pair, const struct scree_convex_contact *contact,
                      bool swapped)
{
    const struct scree_vec3 other = swapped ? scree_vec3_sub(contact->point, pair->between)
                                            : scree_vec3_add(contact->point, pair->between);
    if (pair->count == SCREE_OUTSIDE_MOST) {
        ++pair->left_out;
        return;
    }
    pair->touch[pair->count++] = (struct scree_outside_touch){
        .normal = swapped ? contact->normal : scree_vec3_negate(contact->normal),
        .arm = {swapped ? other : contact->point, swapped ? contact->point : other},
        .overlap = contact->overlap,
        .weight = contact->share,
        .feature = contact->feature};
}

static void find_with_sphere(struct scree_outside_pair *pair)
{
    const bool swapped = !pair->side[0].shape;
    const struct scree_outside_side *shaped = &pair->side[swapped ? 1 : 0];
    const double radius = pair->side[swapped ? 0 : 1].grain->radius;
    const struct scree_convex_body body = body_of(shaped);
    const struct scree_vec3 centre = swapped ? pair->between : scree_vec3_negate(pair->between);
    struct scree_convex_contact contact;
    pair->radius = body.rounding > 0 ? 0.5 * (body.rounding + radius) : 0;
    pair->depth = body.rounding + radius;
    if (scree_convex_sphere_contact(&body, centre, radius, &contact))
        add_touch(pair, &contact, swapped);
}

static void find_polyhedra(struct scree_outside_pair *pair, double *axis)
{
    struct scree_convex_contact found[SCREE_OUTSIDE_MOST];
    const struct scree_convex_body a = body_of(&pair->side[0]);
    struct scree_convex_body b = body_of(&pair->side[1]);
    b.position = scree_vec3_negate(pair->between);
    pair->radius = a.rounding > 0 && b.rounding > 0 ? scree_convex_curvature(&a, &b) : 0;
    pair->depth = a.rounding + b.rounding;
    struct scree_vec3 direction = axis ? scree_vec3_load(axis) : scree_vec3_zero();
    const size_t count = scree_convex_contacts(&a, &b, &direction, found, SCREE_OUTSIDE_MOST);
    if (axis)
        scree_vec3_store(direction, axis);
    for (size_t n = 0; n < count && n < SCREE_OUTSIDE_MOST; ++n)
        add_touch(pair, &found[n], false);
    pair->left_out = count - pair->count;
}

void scree_outside_find(const struct scree_world *world, const struct scree_grain *first,
                        const struct scree_grain *second, const struct scree_images *images, double *axis,
                        struct scree_outside_pair *pair)
{
    const struct scree_vec3 difference =
        scree_vec3_sub(scree_vec3_load(first->position), scree_vec3_load(second->position));
    pair->side[0].grain = first;
    pair->side[1].grain = second;
    pair->between = scree_images_nearest(images, difference, &pair->image);
    pair->count = pair->left_out = 0;
    pair->at_rim = pair->crowded = false;
    pair->depth = 0;
    const double reach = first->radius + second->radius;
    if (!(scree_vec3_norm_squared(pair->between) < reach * reach))
        return;
    pair->side[0] = side_of(world, first);
    pair->side[1] = side_of(world, second);
    if (pair->side[0].shape && pair->side[1].shape)
        find_polyhedra(pair, axis);
    else
        find_with_sphere(pair);
    complete(world, pair);
}

// Half-spaces: a plane, and each face of a box with bodies inside.
static void find_half_spaces(const struct scree_convex_body *body, const double position[3],
                             const struct scree_wall *wall, struct scree_outside_pair *pair)
{
    struct scree_convex_contact found[SCREE_OUTSIDE_MOST];
    // each vertex is pushed back from any depth
    pair->depth = pair->side[0].shape->reach;
    for (unsigned face = 0; face < scree_surface_features(wall); ++face) {
        struct scree_surface_touch surface;
        scree_surface_touch(wall, face, position, &surface);
        if (!(surface.gap < pair->side[0].shape->reach))
            continue;
        const size_t room = SCREE_OUTSIDE_MOST - pair->count;
        const size_t count =
            scree_convex_plane_contacts(body, scree_vec3_load(surface.normal), -surface.gap, found, room);
        for (size_t n = 0; n < count && n < room; ++n) {
            // the second number of the feature is free
            found[n].feature |= face;
            add_touch(pair, &found[n], false);
        }
        pair->left_out += count > room ? count - room : 0;
    }
}

// A solid sphere, and a container, which pushes each vertex back from any depth.
static double depth_at_sphere(const struct scree_outside_pair *pair, const struct scree_wall *wall)
{
    return wall->side == SCREE_WALL_INSIDE ? pair->side[0].shape->reach
                                           : pair->side[0].shape->rounding + wall->size[0];
}

// Walls with facets, and curved ones.
static void find_others(const struct scree_world *world, const struct scree_convex_body *body,
                        struct scree_vec3 position, const struct scree_wall *wall,
                        struct scree_outside_pair *pair)
{
    struct scree_convex_contact found[SCREE_OUTSIDE_MOST];
    const bool spans = wall->shape == SCREE_WALL_CYLINDER && scree_wall_faces_spans(world, wall);
    const size_t count =
        wall->surface ? scree_outside_mesh_find(body, position, wall, found, SCREE_OUTSIDE_MOST)
                      : scree_outside_round_find(body, position, wall, spans, found, SCREE_OUTSIDE_MOST);
    pair->depth = wall->shape == SCREE_WALL_SPHERE ? depth_at_sphere(pair, wall) : body->rounding;
    pair->crowded = wall->surface && count == SCREE_OUTSIDE_MESH_CROWDED;
    for (size_t n = 0; !pair->crowded && n < count && n < SCREE_OUTSIDE_MOST; ++n)
        add_touch(pair, &found[n], false);
    pair->left_out = pair->crowded ? 0 : count - pair->count;
    pair->at_rim = scree_outside_round_at_rim(body, position, wall, spans);
}

static struct scree_wall_mobility carrier_of(const struct scree_world *world, const struct scree_wall *wall)
{
    uint32_t slot;
    if (!scree_wall_follows(wall) ||
        !scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool,
                         scree_wall_body_of(world, (size_t)(wall - scree_wall_row(world, 0))), &slot))
        return (struct scree_wall_mobility){0};
    return scree_wall_body_mobility(world, slot);
}

void scree_outside_find_wall_at(const struct scree_world *world, const struct scree_grain *first,
                                const double position[3], const struct scree_wall *wall,
                                struct scree_outside_pair *pair)
{
    pair->side[0] = side_of(world, first);
    pair->side[1] = (struct scree_outside_side){.wall = wall};
    pair->between = scree_vec3_zero();
    pair->image.moves = false;
    pair->count = pair->left_out = 0;
    pair->at_rim = pair->crowded = false;
    const struct scree_convex_body body = body_of(&pair->side[0]);
    pair->radius = body.rounding;
    pair->carrier = carrier_of(world, wall);
    if (wall->shape == SCREE_WALL_PLANE || (wall->shape == SCREE_WALL_BOX && !wall->surface))
        find_half_spaces(&body, position, wall, pair);
    else
        find_others(world, &body, scree_vec3_load(position), wall, pair);
    complete(world, pair);
}

void scree_outside_find_wall(const struct scree_world *world, const struct scree_grain *first,
                             const struct scree_wall *wall, struct scree_outside_pair *pair)
{
    scree_outside_find_wall_at(world, first, first->position, wall, pair);
}

const char *scree_outside_depth_name(const struct scree_outside_pair *pair)
{
    const struct scree_wall *wall = pair->side[1].wall;
    if (!wall)
        return pair->side[0].shape && pair->side[1].shape ? "the sum of the roundings"
                                                          : "the sum of rounding and radius";
    if (pair->depth == pair->side[0].shape->reach)
        return "the reach of the body";
    return wall->shape == SCREE_WALL_SPHERE ? "the sum of rounding and radius" : "the rounding of the body";
}

// Only circles are curved walls in the plane.
static const char *flat_fault(const struct scree_wall *wall)
{
    const bool circle =
        wall->shape == SCREE_WALL_SPHERE || (wall->shape == SCREE_WALL_CYLINDER && isinf(wall->size[2]));
    const bool lines =
        wall->shape == SCREE_WALL_PLANE || (wall->shape == SCREE_WALL_BOX && wall->side == SCREE_WALL_INSIDE);
    return circle || lines ? NULL
                           : "in two dimensions polyhedra touch planes, boxes from inside, spheres and "
                             "cylinders along z: give this wall as one of them, or as a fixed polygon";
}

const char *scree_outside_wall_fault(const struct scree_wall *wall, int dimension)
{
    if (dimension == 2)
        return flat_fault(wall);
    switch (wall->shape) {
    case SCREE_WALL_PLANE:
    case SCREE_WALL_SPHERE:
    case SCREE_WALL_CYLINDER:
    case SCREE_WALL_CONE:
        return NULL;
    case SCREE_WALL_MESH:
        return wall->surface->facets <= SCREE_OUTSIDE_MESH_FACETS &&
                       wall->surface->edges <= SCREE_OUTSIDE_MESH_EDGES
                   ? NULL
                   : "polyhedra touch meshes of at most 262,144 facets and 524,288 edges";
    case SCREE_WALL_RECTANGLE:
    case SCREE_WALL_BOX:
        return wall->surface || wall->side == SCREE_WALL_INSIDE
                   ? NULL
                   : "polyhedra touch rectangles and boxes with edges from 2e-30 to 2e30 m";
    default:
        return wall->surface ? NULL
                             : "polyhedra touch disks with radii from 1e-30 to 1e30 m, whose holes have from "
                               "1e-6 to 0.98 of the radius: give this wall as a mesh";
    }
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

// The contact point in the middle of the last step, correct to second order: the surface of the body has
// `velocity`. It is turned back with the wall, whose pivot is where it is at the end of the step.
static struct scree_vec3 half_point_of(const struct scree_wall *wall, struct scree_vec3 point,
                                       struct scree_vec3 velocity, double h)
{
    const struct scree_vec3 pivot = scree_vec3_load(wall->pivot), spin = scree_vec3_load(wall->spin),
                            relative = scree_vec3_sub(velocity, scree_wall_velocity(wall, point)),
                            arm = scree_vec3_sub(scree_vec3_add_scaled(point, -0.5 * h, relative), pivot);
    return scree_vec3_add(pivot, scree_vec3_add_scaled(arm, -0.5 * h, scree_vec3_cross(spin, arm)));
}

static struct motion motion_of_wall(const struct scree_world *world, const struct scree_wall *wall, double h,
                                    struct scree_vec3 point, struct scree_vec3 half_point,
                                    struct scree_vec3 normal)
{
    struct scree_wall_touch_motion middle, end;
    scree_wall_motion_mid_step(world, wall, h, half_point, normal, &middle);
    scree_wall_motion_on_step(world, wall, point, normal, &end);
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
    // sum over three axes e of (r x e) A (r x e); in two dimensions A only has the element of z, so the sum
    // is that over the axes in the plane
    const double all = scree_vec3_norm_squared(arm) * scree_mat3_trace(side->mobility) -
                       scree_vec3_dot(arm, scree_mat3_apply(side->mobility, arm));
    mobility->normal += side->inverse_mass + along;
    mobility->tangential += side->inverse_mass + (all - along) / side->tangents;
}

// The same for the body that a wall moves with; `arm` is from its centre of mass. All zero without one.
static void add_carrier(const struct scree_wall_mobility *carrier, struct scree_vec3 arm,
                        struct scree_vec3 normal, struct mobility *mobility)
{
    const struct scree_vec3 inverse = scree_vec3_load(carrier->inverse_mass),
                            twist = scree_vec3_cross(arm, normal);
    const double along = inverse.x * normal.x * normal.x + inverse.y * normal.y * normal.y +
                         inverse.z * normal.z * normal.z +
                         scree_vec3_dot(twist, scree_mat3_apply(carrier->inverse_inertia, twist));
    const double all = inverse.x + inverse.y + inverse.z +
                       scree_vec3_norm_squared(arm) * scree_mat3_trace(carrier->inverse_inertia) -
                       scree_vec3_dot(arm, scree_mat3_apply(carrier->inverse_inertia, arm));
    mobility->normal += along;
    mobility->tangential += 0.5 * (all - along);
}

// Sets the effective masses. Two fixed sides have those of the first as if it were free.
static void set_masses(const struct scree_outside_pair *pair, const struct scree_outside_touch *touch,
                       struct scree_kernel_outside *record)
{
    struct mobility mobility = {0};
    for (int s = 0; s < 2 && pair->side[s].grain; ++s)
        add_mobility(&pair->side[s], scree_outside_arm(pair, touch, s), touch->normal, &mobility);
    if (pair->side[1].wall && scree_wall_follows(pair->side[1].wall))
        add_carrier(
            &pair->carrier,
            scree_vec3_sub(scree_vec3_add(scree_vec3_load(pair->side[0].grain->position), touch->arm[0]),
                           pair->carrier.centre),
            touch->normal, &mobility);
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

void scree_outside_record(const struct scree_world *world, const struct scree_outside_pair *pair,
                          const struct scree_outside_touch *touch, const double before[3], double h,
                          struct scree_kernel_outside *record)
{
    const struct scree_grain *first = pair->side[0].grain;
    const struct scree_vec3 point = scree_vec3_add(scree_vec3_load(first->position), touch->arm[0]);
    const struct scree_wall *wall = pair->side[1].wall;
    const struct motion a = motion_of(first, touch->arm[0], h);
    struct motion b =
        wall ? motion_of_wall(world, wall, h, point, half_point_of(wall, point, a.half, h), touch->normal)
             : motion_of(pair->side[1].grain, touch->arm[1], h);
    if (pair->image.moves) {
        b.half = scree_vec3_add(b.half, pair->image.half);
        b.full = scree_vec3_add(b.full, pair->image.full);
    }
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
