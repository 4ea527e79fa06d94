// Registration and loading of contact laws of users, see load.h and include/scree/laws.h. The table of a law
// is checked completely before the law is used.

#include "law/load.h"

#include "base/suggestion.h"
#include "law/law.h"
#include "world/contact_rows.h"

#include <scree/field.h>
#include <scree/laws.h>

#include <dlfcn.h>
#include <stddef.h>

// instruction sets that batch loops are compiled for on this architecture
#if defined __x86_64__
enum { SETS = SCREE_KERNEL_SETS };
#else
enum { SETS = 1 };
#endif

// the struct layouts of this version, on 64-bit systems
#define HAS_LAYOUT(type, size, member, offset)                                                               \
    (sizeof(void *) != 8 || (sizeof(struct type) == (size) && offsetof(struct type, member) == (offset)))
_Static_assert(
    SCREE_LAW_VERSION == 14 && SCREE_KERNEL_WALL_TERMS == 12 && SCREE_KERNEL_WIDTH == 16 &&
        SCREE_LAW_HISTORY == 12 && SCREE_RESISTANCE_HISTORY == 4 &&
        HAS_LAYOUT(scree_law_contact, 176, tangential_velocity, 80) &&
        HAS_LAYOUT(scree_law_reply, 120, stored, 64) && HAS_LAYOUT(scree_law_parameter, 64, fallback, 40) &&
        HAS_LAYOUT(scree_law_impact, 24, mass, 16) && HAS_LAYOUT(scree_law_coefficients, 24, friction, 16) &&
        HAS_LAYOUT(scree_law_value, 32, width, 16) && HAS_LAYOUT(scree_law_pair, 24, dimension, 16) &&
        HAS_LAYOUT(scree_contact_law, 432, kernel, 96) && HAS_LAYOUT(scree_grain, 128, quantum, 126) &&
        HAS_LAYOUT(scree_pair, 8, high, 4) && HAS_LAYOUT(scree_kernel_wall, 128, half_gap, 104) &&
        HAS_LAYOUT(scree_kernel_rule, 224, arm, 200) && HAS_LAYOUT(scree_kernel_outside, 192, weight, 184) &&
        HAS_LAYOUT(scree_kernel_job, 488, has_fixed, 416),
    "a layout changed: increment SCREE_LAW_VERSION and update this check");

// Law number `index`, the built-in ones first; null past the last.
static const struct scree_contact_law *law_at(const struct scree_world *world, size_t index)
{
    size_t built_in = 0;
    while (scree_law_at(built_in))
        ++built_in;
    if (index < built_in)
        return scree_law_at(index);
    return index - built_in < world->laws.count ? world->laws.data[index - built_in].law : NULL;
}

static const struct scree_contact_law *find(const struct scree_world *world, const char *name)
{
    const struct scree_contact_law *law;
    for (size_t l = 0; (law = law_at(world, l)); ++l)
        if (strcmp(law->name, name) == 0)
            return law;
    return NULL;
}

scree_status scree_law_find_in(const struct scree_world *world, const char *name,
                               const struct scree_contact_law **law)
{
    *law = find(world, name);
    if (*law)
        return SCREE_OK;
    struct scree_suggestion known = {.wanted = name};
    scree_suggestion_add(&known, SCREE_LAW_NONE);
    for (size_t l = 0; (*law = law_at(world, l)); ++l)
        scree_suggestion_add(&known, (*law)->name);
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "unknown contact law '%.40s': the closest name is '%s'; known laws are %s", name,
                             known.nearest, known.text);
}

static scree_status refuse(const struct scree_contact_law *law, const char *reason)
{
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "contact law '%.40s' is refused: %s", law->name, reason);
}

static scree_status refuse_parameter(const struct scree_contact_law *law,
                                     const struct scree_law_parameter *parameter, const char *reason)
{
    return scree_status_fail(SCREE_ERROR_ARGUMENT, "contact law '%s' is refused: its parameter '%.40s' %s",
                             law->name, parameter->name, reason);
}

// Returns true for a lower case word, as used in scenes and on command lines; `extra` characters are allowed.
static bool is_name(const char *name, const char *extra)
{
    char allowed[64] = "abcdefghijklmnopqrstuvwxyz0123456789";
    strcat(allowed, extra);
    const size_t length = strlen(name);
    return length > 0 && length < 32 && name[0] >= 'a' && name[0] <= 'z' && strspn(name, allowed) == length;
}

// Returns null, or a message if the choices of a parameter are wrong.
static const char *fault_of_choices(const struct scree_law_parameter *p)
{
    size_t choices = 0;
    for (; p->choices[choices]; ++choices)
        if (!is_name(p->choices[choices], "-"))
            return "has a choice that is not a lower case word";
    if (choices == 0)
        return "has an empty list of choices";
    if (p->least != 0 || p->most != (double)choices - 1)
        return "has choices, so its range must be 0 to the number of choices minus 1";
    if (!p->required && p->fallback == p->fallback && p->fallback != (double)(size_t)p->fallback)
        return "has choices, so its fallback must be the index of one of them";
    return NULL;
}

static const char *fault_of_parameter(const struct scree_contact_law *law,
                                      const struct scree_law_parameter *p)
{
    if (!is_name(p->name, "-"))
        return "must have a lower case name of 1 to 31 letters, digits and hyphens";
    for (const struct scree_law_parameter *other = law->parameters; other < p; ++other)
        if (strcmp(other->name, p->name) == 0)
            return "is in the table twice";
    for (int r = 0; r < SCREE_RULE_EXTRAS; ++r)
        if (strcmp(scree_law_extras[r].name, p->name) == 0)
            return "has the name of a parameter that every law has";
    if (!p->unit || !p->about || !p->about[0])
        return "must have a unit (may be empty) and a description";
    if (!(p->least <= p->most))
        return "has an empty range";
    if (!p->required && !(p->fallback >= p->least && p->fallback <= p->most) && p->fallback == p->fallback)
        return "has a fallback outside its range";
    return p->choices ? fault_of_choices(p) : NULL;
}

static scree_status check_parameters(const struct scree_contact_law *law)
{
    if (!law->parameters)
        return refuse(law, "its table of parameters is null; without parameters it must be one empty row");
    size_t count = 0;
    for (const struct scree_law_parameter *p = law->parameters; p->name; ++p) {
        if (++count > SCREE_LAW_PARAMETERS)
            return refuse(law, "it has more parameters than SCREE_LAW_PARAMETERS, or its table does not end "
                               "with an empty row");
        const char *fault = fault_of_parameter(law, p);
        if (fault)
            return refuse_parameter(law, p, fault);
    }
    return SCREE_OK;
}

static scree_status check_values(const struct scree_contact_law *law)
{
    if (!law->values)
        return refuse(law, "its table of values is null; without history it must be one empty row");
    unsigned width = 0;
    bool numbers = false;
    for (const struct scree_law_value *v = law->values; v->name; ++v) {
        if (v->width != 1 && v->width != 3)
            return refuse(law, "a history value must have width 1 (a number) or 3 (a vector)");
        if (!v->name[0] || !v->unit || !v->about)
            return refuse(law, "a history value has no name, no unit or no description");
        if (v->width == 3 && numbers)
            return refuse(law, "in its history a vector follows a number; vectors must come first");
        numbers = v->width == 1;
        width += v->width;
        if (width > SCREE_LAW_HISTORY)
            return refuse(law,
                          "its history has more values than SCREE_LAW_HISTORY, or its table does not end "
                          "with an empty row");
    }
    return SCREE_OK;
}

// The names of the history values become field names of contact rows.
static scree_status check_rows(const struct scree_contact_law *law)
{
    struct scree_contact_rows rows;
    SCREE_TRY(scree_contact_rows_begin(&rows));
    const struct scree_contacts_layout layout = {.law = law, .resists = true};
    const scree_status status = scree_contact_rows_add(&rows, &layout);
    scree_contact_rows_free(&rows);
    return status;
}

static scree_status check_properties(const struct scree_contact_law *law)
{
    for (size_t p = 0; law->properties && law->properties[p]; ++p) {
        if (p >= SCREE_LAW_PROPERTIES)
            return refuse(
                law, "it has more properties than SCREE_LAW_PROPERTIES, or its list does not end with null");
        if (!is_name(law->properties[p], "_"))
            return refuse(law,
                          "a material property must have a lower case name of 1 to 31 letters, digits and "
                          "underscores");
    }
    return SCREE_OK;
}

static bool has_kernels(const struct scree_contact_law *law)
{
    for (int s = 0; s < SETS; ++s)
        for (int e = 0; e < SCREE_KERNEL_EXTRAS; ++e)
            for (int p = 0; p < SCREE_KERNEL_LOOPS; ++p)
                if (!law->kernel[s][e][p])
                    return false;
    return true;
}

// Checks what a law with a force needs.
static scree_status check_force(const struct scree_contact_law *law)
{
    if (!law->range)
        return refuse(law, "its function range must not be null");
    if (!has_kernels(law))
        return refuse(law, "a batch loop is missing: include <scree/kernel_loops.inc> and set .kernel = "
                           "SCREE_KERNEL_TABLE");
    SCREE_TRY(check_values(law));
    return check_rows(law);
}

// Checks a law without a force.
static scree_status check_collision(const struct scree_contact_law *law)
{
    if (!law->collision)
        return refuse(law, "it has neither a function force, for the soft engine, nor a function collision, "
                           "for the event engine");
    if (law->values && law->values[0].name)
        return refuse(law, "it has history values, but no function force: a collision has no history");
    return SCREE_OK;
}

static scree_status check(const struct scree_world *world, const struct scree_contact_law *law)
{
    // check the version first: in other versions members may be at other offsets
    if (law->version != SCREE_LAW_VERSION)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "the contact law was compiled with version %u of scree/law.h, this library "
                                 "needs version %u: compile it with the headers of this library",
                                 law->version, (unsigned)SCREE_LAW_VERSION);
    if (!law->name || !is_name(law->name, "-") || strcmp(law->name, SCREE_LAW_NONE) == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a contact law must have a lower case name of 1 to 31 letters, digits and "
                                 "hyphens, other than '" SCREE_LAW_NONE "'; got '%.40s'",
                                 law->name ? law->name : "(null)");
    if (find(world, law->name))
        return refuse(law, "a law of that name exists already");
    if (!law->about || !law->about[0])
        return refuse(law, "it has no description");
    if (law->dimensions == 0 || law->dimensions & ~(1U << 2 | 1U << 3))
        return refuse(law, "its dimensions must be bit 2 for disks, bit 3 for spheres, or both");
    if (!law->prepare)
        return refuse(law, "its function prepare must not be null");
    SCREE_TRY(check_parameters(law));
    SCREE_TRY(law->force ? check_force(law) : check_collision(law));
    return check_properties(law);
}

// Checks that the material field of a property is a number, if it exists; sets `has` if it exists.
static scree_status check_property(const struct scree_world *world, const struct scree_contact_law *law,
                                   const char *property, bool *has)
{
    char name[48] = "material.";
    strcat(name, property);
    struct scree_entity *entity;
    struct scree_field *field;
    *has = scree_registry_find(&world->registry, name, &entity, &field) == SCREE_OK;
    if (!*has || (field->type == SCREE_F64 && field->width == 1))
        return SCREE_OK;
    return scree_status_fail(SCREE_ERROR_ARGUMENT,
                             "contact law '%s' needs the material property '%s', but the existing field of "
                             "that name is not a single number",
                             law->name, property);
}

// Adds fields for material properties that do not exist yet; their values are "not given" until they are set.
static scree_status add_properties(struct scree_world *world, const struct scree_contact_law *law)
{
    bool has;
    for (size_t p = 0; law->properties && law->properties[p]; ++p)
        SCREE_TRY(check_property(world, law, law->properties[p], &has));
    for (size_t p = 0; law->properties && law->properties[p]; ++p) {
        const struct scree_field_def def = {.entity = "material",
                                            .name = law->properties[p],
                                            .type = SCREE_F64,
                                            .width = 1,
                                            .level = SCREE_TIMELESS,
                                            .flags = SCREE_PERSISTED,
                                            .about = "Property used by a contact law of the user."};
        SCREE_TRY(check_property(world, law, def.name, &has));
        if (!has)
            SCREE_TRY(scree_field_add(world, &def));
    }
    return SCREE_OK;
}

static scree_status add(struct scree_world *world, const struct scree_world_law *added)
{
    if (world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE, "contact laws cannot be added inside a step");
    SCREE_TRY(check(world, added->law));
    SCREE_TRY(scree_array_reserve(&world->laws, world->laws.count + 1));
    SCREE_TRY(add_properties(world, added->law));
    return scree_array_push(&world->laws, *added);
}

scree_status scree_law_register(struct scree_world *world, const struct scree_contact_law *law)
{
    return add(world, &(struct scree_world_law){.law = law});
}

static void close_library(void *library)
{
    (void)dlclose(library);
}

static scree_status load_entry(struct scree_world *world, const char *path, void *library)
{
    // ISO C has no cast from object to function pointers; POSIX guarantees the same representation
    void *symbol = dlsym(library, "scree_law_entry");
    scree_law_entry_function *entry;
    if (!symbol)
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "'%s' contains no contact law: it must export the function "
                                 "'const struct scree_contact_law *scree_law_entry(void)'",
                                 path);
    memcpy(&entry, &symbol, sizeof entry);
    const struct scree_contact_law *law = entry();
    if (!law)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "scree_law_entry of '%s' returned no law", path);
    const scree_status status =
        add(world, &(struct scree_world_law){.law = law, .library = library, .close = close_library});
    if (status != SCREE_OK)
        return scree_status_fail(status, "'%s': %s", path, scree_status_message());
    return SCREE_OK;
}

scree_status scree_law_load(struct scree_world *world, const char *path)
{
    // dlopen would search the library folders of the system for a path without a slash
    if (!path || !strchr(path, '/'))
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the path of a shared object must contain a slash, such as './law.so'; got '%s'",
            path ? path : "(null)");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        const char *why = dlerror();
        return scree_status_fail(SCREE_ERROR_IO, "cannot load a contact law from '%s': %s", path,
                                 why ? why : "no reason given by the system");
    }
    const scree_status status = load_entry(world, path, library);
    if (status != SCREE_OK)
        close_library(library);
    return status;
}
