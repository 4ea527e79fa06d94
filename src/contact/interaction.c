// Rules and contact classes, see interaction.h: each pair of materials in use gets the first rule that
// matches, and the constants that its law prepares.

#include "contact/interaction.h"

#include "contact/ledger.h"
#include "contact/rule.h"
#include "law/law.h"
#include "law/load.h"
#include "math/elementary.h"
#include "world/bond.h"
#include "world/edit.h"
#include "world/grain.h"

#include <scree/material.h>

#include <math.h>

static scree_status check_outside_step(const struct scree_world *world)
{
    if (!world->stepping)
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_STATE, "interactions cannot be changed inside a step");
}

// Counts a rule with this law; null for materials that do not touch.
static void count_law(struct scree_world *world, const struct scree_contact_law *law)
{
    world->contact_laws += law && law->force;
    world->collision_laws += law && !law->force;
}

scree_status scree_interaction_add(struct scree_world *world, const struct scree_interaction_def *def)
{
    struct scree_rule rule = {0};
    SCREE_TRY(check_outside_step(world));
    for (int side = 0; side < 2; ++side) {
        scree_slot slot;
        rule.material[side] = def->between[side].value;
        if (def->between[side].value != 0)
            SCREE_TRY(scree_entity_find(scree_world_entity(world, SCREE_ENTITY_MATERIAL),
                                        def->between[side].value, &slot));
    }
    if (!def->law)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "an interaction needs the name of a contact law, or 'none' for materials "
                                 "that do not touch");
    if (def->count > 0 && !def->values)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "an interaction with %zu values needs an array of values, not null",
                                 def->count);
    if (strcmp(def->law, SCREE_LAW_NONE) != 0)
        SCREE_TRY(scree_rule_read(world, def, &rule));
    else if (def->count > 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "materials that do not touch have no parameters; got %zu", def->count);
    else
        memcpy(rule.law, SCREE_LAW_NONE, sizeof SCREE_LAW_NONE);
    const struct scree_contact_law *law = NULL;
    if (scree_rule_touches(&rule))
        SCREE_TRY(scree_law_find_in(world, rule.law, &law));
    scree_slot slot;
    uint64_t id;
    SCREE_TRY(scree_ledger_attach(world));
    SCREE_TRY(scree_entity_insert(scree_world_entity(world, SCREE_ENTITY_INTERACTION), &slot, &id));
    scree_edit_all(world, SCREE_EDIT_RULES);
    scree_world_rules(world)[slot.index] = rule;
    count_law(world, law);
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_interaction_clear(struct scree_world *world)
{
    SCREE_TRY(check_outside_step(world));
    SCREE_TRY(scree_ledger_attach(world));
    struct scree_entity *rules = scree_world_entity(world, SCREE_ENTITY_INTERACTION);
    scree_edit_all(world, SCREE_EDIT_RULES);
    while (rules->count > 0)
        scree_entity_remove(rules, (scree_slot){(uint32_t)(rules->count - 1)});
    world->contact_laws = world->collision_laws = 0;
    scree_edit_end(world);
    return SCREE_OK;
}

scree_status scree_interaction_restore(struct scree_world *world)
{
    const struct scree_contact_law *law;
    world->contact_laws = world->collision_laws = 0;
    SCREE_TRY(scree_bond_relink(world));
    if (scree_world_has_contacts(world))
        SCREE_TRY(scree_ledger_attach(world));
    for (size_t r = 0; r < scree_interaction_count(world); ++r) {
        const struct scree_rule *rule = &scree_world_rules(world)[r];
        if (!scree_rule_touches(rule))
            continue;
        SCREE_TRY(scree_law_find_in(world, rule->law, &law));
        count_law(world, law);
        SCREE_TRY(scree_ledger_attach(world));
    }
    return SCREE_OK;
}

size_t scree_interaction_count(const struct scree_world *world)
{
    return scree_world_entity(world, SCREE_ENTITY_INTERACTION)->count;
}

enum {
    MAX_MATERIALS = SCREE_INTERACTION_MATERIALS,
    OF_BODIES = SCREE_INTERACTION_OF_BODIES,
    OF_WALLS = SCREE_INTERACTION_OF_WALLS
};

void scree_interaction_mark(const struct scree_world *world, uint8_t used[SCREE_INTERACTION_MATERIALS])
{
    if (scree_world_entity(world, SCREE_ENTITY_MATERIAL)->count >= MAX_MATERIALS)
        return;
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (scree_world_grains(world)[i].radius > 0)
            used[scree_world_grains(world)[i].material] |= OF_BODIES;
    for (size_t g = 0; g < scree_grain_carried(world); ++g)
        used[scree_grain_locals(world)[g].material] |= OF_BODIES;
    const struct scree_wall *wall =
        (const struct scree_wall *)scree_world_column(world, SCREE_ENTITY_WALL, SCREE_WALL_WALL);
    for (size_t w = 0; w < scree_world_entity(world, SCREE_ENTITY_WALL)->count; ++w)
        used[wall[w].material] |= OF_WALLS;
    used[0] = 0;
}

static bool matches(const struct scree_rule *rule, uint64_t a, uint64_t b)
{
    const uint64_t *m = rule->material;
    const bool in_order = (m[0] == 0 || m[0] == a) && (m[1] == 0 || m[1] == b);
    return in_order || ((m[0] == 0 || m[0] == b) && (m[1] == 0 || m[1] == a));
}

static scree_status find_rule(const struct scree_world *world, uint64_t a, uint64_t b,
                              const struct scree_rule **rule)
{
    *rule = NULL;
    for (size_t r = 0; r < scree_world_entity(world, SCREE_ENTITY_INTERACTION)->count; ++r) {
        *rule = &scree_world_rules(world)[r];
        if (matches(*rule, a, b))
            return SCREE_OK;
    }
    return scree_status_fail(
        SCREE_ERROR_MISSING,
        "no contact law is given for '%s' and '%s': add a rule for them, with the law 'none' if they do not "
        "touch",
        scree_rule_material(world, a), scree_rule_material(world, b));
}

// Prefixes a message with the law and the pair of materials.
static scree_status pair_error(const struct scree_world *world, const struct scree_law_class *class,
                               scree_status status, const char *message)
{
    return scree_status_fail(status, "the contact law '%s' between '%s' and '%s': %s", class->law->name,
                             scree_rule_material(world, class->material[0]),
                             scree_rule_material(world, class->material[1]), message);
}

// Reads the properties that the law needs; NaN if a material lacks one.
static void read_properties(const struct scree_world *world, const struct scree_law_class *class,
                            double (*property)[2])
{
    const char *const *names = class->law->properties;
    for (size_t p = 0; names && names[p]; ++p)
        for (int side = 0; side < 2; ++side) {
            const scree_material_id id = {class->material[side]};
            if (scree_material_get(world, id, names[p], &property[p][side]) != SCREE_OK)
                property[p][side] = (double)NAN;
        }
}

// Finds the next missing property of the pair from `*index` on (2 * property + side); fails with its message.
static scree_status check_properties(const struct scree_world *world, const struct scree_law_class *class,
                                     size_t *index)
{
    const char *const *names = class->law->properties;
    for (; names && names[*index / 2]; ++*index) {
        double value;
        const scree_material_id id = {class->material[*index % 2]};
        const scree_status status = scree_material_get(world, id, names[*index / 2], &value);
        if (status != SCREE_OK)
            return pair_error(world, class, status, scree_status_message());
    }
    return SCREE_OK;
}

static bool is_known(const double *constants)
{
    bool known = true;
    for (int k = 0; k < SCREE_LAW_CONSTANTS; ++k)
        known = known && !isnan(constants[k]);
    return known;
}

static double tangential_stiffness(const struct scree_law_class *class, double overlap)
{
    double before[SCREE_LAW_HISTORY] = {0}, after[SCREE_LAW_HISTORY];
    const struct scree_law_contact contact = {.overlap = overlap,
                                              .normal = {0, 0, 1},
                                              .arm = {1, 1},
                                              .radius = 0.5,
                                              .mass = 0.5,
                                              .mass_tangential = 1.0 / 7,
                                              .step = 1};
    return class->law->force(class->constants, &contact, before, after).stiffness[1];
}

// Rolling and twisting resistance is proportional to the tangential stiffness k_t; it needs the exponent p in
// sqrt(k_t) ~ overlap^p.
static scree_status prepare_resistance(const struct scree_world *world, struct scree_law_class *class)
{
    const double shallow = tangential_stiffness(class, 0x1p-11), deep = tangential_stiffness(class, 0x1p-9);
    if (!(shallow > 0 && deep > 0))
        return pair_error(world, class, SCREE_ERROR_ARGUMENT,
                          "rolling and twisting resistance need a tangential stiffness above 0: omit "
                          "'rolling-friction' and 'twisting-friction', or use a law with friction, like "
                          "'hertz-mindlin', and a 'stiffness-tangential' above 0");
    const double power = 0.5 * scree_log(deep / shallow) / scree_log(4);
    class->constants[SCREE_LAW_CONSTANTS + SCREE_RULE_RESISTANCES] = power < 0     ? 0
                                                                     : power < 0.5 ? power
                                                                                   : 0.5;
    return SCREE_OK;
}

static scree_status prepare(const struct scree_world *world, const struct scree_rule *rule,
                            struct scree_law_class *class)
{
    double property[SCREE_LAW_PROPERTIES][2] = {{0}};
    SCREE_TRY(scree_law_find_in(world, rule->law, &class->named));
    const struct scree_law_traits *traits = scree_law_traits_of(class->named);
    class->law = traits->variant ? traits->variant(rule->parameter) : class->named;
    read_properties(world, class, property);
    const struct scree_law_pair pair = {.parameter = rule->parameter,
                                        .property = (const double(*)[2])property,
                                        .dimension = world->dimension};
    const char *fault = class->law->prepare(&pair, class->constants);
    // a missing property is NaN: an error only if the law uses it, which makes a constant NaN
    size_t index = 0;
    if (fault || !is_known(class->constants))
        SCREE_TRY(check_properties(world, class, &index));
    if (fault)
        return pair_error(world, class, SCREE_ERROR_ARGUMENT, fault);
    const double *extra = rule->parameter + SCREE_LAW_PARAMETERS;
    memcpy(class->constants + SCREE_LAW_CONSTANTS, extra, SCREE_RULE_RESISTANCES * sizeof *extra);
    class->constants[SCREE_LAW_CONSTANTS + SCREE_RESISTANCE_CONSTANTS] = extra[SCREE_RULE_ARMS];
    // damping acts only below the friction limit, so without friction there is no resistance
    class->resists = extra[0] > 0 || extra[2] > 0;
    return class->resists ? prepare_resistance(world, class) : SCREE_OK;
}

// Finds the number of a class; adds the class if it is new.
static scree_status find_or_add_class(struct scree_law_classes *classes, const struct scree_law_class *class,
                                      size_t *capacity, uint8_t *out)
{
    for (size_t c = 0; c < classes->count; ++c)
        if (classes->class[c].law == class->law &&
            memcmp(classes->class[c].constants, class->constants, sizeof class->constants) == 0) {
            *out = (uint8_t)c;
            return SCREE_OK;
        }
    if (classes->count == SCREE_CONTACTS_NO_CLASS - 1)
        return scree_status_fail(SCREE_ERROR_LIMIT,
                                 "there are more than %d different contact classes (law and constants) of "
                                 "pairs of materials: give more pairs the same properties and parameters, or "
                                 "the law 'none' if they never touch",
                                 SCREE_CONTACTS_NO_CLASS - 1);
    SCREE_TRY(scree_array_grow(&classes->class, capacity, classes->count + 1, sizeof *classes->class));
    classes->class[classes->count] = *class;
    *out = (uint8_t)classes->count++;
    return SCREE_OK;
}

scree_status scree_interaction_pair(const struct scree_world *world, uint64_t a, uint64_t b,
                                    struct scree_law_class *class)
{
    const struct scree_rule *rule;
    *class = (struct scree_law_class){.material = {a < b ? a : b, a < b ? b : a}};
    SCREE_TRY(find_rule(world, class->material[0], class->material[1], &rule));
    return scree_rule_touches(rule) ? prepare(world, rule, class) : SCREE_OK;
}

// What classes are for.
enum use { FORCES, COLLISIONS };

static bool is_usable(const struct scree_contact_law *law, enum use use)
{
    return law && (use == FORCES ? law->force != NULL : law->collision != NULL);
}

static scree_status resolve_pair(const struct scree_world *world, struct scree_law_classes *classes,
                                 enum use use, size_t *capacity, uint64_t a, uint64_t b)
{
    struct scree_law_class class;
    uint8_t found = SCREE_CONTACTS_NO_CLASS;
    SCREE_TRY(scree_interaction_pair(world, a, b, &class));
    if (is_usable(class.law, use))
        SCREE_TRY(find_or_add_class(classes, &class, capacity, &found));
    classes->table[a * classes->materials + b] = classes->table[b * classes->materials + a] = found;
    return SCREE_OK;
}

struct scree_contacts_layout scree_interaction_layout(const struct scree_law_class *class)
{
    // variants of a law share the history of the named law
    struct scree_contacts_layout layout = {.law = class->named, .resists = class->resists};
    for (const struct scree_law_value *value = class->law->values; value && value->name; ++value)
        layout.own += value->width;
    return layout;
}

static scree_status fill(const struct scree_world *world, struct scree_law_classes *classes, enum use use)
{
    classes->materials = scree_world_entity(world, SCREE_ENTITY_MATERIAL)->count + 1;
    if (classes->materials > MAX_MATERIALS)
        return scree_status_fail(SCREE_ERROR_LIMIT,
                                 "a world with contacts can have at most %d materials; this one has %zu",
                                 MAX_MATERIALS - 1, classes->materials - 1);
    const size_t pairs = classes->materials * classes->materials;
    SCREE_TRY(scree_memory_new(pairs, 1, (void **)&classes->table));
    memset(classes->table, SCREE_CONTACTS_NO_CLASS, pairs);
    if (scree_world_entity(world, SCREE_ENTITY_INTERACTION)->count == 0)
        return SCREE_OK;
    uint8_t used[MAX_MATERIALS] = {0};
    size_t capacity = 0;
    scree_interaction_mark(world, used);
    for (uint64_t a = 1; a < classes->materials; ++a)
        for (uint64_t b = a; b < classes->materials; ++b)
            if (used[a] && used[b] && ((used[a] | used[b]) & OF_BODIES))
                SCREE_TRY(resolve_pair(world, classes, use, &capacity, a, b));
    SCREE_TRY(scree_memory_new(classes->count, sizeof *classes->layout, (void **)&classes->layout));
    for (size_t c = 0; c < classes->count; ++c)
        classes->layout[c] = scree_interaction_layout(&classes->class[c]);
    return SCREE_OK;
}

static scree_status resolve(const struct scree_world *world, struct scree_law_classes *classes, enum use use)
{
    SCREE_WORLD_FLOAT_ENVIRONMENT;
    struct scree_law_classes made = {0};
    const scree_status status = fill(world, &made, use);
    scree_interaction_free(status == SCREE_OK ? classes : &made);
    if (status == SCREE_OK)
        *classes = made;
    return status;
}

scree_status scree_interaction_resolve(const struct scree_world *world, struct scree_law_classes *classes)
{
    return resolve(world, classes, FORCES);
}

// --- laws of the other engine

// Fails with a message for the first rule whose law cannot be used.
static scree_status check_use(const struct scree_world *world, enum use use, const char *message)
{
    for (size_t r = 0; r < scree_interaction_count(world); ++r) {
        const struct scree_rule *rule = &scree_world_rules(world)[r];
        const struct scree_contact_law *law;
        if (!scree_rule_touches(rule))
            continue;
        SCREE_TRY(scree_law_find_in(world, rule->law, &law));
        if (!is_usable(law, use))
            return scree_status_fail(SCREE_ERROR_UNSUPPORTED, "the contact law '%s' between '%s' and '%s' %s",
                                     law->name, scree_rule_material(world, rule->material[0]),
                                     scree_rule_material(world, rule->material[1]), message);
    }
    return SCREE_OK;
}

scree_status scree_interaction_check_forces(const struct scree_world *world)
{
    if (world->collision_laws == 0)
        return SCREE_OK;
    return check_use(
        world, FORCES,
        "has collisions only, no force: it is for the event engine, as in `engine: {event: {}}`. "
        "The soft engine needs a law with a force, such as 'hertz-mindlin' or 'linear'");
}

scree_status scree_interaction_check_collisions(const struct scree_world *world)
{
    return check_use(
        world, COLLISIONS,
        "has a force, but no rule of collisions: it is for the soft engine, as in `engine: "
        "{soft: {}}`. The engines 'event' and 'stochastic' need a law such as 'hard' or 'hard-viscoelastic'");
}

scree_status scree_interaction_resolve_collisions(const struct scree_world *world,
                                                  struct scree_law_classes *classes)
{
    SCREE_TRY(scree_interaction_check_collisions(world));
    return resolve(world, classes, COLLISIONS);
}

// --- reporting all errors

struct examination {
    const struct scree_world *world;
    void (*report)(void *user, const struct scree_interaction_fault *fault);
    void *user;
    bool *reported; // by rule: reported already
};

// Reports each missing property of a pair; returns false if there is none.
static bool report_missing(const struct examination *examination, const struct scree_law_class *class,
                           struct scree_interaction_fault fault)
{
    size_t index = 0;
    for (; check_properties(examination->world, class, &index) != SCREE_OK; ++index) {
        fault.material = class->material[index % 2];
        fault.property = class->law->properties[index / 2];
        examination->report(examination->user, &fault);
    }
    return fault.property != NULL;
}

static scree_status examine_pair(const struct examination *examination, uint64_t a, uint64_t b)
{
    struct scree_interaction_fault fault = {0};
    struct scree_law_class class = {.material = {a, b}};
    const struct scree_rule *rule;
    if (find_rule(examination->world, a, b, &rule) != SCREE_OK) {
        examination->report(examination->user, &fault);
        return SCREE_OK;
    }
    const scree_status status =
        scree_rule_touches(rule) ? prepare(examination->world, rule, &class) : SCREE_OK;
    if (status == SCREE_OK || status == SCREE_ERROR_MEMORY || !class.law)
        return status;
    fault.law = rule->law;
    fault.rule = (size_t)(rule - scree_world_rules(examination->world));
    if (status == SCREE_ERROR_MISSING && report_missing(examination, &class, fault))
        return SCREE_OK;
    if (!examination->reported[fault.rule])
        examination->report(examination->user, &fault);
    examination->reported[fault.rule] = true;
    return SCREE_OK;
}

scree_status scree_interaction_report_errors(
    const struct scree_world *world, const uint8_t used[SCREE_INTERACTION_MATERIALS],
    void (*report)(void *user, const struct scree_interaction_fault *fault), void *user)
{
    struct examination examination = {.world = world, .report = report, .user = user};
    const size_t rules = scree_interaction_count(world);
    const size_t materials = scree_world_entity(world, SCREE_ENTITY_MATERIAL)->count;
    scree_status status = SCREE_OK;
    if (rules == 0 || materials >= MAX_MATERIALS)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(rules, sizeof *examination.reported, (void **)&examination.reported));
    for (uint64_t a = 1; a <= materials && status == SCREE_OK; ++a)
        for (uint64_t b = a; b <= materials && status == SCREE_OK; ++b)
            if (used[a] && used[b] && ((used[a] | used[b]) & OF_BODIES))
                status = examine_pair(&examination, a, b);
    scree_memory_free(examination.reported);
    return status;
}

void scree_interaction_free(struct scree_law_classes *classes)
{
    scree_memory_free(classes->class);
    scree_memory_free(classes->layout);
    scree_memory_free(classes->table);
    *classes = (struct scree_law_classes){0};
}

bool scree_interaction_has_attraction(const struct scree_world *world)
{
    for (size_t r = 0; r < scree_interaction_count(world); ++r) {
        const struct scree_rule *rule = &scree_world_rules(world)[r];
        const struct scree_contact_law *law;
        if (!scree_rule_touches(rule))
            continue;
        if (scree_law_find_in(world, rule->law, &law) != SCREE_OK ||
            (law->force && !scree_law_traits_of(law)->only_dashpots_attract))
            return true;
    }
    return false;
}

double scree_interaction_range(const struct scree_law_classes *classes, double radius)
{
    double range = 0;
    for (size_t c = 0; c < classes->count; ++c) {
        const double own = classes->class[c].law->range(classes->class[c].constants, radius);
        range = own > range ? own : range;
    }
    return range;
}
