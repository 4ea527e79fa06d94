// Evaluates contacts one at a time, see pairwise.h.

#include "support/pairwise.h"

#include "base/sum.h"
#include "law/prepare.h"
#include "shape/surface.h"
#include "support/wall_velocities.h"
#include "support/worlds.h"
#include "world/wall.h"

#include <stdlib.h>

// Result of one contact.
struct outcome {
    bool live, parted;
    struct scree_law_vector force, couple; // on the first side
    struct scree_law_vector torque;        // normal x tangential force
    double arm[2], friction, dashpot, internal;
};

// Distance filters are wider than the range of the law by this factor, so that rounding excludes no contact.
static const double filter_factor = 1 + 1e-9;

static void *grow(void *block, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return block;
    *capacity = 2 * needed;
    void *more = realloc(block, *capacity * size);
    assert_non_null(more);
    return more;
}

void scree_pairwise_begin(struct scree_pairwise *pairwise, const struct scree_world *world)
{
    *pairwise = (struct scree_pairwise){.world = world};
    const size_t materials = scree_world_entity(world, SCREE_ENTITY_MATERIAL)->count;
    assert_true(materials < SCREE_PAIRWISE_MATERIALS);
    for (size_t a = 1; a <= materials; ++a)
        for (size_t b = 1; b <= materials; ++b)
            assert_ok(scree_interaction_pair(world, a, b, &pairwise->class[a][b]));
}

void scree_pairwise_end(struct scree_pairwise *pairwise)
{
    free(pairwise->id);
    free(pairwise->slot);
    free(pairwise->grain);
    free(pairwise->first_term);
    free(pairwise->term);
    free(pairwise->grains.contact);
    free(pairwise->walls.contact);
    free(pairwise->old_grains.contact);
    free(pairwise->old_walls.contact);
    *pairwise = (struct scree_pairwise){0};
}

// --- bodies, walls and contacts in order of id

static int compare_rows(const void *a, const void *b)
{
    const uint64_t *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

// Slots of the rows of an entity in ascending order of id; the caller frees them.
static uint64_t (*sorted_rows(const struct scree_entity *entity))[2]
{
    uint64_t(*row)[2] = calloc(entity->count + 1, sizeof *row);
    assert_non_null(row);
    for (size_t i = 0; i < entity->count; ++i) {
        row[i][0] = scree_entity_ids(entity)[i];
        row[i][1] = i;
    }
    qsort(row, entity->count, sizeof *row, compare_rows);
    return row;
}

static void read_bodies(struct scree_pairwise *p)
{
    const struct scree_entity *entity = scree_world_entity(p->world, SCREE_ENTITY_BODY);
    uint64_t(*row)[2] = sorted_rows(entity);
    size_t capacity[4] = {p->body_capacity, p->body_capacity, p->body_capacity, p->body_capacity};
    p->bodies = entity->count;
    p->id = grow(p->id, &capacity[0], p->bodies + 1, sizeof *p->id);
    p->slot = grow(p->slot, &capacity[1], p->bodies + 1, sizeof *p->slot);
    p->grain = grow(p->grain, &capacity[2], p->bodies + 1, sizeof *p->grain);
    p->first_term = grow(p->first_term, &capacity[3], p->bodies + 1, sizeof *p->first_term);
    p->body_capacity = capacity[0];
    for (size_t i = 0; i < p->bodies; ++i) {
        p->id[i] = row[i][0];
        p->slot[i] = row[i][1];
        p->grain[i] = scree_world_grains(p->world)[row[i][1]];
        p->first_term[i] = 0;
    }
    p->terms = 0;
    free(row);
}

// The index of a body, or SIZE_MAX if it was removed.
static size_t index_of(const struct scree_pairwise *p, uint64_t id)
{
    const uint64_t *found = p->bodies > 0 ? bsearch(&id, p->id, p->bodies, sizeof id, compare_rows) : NULL;
    return found ? (size_t)(found - p->id) : SIZE_MAX;
}

// Moves the present contacts to the old lists, without those of removed bodies.
static void move_to_old(const struct scree_pairwise *p, struct scree_pairwise_list *list,
                        struct scree_pairwise_list *old, bool walls)
{
    const struct scree_pairwise_list reused = *old;
    *old = *list;
    *list = reused;
    list->count = 0;
    size_t kept = 0;
    for (size_t c = 0; c < old->count; ++c) {
        struct scree_pairwise_contact contact = old->contact[c];
        contact.first = index_of(p, contact.low);
        contact.second = walls ? SIZE_MAX : index_of(p, contact.high);
        if (contact.first != SIZE_MAX && (walls || contact.second != SIZE_MAX))
            old->contact[kept++] = contact;
    }
    old->count = kept;
}

static bool has_history(const struct scree_pairwise_contact *contact)
{
    bool has = false;
    for (int k = 0; contact && k < SCREE_PAIRWISE_HISTORY; ++k)
        has = has || contact->history[k] != 0;
    return has;
}

// --- one contact

static struct scree_kernel_rule rule_of(const struct scree_pairwise *p, const struct scree_law_class *class,
                                        bool wall)
{
    const double *period = scree_world_cell(p->world)->period;
    struct scree_kernel_rule rule = {.step = p->step,
                                     .arm = scree_law_class_arm(class, wall),
                                     .tangential_ratio = scree_law_tangential_share(p->world->dimension),
                                     .limit = INFINITE};
    memcpy(rule.constants, class->constants, sizeof rule.constants);
    memcpy(rule.resistance, class->constants + SCREE_LAW_CONSTANTS, sizeof rule.resistance);
    for (int k = 0; k < 3; ++k)
        rule.period[k] = period[k] > 0 ? period[k] : INFINITE;
    return rule;
}

static struct scree_law_vector on_step(const double *velocity, const float *kick)
{
    return (struct scree_law_vector){velocity[0] + (double)kick[0], velocity[1] + (double)kick[1],
                                     velocity[2] + (double)kick[2]};
}

static struct scree_kernel_side side_of(const struct scree_grain *grain)
{
    return (struct scree_kernel_side){
        .centre = {grain->position[0], grain->position[1], grain->position[2]},
        .radius = grain->radius,
        .half_velocity = {grain->velocity[0], grain->velocity[1], grain->velocity[2]},
        .mass = grain->mass,
        .half_spin = {grain->spin[0], grain->spin[1], grain->spin[2]},
        .full_velocity = on_step(grain->velocity, grain->half_kick),
        .full_spin = on_step(grain->spin, grain->half_twist),
    };
}

static struct outcome evaluate(const struct scree_kernel_rule *rule, const struct scree_law_class *class,
                               const struct scree_kernel_frame *frame,
                               const struct scree_pairwise_contact *old, double *after)
{
    double before[SCREE_PAIRWISE_HISTORY] = {0};
    size_t own = 0, vectors = 0;
    for (const struct scree_law_value *v = class->law->values; v && v->name; ++v) {
        own += v->width;
        vectors += v->width == 3;
    }
    if (old)
        memcpy(before, old->history, sizeof before);
    const struct scree_law_vector rotation = scree_kernel_rotation(frame);
    struct scree_law_contact contact = scree_kernel_contact(rule, frame, rotation);
    const double now = frame->overlap, previous = frame->previous_overlap;
    if (class->law->powers && (now > 0) != (previous > 0))
        scree_kernel_correct(frame, scree_kernel_onset_of(class->law->powers(rule->constants), previous, now),
                             &contact);
    for (size_t v = 0; v < vectors; ++v)
        scree_kernel_rotate_history(frame, rotation, &before[3 * v]);
    if (class->resists)
        scree_kernel_rotate_history(frame, rotation, &before[own]);
    struct scree_law_reply reply = class->law->force(rule->constants, &contact, before, after);
    if (class->resists)
        scree_kernel_resist(rule, frame, &contact, rotation, &reply, before + own, after + own);
    return (struct outcome){.live = reply.live > 0,
                            .parted = contact.parted > 0,
                            .force =
                                scree_law_add(scree_law_scale(reply.normal, contact.normal), reply.force),
                            .couple = reply.couple,
                            .torque = scree_law_cross(contact.normal, reply.force),
                            .arm = {contact.arm[0], contact.arm[1]},
                            .friction = reply.friction + contact.step * reply.sliding,
                            .dashpot = reply.dashpot,
                            .internal = reply.internal};
}

// The term of one side; the second side gets the opposite force. Arms point from the centres to the contact,
// against the normal on the first side and along it on the second, so moments have the same sign.
static struct scree_pairwise_term term_of(const struct outcome *outcome, int side, double share)
{
    const double sign = side == 0 ? 1 : -1, arm = -outcome->arm[side];
    const struct scree_law_vector f = outcome->force, c = outcome->couple, t = outcome->torque;
    return (struct scree_pairwise_term){.value = {sign * f.x, sign * f.y, sign * f.z, arm * t.x + sign * c.x,
                                                  arm * t.y + sign * c.y, arm * t.z + sign * c.z,
                                                  share * outcome->friction, share * outcome->dashpot,
                                                  share * outcome->internal}};
}

static void add_term(struct scree_pairwise *p, size_t body, struct scree_pairwise_term term)
{
    p->term = grow(p->term, &p->term_capacity, p->terms + 1, sizeof *p->term);
    term.next = p->first_term[body];
    p->term[p->terms++] = term;
    p->first_term[body] = p->terms;
}

static void append(struct scree_pairwise_list *list, struct scree_pairwise_contact contact)
{
    list->contact = grow(list->contact, &list->capacity, list->count + 1, sizeof *list->contact);
    list->contact[list->count++] = contact;
}

// --- bodies with bodies

static bool is_fixed(const struct scree_grain *grain)
{
    return (grain->flags & SCREE_FIX_POSITION) == SCREE_FIX_POSITION;
}

static double nearest(double difference, double period)
{
    difference = fabs(difference);
    return period > 0 && period - difference < difference ? period - difference : difference;
}

// Whether the gap between the surfaces is at most `range`.
static bool are_near(const struct scree_grain *a, const struct scree_grain *b, const double *period,
                     double range)
{
    const double far = (a->radius + b->radius + range) * filter_factor;
    double square = 0;
    for (int k = 0; k < 3; ++k) {
        const double d = nearest(a->position[k] - b->position[k], period[k]);
        square += d * d;
    }
    return square <= far * far;
}

static void count_pair(struct scree_pairwise *p, size_t i, size_t j)
{
    struct scree_pairwise_counts *counts = &p->counts;
    const struct scree_grain *a = &p->grain[i], *b = &p->grain[j];
    const double *period = scree_world_cell(p->world)->period;
    bool wrapped = false;
    for (int k = 0; k < 3; ++k)
        wrapped = wrapped || (period[k] > 0 && fabs(a->position[k] - b->position[k]) > 0.5 * period[k]);
    counts->periodic += wrapped;
    counts->one_fixed += is_fixed(a) != is_fixed(b);
    counts->both_fixed += is_fixed(a) && is_fixed(b);
    counts->large_ratio += a->radius >= 20 * b->radius || b->radius >= 20 * a->radius;
    ++*(p->slot[i] / SCREE_CONTACTS_TILE == p->slot[j] / SCREE_CONTACTS_TILE ? &counts->same_tile
                                                                             : &counts->two_tiles);
}

static void evaluate_bodies(struct scree_pairwise *p, size_t i, size_t j, bool near,
                            const struct scree_pairwise_contact *old)
{
    const struct scree_law_class *class = &p->class[p->grain[i].material][p->grain[j].material];
    struct scree_pairwise_contact contact = {
        .low = p->id[i], .high = p->id[j], .first = i, .second = j, .history = {0}};
    const struct scree_kernel_rule rule = rule_of(p, class, false);
    struct scree_kernel_side a = side_of(&p->grain[i]), b = side_of(&p->grain[j]);
    // a body with all its translation fixed acts like a wall on a free body
    if (is_fixed(&p->grain[i]) != is_fixed(&p->grain[j]))
        *(is_fixed(&p->grain[i]) ? &a.mass : &b.mass) *= 0x1p60;
    const struct scree_kernel_frame frame = scree_kernel_pair_frame(&rule, &a, &b, 1.0, true);
    const struct outcome outcome = evaluate(&rule, class, &frame, old, contact.history);
    p->counts.ended += old && !(outcome.live && near);
    if (!outcome.live)
        return;
    add_term(p, i, term_of(&outcome, 0, 0.5));
    add_term(p, j, term_of(&outcome, 1, 0.5));
    count_pair(p, i, j);
    p->counts.begun += !old;
    p->counts.kept += old && near;
    p->counts.out_of_range += !near;
    // a pair beyond the range is evaluated once more, to end the contact, and not kept
    if (near && !outcome.parted)
        append(&p->grains, contact);
}

// The old contact of two bodies, if it is the next in the list; advances the list.
static const struct scree_pairwise_contact *next_old_pair(const struct scree_pairwise_list *old, size_t *next,
                                                          size_t i, size_t j)
{
    if (*next >= old->count || old->contact[*next].first != i || old->contact[*next].second != j)
        return NULL;
    return &old->contact[(*next)++];
}

// The old contact of a body and a wall. Contacts of removed walls are skipped.
static const struct scree_pairwise_contact *next_old_wall(const struct scree_pairwise_list *old, size_t *next,
                                                          size_t i, uint64_t key)
{
    for (; *next < old->count; ++*next) {
        const struct scree_pairwise_contact *contact = &old->contact[*next];
        if (contact->first > i || (contact->first == i && contact->high >= key))
            return contact->first == i && contact->high == key ? contact : NULL;
    }
    return NULL;
}

// Whether a body has a surface and a rule with this material.
static bool may_touch(const struct scree_pairwise *p, size_t i, size_t material)
{
    return p->grain[i].radius > 0 && p->class[p->grain[i].material][material].law;
}

static void all_pairs(struct scree_pairwise *p, double range)
{
    const double *period = scree_world_cell(p->world)->period;
    size_t next = 0;
    for (size_t i = 0; i < p->bodies; ++i)
        for (size_t j = i + 1; j < p->bodies; ++j) {
            const bool near = are_near(&p->grain[i], &p->grain[j], period, range);
            const struct scree_pairwise_contact *old = next_old_pair(&p->old_grains, &next, i, j);
            if (!near && !old)
                continue;
            if (!(p->grain[j].radius > 0) || !may_touch(p, i, p->grain[j].material))
                continue;
            // a contact that an edit has separated is removed without a last evaluation
            const bool edited = (p->grain[i].flags | p->grain[j].flags) & SCREE_FLAG_OUT_OF_LEDGER;
            if (near || (old && !edited))
                evaluate_bodies(p, i, j, near, old);
            else
                ++p->counts.ended;
        }
    assert_int_equal(next, p->old_grains.count);
}

// --- bodies with walls: the geometry of a wall for a body, now and half a step earlier in the frame of the
// wall.
static struct scree_kernel_wall wall_geometry(const struct scree_wall *wall, unsigned feature,
                                              const struct scree_grain *grain, double step)
{
    struct scree_surface_touch touch, earlier;
    struct scree_kernel_wall at = {.spin = {wall->spin[0], wall->spin[1], wall->spin[2]}};
    scree_surface_touch(wall, feature, grain->position, &touch);
    at.gap = touch.gap;
    memcpy(at.normal, touch.normal, sizeof at.normal);
    const struct scree_vec3 centre = scree_vec3_load(grain->position), own = scree_vec3_load(grain->velocity),
                            relative = scree_vec3_sub(own, scree_wall_velocity(wall, centre)),
                            half = scree_vec3_add_scaled(centre, -0.5 * step, relative);
    const double earlier_position[3] = {half.x, half.y, half.z};
    scree_surface_touch(wall, feature, earlier_position, &earlier);
    at.half_gap = earlier.gap;
    const struct scree_vec3 normal = scree_vec3_load(earlier.normal), point = scree_vec3_load(touch.point);
    wall_velocities(wall, step, point, scree_vec3_add_scaled(half, -earlier.gap, normal), &at);
    const struct scree_vec3 turned =
        scree_vec3_add_scaled(normal, -0.5 * step, scree_vec3_cross(scree_vec3_load(wall->spin), normal));
    scree_vec3_store(scree_vec3_scale(turned, 1 / sqrt(scree_vec3_dot(turned, turned))), at.half_normal);
    return at;
}

static void count_wall(struct scree_pairwise *p, const struct scree_wall *wall)
{
    bool moves = false;
    for (int k = 0; k < 3; ++k)
        moves = moves || wall->velocity[k] != 0 || wall->spin[k] != 0;
    ++p->counts.wall[wall->shape];
    p->counts.moving += moves;
    p->counts.at_rest += !moves;
}

static double work_of(const struct outcome *outcome, const struct scree_kernel_wall *at, double step)
{
    const struct scree_law_vector f = outcome->force, c = outcome->couple;
    double v[3];
    for (int k = 0; k < 3; ++k)
        v[k] = at->velocity[k] + (double)at->change[k];
    const double power = f.x * v[0] + f.y * v[1] + f.z * v[2];
    return step * (power + c.x * at->spin[0] + c.y * at->spin[1] + c.z * at->spin[2]);
}

static void evaluate_wall(struct scree_pairwise *p, size_t i, const struct scree_wall *wall, unsigned feature,
                          double range, const struct scree_pairwise_contact *old, uint64_t key)
{
    const struct scree_law_class *class = &p->class[p->grain[i].material][wall->material];
    struct scree_pairwise_contact contact = {
        .low = p->id[i], .high = key, .first = i, .second = SIZE_MAX, .history = {0}};
    const struct scree_kernel_wall at = wall_geometry(wall, feature, &p->grain[i], p->step);
    const bool near = at.gap <= (p->grain[i].radius + range) * filter_factor;
    const bool edited = p->grain[i].flags & SCREE_FLAG_OUT_OF_LEDGER;
    if (!near && !(old && !edited)) {
        p->counts.ended += old != NULL;
        return;
    }
    const struct scree_kernel_rule rule = rule_of(p, class, true);
    const struct scree_kernel_side side = side_of(&p->grain[i]);
    const struct scree_kernel_frame frame = scree_kernel_wall_frame(&rule, &side, &at);
    const struct outcome outcome = evaluate(&rule, class, &frame, old, contact.history);
    p->counts.ended += old && !(outcome.live && near);
    if (!outcome.live)
        return;
    struct scree_pairwise_term term = term_of(&outcome, 0, 1);
    term.value[SCREE_PAIRWISE_WORK] = work_of(&outcome, &at, p->step);
    add_term(p, i, term);
    count_wall(p, wall);
    p->counts.begun += !old;
    p->counts.kept += old && near;
    p->counts.out_of_range += !near;
    if (near && !outcome.parted)
        append(&p->walls, contact);
}

static void all_walls(struct scree_pairwise *p, double range)
{
    const struct scree_entity *entity = scree_world_entity(p->world, SCREE_ENTITY_WALL);
    uint64_t(*row)[2] = sorted_rows(entity);
    size_t next = 0;
    for (size_t i = 0; i < p->bodies; ++i)
        for (size_t w = 0; w < entity->count; ++w) {
            const struct scree_wall *wall = scree_wall_row(p->world, row[w][1]);
            for (unsigned feature = 0; feature < scree_surface_features(wall); ++feature) {
                const uint64_t key = row[w][0] << 32 | feature;
                const struct scree_pairwise_contact *old = next_old_wall(&p->old_walls, &next, i, key);
                if (may_touch(p, i, wall->material))
                    evaluate_wall(p, i, wall, feature, range, old, key);
            }
        }
    free(row);
}

// --- sums

static double largest_range(const struct scree_pairwise *p)
{
    double radius = 0, range = 0;
    for (size_t i = 0; i < p->bodies; ++i)
        radius = p->grain[i].radius > radius ? p->grain[i].radius : radius;
    for (size_t a = 1; a < SCREE_PAIRWISE_MATERIALS; ++a)
        for (size_t b = 1; b < SCREE_PAIRWISE_MATERIALS; ++b) {
            const struct scree_law_class *class = &p->class[a][b];
            const double law_range = class->law ? class->law->range(class->constants, radius) : 0;
            range = law_range > range ? law_range : range;
        }
    return range;
}

void scree_pairwise_evaluate(struct scree_pairwise *p, double step)
{
    p->step = step;
    read_bodies(p);
    move_to_old(p, &p->grains, &p->old_grains, false);
    move_to_old(p, &p->walls, &p->old_walls, true);
    const double range = largest_range(p);
    all_pairs(p, range);
    all_walls(p, range);
    for (size_t i = 0; i < p->bodies; ++i) {
        const size_t live = scree_pairwise_sum(p, i, 0, 0).live;
        p->counts.single += live == 1;
        p->counts.most_contacts = live > p->counts.most_contacts ? live : p->counts.most_contacts;
    }
}

// The quantum of a value. A grain stores the upper bits of a constant, 7 * 2^50 quanta of forces. Those of
// moments are 2^floor(log2 radius) times as large, those of losses 2^-10 times those of moments.
static double quantum_of_grain(const struct scree_grain *grain, int value)
{
    const uint64_t bits = (uint64_t)grain->quantum << 48;
    double constant;
    int exponent;
    memcpy(&constant, &bits, sizeof constant);
    frexp(grain->radius, &exponent);
    const double quantum = constant / (7 * 0x1p50);
    return value < SCREE_PAIRWISE_MOMENT     ? quantum
           : value < SCREE_PAIRWISE_FRICTION ? ldexp(quantum, exponent - 1)
                                             : ldexp(quantum, exponent - 1 - 10);
}

// The engine may choose a new quantum in this evaluation; the larger of both gives the larger tolerance.
static double quantum_of(const struct scree_pairwise *p, size_t body, int value)
{
    const struct scree_grain *now = &scree_world_grains(p->world)[p->slot[body]];
    return fmax(quantum_of_grain(&p->grain[body], value), quantum_of_grain(now, value));
}

struct scree_pairwise_total scree_pairwise_sum(const struct scree_pairwise *p, size_t body, int value,
                                               double before)
{
    struct scree_pairwise_total total = {.size = fabs(before), .accumulates = before != 0};
    struct scree_sum sum = {0};
    double plain = before;
    for (size_t t = p->first_term[body]; t > 0; t = p->term[t - 1].next) {
        const double term = p->term[t - 1].value[value];
        plain += term;
        total.size += fabs(term);
        ++total.live;
    }
    total.exact = plain;
    if (total.live > 0 && value != SCREE_PAIRWISE_WORK)
        total.quantum = quantum_of(p, body, value);
    // a plain sum of two numbers is also rounded once
    if (total.live + total.accumulates <= 2)
        return total;
    scree_sum_add(&sum, before);
    for (size_t t = p->first_term[body]; t > 0; t = p->term[t - 1].next)
        scree_sum_add(&sum, p->term[t - 1].value[value]);
    total.exact = scree_sum_value(&sum);
    return total;
}

// Forces, moments and losses: the engine rounds each term to the nearest multiple of a quantum, an error of
// at most half a quantum. It adds the terms exactly and rounds twice: their sum, and its sum with the
// previous value. The reference sum is rounded once. Work is a plain sum of n numbers: n - 1 additions and
// the reference are each rounded by at most 2^-53 `size`, together n 2^-53 size; twice as much covers
// products of these roundings. One number is not rounded, and the sum of two equals their rounded exact sum.
double scree_pairwise_tolerance(const struct scree_pairwise_total *total)
{
    const size_t numbers = total->live + total->accumulates;
    if (total->quantum > 0)
        return 0.5 * (double)total->live * total->quantum + 3 * 0x1p-53 * total->size;
    return numbers <= 2 ? 0 : (double)numbers * 0x1p-52 * total->size;
}

// --- histories

// Finds the contact with a key in a sorted list; null if there is none.
static const struct scree_pairwise_contact *find(const struct scree_pairwise_list *list, uint64_t low,
                                                 uint64_t high)
{
    size_t from = 0, to = list->count;
    while (from < to) {
        const size_t middle = (from + to) / 2;
        const struct scree_pairwise_contact *c = &list->contact[middle];
        if (c->low < low || (c->low == low && c->high < high))
            from = middle + 1;
        else
            to = middle;
    }
    const struct scree_pairwise_contact *c = from < list->count ? &list->contact[from] : NULL;
    return c && c->low == low && c->high == high ? c : NULL;
}

// Compares a history of the engine with the reference; returns whether the reference is not zero.
static bool compare(const struct scree_pairwise_list *list, uint64_t low, uint64_t high,
                    const double *history, size_t stride, const char *what)
{
    const struct scree_pairwise_contact *contact = find(list, low, high);
    assert_true(stride <= SCREE_PAIRWISE_HISTORY);
    for (size_t k = 0; k < stride; ++k) {
        const double expected = contact ? contact->history[k] : 0;
        if (!(history[k] == expected))
            fail_msg("%s: value %zu in the history of contact %llu-%llu is %.17g, not %.17g", what, k,
                     (unsigned long long)low, (unsigned long long)high, history[k], expected);
    }
    return has_history(contact);
}

static void check_count(const struct scree_pairwise_list *list, size_t count, const char *what)
{
    size_t expected = 0;
    for (size_t c = 0; c < list->count; ++c)
        expected += has_history(&list->contact[c]);
    if (count != expected)
        fail_msg("%s: %zu contacts of the engine have a history, not %zu", what, count, expected);
}

void scree_pairwise_assert_histories(const struct scree_pairwise *p, const char *what)
{
    const struct scree_contacts *contacts = &p->world->contacts;
    const struct scree_wall_contacts *walls = &contacts->walls;
    const uint64_t *id = scree_world_ids(p->world);
    size_t count = 0;
    for (size_t c = 0; c < contacts->candidates && contacts->stride > 0; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        if (pair.low != pair.high)
            count += compare(&p->grains, id[pair.low], id[pair.high],
                             contacts->history + c * contacts->stride, contacts->stride, what);
    }
    check_count(&p->grains, count, what);
    count = 0;
    for (size_t c = 0; c < walls->count && walls->stride > 0; ++c) {
        const struct scree_contact_key key = scree_contacts_wall_key(contacts, c);
        count += compare(&p->walls, key.low, key.high << 32 | key.feature, walls->history + c * walls->stride,
                         walls->stride, what);
    }
    check_count(&p->walls, count, what);
}
