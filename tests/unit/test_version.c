// Information about the build (scree/version.h) against the macros of this build and the processor in use.

#include "base/processor.h"
#include "base/team.h"

#include <scree/scree.h>

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void facts_describe_this_build(void **state)
{
    (void)state;
    struct scree_version_facts facts;
    scree_version_get(&facts);
    assert_string_equal(facts.version, SCREE_VERSION);
    assert_true(strstr(facts.flags, "-ffp-contract=off"));
    assert_true(facts.compiler[0] && facts.build[0]);
    assert_int_equal(facts.threads, scree_team_size(&(struct scree_team){0}));
#ifdef NDEBUG
    assert_false(facts.assertions);
#else
    assert_true(facts.assertions);
#endif
}

static void the_reported_instruction_set_is_the_one_in_use(void **state)
{
    (void)state;
    struct scree_version_facts facts;
    for (int set = 0; set <= scree_processor_best(); ++set) {
        scree_processor_choose(set);
        scree_version_get(&facts);
        assert_int_equal(facts.set, set);
        assert_non_null(facts.sets[set]);
    }
    scree_processor_choose(-1);
    scree_version_get(&facts);
    assert_int_equal(facts.set, scree_processor_best());
}

static void every_library_has_a_name_and_a_version(void **state)
{
    (void)state;
    struct scree_version_library library;
    size_t count = 0;
    for (; scree_version_library_at(count, &library); ++count) {
        assert_true(library.name[0]);
        assert_true(isdigit((unsigned char)library.version[0]));
    }
    assert_true(count >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_describe_this_build),
        cmocka_unit_test(the_reported_instruction_set_is_the_one_in_use),
        cmocka_unit_test(every_library_has_a_name_and_a_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
