// Groups in scenes (build/group.c, run/change.c): servos on groups of walls, and stages that change walls
// and bodies by groups. References: closed forms of columns of springs, free fall and damping, and the
// energy ledger.

#include "support/folder.h"
#include "support/trial.h"
#include "support/worlds.h"

#include <stdio.h>

#define HEAD                                                                                                 \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500}}\n"                                                                  \
    "contacts: [{between: [any, any], law: linear, friction: 0, stiffness: 10 kN/m, damping: 5 N s/m}]\n"    \
    "motion: {damping: {viscous: 200 1/s}}\n"                                                                \
    "engine: {soft: {step: 100 us}}\n"

// Four columns of three spheres between a floor and a lid of 16 cm^2.
#define BALL(x, y, z)                                                                                        \
    "  - {sphere: {radius: 1 cm, at: [" #x ", " #y ", " #z " cm], material: glass}, group: grains}\n"
#define COLUMN(x, y) BALL(x, y, 1) BALL(x, y, 3) BALL(x, y, 5)
#define COLUMNS                                                                                              \
    "bodies:\n" COLUMN(0.01, 0.01) COLUMN(0.03, 0.01) COLUMN(0.01, 0.03) COLUMN(                             \
        0.03, 0.03) "walls:\n"                                                                               \
                    "  - {plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, group: floor}\n"

#define LID(keys)                                                                                            \
    "  - {rectangle: {corner: [0, 0, 6 cm], edges: [[4 cm, 0, 0], [0, 4 cm, 0]], material: glass},\n"        \
    "     " keys "}\n"

#define TWO_BALLS                                                                                            \
    "bodies: [{sphere: {radius: 1 cm, at: [0, 0, 5], material: glass}, group: seed},\n"                      \
    "         {sphere: {radius: 1 cm, at: [1, 0, 5], material: glass}, group: [seed, second]}]\n"            \
    "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, group: floor},\n"               \
    "        {disk: {centre: [0, 0, 9], normal: [0, 0, 1], radius: 1, material: glass}, group: fan}]\n"

static struct scree_world *run(const char *text)
{
    return scree_trial_run_text(text, &(struct scree_run_def){.threads = 1});
}

static struct scree_wall_state wall_of(const struct scree_world *world, uint64_t id)
{
    struct scree_wall_state state;
    assert_ok(scree_wall_get(world, (scree_wall_id){id}, &state));
    return state;
}

// 10 kPa on 16 cm^2 are 16 N, so 4 N per column, whose four springs of 10 kN/m are compressed by 0.4 mm
// each. After 2 s the motion is damped out.
static void a_servo_compresses_columns_by_their_stiffness(void **state)
{
    (void)state;
    static const char *const texts[] = {
        HEAD COLUMNS LID(
            "group: lid, servo: {stress: -10 kPa, direction: [0, 0, -1], max-velocity: 5 cm/s}") "run: {for: "
                                                                                                 "2 s}\n",
        HEAD COLUMNS LID(
            "group: lid, servo: {force: 16 N, direction: [0, 0, -2], max-velocity: 5 cm/s, gain: 0.2, "
            "every: 1}") "run: {for: 2 s}\n",
        HEAD COLUMNS LID("group: [lid, other]") "run: [{steps: 10}, {for: 2 s, walls: [{group: other, servo: "
                                                "{stress: -5 kPa, area: 32 cm^2, direction: "
                                                "[0, 0, -1], max-velocity: 5 cm/s}}]}]\n",
    };
    for (size_t t = 0; t < sizeof texts / sizeof texts[0]; ++t) {
        struct scree_world *world = run(texts[t]);
        double force[3];
        assert_ok(scree_wall_load(world, (scree_wall_id){2}, force, NULL));
        assert_true(fabs(force[2] - 16) < 1e-7);
        assert_true(fabs(wall_of(world, 2).position[2] - (0.06 - 4 * 0.4e-3)) < 1e-9);
        scree_world_destroy(world);
    }
}

static void a_stage_can_end_a_servo_and_remove_walls_and_bodies(void **state)
{
    (void)state;
    static const char text[] =
        HEAD COLUMNS LID("group: lid, servo: {force: 16 N, direction: [0, 0, -1], max-velocity: 5 "
                         "cm/s}") "run:\n"
                                  "  - {for: 0.5 s}\n"
                                  "  - {for: 1 s, walls: [{group: lid, end-servo: true, velocity: "
                                  "[0, 0, 1 cm/s]}]}\n"
                                  "  - {steps: 1, walls: [{group: floor, remove: true}], bodies: "
                                  "[{group: grains, remove: true}]}\n";
    struct scree_world *world = run(text);
    assert_true(wall_of(world, 2).position[2] > 0.06 + 0.007);
    assert_true(wall_of(world, 2).velocity[2] == 0.01);
    assert_int_equal(scree_servo_count(world), 0);
    assert_int_equal(scree_wall_count(world), 1);
    assert_int_equal(scree_body_count(world), 0);
    scree_world_destroy(world);
}

static void stages_change_the_motion_of_groups(void **state)
{
    (void)state;
    static const char text[] = HEAD TWO_BALLS
        "run:\n"
        "  - {steps: 1}\n"
        "  - {for: 0.1 s, damping: {viscous: 0}, walls: [{group: fan, velocity: [1, 0, 0], spin: "
        "[0, 0, 10], pivot: [0, 1, 9]}],\n"
        "     bodies: [{group: seed, velocity: [0, 0, 2], spin: [0, 0, 3]}, {group: second, fixed: "
        "[x, y, z]}]}\n"
        "  - {for: 0.1 s, gravity: [0, 0, -10], walls: [{group: fan, velocity: [0, 0, 0]}]}\n"
        "  - {for: 0.1 s, bodies: [{group: second, fixed: [], damping: {viscous: 10 1/s}}]}\n";
    struct scree_world *world = run(text);
    const struct scree_wall_state rotating = wall_of(world, 2);
    assert_true(fabs(rotating.pivot[0] - 0.1) < 1e-12 && rotating.pivot[1] == 1 && rotating.spin[2] == 10);
    // the wall has rotated about the pivot by 10 rad/s for 0.3 s, starting below the pivot
    assert_true(fabs(rotating.position[0] - 0.1 - sin(3.0)) < 1e-9 &&
                fabs(rotating.position[1] - 1 + cos(3.0)) < 1e-9);
    assert_true(fabs(scree_test_state(world, 1).velocity[2] - (2 - 10 * 0.2)) < 1e-9);
    assert_true(scree_test_state(world, 1).spin[2] == 3);
    // the second body is fixed at 2 m/s for 0.2 s, then free with damping; tolerance: second order in h c
    const double c = 10, expected = -1 + (2 + 1) * exp(-c * 0.1);
    assert_true(fabs(scree_test_state(world, 2).velocity[2] - expected) < 1e-6);
    scree_world_destroy(world);
}

// One newton acts on the first body from the start, on both from 0.1 s on, and on none after 0.2 s; the
// energy input is the work of these forces.
static void stages_change_the_loads_of_groups(void **state)
{
    (void)state;
    static const char text[] =
        "scree: 1\n"
        "materials: {glass: {density: 2500}}\n"
        "engine: {soft: {step: 1 ms}}\n"
        "bodies: [{sphere: {radius: 10 cm, at: [0, 0, 0], material: glass}, group: all, load: {force: [1, 0, "
        "0]}},\n"
        "         {sphere: {radius: 10 cm, at: [1, 0, 0], material: glass}, group: [all, second]}]\n"
        "run:\n"
        "  - {for: 0.1 s}\n"
        "  - {for: 0.1 s, bodies: [{group: second, load: {force: [1, 0, 0], moment: [0, 0, 1 N mm]}}]}\n"
        "  - {for: 0.1 s, bodies: [{group: all, load: {}}]}\n";
    struct scree_world *world = run(text);
    struct scree_energy energy;
    const double impulse[2] = {0.2, 0.1};
    for (uint64_t b = 1; b <= 2; ++b) {
        const struct scree_body_state body = scree_test_state(world, b);
        // a sum of about a hundred terms, each rounded
        assert_true(fabs(body.velocity[0] * body.mass - impulse[b - 1]) < 1e-13);
        assert_true(fabs(body.spin[2] * body.inertia[2] - (b == 2 ? 1e-3 * 0.1 : 0)) < 1e-16);
    }
    assert_ok(scree_energy_get(world, &energy));
    assert_true(energy.work > 0 && fabs(energy.balance) < 1e-12 * energy.work);
    scree_world_destroy(world);
}

static void the_energy_ledger_is_balanced_when_stages_change_walls_and_bodies(void **state)
{
    (void)state;
    static const char text[] =
        HEAD COLUMNS LID("group: lid, servo: {force: 16 N, direction: [0, 0, -1], max-velocity: 5 "
                         "cm/s}") "run:\n"
                                  "  - {for: 0.5 s}\n"
                                  "  - {for: 0.1 s, walls: [{group: lid, end-servo: true, velocity: "
                                  "[0, 0, 1 cm/s]}]}\n"
                                  "  - {for: 0.1 s, walls: [{group: lid, velocity: [0, 0, 0]}, "
                                  "{group: floor, remove: true}],\n"
                                  "     bodies: [{group: grains, velocity: [0.1, 0, 0]}]}\n"
                                  "  - {for: 0.1 s, bodies: [{group: grains, remove: true}]}\n";
    struct scree_world *world = run(text);
    struct scree_energy energy;
    assert_ok(scree_energy_get(world, &energy));
    // 10 kN/m and 10 g give omega h = 0.2; the error of the balance is a fraction of (omega h)^2
    assert_true(energy.work > 1e-3 && fabs(energy.balance) < 0.01 * energy.work);
    scree_world_destroy(world);
}

struct mistake {
    const char *run, *message;
};

// Checks that each mistake, in line 10 of the scene, gives its message.
static void assert_mistakes(const struct mistake *rows, size_t count)
{
    for (size_t r = 0; r < count; ++r) {
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, rows[r].message, "%s%s%s", HEAD, TWO_BALLS,
                                        rows[r].run);
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, "scene.yaml:10:", "%s%s%s", HEAD, TWO_BALLS,
                                        rows[r].run);
    }
}

static void mistakes_in_changes_of_groups_are_reported_with_their_line(void **state)
{
    (void)state;
    static const struct mistake rows[] = {
        {"run: {steps: 1, walls: [{group: fon, velocity: [0, 0, 0]}]}\n",
         "scene.yaml:10:33: there is no group 'fon': did you mean 'fan'?"},
        {"run: {steps: 1, bodies: [{group: nothing}]}\n",
         "there is no group 'nothing'; known names: seed, second"},
        {"run: {steps: 1, walls: [{group: seed, velocity: [0, 0, 0]}]}\n",
         "scene.yaml:10:33: the group 'seed' has no walls, only bodies"},
        {"run: {steps: 1, bodies: [{group: fan, velocity: [0, 0, 0]}]}\n",
         "the group 'fan' has no bodies, only walls"},
        {"run: {steps: 1, remove: [{group: fan}]}\n", "the group 'fan' has no bodies"},
        {"record: [{table: a.csv, every: 1, columns: [{measure: force-z, of: seed}]}]\n",
         "the group 'seed' has no walls"},
        {"record: [{table: a.csv, every: 1, columns: [{measure: coordination, of: fan}]}]\n",
         "the group 'fan' has no bodies"},
        {"run: {steps: 1, stop: {measure: force-z, of: seed, above: 1}}\n", "the group 'seed' has no walls"},
        {"record: [{track: a.csv, every: 1, group: fan}]\n", "the group 'fan' has no bodies"},
        {"run: {steps: 1, walls: [{group: fan}]}\n",
         "a change of walls needs at least one of velocity, spin, surface-velocity, surface-spin, vibration, "
         "pivot"},
        {"run: {steps: 1, bodies: [{group: seed}]}\n", "a change of bodies needs at least one of velocity"},
        {"run: {steps: 1, walls: [{group: fan, remove: false}]}\n",
         "scene.yaml:10:25: a change of walls needs at least one of velocity"},
        {"run: {steps: 1, walls: [{group: fan, remove: false, end-servo: false}]}\n",
         "end-servo, remove (false does not count)"},
        {"run: {steps: 1, bodies: [{group: seed, remove: false}]}\n",
         "a change of bodies needs at least one of velocity"},
        {"run: {steps: 1, materials: {a: {}}}\n", "a change of a material needs at least one of young"},
        {"run: {steps: 1, walls: [{velocity: [0, 0, 0]}]}\n", "a change of walls needs 'group'"},
        {"run: {steps: 1, walls: [{group: fan, remove: true, spin: [0, 0, 0]}]}\n", "'remove'"},
        {"run: {steps: 1, walls: [{group: fan, remove: true}, {group: fan, spin: [0, 0, 0]}]}\n",
         "scene.yaml:10:61: the walls of 'fan' are removed in this stage and cannot be changed"},
        {"run: {steps: 1, bodies: [{group: seed, remove: true}, {group: seed, remove: true}]}\n",
         "the bodies of 'seed' are removed in this stage"},
        {"run: [{steps: 1, walls: [{group: fan, remove: true}]}, {steps: 1}, {steps: 1, walls: [{group: fan, "
         "spin: [0, 0, 0]}]}]\n",
         "the walls of 'fan' were removed in stage 1"},
        {"run: {steps: 1, walls: [{group: fan, speed: [0, 0, 0]}]}\n", "has no key 'speed'"},
        {"run: {steps: 1, bodies: [{group: seed, fixed: [w]}]}\n", "'fixed' must be one of x, y, z"},
    };
    assert_mistakes(rows, sizeof rows / sizeof rows[0]);
}

static void mistakes_in_servos_are_reported_with_their_line(void **state)
{
    (void)state;
    static const struct mistake rows[] = {
        {"run: {steps: 1, walls: [{group: fan, end-servo: true}]}\n", "the group 'fan' has no servo"},
        {"run: {steps: 1, walls: [{group: floor, servo: {stress: 1, direction: [0, 0, 1], max-velocity: "
         "1}}]}\n",
         "give the 'area' on which the stress acts: the other walls do not enclose a cross-section"},
        {"run: {steps: 1, walls: [{group: fan, servo: {force: 1, area: 1, direction: [0, 0, 1], "
         "max-velocity: 1}}]}\n",
         "'area'"},
        {"run: {steps: 1, walls: [{group: fan, servo: {force: 1, direction: [0, 0, 0], max-velocity: 1}}]}\n",
         "must not be the zero vector"},
        {"run: {steps: 1, walls: [{group: fan, servo: {direction: [0, 0, 1], max-velocity: 1}}]}\n",
         "a servo needs exactly one of force, stress"},
        {"run: {steps: 1, walls: [{group: fan, servo: {force: 1, direction: [0, 0, 1], max-velocity: 0}}]}\n",
         "'max-velocity' must be above 0"},
        {"run: {steps: 1, walls: [{group: fan, servo: {force: 1, direction: [0, 0, 1], max-velocity: 1, "
         "tolerance: 1}}]}\n",
         "the tolerance of a servo must be"},
    };
    assert_mistakes(rows, sizeof rows / sizeof rows[0]);
}

static void a_servo_belongs_to_a_group_and_a_group_has_one(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {HEAD COLUMNS LID("servo: {force: 1, direction: [0, 0, -1], max-velocity: 1}") "run: {steps: 1}\n",
         "'group'"},
        {HEAD COLUMNS LID("group: lid, servo: {force: 1, direction: [0, 0, -1], max-velocity: 1}")
             LID("group: lid, servo: {force: 2, direction: [0, 0, -1], max-velocity: 1}") "run: {steps: 1}\n",
         "the group 'lid' has a servo already"},
    };
    for (size_t r = 0; r < 2; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_RUN, rows[r][1], "%s", rows[r][0]);
}

// Groups, servo and changes by stages are restored from a checkpoint in the last stage.
static void a_run_with_servos_continues_from_a_checkpoint(void **state)
{
    (void)state;
    static const char text[] =
        HEAD COLUMNS LID("group: lid, servo: {force: 16 N, direction: [0, 0, -1], max-velocity: 5 "
                         "cm/s}") "run:\n"
                                  "  - {steps: 700}\n"
                                  "  - {steps: 500, walls: [{group: lid, velocity: [1 cm/s, 0, 0]}],\n"
                                  "     bodies: [{group: grains, spin: [0, 1, 0], damping: {viscous: "
                                  "100 1/s}}]}\n"
                                  "record: [{checkpoint: run.chk, every: 505 steps}]\n";
    struct scree_digest digest[2];
    const struct scree_folder folder = scree_folder_make("scene-groups");
    const char *scene = scree_folder_path(&folder, "scene.yaml");
    const char *previous = scree_folder_path(&folder, "run.chk.previous");
    scree_folder_write(&folder, "scene.yaml", text);
    for (int k = 0; k < 2; ++k) {
        struct scree_trial trial = k == 0 ? scree_trial_load(scene) : scree_trial_restart(previous);
        (void)scree_trial_run(&trial, &(struct scree_run_def){.threads = 1 + 2 * k, .force = true});
        scree_trial_assert_ok(&trial);
        assert_int_equal(scree_world_steps(trial.world), 1200);
        assert_int_equal(scree_servo_count(trial.world), 1);
        digest[k] = scree_test_digest(trial.world);
        scree_trial_free(&trial);
    }
    assert_true(scree_test_digests_equal(digest[0], digest[1]));
    scree_folder_end(&folder, "scene.yaml run.chk run.chk.previous");
}

static void failed_allocations_are_reported_and_leak_nothing(void **state)
{
    (void)state;
    static const char text[] = HEAD TWO_BALLS
        "run:\n"
        "  - {steps: 1, walls: [{group: fan, spin: [0, 0, 1], servo: {stress: -1, direction: [0, "
        "0, 1], max-velocity: "
        "1}}]}\n"
        "  - {steps: 1, walls: [{group: fan, end-servo: true}, {group: floor, remove: true}],\n"
        "     bodies: [{group: seed, fixed: [x]}, {group: second, remove: true}]}\n";
    scree_trial_starve(SCREE_TRIAL_RUN, text, &(struct scree_run_def){.threads = 1});
}

// A lid with a servo on a ball, from the start or from a later stage.
#define PRESSED(law, lid, run)                                                                               \
    "scree: 1\nmaterials: {glass: {density: 2500, young: 5 MPa, poisson: 0.3}}\n"                            \
    "contacts: [{between: [any, any], " law "}]\n"                                                           \
    "bodies: [sphere: {radius: 5 mm, at: [0, 0, 5 mm], material: glass}]\n"                                  \
    "walls:\n"                                                                                               \
    "  - {plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}, group: floor}\n"                    \
    "  - {plane: {point: [0, 0, 1 cm], normal: [0, 0, -1], material: glass}, group: lid" lid "}\n"           \
    "run: [" run "{steps: 1}]\n"
#define HERTZ "law: hertz, restitution: 1"
#define SERVO(target) "servo: {" target ", direction: [0, 0, -1], max-velocity: 1 m/s}"

// Stores the only warning, but not that the lid still moves when the short stage ends or that nothing is
// recorded.
static void store_warning(void *user, const char *text)
{
    if (strncmp(text, "stage ", 6) == 0 || strstr(text, "has no 'record'"))
        return;
    assert_string_equal((const char *)user, "");
    snprintf((char *)user, 400, "%s", text);
}

static void a_servo_with_impossible_tension_is_reported_once(void **state)
{
    (void)state;
    static const struct {
        const char *text, *warning;
    } rows[] = {
        {PRESSED(HERTZ, ", " SERVO("stress: 300 Pa, area: 1"), ""),
         "the servo of 'lid' has a stress of 300 Pa, which is tension"},
        {PRESSED(HERTZ, "",
                 "{steps: 1}, {steps: 1, walls: [{group: lid, " SERVO("stress: 300 Pa, area: 1") "}]}, "),
         "Compression is negative, `stress: -300 Pa`"},
        {PRESSED(HERTZ, ", " SERVO("stress: -300 Pa, area: 1"), ""), NULL},
        {PRESSED(HERTZ, ", " SERVO("stress: 0 Pa, area: 1"), ""), NULL},
        {PRESSED(HERTZ, ", " SERVO("force: -3 N"), ""), NULL},
        {PRESSED("law: linear-cohesion, friction: 0, restitution: 1, cohesion: 1 kPa",
                 ", " SERVO("stress: 300 Pa, area: 1"), ""),
         NULL},
        {PRESSED("law: jkr, friction: 0, restitution: 1, work-of-adhesion: 0.05 J/m^2",
                 ", " SERVO("stress: 300 Pa, area: 1"), ""),
         NULL},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r) {
        char warning[400] = "";
        const struct scree_run_def def = {.threads = 1, .warn = store_warning, .user = warning};
        scree_world_destroy(scree_trial_run_text(rows[r].text, &def));
        if (rows[r].warning ? !strstr(warning, rows[r].warning) : warning[0] != 0)
            fail_msg("%s\ngives the warning '%s'", rows[r].text, warning);
    }
}

// A row of three disks under a lid with a stress: its force is the stress times the length.
static void in_two_dimensions_a_stress_acts_on_a_length(void **state)
{
    (void)state;
#define FLAT(stress, area)                                                                                   \
    "scree: 1\ndimension: 2\nmaterials: {glass: {density: 2500}}\n"                                          \
    "contacts: [{between: [any, any], law: linear, friction: 0, stiffness: 10 kN/m, damping: 5 N s/m}]\n"    \
    "motion: {damping: {viscous: 200 1/s}}\n"                                                                \
    "engine: {soft: {step: 100 us}}\n"                                                                       \
    "bodies:\n"                                                                                              \
    "  - disk: {radius: 1 cm, thickness: 1 cm, at: [1 cm, 1 cm], material: glass}\n"                         \
    "  - disk: {radius: 1 cm, thickness: 1 cm, at: [3 cm, 1 cm], material: glass}\n"                         \
    "  - disk: {radius: 1 cm, thickness: 1 cm, at: [5 cm, 1 cm], material: glass}\n"                         \
    "walls:\n"                                                                                               \
    "  - {plane: {point: [0, 0, 0], normal: [0, 1, 0], material: glass}, group: floor}\n"                    \
    "  - {plane: {point: [0, 2 cm, 0], normal: [0, -1, 0], material: glass}, group: lid,\n"                  \
    "     servo: {stress: " stress ", area: " area ", direction: [0, -1, 0], max-velocity: 5 cm/s}}\n"       \
    "run: {for: 2 s}\n"
    double force[3];
    scree_group_id lid;
    struct scree_world *world = run(FLAT("-0.2 kN/m", "6 cm"));
    assert_ok(scree_group_find(world, "lid", &lid));
    assert_ok(scree_group_load(world, lid, NULL, force, NULL));
    // after two seconds the motion of the start is damped out
    assert_true(fabs(force[1] - 200 * 0.06) < 1e-9 * 12);
    scree_world_destroy(world);
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD,
                                    "'stress' must be in N/m in two dimensions, but this is in kg/(m s^2)",
                                    "%s", FLAT("-2 kPa", "6 cm"));
    scree_trial_assert_text_refused(SCREE_TRIAL_BUILD,
                                    "'area' must be in m in two dimensions, but this is in m^2", "%s",
                                    FLAT("-2 kN/m", "6 cm^2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_servo_compresses_columns_by_their_stiffness),
        cmocka_unit_test(a_servo_with_impossible_tension_is_reported_once),
        cmocka_unit_test(in_two_dimensions_a_stress_acts_on_a_length),
        cmocka_unit_test(a_stage_can_end_a_servo_and_remove_walls_and_bodies),
        cmocka_unit_test(stages_change_the_motion_of_groups),
        cmocka_unit_test(stages_change_the_loads_of_groups),
        cmocka_unit_test(the_energy_ledger_is_balanced_when_stages_change_walls_and_bodies),
        cmocka_unit_test(mistakes_in_changes_of_groups_are_reported_with_their_line),
        cmocka_unit_test(mistakes_in_servos_are_reported_with_their_line),
        cmocka_unit_test(a_servo_belongs_to_a_group_and_a_group_has_one),
        cmocka_unit_test(a_run_with_servos_continues_from_a_checkpoint),
        cmocka_unit_test(failed_allocations_are_reported_and_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
