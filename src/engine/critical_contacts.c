// Sums of stiffness over contacts and bonds, see critical_contacts.h.

#include "engine/critical_contacts.h"

#include "contact/evaluate_one.h"
#include "contact/rough_contacts.h"
#include "engine/critical_bonds.h"
#include "engine/critical_walls.h"
#include "law/prepare.h"
#include "math/real.h"
#include "shape/surface.h"
#include "world/grain.h"
#include "world/wall.h"

#include <math.h>
#include <string.h>

// unit of the integer sums: the worst impact / 2^40; a contact adds at most 2^52 units
static const double units = 0x1p40, max_units = 0x1p52;
enum { BYTES_PER_PIECE = 256 };

static void add_units(uint64_t *sum, double value, double unit)
{
    const double count = value / unit;
    if (count > 0)
        __atomic_fetch_add(sum, (uint64_t)(count < max_units ? count : max_units), __ATOMIC_RELAXED);
}

struct scree_lever scree_critical_contacts_lever(const struct scree_step_inputs *inputs, size_t slot,
                                                 const struct scree_critical_contacts_touch *touch,
                                                 double sign)
{
    const double normal[3] = {sign * touch->normal[0], sign * touch->normal[1], sign * touch->normal[2]};
    return scree_lever_at(inputs, slot, normal);
}

static void add(const struct scree_critical_contacts *scan, size_t slot,
                const struct scree_critical_contacts_touch *touch, double sign)
{
    const struct scree_grain *grain = &scree_world_grains(scan->inputs->world)[slot];
    const struct scree_lever lever = scree_critical_contacts_lever(scan->inputs, slot, touch, sign);
    const bool fixed = scree_step_inputs_is_fixed(grain);
    uint64_t *sum = &scan->critical->sums[2 * (size_t)grain->owner];
    add_units(sum, scree_lever_mode(&touch->stiffness.spring, &lever, false, fixed), scan->critical->unit[0]);
    add_units(sum + 1, scree_lever_mode(&touch->stiffness.dashpot, &lever, false, fixed),
              scan->critical->unit[1]);
}

bool scree_critical_contacts_pair(const struct scree_critical_contacts *scan, size_t candidate,
                                  struct scree_critical_contacts_touch *touch)
{
    const struct scree_collider *collider = scan->inputs->collider;
    const struct scree_contacts *contacts = &scan->inputs->world->contacts;
    const struct scree_pair pair = contacts->pair[candidate];
    const struct scree_grain *a = &scree_world_grains(scan->inputs->world)[pair.low];
    const struct scree_grain *b = &scree_world_grains(scan->inputs->world)[pair.high];
    double square = 0, along = 0, apart[3], velocity[3];
    for (int k = 0; k < 3; ++k) {
        apart[k] = a->position[k] - b->position[k];
        velocity[k] = a->velocity[k] - b->velocity[k];
    }
    scree_collider_nearest(collider, apart, velocity);
    for (int k = 0; k < 3; ++k) {
        touch->normal[k] = apart[k];
        square += apart[k] * apart[k];
        along += apart[k] * velocity[k];
    }
    for (int k = 0; k < 3 && square > 0; ++k)
        touch->normal[k] /= sqrt(square);
    const double size = a->radius + b->radius, overlap = size - sqrt(square);
    // as in the contact kernels, a fixed body acts as a wall on a free one
    const bool fixed_a = scree_step_inputs_is_fixed(a), fixed_b = scree_step_inputs_is_fixed(b),
               still_a = scree_step_inputs_is_fully_fixed(a), still_b = scree_step_inputs_is_fully_fixed(b);
    const double mass = fixed_a == fixed_b ? a->mass * b->mass / (a->mass + b->mass)
                        : fixed_a          ? b->mass
                                           : a->mass;
    // skip self-pairs, which pad the list
    if (overlap <= -collider->search.range || pair.low == pair.high || (still_a && still_b))
        return false;
    const struct scree_law_class *class =
        &collider->classes.class[contacts->class_of ? contacts->class_of[candidate] : 0];
    const double shift = scree_law_class_arm(class, false) * overlap;
    const struct scree_stiffness_contact contact = {
        .overlap = overlap,
        .radius = a->radius * b->radius / size,
        .mass = mass,
        .arm = {a->radius - shift, b->radius - shift},
        .speed = scan->critical->speed > 0 ? scan->critical->speed : 1,
        .normal_speed_squared = square > 0 ? along * along / square : 0,
        .tangential_ratio = scree_law_tangential_share(scan->inputs->world->dimension)};
    const double *history = contacts->stride > 0 ? &contacts->history[candidate * contacts->stride] : NULL;
    return scree_stiffness_of_contact(class, &contact, history, still_a || still_b ? 1 : 2,
                                      &touch->stiffness);
}

static void scan_pair(const struct scree_critical_contacts *scan, size_t candidate)
{
    const struct scree_grain *grain = scree_world_grains(scan->inputs->world);
    const struct scree_pair pair = scan->inputs->world->contacts.pair[candidate];
    struct scree_critical_contacts_touch touch;
    if (!scree_critical_contacts_pair(scan, candidate, &touch))
        return;
    if (!scree_step_inputs_is_fully_fixed(&grain[pair.low]))
        add(scan, pair.low, &touch, 1);
    if (!scree_step_inputs_is_fully_fixed(&grain[pair.high]))
        add(scan, pair.high, &touch, -1);
}

static void scan_pairs(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct scree_critical_contacts *scan = (const struct scree_critical_contacts *)context;
    const uint8_t *live = scan->inputs->world->contacts.live;
    for (size_t byte = first; byte < last; ++byte)
        for (unsigned bits = scan->evaluated ? live[byte] : 255; bits; bits &= bits - 1)
            scan_pair(scan, 8 * byte + (unsigned)__builtin_ctz(bits));
}

bool scree_critical_contacts_wall(const struct scree_critical_contacts *scan, size_t k,
                                  struct scree_critical_contacts_touch *touch)
{
    const struct scree_collider *collider = scan->inputs->collider;
    const struct scree_wall_contacts *walls = &scan->inputs->world->contacts.walls;
    const struct scree_grain *grain = &scree_world_grains(scan->inputs->world)[walls->pair[k].low];
    const struct scree_law_class *class = &collider->classes.class[walls->class_of[k]];
    struct scree_surface_touch surface;
    const struct scree_wall *wall = scree_wall_row(scan->inputs->world, walls->pair[k].high);
    struct scree_wall plane;
    scree_surface_touch(scree_rough_contacts_wall(walls, k, wall, &plane), walls->feature[k], grain->position,
                        &surface);
    const double arm = scree_law_class_arm(class, true) > 0 ? surface.gap : grain->radius;
    const struct scree_vec3 wall_velocity = scree_wall_velocity(wall, scree_vec3_load(surface.point));
    const double along = scree_vec3_dot(scree_vec3_load(surface.normal),
                                        scree_vec3_sub(scree_vec3_load(grain->velocity), wall_velocity));
    const struct scree_stiffness_contact contact = {
        .overlap = grain->radius - surface.gap,
        .radius = grain->radius,
        .mass = grain->mass,
        .arm = {arm, 0},
        .speed = scan->critical->speed > 0 ? scan->critical->speed : 1,
        .normal_speed_squared = along * along,
        .tangential_ratio = scree_law_tangential_share(scan->inputs->world->dimension)};
    const double *history = walls->stride > 0 ? &walls->history[k * walls->stride] : NULL;
    const bool wall_yields = scree_critical_walls_body(scan->inputs, walls->pair[k].high) != SIZE_MAX,
               yields = !scree_step_inputs_is_fully_fixed(grain);
    memcpy(touch->normal, surface.normal, sizeof touch->normal);
    memcpy(touch->point, surface.point, sizeof touch->point);
    return contact.overlap > -collider->search.range && (yields || wall_yields) &&
           scree_stiffness_of_contact(class, &contact, history, yields && wall_yields ? 2 : 1,
                                      &touch->stiffness);
}

// Adds a contact to the sums of the body of its wall.
static void add_to_wall(const struct scree_critical_contacts *scan, size_t wall,
                        const struct scree_critical_contacts_touch *touch)
{
    const size_t body = scree_critical_walls_body(scan->inputs, wall);
    if (body == SIZE_MAX)
        return;
    const struct scree_grain *grain = &scree_world_grains(scan->inputs->world)[body];
    const struct scree_vec3 arm =
        scree_vec3_sub(scree_vec3_load(touch->point), scree_vec3_load(grain->position));
    const struct scree_lever lever = scree_lever_of_wall(scan->inputs, body, arm, touch->normal);
    const bool fixed = scree_step_inputs_is_fixed(grain);
    uint64_t *sum = &scan->critical->sums[2 * body];
    add_units(sum, scree_lever_mode(&touch->stiffness.spring, &lever, false, fixed), scan->critical->unit[0]);
    add_units(sum + 1, scree_lever_mode(&touch->stiffness.dashpot, &lever, false, fixed),
              scan->critical->unit[1]);
}

static void scan_walls(const struct scree_critical_contacts *scan)
{
    const struct scree_wall_contacts *walls = &scan->inputs->world->contacts.walls;
    struct scree_critical_contacts_touch touch;
    for (size_t k = 0; k < walls->count; ++k) {
        const uint32_t slot = walls->pair[k].low;
        if ((scan->evaluated && !walls->live[k]) || !scree_critical_contacts_wall(scan, k, &touch))
            continue;
        if (!scree_step_inputs_is_fully_fixed(&scree_world_grains(scan->inputs->world)[slot]))
            add(scan, slot, &touch, 1);
        add_to_wall(scan, walls->pair[k].high, &touch);
    }
}

// --- contacts from outside

static void scale_parts(double weight, struct scree_stiffness_parts *parts)
{
    parts->normal *= weight;
    parts->tangential *= weight;
    parts->rolling *= weight;
}

// Bounds of the lever arms of a side at a touch; `arm` is from the centre of mass.
static struct scree_lever lever_of(const struct scree_outside_side *side, struct scree_vec3 arm,
                                   struct scree_vec3 normal)
{
    const struct scree_vec3 twist = scree_vec3_cross(arm, normal);
    const double mass = side->grain->mass, trace = scree_mat3_trace(side->mobility),
                 all = scree_vec3_norm_squared(arm) * trace -
                       scree_vec3_dot(arm, scree_mat3_apply(side->mobility, arm));
    return (struct scree_lever){.normal =
                                    mass * scree_vec3_dot(twist, scree_mat3_apply(side->mobility, twist)),
                                .tangential = mass * all,
                                .coupling = mass * all,
                                .rolling = mass * trace};
}

// Stiffness and dashpots of a touch; false if there is no contact.
static bool stiffness_of_touch(const struct scree_critical_contacts *scan,
                               const struct scree_outside_pair *pair, const struct scree_outside_touch *touch,
                               const struct scree_law_class *class, struct scree_stiffness_damping *stiffness)
{
    static const double none[3];
    struct scree_kernel_outside record;
    scree_outside_record(scan->inputs->world, pair, touch, none, 0, &record);
    const double along = scree_vec3_dot(touch->normal, scree_vec3_load(record.full_velocity));
    const struct scree_stiffness_contact contact = {.overlap = touch->overlap,
                                                    .radius = record.radius,
                                                    .mass = record.mass,
                                                    .speed =
                                                        scan->critical->speed > 0 ? scan->critical->speed : 1,
                                                    .normal_speed_squared = along * along,
                                                    .tangential_ratio = record.tangential_ratio};
    const bool alone =
        pair->side[1].wall
            ? scree_critical_walls_body(
                  scan->inputs, (size_t)(pair->side[1].wall - scree_wall_row(scan->inputs->world, 0))) ==
                  SIZE_MAX
            : !(pair->side[1].inverse_mass > 0) || !(pair->side[0].inverse_mass > 0);
    if (!scree_stiffness_of_contact(class, &contact, NULL, alone ? 1 : 2, stiffness))
        return false;
    scale_parts(touch->weight, &stiffness->spring);
    scale_parts(touch->weight, &stiffness->dashpot);
    return true;
}

// Adds a touch to the sums of the body that its wall moves with.
static void add_touch_to_wall(const struct scree_critical_contacts *scan,
                              const struct scree_outside_pair *pair, const struct scree_outside_touch *touch,
                              const struct scree_stiffness_damping *stiffness)
{
    const struct scree_world *world = scan->inputs->world;
    const struct scree_vec3 point =
        scree_vec3_add(scree_vec3_load(pair->side[0].grain->position), touch->arm[0]);
    const struct scree_critical_contacts_touch at = {
        .normal = {touch->normal.x, touch->normal.y, touch->normal.z},
        .point = {point.x, point.y, point.z},
        .stiffness = *stiffness};
    add_to_wall(scan, (size_t)(pair->side[1].wall - scree_wall_row(world, 0)), &at);
}

static void add_touch(const struct scree_critical_contacts *scan, const struct scree_outside_pair *pair,
                      const struct scree_outside_touch *touch, const struct scree_law_class *class)
{
    struct scree_stiffness_damping stiffness;
    if (!stiffness_of_touch(scan, pair, touch, class, &stiffness))
        return;
    if (pair->side[1].wall)
        add_touch_to_wall(scan, pair, touch, &stiffness);
    for (int s = 0; s < 2 && pair->side[s].grain; ++s) {
        const struct scree_outside_side *side = &pair->side[s];
        const struct scree_lever lever = lever_of(side, scree_outside_arm(pair, touch, s), touch->normal);
        const bool fixed = scree_step_inputs_is_fixed(side->grain);
        uint64_t *sum = &scan->critical->sums[2 * (size_t)side->grain->owner];
        if (scree_step_inputs_is_fully_fixed(side->grain))
            continue;
        add_units(sum, scree_lever_mode(&stiffness.spring, &lever, false, fixed), scan->critical->unit[0]);
        add_units(sum + 1, scree_lever_mode(&stiffness.dashpot, &lever, false, fixed),
                  scan->critical->unit[1]);
    }
}

static const struct scree_law_class *class_of(const struct scree_critical_contacts *scan, size_t pair)
{
    return &scan->inputs->collider->classes.class[scan->inputs->world->contacts.outside.class_of[pair]];
}

double scree_critical_contacts_outside(const struct scree_critical_contacts *scan, size_t pair, int side)
{
    const struct scree_evaluator evaluator = {.world = scan->inputs->world};
    struct scree_outside_pair found;
    struct scree_stiffness_damping stiffness;
    double sum = 0;
    if (!scree_evaluate_one_find_outside(&evaluator, pair, &found))
        return 0;
    for (size_t t = 0; t < found.count; ++t)
        if (stiffness_of_touch(scan, &found, &found.touch[t], class_of(scan, pair), &stiffness)) {
            const struct scree_lever lever = lever_of(
                &found.side[side], scree_outside_arm(&found, &found.touch[t], side), found.touch[t].normal);
            sum += scree_lever_mode(&stiffness.spring, &lever, false,
                                    scree_step_inputs_is_fixed(found.side[side].grain));
        }
    return sum;
}

static void scan_outside(const struct scree_critical_contacts *scan)
{
    const struct scree_evaluator evaluator = {.world = scan->inputs->world};
    const struct scree_outside_contacts *outside = &scan->inputs->world->contacts.outside;
    struct scree_outside_pair pair;
    for (size_t p = 0; p < outside->pairs; ++p) {
        if ((scan->evaluated && outside->live[p] == 0) ||
            !scree_evaluate_one_find_outside(&evaluator, p, &pair))
            continue;
        for (size_t t = 0; t < pair.count; ++t)
            add_touch(scan, &pair, &pair.touch[t], class_of(scan, p));
    }
}

// Raises the units of the sums to those of a bond.
static void raise_units(void *context, const struct scree_bond_entry *entry)
{
    const struct scree_critical_contacts *scan = (const struct scree_critical_contacts *)context;
    for (int side = 0; side < 2; ++side) {
        const struct scree_critical_bonds_parts parts = scree_critical_bonds_of(scan->inputs, entry, side);
        scan->critical->unit[0] = scree_real_max(scan->critical->unit[0], parts.spring / units);
        scan->critical->unit[1] = scree_real_max(scan->critical->unit[1], parts.dashpot / units);
    }
}

static void add_bond(void *context, const struct scree_bond_entry *entry)
{
    const struct scree_critical_contacts *scan = (const struct scree_critical_contacts *)context;
    for (int side = 0; side < 2; ++side) {
        const struct scree_critical_bonds_parts parts = scree_critical_bonds_of(scan->inputs, entry, side);
        if (!(parts.spring > 0))
            continue;
        const size_t owner = scree_world_grains(scan->inputs->world)[entry->slot[side]].owner;
        add_units(&scan->critical->sums[2 * owner], parts.spring, scan->critical->unit[0]);
        if (parts.dashpot > 0)
            add_units(&scan->critical->sums[2 * owner + 1], parts.dashpot, scan->critical->unit[1]);
    }
}

void scree_critical_contacts_sum(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                                 bool evaluated)
{
    const struct scree_critical_contacts scan = {critical, inputs, evaluated};
    for (size_t b = 0; b < critical->bins.count; ++b) {
        const struct scree_critical_step_bin *bin = &critical->bins.data[b];
        const double spring = scree_real_max(bin->impact.spring.normal, bin->impact.spring.tangential);
        critical->unit[0] = scree_real_max(critical->unit[0], spring / units);
        critical->unit[1] = scree_real_max(critical->unit[1], sqrt(spring * bin->mass) / units);
    }
    const bool touches = critical->unit[0] > 0 && critical->unit[1] > 0;
    scree_critical_bonds_each(inputs->collider, raise_units, (void *)(uintptr_t)&scan);
    scree_critical_bonds_each(inputs->collider, add_bond, (void *)(uintptr_t)&scan);
    if (!touches)
        return;
    scree_team_run(inputs->collider->team, inputs->world->contacts.candidates / 8, BYTES_PER_PIECE,
                   scan_pairs, (void *)(uintptr_t)&scan);
    scan_walls(&scan);
    scan_outside(&scan);
}
