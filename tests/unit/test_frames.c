// Frames of a run: they contain the state of the world, bit for bit in double precision, and do not change
// it; mistakes in requests are reported; after a failure nothing leaks and no file is incomplete.
// Reference: the world itself. tools/check-paraview checks how ParaView shows them.

#include "base/memory.h"
#include "file/atomic.h"
#include "file/hdf.h"
#include "file/vtk.h"
#include "support/folder.h"
#include "support/trial.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#define BEGINNING                                                                                            \
    "scree: 1\n"                                                                                             \
    "gravity: [0, 0, -9.81]\n"                                                                               \
    "materials: {glass: {density: 2500, young: 20 MPa, poisson: 0.25}}\n"                                    \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"

#define BEGINNING_WITHOUT_GRAVITY                                                                            \
    "scree: 1\n"                                                                                             \
    "materials: {glass: {density: 2500, young: 20 MPa, poisson: 0.25}}\n"                                    \
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7}]\n"

// grains that fall onto each other and a floor
#define BED                                                                                                  \
    BEGINNING                                                                                                \
    "bodies: [fill: {shape: {sphere: {radius: {uniform: [4 mm, 6 mm]}}}, count: 300, material: glass,\n"     \
    "                inside: {box: [[0, 0, 0], [8 cm, 8 cm, 10 cm]]}, velocity: [0, 0, -1]}]\n"              \
    "walls: [{box: {lower: [0, 0, -1 mm], upper: [8 cm, 8 cm, 1], material: glass}}]\n"

static struct scree_scene *load_scene(const char *text)
{
    scree_folder_write(&scree_test_folder, "scene.yaml", text);
    const struct scree_trial trial = scree_trial_load(scree_folder_path(&scree_test_folder, "scene.yaml"));
    scree_trial_assert_ok(&trial);
    return trial.scene;
}

static struct scree_world *run(const char *text, int threads)
{
    return scree_trial_run_text(
        text, &(struct scree_run_def){.threads = threads, .force = true, .folder = scree_test_folder.path});
}

// An open frame.
struct frame {
    void *image;
    size_t size;
    struct scree_hdf hdf;
};

static void open_frame(struct frame *frame, const char *series, int number)
{
    char path[100];
    snprintf(path, sizeof path, "%s/%06d.hdf", series, number);
    if (scree_atomic_read(scree_folder_path(&scree_test_folder, path), 1 << 26, &frame->image,
                          &frame->size) != SCREE_OK ||
        scree_vtk_open(&frame->hdf, path, frame->image, frame->size) != SCREE_OK)
        fail_msg("%s", scree_status_message());
}

static void close_frame(struct frame *frame)
{
    scree_hdf_close(&frame->hdf);
    scree_memory_free(frame->image);
}

// An array of a frame, to be freed by scree_memory_free.
static void *array_of(struct frame *frame, const char *path, scree_type type, size_t rows, unsigned width)
{
    struct scree_hdf_shape shape;
    void *data;
    char full[100];
    snprintf(full, sizeof full, "/VTKHDF/%s", path);
    if (scree_hdf_find(&frame->hdf, full, &shape) != SCREE_OK)
        fail_msg("%s", scree_status_message());
    assert_int_equal(shape.type, type);
    assert_int_equal(shape.rows, rows);
    assert_int_equal(shape.width, width);
    assert_int_equal(scree_memory_new(rows, (width ? width : 1) * scree_field_size(type), &data), SCREE_OK);
    assert_int_equal(scree_hdf_read(&frame->hdf, full, &shape, data), SCREE_OK);
    return data;
}

// Compares an array of a frame with a member of the states of all bodies.
static void assert_values_of_bodies(struct frame *frame, const char *path, unsigned width,
                                    const struct scree_world *world, size_t offset)
{
    const size_t bodies = scree_body_count(world), size = (width ? width : 1) * sizeof(double);
    char *data = (char *)array_of(frame, path, SCREE_F64, bodies, width);
    for (size_t b = 0; b < bodies; ++b) {
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){b + 1}, &body), SCREE_OK);
        assert_memory_equal(data + b * size, (const char *)&body + offset, size);
    }
    scree_memory_free(data);
}

static void double_precision_frames_contain_the_exact_state(void **state)
{
    (void)state;
    struct frame frame;
    struct scree_world *world =
        run(BED "run: {steps: 3000}\nrecord: [{frames: bed, every: 1500 steps, precision: double,\n"
                "  fields: [id, radius, mass, velocity, spin, force, material, speed, coordination]}]\n",
            2);
    const size_t bodies = scree_body_count(world), capacity = scree_contact_count(world);
    assert_true(bodies == 300 && capacity > 100);
    open_frame(&frame, "bed-bodies", 2);
    int64_t *id = (int64_t *)array_of(&frame, "PointData/id", SCREE_I64, bodies, 0);
    uint16_t *material = (uint16_t *)array_of(&frame, "PointData/material", SCREE_U16, bodies, 0);
    uint32_t *coordination = (uint32_t *)array_of(&frame, "PointData/coordination", SCREE_U32, bodies, 0);
    double *speed = (double *)array_of(&frame, "PointData/speed", SCREE_F64, bodies, 0);
    static const struct {
        const char *path;
        size_t offset;
        unsigned width;
    } rows[] = {
        {"Points", offsetof(struct scree_body_state, position), 3},
        {"PointData/velocity", offsetof(struct scree_body_state, velocity), 3},
        {"PointData/spin", offsetof(struct scree_body_state, spin), 3},
        {"PointData/force", offsetof(struct scree_body_state, force), 3},
        {"PointData/mass", offsetof(struct scree_body_state, mass), 0},
        {"PointData/radius", offsetof(struct scree_body_state, radius), 0},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        assert_values_of_bodies(&frame, rows[r].path, rows[r].width, world, rows[r].offset);
    size_t count, coordination_sum = 0, sides = 0;
    struct scree_contact *contact;
    assert_int_equal(scree_memory_new(capacity, sizeof *contact, (void **)&contact), SCREE_OK);
    assert_int_equal(scree_contact_list(world, contact, capacity, &count), SCREE_OK);
    for (size_t c = 0; c < count; ++c)
        sides += contact[c].wall.value ? 1 : 2;
    for (size_t b = 0; b < bodies; ++b) {
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){b + 1}, &body), SCREE_OK);
        const double *v = body.velocity;
        assert_true(id[b] == (int64_t)b + 1 && material[b] == body.material.value);
        assert_true(speed[b] == sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
        coordination_sum += coordination[b];
    }
    assert_int_equal(coordination_sum, sides);
    scree_memory_free(contact);
    scree_memory_free(id);
    scree_memory_free(material);
    scree_memory_free(coordination);
    scree_memory_free(speed);
    close_frame(&frame);
    scree_world_destroy(world);
}

static void single_precision_frames_round_reals_but_not_integers(void **state)
{
    (void)state;
    struct frame frame;
    struct scree_world *world = run(BED "run: {steps: 100}\nrecord: [{frames: bed, every: 100 steps}]\n", 1);
    open_frame(&frame, "bed-bodies", 1);
    float *position = (float *)array_of(&frame, "Points", SCREE_F32, 300, 3);
    int64_t *id = (int64_t *)array_of(&frame, "PointData/id", SCREE_I64, 300, 0);
    for (size_t b = 0; b < 300; ++b) {
        struct scree_body_state body;
        assert_int_equal(scree_body_get(world, (scree_body_id){(uint64_t)id[b]}, &body), SCREE_OK);
        for (int k = 0; k < 3; ++k)
            assert_true(position[3 * b + (size_t)k] == (float)body.position[k]);
    }
    scree_memory_free(position);
    scree_memory_free(id);
    close_frame(&frame);
    scree_world_destroy(world);
}

static void frames_of_contacts_and_walls_equal_the_api(void **state)
{
    (void)state;
    struct frame frame;
    struct scree_world *world =
        run(BED "run: {steps: 3000}\nrecord: [{frames: bed, every: 3000 steps, precision: double,\n"
                "  fields: [wall.force, wall.moment, contact.point, contact.normal_force,\n"
                "           contact.shear_force, contact.first, contact.second, contact.wall]}]\n",
            1);
    size_t count;
    const size_t capacity = scree_contact_count(world);
    struct scree_contact *contact;
    assert_int_equal(scree_memory_new(capacity, sizeof *contact, (void **)&contact), SCREE_OK);
    assert_int_equal(scree_contact_list(world, contact, capacity, &count), SCREE_OK);
    open_frame(&frame, "bed-contacts", 1);
    double *ends = (double *)array_of(&frame, "Points", SCREE_F64, 2 * count, 3);
    double *normal = (double *)array_of(&frame, "CellData/normal_force", SCREE_F64, count, 0);
    double *shear = (double *)array_of(&frame, "CellData/shear_force", SCREE_F64, count, 0);
    int64_t *second = (int64_t *)array_of(&frame, "CellData/second", SCREE_I64, count, 0);
    for (size_t c = 0; c < count; ++c) {
        struct scree_body_state body;
        double force = 0;
        for (int k = 0; k < 3; ++k)
            force += contact[c].force[k] * contact[c].force[k];
        // the parts add up to the total, up to some roundings
        const double parts = normal[c] * normal[c] + shear[c] * shear[c];
        assert_true(fabs(parts - force) <= 1e-14 * force);
        assert_int_equal(scree_body_get(world, contact[c].body[0], &body), SCREE_OK);
        assert_memory_equal(ends + 6 * c, body.position, sizeof body.position);
        assert_int_equal(second[c], contact[c].body[1].value);
        if (contact[c].wall.value == 0)
            assert_int_equal(scree_body_get(world, contact[c].body[1], &body), SCREE_OK);
        assert_memory_equal(ends + 6 * c + 3, contact[c].wall.value ? contact[c].point : body.position,
                            sizeof body.position);
    }
    scree_memory_free(ends);
    scree_memory_free(normal);
    scree_memory_free(shear);
    scree_memory_free(second);
    scree_memory_free(contact);
    close_frame(&frame);
    double force[3], moment[3];
    assert_int_equal(scree_wall_load(world, (scree_wall_id){1}, force, moment), SCREE_OK);
    assert_true(force[2] < 0);
    open_frame(&frame, "bed-walls", 1);
    double *wall_force = (double *)array_of(&frame, "CellData/force", SCREE_F64, 12, 3);
    double *wall_moment = (double *)array_of(&frame, "CellData/moment", SCREE_F64, 12, 3);
    for (size_t c = 0; c < 12; ++c) {
        assert_memory_equal(wall_force + 3 * c, force, sizeof force);
        assert_memory_equal(wall_moment + 3 * c, moment, sizeof moment);
    }
    scree_memory_free(wall_force);
    scree_memory_free(wall_moment);
    close_frame(&frame);
    scree_world_destroy(world);
}

// A disk compressed by two walls: 2 x 0.2 N times 10 mm each, over its area, whatever its thickness.
static void the_stress_of_a_disk_is_divided_by_its_area_as_in_tables(void **state)
{
    (void)state;
    struct frame frame;
    struct scree_world *world =
        run("scree: 1\ndimension: 2\nmaterials: {glass: {density: 2500}}\n"
            "contacts: [{between: [any, any], law: linear, stiffness: 2 kN/m, friction: 0, restitution: 1}]\n"
            "bodies: [{disk: {radius: 10.1 mm, thickness: 1 mm, at: [0.005, 0.01], material: glass}}]\n"
            "walls:\n"
            "  - {plane: {point: [0, 0], normal: [0, 1], material: glass}}\n"
            "  - {plane: {point: [0, 0.02], normal: [0, -1], material: glass}}\n"
            "engine: {soft: {step: 1 us}}\nrun: {steps: 0}\n"
            "record: [{frames: d, every: 1 ms, precision: double, fields: [stress]}]\n",
            1);
    const struct scree_measure_region region = {
        .shape = SCREE_MEASURE_BALL, .from = {0.005, 0.01}, .radius = 0.0101};
    double of_region[9];
    assert_int_equal(scree_measure_stress(world, &region, of_region), SCREE_OK);
    open_frame(&frame, "d-bodies", 0);
    double *stress = (double *)array_of(&frame, "PointData/stress", SCREE_F64, 1, 6);
    const double expected = -2 * 0.2 * 0.01 / (3.14159265358979323846 * 0.0101 * 0.0101);
    assert_true(fabs(stress[1] - expected) < 1e-12 * -expected && stress[0] == 0 && stress[3] == 0);
    assert_true(fabs(stress[1] - of_region[4]) < 1e-12 * -expected);
    scree_memory_free(stress);
    close_frame(&frame);
    scree_world_destroy(world);
}

static void contact_lines_across_a_periodic_face_end_at_the_nearest_image(void **state)
{
    (void)state;
    struct frame frame;
    struct scree_world *world =
        run(BEGINNING "world: {box: [[0, 0, 0], [1, 1, 1]], periodic: [x, y]}\n"
                      "bodies:\n"
                      "  - sphere: {radius: 0.1, at: [0.05, 0.805, 0.5], material: glass, fixed: [x, y, z]}\n"
                      "  - sphere: {radius: 0.1, at: [0.86, 0.805, 0.5], material: glass, fixed: [x, y, z]}\n"
                      "  - sphere: {radius: 0.1, at: [0.05, 0.995, 0.5], material: glass}\n"
                      "engine: {soft: {step: 10 us}}\nrun: {steps: 4000}\n"
                      "record: [{frames: p, every: 4000 steps, precision: double, of: [bodies, contacts],\n"
                      "  fields: [unwrapped, stress]}]\n",
            1);
    open_frame(&frame, "p-contacts", 0);
    double *ends = (double *)array_of(&frame, "Points", SCREE_F64, 4, 3);
    // the nearest image of x = 0.86 is at 0.86 - 1
    const double expected[4][3] = {
        {0.05, 0.805, 0.5}, {-0.14, 0.805, 0.5}, {0.05, 0.805, 0.5}, {0.05, 0.995, 0.5}};
    for (size_t k = 0; k < 12; ++k)
        assert_true(fabs(ends[k] - (&expected[0][0])[k]) < 1e-15);
    scree_memory_free(ends);
    close_frame(&frame);
    // the first body is compressed along x by the second and equally along y by the third; tension is
    // positive
    open_frame(&frame, "p-bodies", 0);
    double *stress = (double *)array_of(&frame, "PointData/stress", SCREE_F64, 3, 6);
    assert_true(stress[0] < 0 && fabs(stress[0] - stress[1]) < 1e-9 * fabs(stress[0]));
    assert_true(fabs(stress[6] - stress[0]) < 1e-9 * fabs(stress[0]) && fabs(stress[7]) < 1e-9 * -stress[0]);
    scree_memory_free(stress);
    close_frame(&frame);
    // the third body has left through a face: its wrapped and unwrapped positions
    double position[3];
    assert_int_equal(scree_cell_unwrapped_position(world, (scree_body_id){3}, position), SCREE_OK);
    open_frame(&frame, "p-bodies", 1);
    double *unwrapped = (double *)array_of(&frame, "PointData/unwrapped", SCREE_F64, 3, 3);
    double *points = (double *)array_of(&frame, "Points", SCREE_F64, 3, 3);
    assert_memory_equal(unwrapped + 6, position, sizeof position);
    assert_true(position[1] > 1 && points[7] < 0.5);
    scree_memory_free(unwrapped);
    scree_memory_free(points);
    close_frame(&frame);
    scree_world_destroy(world);
}

static void the_same_state_gives_the_same_bytes_on_any_number_of_threads(void **state)
{
    (void)state;
    static const char *const names[] = {"bed-bodies", "bed-contacts", "bed-walls"};
    void *image[3][3];
    size_t size[3][3];
    for (int threads = 1; threads <= 3; ++threads) {
        scree_world_destroy(
            run(BED "run: {steps: 2500}\nrecord: [{frames: bed, every: 500 steps}]\n", threads));
        for (int k = 0; k < 3; ++k) {
            char path[100];
            snprintf(path, sizeof path, "%s/000005.hdf", names[k]);
            assert_int_equal(scree_atomic_read(scree_folder_path(&scree_test_folder, path), 1 << 26,
                                               &image[threads - 1][k], &size[threads - 1][k]),
                             SCREE_OK);
        }
    }
    for (int k = 0; k < 3; ++k)
        for (int t = 1; t < 3; ++t) {
            assert_int_equal(size[t][k], size[0][k]);
            assert_memory_equal(image[t][k], image[0][k], size[0][k]);
        }
    for (int k = 0; k < 9; ++k)
        scree_memory_free(image[k / 3][k % 3]);
}

static void writing_frames_does_not_change_the_world(void **state)
{
    (void)state;
    struct scree_digest plain, with_frames;
    struct scree_world *world = run(BED "run: {steps: 1000}\n", 2);
    assert_int_equal(scree_world_digest(world, &plain), SCREE_OK);
    scree_world_destroy(world);
    world = run(
        BED "run: {steps: 1000}\nrecord: [{frames: bed, every: 7 steps, fields: [stress, inertia]}]\n", 2);
    assert_int_equal(scree_world_digest(world, &with_frames), SCREE_OK);
    assert_true(plain.low == with_frames.low && plain.high == with_frames.high);
    scree_world_destroy(world);
}

static void only_requested_fields_are_written_and_existing_files_are_kept_without_force(void **state)
{
    (void)state;
    struct scree_world *world;
    struct frame frame;
    size_t count;
    scree_world_destroy(run(BED "run: {steps: 10}\nrecord: [{frames: a/b, every: 1 steps, of: [bodies],\n"
                                "  fields: [mass], deflate: 0}]\n",
                            1));
    assert_true(scree_folder_has(&scree_test_folder, "a/b-bodies/000010.hdf"));
    assert_false(scree_folder_has(&scree_test_folder, "a/b-contacts.hdf.series"));
    open_frame(&frame, "a/b-bodies", 10);
    assert_int_equal(scree_hdf_count(&frame.hdf, "/VTKHDF/PointData", &count), SCREE_OK);
    assert_int_equal(count, 1);
    close_frame(&frame);
    struct scree_scene *scene = load_scene(BED "run: {steps: 1}\nrecord: [{frames: a/b, every: 1 steps}]\n");
    assert_int_equal(scree_scene_run(scene, NULL, &world), SCREE_ERROR_EXISTS);
    assert_non_null(strstr(scree_status_message(), "a/b-bodies' already exists"));
    scree_world_destroy(world);
    assert_int_equal(scree_scene_run(scene, &(struct scree_run_def){.force = true}, NULL), SCREE_OK);
    assert_true(scree_folder_has(&scree_test_folder, "a/b-bodies/000001.hdf"));
    assert_false(scree_folder_has(&scree_test_folder, "a/b-bodies/000002.hdf"));
    scree_scene_free(scene);
}

static void invalid_requests_are_reported_at_their_position(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"{frames: a, every: 1 ms, fields: [velocty]}", "did you mean 'velocity'?"},
        {"{frames: a, every: 1 ms, fields: [contact.velocity]}", "'fields'"},
        {"{frames: a, every: 1 ms, of: [planets]}", "bodies, contacts, walls"},
        {"{frames: a, every: 1 ms, of: []}", "'of'"},
        {"{frames: a, every: 1 ms, precision: half}", "single, double"},
        {"{frames: a, every: 1 ms, deflate: 10}", "'deflate'"},
        {"{frames: a, every: 1 ms, columns: [time]}", "'columns'"},
        {"{table: a.csv, every: 1 ms, fields: [mass]}", "'fields'"},
        {"{table: a.csv, every: 1 ms, deflate: 3}", "'deflate'"},
        {"{frames: ../a, every: 1 ms}", "leads out of the folder"},
        {"{frames: a}", "'every'"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        scree_trial_assert_text_refused(SCREE_TRIAL_READ, rows[r][1], "%srun: {steps: 1}\nrecord: [%s]\n",
                                        BEGINNING, rows[r][0]);
    scree_trial_assert_text_refused(
        SCREE_TRIAL_RUN, "'fields' contains 'mass' twice", "%s",
        BEGINNING "run: {steps: 1}\nrecord: [{frames: a, every: 1 ms, fields: [mass, id, mass]}]\n");
}

static void a_full_disk_ends_the_run_and_leaves_no_incomplete_frame(void **state)
{
    (void)state;
    struct rlimit before, small;
    struct scree_world *world;
    struct frame frame;
    struct scree_scene *scene =
        load_scene(BED "run: {steps: 100}\nrecord: [{frames: bed, every: 10 steps, of: [bodies],"
                       "deflate: 0}, {table: bed.csv, every: 10 steps}]\n");
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    // smaller than the positions of 300 bodies
    small.rlim_cur = 3000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    const scree_status status = scree_scene_run(scene, NULL, &world);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, SCREE_ERROR_IO);
    assert_non_null(
        strstr(scree_status_message(), scree_folder_path(&scree_test_folder, "bed-bodies/000000.hdf")));
    assert_non_null(strstr(scree_status_message(), "File too large"));
    assert_false(scree_folder_has(&scree_test_folder, "bed-bodies/000000.hdf"));
    assert_false(scree_folder_has(&scree_test_folder, "bed-bodies/000000.hdf.part"));
    scree_world_destroy(world);
    assert_int_equal(scree_scene_run(scene, &(struct scree_run_def){.force = true}, NULL), SCREE_OK);
    open_frame(&frame, "bed-bodies", 10);
    close_frame(&frame);
    scree_scene_free(scene);
}

static void every_failed_allocation_ends_the_run_and_nothing_leaks(void **state)
{
    (void)state;
    static const char text[] =
        BEGINNING "bodies: [sphere: {radius: 1 cm, at: [0, 0, 0.9 cm], material: glass}]\n"
                  "walls: [{plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}}]\n"
                  "engine: {soft: {step: 10 us}}\nrun: {steps: 2}\n"
                  "record: [{frames: a, every: 1 steps, fields: [stress]}]\n";
    const struct scree_run_def def = {.threads = 1, .force = true, .folder = scree_test_folder.path};
    // about twenty allocations happen when the scene is read
    assert_true(scree_trial_starve(SCREE_TRIAL_RUN, text, &def) > 120);
}

// In a cell that deforms, against the velocity and the position in the same frame: v - D (x - corner).
static void fluctuations_are_velocities_without_the_mean_motion_of_the_cell(void **state)
{
    (void)state;
    enum { BALLS = 20 };
    struct frame frame;
    scree_world_destroy(run(
        BEGINNING_WITHOUT_GRAVITY
        "world: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]], periodic: [x, y, z], deform: {gradient: [[0, 3, "
        "0], "
        "[0, -2, 0], [0, 0, 0]]}}\n"
        "bodies: [fill: {shape: {sphere: {radius: 5 mm}}, count: 20, material: glass, velocity: [0, 0, 1],\n"
        "                inside: {box: [[0, 0, 0], [10 cm, 10 cm, 10 cm]]}}]\n"
        "engine: {soft: {step: 10 us}}\n"
        "run: {for: 10 ms}\n"
        "record: [{frames: out, every: 10 ms, precision: double, fields: [velocity, fluctuation]}]\n",
        1));
    open_frame(&frame, "out-bodies", 1);
    double *velocity = (double *)array_of(&frame, "PointData/velocity", SCREE_F64, BALLS, 3),
           *rest = (double *)array_of(&frame, "PointData/fluctuation", SCREE_F64, BALLS, 3),
           *x = (double *)array_of(&frame, "Points", SCREE_F64, BALLS, 3);
    for (size_t b = 0; b < BALLS; ++b) {
        const double expected[3] = {velocity[3 * b] - 3 * x[3 * b + 1],
                                    velocity[3 * b + 1] + 2 * x[3 * b + 1], velocity[3 * b + 2]};
        for (size_t k = 0; k < 3; ++k)
            assert_true(fabs(rest[3 * b + k] - expected[k]) < 1e-14);
    }
    scree_memory_free(velocity);
    scree_memory_free(rest);
    scree_memory_free(x);
    close_frame(&frame);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, scree_test_folder_make, scree_test_folder_remove)
    const struct CMUnitTest tests[] = {
        TEST(double_precision_frames_contain_the_exact_state),
        TEST(single_precision_frames_round_reals_but_not_integers),
        TEST(frames_of_contacts_and_walls_equal_the_api),
        TEST(contact_lines_across_a_periodic_face_end_at_the_nearest_image),
        TEST(the_same_state_gives_the_same_bytes_on_any_number_of_threads),
        TEST(the_stress_of_a_disk_is_divided_by_its_area_as_in_tables),
        TEST(writing_frames_does_not_change_the_world),
        TEST(only_requested_fields_are_written_and_existing_files_are_kept_without_force),
        TEST(invalid_requests_are_reported_at_their_position),
        TEST(a_full_disk_ends_the_run_and_leaves_no_incomplete_frame),
        TEST(every_failed_allocation_ends_the_run_and_nothing_leaks),
        TEST(fluctuations_are_velocities_without_the_mean_motion_of_the_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
