// Integration schemes that do not support contacts are refused if there is a contact law.

#include "engine/soft.h"
#include "support/worlds.h"

#include <string.h>

static void schemes_without_support_for_contacts_are_refused_if_there_is_a_law(void **state)
{
    (void)state;
    static const char *const refused[] = {"euler", "pcdm"};
    for (scree_motion_kind kind = SCREE_TRANSLATION; kind <= SCREE_ROTATION; ++kind) {
        const char *scheme;
        for (size_t l = 0; (scheme = scree_motion_name(kind, l)); ++l) {
            struct scree_world *world = scree_test_empty_world();
            struct scree_engine *engine;
            const struct scree_soft_def def = {.step = 1e-3,
                                               .translation = kind == SCREE_TRANSLATION ? scheme : NULL,
                                               .rotation = kind == SCREE_ROTATION ? scheme : NULL};
            // without contacts every scheme is accepted
            assert_ok(scree_soft_create(world, &def, &engine));
            scree_engine_destroy(engine);
            // a rule "none" is no contact law
            assert_ok(scree_interaction_add(world, &(struct scree_interaction_def){.law = "none"}));
            assert_ok(scree_soft_create(world, &def, &engine));
            scree_engine_destroy(engine);
            const struct scree_interaction_value friction = {"friction", 0.5, NULL};
            assert_ok(scree_interaction_add(
                world,
                &(struct scree_interaction_def){.law = "hertz-mindlin", .values = &friction, .count = 1}));
            if (strcmp(scheme, refused[kind]) == 0) {
                assert_refused(SCREE_ERROR_UNSUPPORTED, scheme, scree_soft_create(world, &def, &engine));
                assert_null(engine);
            } else {
                assert_ok(scree_soft_create(world, &def, &engine));
                scree_engine_destroy(engine);
            }
            scree_world_destroy(world);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_without_support_for_contacts_are_refused_if_there_is_a_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
