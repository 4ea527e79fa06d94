// Laws of users: registered or loaded from a shared object, they give the bits of compiled-in laws; a
// mistake in a law is reported before the law is used.

#include "base/memory.h"
#include "law/law.h"
#include "support/spring_law.h"
#include "support/worlds.h"

#include <scree/kernel.h>

#include <dlfcn.h>

#define SCREE_KERNEL_FORCE spring_force
#define SCREE_KERNEL_HISTORY 3
#define SCREE_KERNEL_VECTORS 1
#define SCREE_KERNEL_COUPLE_OR_INTERNAL 0
#include <scree/kernel_loops.inc>

#define MODULE(name) SCREE_TEST_MODULES "/" name ".so"

// The law of tests/support, with batch loops compiled here.
static struct scree_contact_law spring_compiled_here(void)
{
    static scree_kernel *const loops[SCREE_KERNEL_SETS][SCREE_KERNEL_EXTRAS][SCREE_KERNEL_LOOPS] =
        SCREE_KERNEL_TABLE;
    struct scree_contact_law law = spring_law;
    memcpy(law.kernel, loops, sizeof loops);
    return law;
}

static scree_status add_spring(struct scree_world *world)
{
    const struct scree_interaction_value values[] = {
        {"stiffness", 1e5, NULL}, {"friction", 0.5, NULL}, {"damping", 0.1, NULL}};
    return scree_interaction_add(
        world, &(struct scree_interaction_def){.law = "spring", .values = values, .count = 3});
}

// A spinning ball hits a row of others.
static struct scree_digest collide(struct scree_world *world)
{
    struct scree_engine *engine;
    scree_body_id id;
    const scree_material_id material = scree_test_material(world);
    assert_ok(add_spring(world));
    for (int n = 0; n < 6; ++n)
        assert_ok(scree_body_add_sphere(world,
                                        &(struct scree_sphere_def){.radius = 0.1,
                                                                   .material = material,
                                                                   .position = {0.21 * n, 0.01 * n * n, 0},
                                                                   .velocity = {n == 0 ? 1 : 0, 0, 0.1 * n},
                                                                   .spin = {3, n, -5}},
                                        &id));
    assert_ok(scree_soft_create(world, &(struct scree_soft_def){.step = 1e-4}, &engine));
    assert_ok(scree_engine_run(engine, 2000));
    struct scree_body_state last;
    assert_ok(scree_body_get(world, id, &last));
    // the impact has passed through the row
    assert_true(last.velocity[0] > 0.1);
    scree_engine_destroy(engine);
    return scree_test_digest(world);
}

static void a_loaded_law_gives_the_bits_of_one_that_is_compiled_in(void **state)
{
    (void)state;
    const struct scree_contact_law law = spring_compiled_here();
    struct scree_world *compiled = scree_test_empty_world(), *loaded = scree_test_empty_world();
    assert_ok(scree_law_register(compiled, &law));
    assert_ok(scree_law_load(loaded, MODULE("spring")));
    assert_true(scree_test_digests_equal(collide(compiled), collide(loaded)));
    scree_world_destroy(compiled);
    scree_world_destroy(loaded);
}

static bool is_open(const char *path)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (library)
        dlclose(library);
    return library != NULL;
}

static void a_shared_object_is_open_as_long_as_a_world_needs_it(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world(), *other = scree_test_empty_world();
    assert_false(is_open(MODULE("spring")));
    assert_ok(scree_law_load(world, MODULE("spring")));
    assert_ok(scree_law_load(other, MODULE("spring")));
    // loading it twice in one world is refused, and it stays open
    assert_refused(SCREE_ERROR_ARGUMENT, "a law of that name exists already",
                   scree_law_load(world, MODULE("spring")));
    scree_world_destroy(world);
    assert_true(is_open(MODULE("spring")));
    assert_ok(add_spring(other));
    scree_world_destroy(other);
    assert_false(is_open(MODULE("spring")));
}

static void a_failed_load_is_reported_and_leaves_nothing_open(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    const struct scree_digest before = scree_test_digest(world);
    const struct {
        const char *path;
        scree_status status;
        const char *word;
    } rows[] = {
        {MODULE("no_entry"), SCREE_ERROR_ARGUMENT, "must export the function"},
        {MODULE("no_law"), SCREE_ERROR_ARGUMENT, "returned no law"},
        {MODULE("version"), SCREE_ERROR_UNSUPPORTED, "compile it with the headers of this library"},
        {MODULE("nowhere"), SCREE_ERROR_IO, "nowhere.so'"},
        {SCREE_TEST_DATA "/top_visc.csv", SCREE_ERROR_IO, "cannot load a contact law from"},
        {SCREE_TEST_DATA "/", SCREE_ERROR_IO, "cannot load a contact law from"},
        {"libm.so.6", SCREE_ERROR_ARGUMENT, "must contain a slash"},
        {"", SCREE_ERROR_ARGUMENT, "must contain a slash"},
        {NULL, SCREE_ERROR_ARGUMENT, "(null)"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        assert_refused(rows[r].status, rows[r].word, scree_law_load(world, rows[r].path));
    for (size_t r = 0; r < 3; ++r)
        assert_false(is_open(rows[r].path));
    assert_refused(SCREE_ERROR_ARGUMENT, "unknown contact law 'spring'", add_spring(world));
    assert_true(scree_test_digests_equal(before, scree_test_digest(world)));
    scree_world_destroy(world);
}

static const char *const two_choices[] = {"one", "two", NULL}, *const no_choices[] = {NULL},
                         *const invalid_choices[] = {"one", "Two", NULL};
static const char *const nine_properties[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", NULL},
                         *const invalid_property[] = {"surface energy", NULL},
                         *const text_property[] = {"name", NULL};

// Invalid parameters, and a part of the message.
static const struct {
    struct scree_law_parameter parameter;
    const char *word;
} invalid_parameters[] = {
    {{"Stiffness", "", 0, 1, true, 0, "It.", NULL}, "'Stiffness' must have a lower case name"},
    {{"", "", 0, 1, true, 0, "It.", NULL}, "lower case name"},
    {{"x", "", 0, 1, true, 0, "It.", NULL}, "in the table twice"},
    {{"rolling-friction", "", 0, 1, true, 0, "It.", NULL}, "every law has"},
    {{"y", NULL, 0, 1, true, 0, "It.", NULL}, "must have a unit"},
    {{"y", "", 0, 1, true, 0, NULL, NULL}, "must have a unit (may be empty) and a description"},
    {{"y", "", 2, 1, true, 0, "It.", NULL}, "empty range"},
    {{"y", "", (double)NAN, 1, true, 0, "It.", NULL}, "empty range"},
    {{"y", "", 0, 1, false, 2, "It.", NULL}, "fallback outside its range"},
    {{"y", "", 0, 1, true, 0, "It.", invalid_choices}, "a choice that is not a lower case word"},
    {{"y", "", 0, 1, true, 0, "It.", no_choices}, "empty list of choices"},
    {{"y", "", 0, 2, true, 0, "It.", two_choices}, "must be 0 to the number of choices minus 1"},
    {{"y", "", 0, 1, false, 0.5, "It.", two_choices}, "the index of one"},
};

static void an_invalid_parameter_is_named(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_contact_law law = spring_compiled_here();
    for (size_t b = 0; b < sizeof invalid_parameters / sizeof invalid_parameters[0]; ++b) {
        const struct scree_law_parameter table[] = {
            {"x", "m", 0, 1, false, (double)NAN, "Another.", NULL}, invalid_parameters[b].parameter, {0}};
        law.parameters = table;
        assert_refused(SCREE_ERROR_ARGUMENT, invalid_parameters[b].word, scree_law_register(world, &law));
    }
    struct scree_law_parameter many[SCREE_LAW_PARAMETERS + 2];
    char names[SCREE_LAW_PARAMETERS + 2][4];
    memset(many, 0, sizeof many);
    for (int p = 0; p <= SCREE_LAW_PARAMETERS; ++p) {
        memcpy(names[p], (const char[4]){'p', (char)('a' + p / 10), (char)('a' + p % 10)}, 4);
        many[p] = (struct scree_law_parameter){names[p], "", 0, 1, true, 0, "It.", NULL};
    }
    law.parameters = many;
    assert_refused(SCREE_ERROR_ARGUMENT, "more parameters than", scree_law_register(world, &law));
    many[SCREE_LAW_PARAMETERS].name = NULL;
    assert_ok(scree_law_register(world, &law));
    scree_world_destroy(world);
}

static void an_invalid_history_is_refused(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    struct scree_contact_law law = spring_compiled_here();
    const struct scree_law_value number = {"a", "", 1, "It."}, vector = {"b", "", 3, "It."};
    const struct {
        struct scree_law_value values[14];
        const char *word;
    } rows[] = {
        {{{"a", "", 2, "It."}}, "width 1 (a number) or 3"},
        {{{"a", NULL, 1, "It."}}, "no unit"},
        {{{"a", "", 1, NULL}}, "no description"},
        {{{"", "", 1, "It."}}, "no name"},
        {{vector, number, vector}, "vectors must come first"},
        {{vector, vector, vector, vector, number}, "more values than SCREE_LAW_HISTORY"},
        {{vector, vector}, "'b' already"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        law.values = rows[r].values;
        assert_refused(SCREE_ERROR_ARGUMENT, rows[r].word, scree_law_register(world, &law));
    }
    law.values = (const struct scree_law_value[]){vector, {"c", "", 3, "It."}, {"d", "", 3, "It."},
                                                  number, {"e", "", 1, "It."}, {"f", "", 1, "It."},
                                                  {0}};
    assert_ok(scree_law_register(world, &law));
    scree_world_destroy(world);
}

static void assert_law_refused(struct scree_world *world, struct scree_contact_law law, const char *word)
{
    assert_refused(SCREE_ERROR_ARGUMENT, word, scree_law_register(world, &law));
}

#define ASSERT_REFUSED_WITH(member, value, word)                                                             \
    do {                                                                                                     \
        struct scree_contact_law law = spring_compiled_here();                                               \
        law.member = value;                                                                                  \
        assert_law_refused(world, law, word);                                                                \
    } while (0)

static void an_invalid_law_is_refused_with_the_correct_form(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    ASSERT_REFUSED_WITH(name, NULL, "(null)");
    ASSERT_REFUSED_WITH(name, "", "1 to 31 letters");
    ASSERT_REFUSED_WITH(name, "none", "other than 'none'");
    ASSERT_REFUSED_WITH(name, "Spring", "got 'Spring'");
    ASSERT_REFUSED_WITH(name, "a-name-that-has-thirty-two-letters", "1 to 31 letters");
    ASSERT_REFUSED_WITH(name, "hertz-mindlin", "a law of that name exists already");
    ASSERT_REFUSED_WITH(about, NULL, "no description");
    ASSERT_REFUSED_WITH(about, "", "no description");
    ASSERT_REFUSED_WITH(parameters, NULL, "must be one empty row");
    ASSERT_REFUSED_WITH(values, NULL, "must be one empty row");
    ASSERT_REFUSED_WITH(dimensions, 0, "bit 2 for disks");
    ASSERT_REFUSED_WITH(dimensions, 1 << 3 | 1, "bit 2 for disks");
    ASSERT_REFUSED_WITH(prepare, NULL, "must not be null");
    ASSERT_REFUSED_WITH(range, NULL, "must not be null");
    ASSERT_REFUSED_WITH(force, NULL, "neither a function force");
    ASSERT_REFUSED_WITH(kernel[0][1][2], NULL, "SCREE_KERNEL_TABLE");
    ASSERT_REFUSED_WITH(properties, nine_properties, "more properties than");
    ASSERT_REFUSED_WITH(properties, invalid_property, "letters, digits and underscores");
    ASSERT_REFUSED_WITH(properties, text_property, "not a single number");
    struct scree_contact_law law = spring_compiled_here();
    law.version = SCREE_LAW_VERSION - 1;
    law.name = NULL;
    assert_refused(SCREE_ERROR_UNSUPPORTED, "compiled with version", scree_law_register(world, &law));
    assert_refused(SCREE_ERROR_ARGUMENT, "unknown contact law", add_spring(world));
    scree_world_destroy(world);
}

static void a_law_adds_the_material_properties_that_it_needs(void **state)
{
    (void)state;
    struct scree_world *world = scree_test_empty_world();
    static const char *const required[] = {"young", "surface_energy", NULL};
    struct scree_contact_law law = spring_compiled_here();
    const scree_material_id material = scree_test_material(world);
    double value;
    law.properties = required;
    assert_refused(SCREE_ERROR_MISSING, "no property 'surface_energy'",
                   scree_material_set(world, material, "surface_energy", 1));
    assert_ok(scree_law_register(world, &law));
    assert_refused(SCREE_ERROR_MISSING, "no 'surface_energy' yet",
                   scree_material_get(world, material, "surface_energy", &value));
    assert_ok(scree_material_set(world, material, "surface_energy", 0.05));
    // a second law with the same property uses the existing one
    struct scree_contact_law second = law;
    second.name = "spring-two";
    assert_ok(scree_law_register(world, &second));
    assert_ok(scree_material_get(world, material, "surface_energy", &value));
    assert_true(value == 0.05);
    scree_world_destroy(world);
}

static void a_failed_allocation_leaves_the_world_without_the_law(void **state)
{
    (void)state;
    bool failed = true;
    for (uint64_t nth = 1; failed; ++nth) {
        struct scree_world *world = scree_test_empty_world();
        const uint64_t before = scree_memory_count();
        scree_memory_fail_at(nth);
        const scree_status status = scree_law_load(world, MODULE("spring"));
        failed = scree_memory_count() - before >= nth;
        scree_memory_fail_at(0);
        assert_int_equal(status, failed ? SCREE_ERROR_MEMORY : SCREE_OK);
        assert_int_equal(is_open(MODULE("spring")), !failed);
        assert_true(failed || nth > 1);
        scree_world_destroy(world);
    }
}

static void built_in_laws_pass_the_checks_for_users_laws(void **state)
{
    (void)state;
    const struct scree_contact_law *built_in;
    size_t count = 0;
    for (; (built_in = scree_law_at(count)); ++count) {
        struct scree_world *world = scree_test_empty_world();
        struct scree_contact_law law = *built_in;
        law.name = "copy";
        assert_ok(scree_law_register(world, &law));
        scree_world_destroy(world);
    }
    assert_true(count > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loaded_law_gives_the_bits_of_one_that_is_compiled_in),
        cmocka_unit_test(a_shared_object_is_open_as_long_as_a_world_needs_it),
        cmocka_unit_test(a_failed_load_is_reported_and_leaves_nothing_open),
        cmocka_unit_test(an_invalid_parameter_is_named),
        cmocka_unit_test(an_invalid_history_is_refused),
        cmocka_unit_test(an_invalid_law_is_refused_with_the_correct_form),
        cmocka_unit_test(a_law_adds_the_material_properties_that_it_needs),
        cmocka_unit_test(a_failed_allocation_leaves_the_world_without_the_law),
        cmocka_unit_test(built_in_laws_pass_the_checks_for_users_laws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
