// The pace, see pace.h: a survey of the bodies, what each size of them may run into, the contacts there are,
// and the least of what that leaves.

#include "engine/pace.h"

#include "base/memory.h"
#include "engine/survey.h"
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

static struct scree_pace_bin *bin_of(const struct scree_pace *pace, const struct scree_grain *grain)
{
    const struct scree_pace_kind *kind = &pace->kinds.data[grain->material];
    return &pace->bins.data[kind->first + (scree_survey_class(grain->radius) - kind->low)];
}

static scree_status fill_bins(struct scree_pace *pace, const struct scree_survey *survey)
{
    size_t count = 0;
    pace->smallest = (double)INFINITY;
    for (size_t m = 0; m < pace->kinds.count; ++m) {
        struct scree_pace_kind *kind = &pace->kinds.data[m];
        kind->first = count;
        if (kind->bodies == 0)
            continue;
        count += kind->high - kind->low + 1;
        pace->smallest = kind->smallest < pace->smallest ? kind->smallest : pace->smallest;
    }
    SCREE_TRY(scree_array_reserve(&pace->bins, count));
    pace->bins.count = count;
    if (count > 0)
        memset(pace->bins.data, 0, count * sizeof *pace->bins.data);
    for (size_t i = 0; i < scree_grain_count(survey->world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(survey->world)[i];
        if (!scree_survey_counts(survey->collider, grain))
            continue;
        struct scree_pace_bin *bin = bin_of(pace, grain);
        bin->radius = grain->radius > bin->radius ? grain->radius : bin->radius;
        bin->mass = grain->mass > bin->mass ? grain->mass : bin->mass;
        bin->least = bin->least == 0 || grain->mass < bin->least ? grain->mass : bin->least;
    }
    return SCREE_OK;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static void take_worse(struct scree_probe_rate *rate, const struct scree_probe_rate *other)
{
    rate->normal = larger(rate->normal, other->normal);
    rate->across = larger(rate->across, other->across);
    rate->turning = larger(rate->turning, other->turning);
}

// A bin runs into one partner.
static void run_into(const struct scree_survey *survey, struct scree_pace_bin *bin, double speed,
                     const struct scree_law_class *class, double radius, double mass)
{
    const bool flat = !(radius > 0), heavy = !(mass > 0);
    const double size = flat || bin->radius < radius ? bin->radius : radius;
    struct scree_probe_touch touch = {.radius =
                                          flat ? bin->radius : bin->radius * radius / (bin->radius + radius),
                                      .mass = heavy ? bin->mass : bin->mass * mass / (bin->mass + mass),
                                      .arm = {bin->radius, radius},
                                      .speed = speed,
                                      .turning = scree_law_tangential_share(survey->world->dimension)};
    touch.overlap = scree_probe_deepest(class, touch, size);
    struct scree_probe_hit hit;
    if (!scree_probe_contact(class, &touch, NULL, heavy ? 1 : 2, &hit))
        return;
    take_worse(&bin->hit.spring, &hit.spring);
    take_worse(&bin->hit.dashpot, &hit.dashpot);
}

// A bin runs into whatever there is. The largest and the heaviest partner is the stiffest,
// or one of its own size that is as heavy.
static void strike(const struct scree_pace *pace, const struct scree_survey *survey, size_t material,
                   struct scree_pace_bin *bin, double speed)
{
    const struct scree_law_classes *classes = &survey->collider->classes;
    bin->hit = (struct scree_probe_hit){0};
    for (size_t m = 1; m < pace->kinds.count; ++m) {
        const struct scree_pace_kind *kind = &pace->kinds.data[m];
        const uint8_t number = classes->table[material * classes->materials + m];
        if (number == SCREE_CONTACTS_NO_CLASS)
            continue;
        const struct scree_law_class *class = &classes->class[number];
        if (kind->walls > 0)
            run_into(survey, bin, speed, class, 0, 0);
        // nobody meets himself
        if (kind->bodies > (m == material ? 1 : 0)) {
            // springs of a modulus are as thick as the smaller side, and the longer the softer
            const double like = bin->radius < kind->radius ? bin->radius : kind->radius;
            run_into(survey, bin, speed, class, kind->radius, kind->mass);
            run_into(survey, bin, speed, class, like, kind->mass);
            if (kind->held) {
                run_into(survey, bin, speed, class, kind->radius, 0);
                run_into(survey, bin, speed, class, like, 0);
            }
        }
    }
}

// How the contacts of a grain turn its body: the lever of a force across the normal, and m / I. What is
// carried is turned by forces along the normal as well, by a lever that is at most the distance from the
// centre of mass to the farthest place of the grain.
struct lever {
    double arm, share;
    bool carried;
};

// The stiffest of the ways in which a contact rings, as one along the normal. A contact that is alone sways
// and turns its body at once, which many contacts around a round body hardly do. One that is held in place
// only turns.
static double stiffest(const struct scree_probe_rate *rate, const struct lever *lever, bool alone, bool held)
{
    const double along = larger(rate->normal, rate->across), square = lever->arm * lever->arm * lever->share;
    const double turn = (lever->carried ? along : rate->across) * square + rate->turning * lever->share;
    if (lever->carried && !held)
        return along + turn;
    return held ? turn : larger(along, alone ? turn + rate->across : turn);
}

static double longest(double stiffness, double damping, double mass)
{
    const double square = stiffness / mass, rate = damping / mass;
    const double both = sqrt(square + rate * rate) + rate;
    return both > 0 ? 2 / both : (double)INFINITY;
}

static double round_share(const struct scree_survey *survey, double radius)
{
    return (survey->world->dimension == 2 ? 2.0 : 2.5) / (radius * radius);
}

static double bin_limit(const struct scree_survey *survey, const struct scree_pace_bin *bin)
{
    const struct lever lever = {bin->radius, round_share(survey, bin->radius), false};
    return longest(stiffest(&bin->hit.spring, &lever, true, false),
                   stiffest(&bin->hit.dashpot, &lever, true, false), bin->least);
}

// Strikes all bins; returns the least limit and where it is.
static double strike_all(struct scree_pace *pace, const struct scree_survey *survey, size_t *material,
                         struct scree_pace_bin **worst)
{
    double least = (double)INFINITY;
    for (size_t m = 1; m < pace->kinds.count; ++m) {
        const struct scree_pace_kind *kind = &pace->kinds.data[m];
        for (size_t b = 0; kind->bodies > 0 && b <= kind->high - kind->low; ++b) {
            struct scree_pace_bin *bin = &pace->bins.data[kind->first + b];
            if (!(bin->radius > 0))
                continue;
            strike(pace, survey, m, bin, pace->speed);
            const double limit = bin_limit(survey, bin);
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
static void settle_speed(struct scree_pace *pace, const struct scree_survey *survey, double fixed,
                         double safety)
{
    const double now = scree_survey_closing(survey), gain = survey->fall * SCREE_PACE_EVERY;
    size_t material = 0;
    struct scree_pace_bin *worst = NULL;
    pace->speed = now;
    if (pace->bins.count == 0)
        return;
    if (fixed > 0 || !(gain > 0)) {
        pace->speed = now + gain * fixed;
        (void)strike_all(pace, survey, &material, &worst);
        return;
    }
    pace->speed = now + sqrt(survey->fall * pace->smallest);
    double limit = strike_all(pace, survey, &material, &worst);
    for (int round = 0; worst && round < ROUNDS; ++round) {
        pace->speed = now + gain * safety * limit;
        strike(pace, survey, material, worst, pace->speed);
        limit = bin_limit(survey, worst);
    }
    if (worst)
        (void)strike_all(pace, survey, &material, &worst);
}

// The sums.
struct scan {
    struct scree_pace *pace;
    const struct scree_survey *survey;
    bool evaluated;
};

static struct lever lever_of(const struct scree_survey *survey, size_t slot)
{
    const struct scree_grain *grain = &scree_world_grains(survey->world)[slot];
    struct lever lever = {.arm = grain->radius, .carried = grain->part > 0};
    if (!lever.carried && (grain->kind == SCREE_KIND_SPHERE || grain->kind == SCREE_KIND_DISK)) {
        lever.share = round_share(survey, grain->radius);
        return lever;
    }
    const struct scree_rotor *rotor = &scree_world_rotors(survey->world)[grain->owner];
    for (int k = 0; k < 3; ++k)
        lever.share =
            rotor->inertia[k] > 0 ? larger(lever.share, grain->mass / rotor->inertia[k]) : lever.share;
    if (lever.carried) {
        const double *d = scree_grain_seats(survey->world)[slot - scree_world_bodies(survey->world)].offset;
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

static void add(const struct scan *scan, size_t slot, const struct scree_probe_hit *hit)
{
    const struct scree_grain *grain = &scree_world_grains(scan->survey->world)[slot];
    const struct lever lever = lever_of(scan->survey, slot);
    const bool held = scree_survey_is_held(grain);
    uint64_t *sum = &scan->pace->sums[2 * (size_t)grain->owner];
    count(sum, stiffest(&hit->spring, &lever, false, held), scan->pace->unit[0]);
    count(sum + 1, stiffest(&hit->dashpot, &lever, false, held), scan->pace->unit[1]);
}

// What a candidate does to its sides, which `hit` receives; false where it is no contact that bounds
// anything.
static bool hit_pair(const struct scan *scan, size_t candidate, struct scree_probe_hit *hit)
{
    const struct scree_collider *collider = scan->survey->collider;
    const struct scree_contacts *contacts = &scan->survey->world->contacts;
    const struct scree_pair pair = contacts->pair[candidate];
    const struct scree_grain *a = &scree_world_grains(scan->survey->world)[pair.low];
    const struct scree_grain *b = &scree_world_grains(scan->survey->world)[pair.high];
    double square = 0, along = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = scree_kernel_nearest(a->position[k] - b->position[k], collider->period[k]);
        square += d * d;
        along += d * (a->velocity[k] - b->velocity[k]);
    }
    const double size = a->radius + b->radius, overlap = size - sqrt(square);
    // as in the loops, what is held is a wall to what is not
    const bool held_a = scree_survey_is_held(a), held_b = scree_survey_is_held(b),
               still_a = scree_survey_is_still(a), still_b = scree_survey_is_still(b);
    const double mass = held_a == held_b ? a->mass * b->mass / (a->mass + b->mass)
                        : held_a         ? b->mass
                                         : a->mass;
    // what fills up a range pairs a slot with itself
    if (overlap <= -collider->search.reach || pair.low == pair.high || (still_a && still_b))
        return false;
    const struct scree_law_class *class =
        &collider->classes.class[contacts->sort ? contacts->sort[candidate] : 0];
    const double shift = scree_law_class_arm(class, false) * overlap;
    const struct scree_probe_touch touch = {.overlap = overlap,
                                            .radius = a->radius * b->radius / size,
                                            .mass = mass,
                                            .arm = {a->radius - shift, b->radius - shift},
                                            .speed = scan->pace->speed > 0 ? scan->pace->speed : 1,
                                            .approach = square > 0 ? along * along / square : 0,
                                            .turning =
                                                scree_law_tangential_share(scan->survey->world->dimension)};
    const double *history = contacts->stride > 0 ? &contacts->history[candidate * contacts->stride] : NULL;
    return scree_probe_contact(class, &touch, history, still_a || still_b ? 1 : 2, hit);
}

static void scan_pair(const struct scan *scan, size_t candidate)
{
    const struct scree_grain *grain = scree_world_grains(scan->survey->world);
    const struct scree_pair pair = scan->survey->world->contacts.pair[candidate];
    struct scree_probe_hit hit;
    if (!hit_pair(scan, candidate, &hit))
        return;
    if (!scree_survey_is_still(&grain[pair.low]))
        add(scan, pair.low, &hit);
    if (!scree_survey_is_still(&grain[pair.high]))
        add(scan, pair.high, &hit);
}

static void scan_pairs(void *context, size_t first, size_t last, int thread)
{
    (void)thread;
    const struct scan *scan = (const struct scan *)context;
    const uint8_t *live = scan->survey->world->contacts.live;
    for (size_t byte = first; byte < last; ++byte)
        for (unsigned bits = scan->evaluated ? live[byte] : 255; bits; bits &= bits - 1)
            scan_pair(scan, 8 * byte + (unsigned)__builtin_ctz(bits));
}

// Likewise for number `k` of the candidates with walls.
static bool hit_wall(const struct scan *scan, size_t k, struct scree_probe_hit *hit)
{
    const struct scree_collider *collider = scan->survey->collider;
    const struct scree_wall_contacts *walls = &scan->survey->world->contacts.walls;
    const struct scree_grain *grain = &scree_world_grains(scan->survey->world)[walls->pair[k].low];
    const struct scree_law_class *class = &collider->classes.class[walls->sort[k]];
    struct scree_surface_touch surface;
    const struct scree_wall *wall = scree_wall_row(scan->survey->world, walls->pair[k].high);
    scree_surface_touch(wall, walls->feature[k], grain->position, &surface);
    const double arm = scree_law_class_arm(class, true) > 0 ? surface.gap : grain->radius;
    const struct scree_vec3 matter = scree_wall_velocity(wall, scree_vec3_load(surface.point));
    const double along = scree_vec3_dot(scree_vec3_load(surface.normal),
                                        scree_vec3_sub(scree_vec3_load(grain->velocity), matter));
    const struct scree_probe_touch touch = {.overlap = grain->radius - surface.gap,
                                            .radius = grain->radius,
                                            .mass = grain->mass,
                                            .arm = {arm, 0},
                                            .speed = scan->pace->speed > 0 ? scan->pace->speed : 1,
                                            .approach = along * along,
                                            .turning =
                                                scree_law_tangential_share(scan->survey->world->dimension)};
    return touch.overlap > -collider->search.reach && !scree_survey_is_still(grain) &&
           scree_probe_contact(class, &touch, walls->stride > 0 ? &walls->history[k * walls->stride] : NULL,
                               1, hit);
}

static void scan_walls(const struct scan *scan)
{
    const struct scree_wall_contacts *walls = &scan->survey->world->contacts.walls;
    struct scree_probe_hit hit;
    for (size_t k = 0; k < walls->count; ++k)
        if ((!scan->evaluated || walls->live[k]) && hit_wall(scan, k, &hit))
            add(scan, walls->pair[k].low, &hit);
}

// The sums of forces are zero between evaluations, and have room for more than two numbers a body.
static scree_status borrow_sums(struct scree_pace *pace, const struct scree_collider *collider)
{
    const size_t bodies = scree_world_bodies(collider->world);
    pace->unit[0] = pace->unit[1] = 0;
    if (collider->sums.sum && collider->sums.grains >= bodies) {
        pace->sums = (uint64_t *)collider->sums.sum;
        return SCREE_OK;
    }
    return scree_memory_new(2 * bodies, sizeof *pace->sums, (void **)&pace->sums);
}

static void return_sums(struct scree_pace *pace, const struct scree_collider *collider)
{
    const size_t bodies = scree_world_bodies(collider->world);
    if (pace->sums != (uint64_t *)collider->sums.sum)
        scree_memory_free(pace->sums);
    else if (bodies > 0)
        memset(pace->sums, 0, 2 * bodies * sizeof *pace->sums);
    pace->sums = NULL;
}

static void sum_up(struct scree_pace *pace, const struct scree_survey *survey, bool evaluated)
{
    const struct scan scan = {pace, survey, evaluated};
    for (size_t b = 0; b < pace->bins.count; ++b) {
        const struct scree_pace_bin *bin = &pace->bins.data[b];
        const double spring = larger(bin->hit.spring.normal, bin->hit.spring.across);
        pace->unit[0] = larger(pace->unit[0], spring / units);
        pace->unit[1] = larger(pace->unit[1], sqrt(spring * bin->mass) / units);
    }
    if (!(pace->unit[0] > 0 && pace->unit[1] > 0))
        return;
    const struct scree_contacts *contacts = &survey->world->contacts;
    scree_team_run(survey->collider->team, contacts->candidates / 8, SHARE, scan_pairs,
                   (void *)(uintptr_t)&scan);
    scan_walls(&scan);
}

// `sums` may be missing: then nothing touches.
static void find_least(struct scree_pace *pace, const struct scree_survey *survey,
                       struct scree_pace_limit *limit)
{
    static const uint64_t none[2];
    pace->pressed = 0;
    for (size_t i = 0; i < scree_grain_count(survey->world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(survey->world)[i];
        if (!scree_survey_counts(survey->collider, grain) || scree_survey_is_still(grain))
            continue;
        const bool held = scree_survey_is_held(grain);
        const struct scree_probe_hit *hit = &bin_of(pace, grain)->hit;
        const struct lever lever = lever_of(survey, i);
        const uint64_t *sum = pace->sums ? &pace->sums[2 * (size_t)grain->owner] : none;
        // the one or the other, so that a step does not change in the middle of an impact
        const double spring =
            larger((double)sum[0] * pace->unit[0], stiffest(&hit->spring, &lever, true, held));
        const double dashpot =
            larger((double)sum[1] * pace->unit[1], stiffest(&hit->dashpot, &lever, true, held));
        const double own = longest(spring, dashpot, grain->mass);
        const uint64_t id = scree_world_ids(survey->world)[grain->owner];
        if (own < limit->stable || (own == limit->stable && own < (double)INFINITY && id < limit->body)) {
            limit->stable = own;
            limit->body = id;
            pace->pressed = (double)sum[0] * pace->unit[0];
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
static double rayleigh(const struct scree_pace *pace, const struct scree_survey *survey, size_t material)
{
    const struct scree_law_classes *classes = &survey->collider->classes;
    const struct scree_material *row = (const struct scree_material *)scree_world_column(
                                           survey->world, SCREE_ENTITY_MATERIAL, SCREE_MATERIAL_MATERIAL) +
                                       (material - 1);
    bool elastic = false;
    for (size_t m = 1; m < classes->materials && !elastic; ++m) {
        const uint8_t number = classes->table[material * classes->materials + m];
        elastic = number != SCREE_CONTACTS_NO_CLASS && is_elastic(&classes->class[number]);
    }
    if (!elastic || !(row->young > 0 && row->young <= DBL_MAX && row->poisson > -1 && row->poisson <= 0.5))
        return (double)INFINITY;
    const double shear = row->young / (2 * (1 + row->poisson));
    return SCREE_PI * pace->kinds.data[material].smallest * sqrt(row->density / shear) /
           (0.1631 * row->poisson + 0.8766);
}

scree_status scree_pace_measure(struct scree_pace *pace, const struct scree_collider *collider,
                                bool evaluated, double fixed, double safety, struct scree_pace_limit *limit)
{
    struct scree_survey survey;
    *limit = (struct scree_pace_limit){(double)INFINITY, (double)INFINITY, (double)INFINITY, 0, 0};
    SCREE_TRY(scree_survey_make(pace, collider, &survey));
    memcpy(pace->least, survey.velocity.lower, sizeof pace->least);
    memcpy(pace->most, survey.velocity.upper, sizeof pace->most);
    SCREE_TRY(fill_bins(pace, &survey));
    settle_speed(pace, &survey, fixed, safety);
    SCREE_TRY(borrow_sums(pace, collider));
    sum_up(pace, &survey, evaluated);
    find_least(pace, &survey, limit);
    return_sums(pace, collider);
    limit->advice = limit->stable;
    limit->way = scree_survey_way(pace, &survey);
    for (size_t m = 1; m < pace->kinds.count; ++m)
        if (pace->kinds.data[m].bodies > 0) {
            // so that a tenth, the default, is the customary fifth
            const double own = 2 * rayleigh(pace, &survey, m);
            limit->wave = own < limit->advice ? m : limit->wave;
            limit->advice = own < limit->advice ? own : limit->advice;
        }
    return SCREE_OK;
}

scree_status scree_pace_ceiling(struct scree_pace *pace, const struct scree_collider *collider, double step,
                                double *stable)
{
    struct scree_survey survey;
    struct scree_pace_limit limit = {.stable = (double)INFINITY};
    struct scree_pace_bin *worst;
    size_t material;
    SCREE_TRY(scree_survey_make(pace, collider, &survey));
    SCREE_TRY(fill_bins(pace, &survey));
    pace->speed = survey.fall * SCREE_PACE_EVERY * step;
    (void)strike_all(pace, &survey, &material, &worst);
    find_least(pace, &survey, &limit);
    *stable = limit.stable;
    return SCREE_OK;
}

// --- why

static double ring(const struct scree_survey *survey, size_t slot, const struct scree_probe_rate *rate,
                   bool alone)
{
    const struct lever lever = lever_of(survey, slot);
    return stiffest(rate, &lever, alone, scree_survey_is_held(&scree_world_grains(survey->world)[slot]));
}

// Which of its contacts holds a body the stiffest.
static void find_contact(const struct scan *scan, size_t body, struct scree_pace_why *why)
{
    const struct scree_world *world = scan->survey->world;
    const struct scree_contacts *contacts = &world->contacts;
    const struct scree_grain *grain = scree_world_grains(world);
    double most = 0;
    struct scree_probe_hit hit;
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        const bool low = grain[pair.low].owner == body;
        if ((!low && grain[pair.high].owner != body) ||
            (scan->evaluated && !(contacts->live[c / 8] >> (c % 8) & 1)) || !hit_pair(scan, c, &hit))
            continue;
        const double own = ring(scan->survey, low ? pair.low : pair.high, &hit.spring, false);
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
        const double own = ring(scan->survey, slot, &hit.spring, false);
        if (own <= most)
            continue;
        most = own;
        why->other = 0;
        why->wall = scree_contacts_wall(contacts, k);
    }
}

// What would strike the body the hardest.
static void find_striker(const struct scree_pace *pace, const struct scree_survey *survey, size_t slot,
                         struct scree_pace_why *why)
{
    const struct scree_law_classes *classes = &survey->collider->classes;
    const struct scree_grain *grain = &scree_world_grains(survey->world)[slot];
    const struct scree_pace_bin *bin = bin_of(pace, grain);
    double most = 0;
    for (size_t m = 1; m < pace->kinds.count; ++m) {
        const struct scree_pace_kind *kind = &pace->kinds.data[m];
        const uint8_t number = classes->table[grain->material * classes->materials + m];
        for (int wall = 0; wall < 2 && number != SCREE_CONTACTS_NO_CLASS; ++wall) {
            struct scree_pace_bin alone = {.radius = bin->radius, .mass = bin->mass, .least = bin->least};
            if (wall ? kind->walls == 0 : kind->bodies <= (m == grain->material ? 1 : 0))
                continue;
            run_into(survey, &alone, pace->speed, &classes->class[number], wall ? 0 : kind->radius,
                     wall ? 0 : kind->mass);
            const double own = ring(survey, slot, &alone.hit.spring, true);
            if (own <= most)
                continue;
            most = own;
            why->material = m;
            why->radius = wall ? 0 : kind->radius;
        }
    }
}

void scree_pace_explain(const struct scree_pace *pace, const struct scree_collider *collider, bool evaluated,
                        const struct scree_pace_limit *limit, struct scree_pace_why *why)
{
    const struct scree_survey survey = {.collider = collider, .world = collider->world};
    const struct scan scan = {(struct scree_pace *)(uintptr_t)pace, &survey, evaluated};
    const struct scree_grain *grain = scree_world_grains(survey.world);
    size_t hardest = SIZE_MAX;
    double most = 0;
    *why = (struct scree_pace_why){.speed = pace->speed};
    for (size_t i = 0; i < scree_grain_count(survey.world) && limit->body > 0; ++i) {
        if (scree_world_ids(survey.world)[grain[i].owner] != limit->body ||
            !scree_survey_counts(collider, &grain[i]))
            continue;
        const double own = ring(&survey, i, &bin_of(pace, &grain[i])->hit.spring, true);
        hardest = hardest == SIZE_MAX || own > most ? i : hardest;
        most = larger(own, most);
    }
    if (hardest == SIZE_MAX)
        return;
    why->touches = pace->pressed > most;
    if (why->touches)
        find_contact(&scan, grain[hardest].owner, why);
    else
        find_striker(pace, &survey, hardest, why);
}

double scree_pace_step(const struct scree_pace_limit *limit, double safety)
{
    double step = safety * limit->advice < limit->way ? safety * limit->advice : limit->way;
    uint64_t bits;
    memcpy(&bits, &step, sizeof bits);
    bits &= ~((UINT64_C(1) << 48) - 1);
    memcpy(&step, &bits, sizeof bits);
    return step;
}

void scree_pace_free(struct scree_pace *pace)
{
    scree_array_free(&pace->bins);
    scree_array_free(&pace->kinds);
}
