// Evaluating single contacts, see evaluate_one.h.

#include "contact/evaluate_one.h"

#include "contact/rough_contacts.h"
#include "law/prepare.h"
#include "shape/surface.h"
#include "world/cell.h"
#include "world/grain.h"
#include "world/wall.h"
#include "world/wall_body.h"

enum { CAPACITY = SCREE_CONTACTS_HISTORY };

static const struct scree_law_class *class_of_pair(const struct scree_evaluator *evaluator, uint16_t a,
                                                   uint16_t b)
{
    const size_t index = (size_t)(a * b + a + b) % 16;
    struct scree_law_class *class = &evaluator->pairs->class[index];
    const uint64_t low = a < b ? a : b, high = a < b ? b : a;
    const bool known =
        evaluator->pairs->known[index] && class->material[0] == low && class->material[1] == high;
    if (!known && scree_interaction_pair(evaluator->world, low, high, class) != SCREE_OK)
        class->law = NULL;
    evaluator->pairs->known[index] = true;
    return class->law && class->law->force ? class : NULL;
}

static const struct scree_law_class *class_of(const struct scree_evaluator *evaluator, uint16_t a, uint16_t b)
{
    const struct scree_law_classes *classes = evaluator->classes;
    if (a == 0 || b == 0)
        return NULL;
    if (!classes)
        return class_of_pair(evaluator, a, b);
    const uint8_t number = scree_law_class_of(classes, a, b);
    return number < classes->count ? &classes->class[number] : NULL;
}

size_t scree_evaluate_one_history_length(const struct scree_law_class *class)
{
    return scree_interaction_layout(class).own + (class->resists ? SCREE_RESISTANCE_HISTORY : 0);
}

void scree_evaluate_one_fill_rule(const struct scree_evaluator *evaluator,
                                  const struct scree_law_class *class, bool wall,
                                  struct scree_kernel_rule *rule)
{
    const double *period = scree_world_cell(evaluator->world)->period;
    memcpy(rule->constants, class->constants, sizeof rule->constants);
    memcpy(rule->resistance, class->constants + SCREE_LAW_CONSTANTS, sizeof rule->resistance);
    rule->step = 0;
    for (int k = 0; k < 3; ++k)
        rule->period[k] = period[k] > 0 ? period[k] : (double)INFINITY;
    rule->arm = scree_law_class_arm(class, wall);
    rule->tangential_ratio = scree_law_tangential_share(evaluator->world->dimension);
    rule->limit = (double)INFINITY;
}

static void store_matrix(struct scree_mat3 m, double to[3][3])
{
    scree_vec3_store(scree_mat3_row_x(m), to[0]);
    scree_vec3_store(scree_mat3_row_y(m), to[1]);
    scree_vec3_store(scree_mat3_row_z(m), to[2]);
}

bool scree_evaluate_one_cell(const struct scree_world *world, struct scree_kernel_cell *cell)
{
    if (!scree_world_lattice(world))
        return false;
    const struct scree_cell_lattice lattice = scree_cell_lattice_of(world);
    store_matrix(lattice.inverse, cell->inverse);
    store_matrix(lattice.vectors, cell->vectors);
    // between steps all velocities are on-step
    store_matrix(world->pending_step ? lattice.half : lattice.full, cell->half);
    store_matrix(lattice.full, cell->full);
    return true;
}

// Tangential factor of a side, see scree_kernel_job. Rows of carried grains follow those of bodies.
static double tangential_factor_of(const struct scree_world *world, const struct scree_grain *grain)
{
    return grain->part > 0
               ? scree_grain_tangential_factor(world, (size_t)(grain - scree_world_grains(world)) -
                                                          scree_world_bodies(world))
               : scree_grain_round_tangential_factor(world->dimension);
}

static void set_ratio(const struct scree_kernel_rule *rule, struct scree_kernel_frame *frame, double ratio)
{
    frame->tangential_ratio = ratio;
    frame->tangential_extra = scree_kernel_tangential_extra(ratio, rule->tangential_ratio);
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

static inline void copy_vector(struct scree_law_vector *out, struct scree_law_vector v)
{
    out->x = v.x;
    out->y = v.y;
    out->z = v.z;
}

// Fills the law's input member by member: a copy of the whole struct just after its members were written
// would stall (store forwarding).
static inline void fill_contact(const struct scree_kernel_rule *rule, const struct scree_kernel_frame *frame,
                                struct scree_law_vector rotation, struct scree_law_contact *contact)
{
    const struct scree_law_contact values = scree_kernel_contact(rule, frame, rotation);
    contact->overlap = values.overlap;
    copy_vector(&contact->normal, values.normal);
    contact->arm[0] = values.arm[0];
    contact->arm[1] = values.arm[1];
    contact->radius = values.radius;
    contact->mass = values.mass;
    contact->mass_tangential = values.mass_tangential;
    contact->tangential_extra = values.tangential_extra;
    contact->normal_velocity = values.normal_velocity;
    copy_vector(&contact->tangential_velocity, values.tangential_velocity);
    copy_vector(&contact->tangential_displacement, values.tangential_displacement);
    contact->step = contact->spring_extra = contact->dashpot_extra = contact->parted = 0;
    contact->share = 1;
}

// Input of a contact law.
struct law_input {
    struct scree_law_contact contact;
    struct scree_law_vector rotation;
    double before[CAPACITY], after[CAPACITY];
};

// Fills the input for a step of length 0. The first `valid` values of the history are valid; the first `own`
// belong to the law.
static void fill_input(const struct scree_kernel_rule *rule, const struct scree_law_class *class,
                       const struct scree_kernel_frame *frame, const double *history, size_t own,
                       size_t valid, struct law_input *law_input)
{
    for (size_t k = 0; k < CAPACITY; ++k) {
        law_input->before[k] = k < valid ? history[k] : 0;
        law_input->after[k] = 0;
    }
    law_input->rotation = scree_kernel_rotation(frame);
    fill_contact(rule, frame, law_input->rotation, &law_input->contact);
    // vectors come first in a history
    const struct scree_law_value *value = class->law->values;
    for (int v = 0; value && value[v].name && value[v].width == 3; ++v)
        scree_kernel_rotate_history(frame, law_input->rotation, &law_input->before[3 * v]);
    if (class->resists)
        scree_kernel_rotate_history(frame, law_input->rotation, &law_input->before[own]);
}

// Adds rolling and twisting resistance.
static __attribute__((noinline)) void resist(const struct scree_kernel_rule *rule,
                                             const struct scree_kernel_frame *frame, size_t own,
                                             struct law_input *law_input, struct scree_law_reply *reply)
{
    scree_kernel_resist(rule, frame, &law_input->contact, law_input->rotation, reply, law_input->before + own,
                        law_input->after + own);
}

static bool evaluate(const struct scree_evaluator *evaluator, const struct scree_kernel_rule *rule,
                     const struct scree_law_class *class, const struct scree_kernel_frame *frame,
                     const double *history, size_t stride, struct scree_evaluated *evaluated)
{
    struct law_input law_input;
    const size_t own = scree_interaction_layout(class).own;
    const size_t all = own + (class->resists ? SCREE_RESISTANCE_HISTORY : 0);
    const size_t valid = stride < all ? stride : all;
    fill_input(rule, class, frame, history, own, valid, &law_input);
    struct scree_law_reply reply =
        class->law->force(rule->constants, &law_input.contact, law_input.before, law_input.after);
    if (class->resists)
        resist(rule, frame, own, &law_input, &reply);
    if (!(reply.live > 0))
        return false;
    const struct scree_law_contact *contact = &law_input.contact;
    *evaluated = (struct scree_evaluated){
        .class = class,
        .normal = contact->normal,
        .force = scree_law_add(scree_law_scale(reply.normal, contact->normal), reply.force),
        .couple = reply.couple,
        .overlap = contact->overlap,
        .arm = {contact->arm[0], contact->arm[1]},
        .radius = contact->radius,
        .mass = contact->mass,
        .stored = reply.stored,
        .sliding = reply.sliding,
        .stiffness = {reply.stiffness[0], reply.stiffness[1]}};
    if (!(evaluator->step > 0))
        return true;
    memset(law_input.after, 0, sizeof law_input.after);
    law_input.contact.step = evaluator->step;
    struct scree_law_reply stepped =
        class->law->force(rule->constants, &law_input.contact, law_input.before, law_input.after);
    if (class->resists)
        resist(rule, frame, own, &law_input, &stepped);
    evaluated->dashpot = stepped.dashpot;
    return true;
}

static struct scree_law_vector point_at(const struct scree_kernel_side *side, double share,
                                        const struct scree_evaluated *evaluated)
{
    const double depth = side->radius - share * evaluated->overlap;
    return scree_law_subtract(side->centre, scree_law_scale(depth, evaluated->normal));
}

bool scree_evaluate_one_pair(const struct scree_evaluator *evaluator, const struct scree_grain *low,
                             const struct scree_grain *high, const double *history, size_t stride,
                             struct scree_evaluated *evaluated)
{
    const struct scree_law_class *class = class_of(evaluator, low->material, high->material);
    if (!class || !(low->radius > 0) || !(high->radius > 0))
        return false;
    struct scree_kernel_rule rule;
    scree_evaluate_one_fill_rule(evaluator, class, false, &rule);
    struct scree_kernel_side i = side_of(low), j = side_of(high);
    struct scree_kernel_cell cell;
    if (scree_evaluate_one_cell(evaluator->world, &cell))
        scree_kernel_move_image(&cell, &i, &j);
    // a fixed grain acts like a wall on a free one, as in the batch loops
    const bool fixed_i = (low->flags & SCREE_FIX_POSITION) == SCREE_FIX_POSITION;
    const bool fixed_j = (high->flags & SCREE_FIX_POSITION) == SCREE_FIX_POSITION;
    i.mass *= fixed_i && !fixed_j ? 0x1p60 : 1;
    j.mass *= fixed_j && !fixed_i ? 0x1p60 : 1;
    struct scree_kernel_frame frame = scree_kernel_pair_frame(&rule, &i, &j, 1.0, true);
    if (low->part > 0 || high->part > 0)
        set_ratio(&rule, &frame,
                  scree_kernel_tangential_ratio(tangential_factor_of(evaluator->world, low), i.mass,
                                                tangential_factor_of(evaluator->world, high), j.mass));
    if (!evaluate(evaluator, &rule, class, &frame, history, stride, evaluated))
        return false;
    evaluated->point = point_at(&i, 0.5, evaluated);
    return true;
}

double scree_evaluate_one_wall_power(const struct scree_world *world, const struct scree_wall *wall,
                                     const struct scree_evaluated *evaluated)
{
    const struct scree_vec3 point =
        scree_vec3_make(evaluated->point.x, evaluated->point.y, evaluated->point.z);
    const struct scree_vec3 normal =
        scree_vec3_make(evaluated->normal.x, evaluated->normal.y, evaluated->normal.z);
    struct scree_wall_touch_motion motion;
    // the force on the wall acts on its body
    if (scree_wall_follows(wall))
        return 0;
    scree_wall_motion_on_step(world, wall, point, normal, &motion);
    const struct scree_law_vector velocity = {motion.velocity.x, motion.velocity.y, motion.velocity.z};
    const struct scree_law_vector spin = {motion.spin.x, motion.spin.y, motion.spin.z};
    return scree_law_dot(evaluated->force, velocity) + scree_law_dot(evaluated->couple, spin);
}

// 1 / mass of the wall at a contact, 0 if contacts do not move it.
static double mobility_of(const struct scree_world *world, const struct scree_wall *wall,
                          const struct scree_grain *grain, const struct scree_surface_touch *touch)
{
    uint32_t body;
    if (!scree_wall_follows(wall) ||
        !scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool,
                         scree_wall_body_of(world, (size_t)(wall - scree_wall_row(world, 0))), &body))
        return 0;
    const struct scree_wall_mobility mobility = scree_wall_body_mobility(world, body);
    return scree_wall_mobility_at(&mobility, scree_vec3_load(touch->point), scree_vec3_load(touch->normal),
                                  grain);
}

bool scree_evaluate_one_wall(const struct scree_evaluator *evaluator, const struct scree_grain *grain,
                             const struct scree_wall *wall, unsigned feature, const double *history,
                             size_t stride, struct scree_evaluated *evaluated)
{
    const struct scree_law_class *class = class_of(evaluator, grain->material, wall->material);
    if (!class || !(grain->radius > 0))
        return false;
    struct scree_surface_touch touch;
    struct scree_kernel_wall at_wall = {0};
    struct scree_wall_touch_motion motion;
    scree_surface_touch(wall, feature, grain->position, &touch);
    at_wall.gap = at_wall.half_gap = touch.gap;
    memcpy(at_wall.normal, touch.normal, sizeof at_wall.normal);
    memcpy(at_wall.half_normal, touch.normal, sizeof at_wall.half_normal);
    scree_wall_motion_on_step(evaluator->world, wall, scree_vec3_load(touch.point),
                              scree_vec3_load(touch.normal), &motion);
    scree_vec3_store(motion.velocity, at_wall.velocity);
    scree_vec3_store(motion.spin, at_wall.spin);
    at_wall.mobility = (float)mobility_of(evaluator->world, wall, grain, &touch);
    struct scree_kernel_rule rule;
    scree_evaluate_one_fill_rule(evaluator, class, true, &rule);
    const struct scree_kernel_side i = side_of(grain);
    struct scree_kernel_frame frame = scree_kernel_wall_frame(&rule, &i, &at_wall);
    if (grain->part > 0)
        set_ratio(&rule, &frame, 1 / tangential_factor_of(evaluator->world, grain));
    if (!evaluate(evaluator, &rule, class, &frame, history, stride, evaluated))
        return false;
    evaluated->point = point_at(&i, 1, evaluated);
    evaluated->wall_power = scree_evaluate_one_wall_power(evaluator->world, wall, evaluated);
    return true;
}

struct scree_grain *scree_evaluate_one_grain(const struct scree_world *world, uint32_t listed)
{
    if (listed == UINT32_MAX)
        return NULL;
    const uint64_t id = world->contacts.id[listed];
    const uint64_t carried = world->contacts.carried ? world->contacts.carried[listed] : 0;
    uint32_t slot = listed;
    if (carried > 0)
        return scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_GRAIN)->pool, carried, &slot)
                   ? scree_grain_update_record(world, slot)
                   : NULL;
    if (slot < scree_world_bodies(world) && scree_world_ids(world)[slot] == id)
        return &scree_world_grains(world)[slot];
    const bool found = scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_BODY)->pool, id, &slot);
    return found ? &scree_world_grains(world)[slot] : NULL;
}

struct scree_wall *scree_evaluate_one_wall_of(const struct scree_world *world, size_t candidate)
{
    const struct scree_entity *walls = scree_world_entity(world, SCREE_ENTITY_WALL);
    const uint64_t id = scree_contacts_wall(&world->contacts, candidate);
    uint32_t slot = world->contacts.walls.pair[candidate].high;
    if (slot < walls->count && scree_entity_ids(walls)[slot] == id)
        return scree_wall_row(world, slot);
    return scree_pool_find(&walls->pool, id, &slot) ? scree_wall_row(world, slot) : NULL;
}

// Number of history values that are valid for the current law of two materials.
static size_t valid_history_of(const struct scree_evaluator *evaluator, uint16_t a, uint16_t b,
                               const struct scree_contacts_layout *layout, size_t stride)
{
    const struct scree_law_class *class = class_of(evaluator, a, b);
    if (!class || !layout)
        return stride;
    const struct scree_contacts_layout now = scree_interaction_layout(class);
    return scree_contacts_valid_history(layout, &now, stride);
}

bool scree_evaluate_one_contact(const struct scree_evaluator *evaluator, size_t candidate,
                                struct scree_evaluated *evaluated)
{
    const struct scree_contacts *contacts = &evaluator->world->contacts;
    if (!scree_contacts_is_live(contacts, candidate))
        return false;
    const struct scree_grain *low = scree_evaluate_one_grain(evaluator->world, contacts->pair[candidate].low);
    const struct scree_grain *high =
        scree_evaluate_one_grain(evaluator->world, contacts->pair[candidate].high);
    if (!low || !high)
        return false;
    const double *history = contacts->stride > 0 ? contacts->history + candidate * contacts->stride : NULL;
    const struct scree_contacts_layout *layout =
        contacts->layout ? &contacts->layout[contacts->class_of ? contacts->class_of[candidate] : 0] : NULL;
    const size_t valid = valid_history_of(evaluator, low->material, high->material, layout, contacts->stride);
    return scree_evaluate_one_pair(evaluator, low, high, history, valid, evaluated);
}

bool scree_evaluate_one_wall_contact(const struct scree_evaluator *evaluator, size_t candidate,
                                     struct scree_evaluated *evaluated)
{
    const struct scree_wall_contacts *walls = &evaluator->world->contacts.walls;
    if (!walls->live[candidate])
        return false;
    const struct scree_pair pair = walls->pair[candidate];
    const struct scree_grain *grain = scree_evaluate_one_grain(evaluator->world, pair.low);
    const struct scree_wall *wall = scree_evaluate_one_wall_of(evaluator->world, candidate);
    if (!grain || !wall)
        return false;
    const double *history = walls->stride > 0 ? walls->history + candidate * walls->stride : NULL;
    const size_t valid = valid_history_of(evaluator, grain->material, wall->material,
                                          &walls->layout[walls->class_of[candidate]], walls->stride);
    struct scree_wall plane;
    const struct scree_wall *touched = scree_rough_contacts_wall(walls, candidate, wall, &plane);
    return scree_evaluate_one_wall(evaluator, grain, touched, walls->feature[candidate], history, valid,
                                   evaluated);
}

// --- contacts from outside

bool scree_evaluate_one_find_outside(const struct scree_evaluator *evaluator, size_t pair,
                                     struct scree_outside_pair *found)
{
    const struct scree_world *world = evaluator->world;
    const struct scree_outside_contacts *outside = &world->contacts.outside;
    const struct scree_pair slots = outside->pair[pair];
    const struct scree_grain *first = scree_evaluate_one_grain(world, slots.low);
    if (outside->wall[pair] > 0) {
        uint32_t slot;
        if (!first ||
            !scree_pool_find(&scree_world_entity(world, SCREE_ENTITY_WALL)->pool, outside->wall[pair], &slot))
            return false;
        scree_outside_find_wall(world, first, scree_wall_row(world, slot), found);
        return true;
    }
    const struct scree_grain *second = scree_evaluate_one_grain(world, slots.high);
    if (!first || !second)
        return false;
    struct scree_images_room room;
    const struct scree_images images = scree_images_now(world, &room);
    scree_outside_find(world, first, second, &images, NULL, found);
    return true;
}

static struct scree_law_vector vector_of(struct scree_vec3 v)
{
    return (struct scree_law_vector){v.x, v.y, v.z};
}

// Elastic energy of a contact without its tangential springs, which come first in the history.
static double stored_by_normal(const struct scree_evaluator *evaluator, const struct scree_kernel_rule *rule,
                               const struct scree_law_class *class, const struct scree_kernel_frame *frame,
                               const double *history, size_t valid)
{
    double untwisted[CAPACITY] = {0};
    struct scree_evaluated evaluated;
    size_t vectors = 0;
    for (const struct scree_law_value *value = class->law->values; value && value->name; ++value)
        vectors += value->width == 3 ? 3 : 0;
    const size_t own = scree_interaction_layout(class).own;
    for (size_t k = vectors; k < valid && k < own; ++k)
        untwisted[k] = history[k];
    return evaluate(evaluator, rule, class, frame, untwisted, valid, &evaluated) ? evaluated.stored : 0;
}

// Multiplies all forces and losses by the weight of the touch. The weight is the rate of the overlap over
// that of the distance along the normal, so the elastic energy of the overlap is not multiplied, but that of
// tangential springs is.
static void weigh(double weight, double normal_stored, struct scree_evaluated *evaluated)
{
    evaluated->force = scree_law_scale(weight, evaluated->force);
    evaluated->couple = scree_law_scale(weight, evaluated->couple);
    evaluated->stored = normal_stored + weight * (evaluated->stored - normal_stored);
    evaluated->stiffness[0] *= weight;
    evaluated->stiffness[1] *= weight;
    evaluated->dashpot *= weight;
    evaluated->sliding *= weight;
}

bool scree_evaluate_one_outside(const struct scree_evaluator *evaluator, size_t pair,
                                const struct scree_outside_pair *found, size_t touch,
                                struct scree_evaluated *evaluated)
{
    const struct scree_outside_contacts *outside = &evaluator->world->contacts.outside;
    const struct scree_outside_touch *at = &found->touch[touch];
    const struct scree_outside_side *side = found->side;
    const uint16_t first = side[0].grain->material,
                   second = side[1].wall ? side[1].wall->material : side[1].grain->material;
    const struct scree_law_class *class = class_of(evaluator, first, second);
    const size_t begin = SCREE_OUTSIDE_MOST * pair;
    size_t number = begin;
    while (number < begin + outside->live[pair] && outside->feature[number] != at->feature)
        ++number;
    if (!class || number == begin + outside->live[pair])
        return false;
    const double *history = outside->history + number * outside->stride;
    const struct scree_contacts_layout *layout = &outside->layout[outside->class_of[pair]];
    const size_t length = scree_contacts_layout_length(layout) - 3;
    const size_t valid = valid_history_of(evaluator, first, second, layout, length);
    struct scree_kernel_outside record;
    scree_outside_record(evaluator->world, found, at, history + length, 0, &record);
    struct scree_kernel_rule rule;
    scree_evaluate_one_fill_rule(evaluator, class, side[1].wall != NULL, &rule);
    const struct scree_kernel_frame frame = scree_kernel_outside_frame(&rule, &record);
    if (!evaluate(evaluator, &rule, class, &frame, history, valid, evaluated))
        return false;
    if (at->weight < 1)
        weigh(at->weight, stored_by_normal(evaluator, &rule, class, &frame, history, valid), evaluated);
    evaluated->outside = true;
    evaluated->depth = found->depth;
    evaluated->lever[0] = vector_of(at->arm[0]);
    evaluated->lever[1] = vector_of(at->arm[1]);
    evaluated->point = vector_of(scree_vec3_add(scree_vec3_load(side[0].grain->position), at->arm[0]));
    if (side[1].wall)
        evaluated->wall_power = scree_evaluate_one_wall_power(evaluator->world, side[1].wall, evaluated);
    return true;
}

bool scree_evaluate_one_outside_contact(const struct scree_evaluator *evaluator, size_t number,
                                        struct scree_evaluated *evaluated)
{
    const struct scree_outside_contacts *outside = &evaluator->world->contacts.outside;
    const size_t pair = number / SCREE_OUTSIDE_MOST, n = number % SCREE_OUTSIDE_MOST;
    struct scree_outside_pair found;
    if (n >= outside->live[pair] || !scree_evaluate_one_find_outside(evaluator, pair, &found))
        return false;
    for (size_t t = 0; t < found.count; ++t)
        if (found.touch[t].feature == outside->feature[number])
            return scree_evaluate_one_outside(evaluator, pair, &found, t, evaluated);
    return false;
}
