// The critical time step, see critical_step.h.

#include "engine/critical_step.h"

#include "base/memory.h"
#include "engine/step_inputs.h"
#include "law/prepare.h"
#include "math/real.h"
#include "shape/surface.h"
#include "world/grain.h"
#include "world/wall.h"

#include <float.h>
#include <math.h>
#include <string.h>

// the sums count in units of the largest impact over 2^40, and one contact counts for 2^52 units at most
static const double units = 0x1p40, most_units = 0x1p52;

enum { ROUNDS = 4, SHARE = 256 };

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static struct scree_critical_step_bin *bin_of(const struct scree_critical_step *critical,
                                              const struct scree_grain *grain)
{
    const struct scree_critical_step_kind *kind = &critical->kinds.data[grain->material];
    return &critical->bins.data[kind->first + (scree_step_inputs_class(grain->radius) - kind->low)];
}

static scree_status fill_bins(struct scree_critical_step *critical, const struct scree_step_inputs *inputs)
{
    size_t count = 0;
    critical->smallest = (double)INFINITY;
    for (size_t m = 0; m < critical->kinds.count; ++m) {
        struct scree_critical_step_kind *kind = &critical->kinds.data[m];
        kind->first = count;
        if (kind->bodies == 0)
            continue;
        count += kind->high - kind->low + 1;
        critical->smallest = kind->smallest < critical->smallest ? kind->smallest : critical->smallest;
    }
    SCREE_TRY(scree_array_reserve(&critical->bins, count));
    critical->bins.count = count;
    if (count > 0)
        memset(critical->bins.data, 0, count * sizeof *critical->bins.data);
    for (size_t i = 0; i < scree_grain_count(inputs->world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(inputs->world)[i];
        if (!scree_step_inputs_counts(inputs->collider, grain))
            continue;
        struct scree_critical_step_bin *bin = bin_of(critical, grain);
        bin->radius = larger(grain->radius, bin->radius);
        bin->mass = larger(grain->mass, bin->mass);
        bin->least = bin->least == 0 || grain->mass < bin->least ? grain->mass : bin->least;
    }
    return SCREE_OK;
}

static void take_worse(struct scree_stiffness_parts *rate, const struct scree_stiffness_parts *other)
{
    rate->normal = larger(rate->normal, other->normal);
    rate->across = larger(rate->across, other->across);
    rate->turning = larger(rate->turning, other->turning);
}

// A bin runs into one partner.
static void run_into(const struct scree_step_inputs *inputs, struct scree_critical_step_bin *bin,
                     double speed, const struct scree_law_class *class, double radius, double mass)
{
    const bool flat = !(radius > 0), heavy = !(mass > 0);
    const double size = flat || bin->radius < radius ? bin->radius : radius;
    struct scree_stiffness_contact touch = {.radius = flat ? bin->radius
                                                           : bin->radius * radius / (bin->radius + radius),
                                            .mass = heavy ? bin->mass : bin->mass * mass / (bin->mass + mass),
                                            .arm = {bin->radius, radius},
                                            .speed = speed,
                                            .turning = scree_law_tangential_share(inputs->world->dimension)};
    touch.overlap = scree_stiffness_impact_depth(class, touch, size);
    struct scree_stiffness_damping hit;
    if (!scree_stiffness_of_contact(class, &touch, NULL, heavy ? 1 : 2, &hit))
        return;
    take_worse(&bin->hit.spring, &hit.spring);
    take_worse(&bin->hit.dashpot, &hit.dashpot);
}

// The worst impact of a bin: the stiffest partner is the largest and heaviest, or one of its own size as
// heavy.
static void strike(const struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                   size_t material, struct scree_critical_step_bin *bin, double speed)
{
    const struct scree_law_classes *classes = &inputs->collider->classes;
    bin->hit = (struct scree_stiffness_damping){0};
    for (size_t m = 1; m < critical->kinds.count; ++m) {
        const struct scree_critical_step_kind *kind = &critical->kinds.data[m];
        const uint8_t number = classes->table[material * classes->materials + m];
        if (number == SCREE_CONTACTS_NO_CLASS)
            continue;
        const struct scree_law_class *class = &classes->class[number];
        if (kind->walls > 0)
            run_into(inputs, bin, speed, class, 0, 0);
        // skip self-pairs
        if (kind->bodies > (m == material ? 1 : 0)) {
            // springs of a modulus are as thick as the smaller side, and the longer the softer
            const double like = bin->radius < kind->radius ? bin->radius : kind->radius;
            run_into(inputs, bin, speed, class, kind->radius, kind->mass);
            run_into(inputs, bin, speed, class, like, kind->mass);
            if (kind->held) {
                run_into(inputs, bin, speed, class, kind->radius, 0);
                run_into(inputs, bin, speed, class, like, 0);
            }
        }
    }
}

// Lever arm of tangential forces, and m / I. A carried grain is turned by normal forces as well; its arm is
// at most the distance from the centre of mass to the farthest point of the grain.
struct lever {
    double arm, share;
    bool carried;
};

// Stiffness of the highest contact mode. A single contact translates and rotates its body at once, which many
// contacts around a round body hardly do. A body fixed in place only rotates.
static double stiffest(const struct scree_stiffness_parts *rate, const struct lever *lever, bool alone,
                       bool held)
{
    const double along = larger(rate->normal, rate->across), square = lever->arm * lever->arm * lever->share;
    const double turn = (lever->carried ? along : rate->across) * square + rate->turning * lever->share;
    if (lever->carried && !held)
        return along + turn;
    return held ? turn : larger(along, alone ? turn + rate->across : turn);
}

static double longest(double stiffness, double damping, double mass)
{
    const double rate = damping / mass, both = sqrt(stiffness / mass + rate * rate) + rate;
    return both > 0 ? 2 / both : (double)INFINITY;
}

static double round_share(const struct scree_step_inputs *inputs, double radius)
{
    return (inputs->world->dimension == 2 ? 2.0 : 2.5) / (radius * radius);
}

static double bin_limit(const struct scree_step_inputs *inputs, const struct scree_critical_step_bin *bin)
{
    const struct lever lever = {bin->radius, round_share(inputs, bin->radius), false};
    return longest(stiffest(&bin->hit.spring, &lever, true, false),
                   stiffest(&bin->hit.dashpot, &lever, true, false), bin->least);
}

// Strikes all bins; returns the least limit and where it is.
static double strike_all(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                         size_t *material, struct scree_critical_step_bin **worst)
{
    double least = (double)INFINITY;
    for (size_t m = 1; m < critical->kinds.count; ++m) {
        const struct scree_critical_step_kind *kind = &critical->kinds.data[m];
        for (size_t b = 0; kind->bodies > 0 && b <= kind->high - kind->low; ++b) {
            struct scree_critical_step_bin *bin = &critical->bins.data[kind->first + b];
            if (!(bin->radius > 0))
                continue;
            strike(critical, inputs, m, bin, critical->speed);
            const double limit = bin_limit(inputs, bin);
            if (limit < least) {
                least = limit;
                *material = m;
                *worst = bin;
            }
        }
    }
    return least;
}

// The closing speed, with what bodies gain as they fall until the step is chosen again; how long that is
// depends on the step, which depends on the speed, but so little that a few rounds settle it.
static void settle_speed(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                         double fixed, double safety)
{
    const double now = scree_step_inputs_closing(inputs), gain = inputs->fall * SCREE_CRITICAL_STEP_EVERY;
    size_t material = 0;
    struct scree_critical_step_bin *worst = NULL;
    critical->speed = now;
    if (critical->bins.count == 0)
        return;
    if (fixed > 0 || !(gain > 0)) {
        critical->speed = now + gain * fixed;
        (void)strike_all(critical, inputs, &material, &worst);
        return;
    }
    critical->speed = now + sqrt(inputs->fall * critical->smallest);
    double limit = strike_all(critical, inputs, &material, &worst);
    for (int round = 0; worst && round < ROUNDS; ++round) {
        critical->speed = now + gain * safety * limit;
        strike(critical, inputs, material, worst, critical->speed);
        limit = bin_limit(inputs, worst);
    }
    if (worst)
        (void)strike_all(critical, inputs, &material, &worst);
}

// The sums.
struct scan {
    struct scree_critical_step *critical;
    const struct scree_step_inputs *inputs;
    bool evaluated;
};

static struct lever lever_of(const struct scree_step_inputs *inputs, size_t slot)
{
    const struct scree_grain *grain = &scree_world_grains(inputs->world)[slot];
    struct lever lever = {.arm = grain->radius, .carried = grain->part > 0};
    if (!lever.carried && (grain->kind == SCREE_KIND_SPHERE || grain->kind == SCREE_KIND_DISK)) {
        lever.share = round_share(inputs, grain->radius);
        return lever;
    }
    const struct scree_rotor *rotor = &scree_world_rotors(inputs->world)[grain->owner];
    for (int k = 0; k < 3; ++k)
        lever.share =
            rotor->inertia[k] > 0 ? larger(lever.share, grain->mass / rotor->inertia[k]) : lever.share;
    if (lever.carried) {
        const double *d = scree_grain_locals(inputs->world)[slot - scree_world_bodies(inputs->world)].offset;
        lever.arm += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    return lever;
}

static void count(uint64_t *sum, double value, double unit)
{
    const double parts = value / unit;
    if (parts > 0)
        __atomic_fetch_add(sum, (uint64_t)(parts < most_units ? parts : most_units), __ATOMIC_RELAXED);
}

static void add(const struct scan *scan, size_t slot, const struct scree_stiffness_damping *hit)
{
    const struct scree_grain *grain = &scree_world_grains(scan->inputs->world)[slot];
    const struct lever lever = lever_of(scan->inputs, slot);
    const bool held = scree_step_inputs_is_fixed(grain);
    uint64_t *sum = &scan->critical->sums[2 * (size_t)grain->owner];
    count(sum, stiffest(&hit->spring, &lever, false, held), scan->critical->unit[0]);
    count(sum + 1, stiffest(&hit->dashpot, &lever, false, held), scan->critical->unit[1]);
}

// What a candidate does to its sides, which `hit` receives; false where it is no contact that bounds
// anything.
static bool hit_pair(const struct scan *scan, size_t candidate, struct scree_stiffness_damping *hit)
{
    const struct scree_collider *collider = scan->inputs->collider;
    const struct scree_contacts *contacts = &scan->inputs->world->contacts;
    const struct scree_pair pair = contacts->pair[candidate];
    const struct scree_grain *a = &scree_world_grains(scan->inputs->world)[pair.low];
    const struct scree_grain *b = &scree_world_grains(scan->inputs->world)[pair.high];
    double square = 0, along = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = scree_kernel_nearest_image(a->position[k] - b->position[k], collider->period[k]);
        square += d * d;
        along += d * (a->velocity[k] - b->velocity[k]);
    }
    const double size = a->radius + b->radius, overlap = size - sqrt(square);
    // as in the loops, what is held is a wall to what is not
    const bool held_a = scree_step_inputs_is_fixed(a), held_b = scree_step_inputs_is_fixed(b),
               still_a = scree_step_inputs_is_still(a), still_b = scree_step_inputs_is_still(b);
    const double mass = held_a == held_b ? a->mass * b->mass / (a->mass + b->mass)
                        : held_a         ? b->mass
                                         : a->mass;
    // what fills up a range pairs a slot with itself
    if (overlap <= -collider->search.range || pair.low == pair.high || (still_a && still_b))
        return false;
    const struct scree_law_class *class =
        &collider->classes.class[contacts->class_of ? contacts->class_of[candidate] : 0];
    const double shift = scree_law_class_arm(class, false) * overlap;
    const struct scree_stiffness_contact touch = {
        .overlap = overlap,
        .radius = a->radius * b->radius / size,
        .mass = mass,
        .arm = {a->radius - shift, b->radius - shift},
        .speed = scan->critical->speed > 0 ? scan->critical->speed : 1,
        .approach = square > 0 ? along * along / square : 0,
        .turning = scree_law_tangential_share(scan->inputs->world->dimension)};
    const double *history = contacts->stride > 0 ? &contacts->history[candidate * contacts->stride] : NULL;
    return scree_stiffness_of_contact(class, &touch, history, still_a || still_b ? 1 : 2, hit);
}

static void scan_pair(const struct scan *scan, size_t candidate)
{
    const struct scree_grain *grain = scree_world_grains(scan->inputs->world);
    const struct scree_pair pair = scan->inputs->world->contacts.pair[candidate];
    struct scree_stiffness_damping hit;
    if (!hit_pair(scan, candidate, &hit))
        return;
    if (!scree_step_inputs_is_still(&grain[pair.low]))
        add(scan, pair.low, &hit);
    if (!scree_step_inputs_is_still(&grain[pair.high]))
        add(scan, pair.high, &hit);
}

static void scan_pairs(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct scan *scan = (const struct scan *)context;
    const uint8_t *live = scan->inputs->world->contacts.live;
    for (size_t byte = first; byte < last; ++byte)
        for (unsigned bits = scan->evaluated ? live[byte] : 255; bits; bits &= bits - 1)
            scan_pair(scan, 8 * byte + (unsigned)__builtin_ctz(bits));
}

// Likewise for number `k` of the candidates with walls.
static bool hit_wall(const struct scan *scan, size_t k, struct scree_stiffness_damping *hit)
{
    const struct scree_collider *collider = scan->inputs->collider;
    const struct scree_wall_contacts *walls = &scan->inputs->world->contacts.walls;
    const struct scree_grain *grain = &scree_world_grains(scan->inputs->world)[walls->pair[k].low];
    const struct scree_law_class *class = &collider->classes.class[walls->class_of[k]];
    struct scree_surface_touch surface;
    const struct scree_wall *wall = scree_wall_row(scan->inputs->world, walls->pair[k].high);
    scree_surface_touch(wall, walls->feature[k], grain->position, &surface);
    const double arm = scree_law_class_arm(class, true) > 0 ? surface.gap : grain->radius;
    const struct scree_vec3 matter = scree_wall_velocity(wall, scree_vec3_load(surface.point));
    const double along = scree_vec3_dot(scree_vec3_load(surface.normal),
                                        scree_vec3_sub(scree_vec3_load(grain->velocity), matter));
    const struct scree_stiffness_contact touch = {
        .overlap = grain->radius - surface.gap,
        .radius = grain->radius,
        .mass = grain->mass,
        .arm = {arm, 0},
        .speed = scan->critical->speed > 0 ? scan->critical->speed : 1,
        .approach = along * along,
        .turning = scree_law_tangential_share(scan->inputs->world->dimension)};
    return touch.overlap > -collider->search.range && !scree_step_inputs_is_still(grain) &&
           scree_stiffness_of_contact(class, &touch,
                                      walls->stride > 0 ? &walls->history[k * walls->stride] : NULL, 1, hit);
}

static void scan_walls(const struct scan *scan)
{
    const struct scree_wall_contacts *walls = &scan->inputs->world->contacts.walls;
    struct scree_stiffness_damping hit;
    for (size_t k = 0; k < walls->count; ++k)
        if ((!scan->evaluated || walls->live[k]) && hit_wall(scan, k, &hit))
            add(scan, walls->pair[k].low, &hit);
}

// The sums of forces are zero between evaluations, and have room for more than two numbers a body.
static scree_status borrow_sums(struct scree_critical_step *critical, const struct scree_collider *collider)
{
    const size_t bodies = scree_world_bodies(collider->world);
    critical->unit[0] = critical->unit[1] = 0;
    if (collider->sums.sum && collider->sums.grains >= bodies) {
        critical->sums = (uint64_t *)collider->sums.sum;
        return SCREE_OK;
    }
    return scree_memory_new(2 * bodies, sizeof *critical->sums, (void **)&critical->sums);
}

static void return_sums(struct scree_critical_step *critical, const struct scree_collider *collider)
{
    const size_t bodies = scree_world_bodies(collider->world);
    if (critical->sums != (uint64_t *)collider->sums.sum)
        scree_memory_free(critical->sums);
    else if (bodies > 0)
        memset(critical->sums, 0, 2 * bodies * sizeof *critical->sums);
    critical->sums = NULL;
}

static void sum_up(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                   bool evaluated)
{
    const struct scan scan = {critical, inputs, evaluated};
    for (size_t b = 0; b < critical->bins.count; ++b) {
        const struct scree_critical_step_bin *bin = &critical->bins.data[b];
        const double spring = larger(bin->hit.spring.normal, bin->hit.spring.across);
        critical->unit[0] = larger(critical->unit[0], spring / units);
        critical->unit[1] = larger(critical->unit[1], sqrt(spring * bin->mass) / units);
    }
    if (!(critical->unit[0] > 0 && critical->unit[1] > 0))
        return;
    const struct scree_contacts *contacts = &inputs->world->contacts;
    scree_team_run(inputs->collider->team, contacts->candidates / 8, SHARE, scan_pairs,
                   (void *)(uintptr_t)&scan);
    scan_walls(&scan);
}

// `sums` may be missing: then nothing touches.
static void find_least(struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                       struct scree_critical_step_limit *limit)
{
    static const uint64_t none[2];
    critical->pressed = 0;
    for (size_t i = 0; i < scree_grain_count(inputs->world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(inputs->world)[i];
        if (!scree_step_inputs_counts(inputs->collider, grain) || scree_step_inputs_is_still(grain))
            continue;
        const bool held = scree_step_inputs_is_fixed(grain);
        const struct scree_stiffness_damping *hit = &bin_of(critical, grain)->hit;
        const struct lever lever = lever_of(inputs, i);
        const uint64_t *sum = critical->sums ? &critical->sums[2 * (size_t)grain->owner] : none;
        // the one or the other, so that a step does not change in the middle of an impact
        const double spring =
            larger((double)sum[0] * critical->unit[0], stiffest(&hit->spring, &lever, true, held));
        const double dashpot =
            larger((double)sum[1] * critical->unit[1], stiffest(&hit->dashpot, &lever, true, held));
        const double own = longest(spring, dashpot, grain->mass);
        const uint64_t id = scree_world_ids(inputs->world)[grain->owner];
        if (own < limit->stable || (own == limit->stable && own < (double)INFINITY && id < limit->body)) {
            limit->stable = own;
            limit->body = id;
            critical->pressed = (double)sum[0] * critical->unit[0];
        }
    }
}

static bool is_elastic(const struct scree_law_class *class)
{
    for (const char *const *name = class->law->properties; name && *name; ++name)
        if (strcmp(*name, "young") == 0)
            return true;
    return false;
}

// The time that a Rayleigh wave takes around the smallest body of a material whose moduli make its contacts.
static double rayleigh(const struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                       size_t material)
{
    const struct scree_law_classes *classes = &inputs->collider->classes;
    const struct scree_material *row = (const struct scree_material *)scree_world_column(
                                           inputs->world, SCREE_ENTITY_MATERIAL, SCREE_MATERIAL_MATERIAL) +
                                       (material - 1);
    bool elastic = false;
    for (size_t m = 1; m < classes->materials && !elastic; ++m) {
        const uint8_t number = classes->table[material * classes->materials + m];
        elastic = number != SCREE_CONTACTS_NO_CLASS && is_elastic(&classes->class[number]);
    }
    if (!elastic || !(row->young > 0 && row->young <= DBL_MAX && row->poisson > -1 && row->poisson <= 0.5))
        return (double)INFINITY;
    const double shear = row->young / (2 * (1 + row->poisson));
    return SCREE_PI * critical->kinds.data[material].smallest * sqrt(row->density / shear) /
           (0.1631 * row->poisson + 0.8766);
}

scree_status scree_critical_step_measure(struct scree_critical_step *critical,
                                         const struct scree_collider *collider, bool evaluated, double fixed,
                                         double safety, struct scree_critical_step_limit *limit)
{
    struct scree_step_inputs inputs;
    *limit = (struct scree_critical_step_limit){(double)INFINITY, (double)INFINITY, (double)INFINITY, 0, 0};
    SCREE_TRY(scree_step_inputs_make(critical, collider, &inputs));
    memcpy(critical->least, inputs.velocity.lower, sizeof critical->least);
    memcpy(critical->most, inputs.velocity.upper, sizeof critical->most);
    SCREE_TRY(fill_bins(critical, &inputs));
    settle_speed(critical, &inputs, fixed, safety);
    SCREE_TRY(borrow_sums(critical, collider));
    sum_up(critical, &inputs, evaluated);
    find_least(critical, &inputs, limit);
    return_sums(critical, collider);
    limit->advice = limit->stable;
    limit->displacement = scree_step_inputs_displacement_step(critical, &inputs);
    for (size_t m = 1; m < critical->kinds.count; ++m)
        if (critical->kinds.data[m].bodies > 0) {
            // so that a tenth, the default, is the customary fifth
            const double own = 2 * rayleigh(critical, &inputs, m);
            limit->wave = own < limit->advice ? m : limit->wave;
            limit->advice = own < limit->advice ? own : limit->advice;
        }
    return SCREE_OK;
}

scree_status scree_critical_step_ceiling(struct scree_critical_step *critical,
                                         const struct scree_collider *collider, double step, double *stable)
{
    struct scree_step_inputs inputs;
    struct scree_critical_step_limit limit = {.stable = (double)INFINITY};
    struct scree_critical_step_bin *worst;
    size_t material;
    SCREE_TRY(scree_step_inputs_make(critical, collider, &inputs));
    SCREE_TRY(fill_bins(critical, &inputs));
    critical->speed = inputs.fall * SCREE_CRITICAL_STEP_EVERY * step;
    (void)strike_all(critical, &inputs, &material, &worst);
    find_least(critical, &inputs, &limit);
    *stable = limit.stable;
    return SCREE_OK;
}

// --- why

static double ring(const struct scree_step_inputs *inputs, size_t slot,
                   const struct scree_stiffness_parts *rate, bool alone)
{
    const struct lever lever = lever_of(inputs, slot);
    return stiffest(rate, &lever, alone,
                    scree_step_inputs_is_fixed(&scree_world_grains(inputs->world)[slot]));
}

// Which of its contacts holds a body the stiffest.
static void find_contact(const struct scan *scan, size_t body, struct scree_critical_step_why *why)
{
    const struct scree_world *world = scan->inputs->world;
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_grain *grain = scree_world_grains(world);
    double most = 0;
    struct scree_stiffness_damping hit;
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        const bool low = grain[pair.low].owner == body;
        if ((!low && grain[pair.high].owner != body) ||
            (scan->evaluated && !(contacts->live[c / 8] >> (c % 8) & 1)) || !hit_pair(scan, c, &hit))
            continue;
        const double own = ring(scan->inputs, low ? pair.low : pair.high, &hit.spring, false);
        if (own <= most)
            continue;
        most = own;
        why->other = scree_world_ids(world)[grain[low ? pair.high : pair.low].owner];
    }
    for (size_t k = 0; k < contacts->walls.count; ++k) {
        const uint32_t slot = contacts->walls.pair[k].low;
        if (grain[slot].owner != body || (scan->evaluated && !contacts->walls.live[k]) ||
            !hit_wall(scan, k, &hit))
            continue;
        const double own = ring(scan->inputs, slot, &hit.spring, false);
        if (own <= most)
            continue;
        most = own;
        why->other = 0;
        why->wall = scree_contacts_wall(contacts, k);
    }
}

// What would strike the body the hardest.
static void find_striker(const struct scree_critical_step *critical, const struct scree_step_inputs *inputs,
                         size_t slot, struct scree_critical_step_why *why)
{
    const struct scree_law_classes *classes = &inputs->collider->classes;
    const struct scree_grain *grain = &scree_world_grains(inputs->world)[slot];
    const struct scree_critical_step_bin *bin = bin_of(critical, grain);
    double most = 0;
    for (size_t m = 1; m < critical->kinds.count; ++m) {
        const struct scree_critical_step_kind *kind = &critical->kinds.data[m];
        const uint8_t number = classes->table[grain->material * classes->materials + m];
        for (int wall = 0; wall < 2 && number != SCREE_CONTACTS_NO_CLASS; ++wall) {
            struct scree_critical_step_bin alone = {
                .radius = bin->radius, .mass = bin->mass, .least = bin->least};
            if (wall ? kind->walls == 0 : kind->bodies <= (m == grain->material ? 1 : 0))
                continue;
            run_into(inputs, &alone, critical->speed, &classes->class[number], wall ? 0 : kind->radius,
                     wall ? 0 : kind->mass);
            const double own = ring(inputs, slot, &alone.hit.spring, true);
            if (own <= most)
                continue;
            most = own;
            why->material = m;
            why->radius = wall ? 0 : kind->radius;
        }
    }
}

void scree_critical_step_explain(const struct scree_critical_step *critical,
                                 const struct scree_collider *collider, bool evaluated,
                                 const struct scree_critical_step_limit *limit,
                                 struct scree_critical_step_why *why)
{
    const struct scree_step_inputs inputs = {.collider = collider, .world = collider->world};
    const struct scan scan = {(struct scree_critical_step *)(uintptr_t)critical, &inputs, evaluated};
    const struct scree_grain *grain = scree_world_grains(inputs.world);
    size_t hardest = SIZE_MAX;
    double most = 0;
    *why = (struct scree_critical_step_why){.speed = critical->speed};
    for (size_t i = 0; i < scree_grain_count(inputs.world) && limit->body > 0; ++i) {
        if (scree_world_ids(inputs.world)[grain[i].owner] != limit->body ||
            !scree_step_inputs_counts(collider, &grain[i]))
            continue;
        const double own = ring(&inputs, i, &bin_of(critical, &grain[i])->hit.spring, true);
        hardest = hardest == SIZE_MAX || own > most ? i : hardest;
        most = larger(own, most);
    }
    if (hardest == SIZE_MAX)
        return;
    why->touches = critical->pressed > most;
    if (why->touches)
        find_contact(&scan, grain[hardest].owner, why);
    else
        find_striker(critical, &inputs, hardest, why);
}

double scree_critical_step_choose(const struct scree_critical_step_limit *limit, double safety)
{
    double step = safety * limit->advice < limit->displacement ? safety * limit->advice : limit->displacement;
    uint64_t bits;
    memcpy(&bits, &step, sizeof bits);
    bits &= ~((UINT64_C(1) << 48) - 1);
    memcpy(&step, &bits, sizeof bits);
    return step;
}

void scree_critical_step_free(struct scree_critical_step *critical)
{
    scree_array_free(&critical->bins);
    scree_array_free(&critical->kinds);
}
