// Cells in which partners of collisions are drawn, and the pair correlation at contact. References: lengths
// and volumes by hand; the equations of Carnahan and Starling, of Henderson, and of mixtures in their
// published forms.

#include "event/cells.h"
#include "event/correlation.h"
#include "event/event.h"
#include "support/drawn_gas.h"

// --- cells

static struct scree_event *event_of(const struct hard *hard)
{
    return (struct scree_event *)hard->engine->self;
}

// An engine that has prepared a step, with one body of radius 0.5 in a world along whose axes there are walls
// at these places; infinite for none.
static struct hard make_walls(const double lower[3], const double upper[3], double velocity)
{
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
    for (int w = 0; w < 6; ++w) {
        struct scree_wall_def def = {.shape = SCREE_WALL_PLANE, .material = hard.material};
        scree_wall_id id;
        def.plane.point[w / 2] = w % 2 ? upper[w / 2] : lower[w / 2];
        def.plane.normal[w / 2] = w % 2 ? -1 : 1;
        def.velocity[w / 2] = w == 5 ? velocity : 0;
        if (fabs(def.plane.point[w / 2]) < INFINITE)
            assert_ok(scree_wall_add(hard.world, &def, &id));
    }
    hard_add_body(hard.world, (double[3]){1, 1, 1}, (double[3]){0}, 0.5, hard.material);
    assert_ok(scree_stochastic_create(hard.world, &(struct scree_stochastic_def){.step = 0.1, .cell = 1},
                                      &hard.engine));
    assert_ok(scree_engine_run(hard.engine, 1));
    return hard;
}

static struct hard make_box(const double period[3])
{
    struct hard hard = hard_make(&(struct scree_world_def){0}, 1, 1, 0, 0);
    assert_ok(scree_cell_set(hard.world, &(struct scree_cell_def){.upper = {period[0], period[1], period[2]},
                                                                  .periodic = {true, true, true}}));
    hard_add_body(hard.world, (double[3]){0.1, 0.1, 0.1}, (double[3]){0}, 0.01, hard.material);
    assert_ok(scree_stochastic_create(hard.world, &(struct scree_stochastic_def){.step = 0.1}, &hard.engine));
    assert_ok(scree_engine_run(hard.engine, 1));
    return hard;
}

static struct scree_event_cells cells_of(const struct hard *hard, double width)
{
    struct scree_event_cells cells;
    assert_ok(scree_event_cells_make(event_of(hard), width, &cells));
    return cells;
}

static void assert_numbers(const struct scree_event_cells *cells, int x, int y, int z, double volume)
{
    assert_int_equal(cells->number[0], x);
    assert_int_equal(cells->number[1], y);
    assert_int_equal(cells->number[2], z);
    // a product of three quotients
    hard_within(cells->volume / volume, 1, 1e-15);
}

// The whole number that gives the nearest width; 0.3 m over 0.1 m is less than 3 when rounded.
static void a_period_has_the_number_of_cells_that_is_nearest(void **state)
{
    (void)state;
    struct hard hard = make_box((double[3]){0.3, 2, 0.74});
    struct scree_event_cells cells = cells_of(&hard, 0.1);
    assert_true(0.3 / 0.1 < 3);
    assert_numbers(&cells, 3, 20, 7, 0.3 * 2 * 0.74 / (3 * 20 * 7));
    cells = cells_of(&hard, 5);
    assert_numbers(&cells, 1, 1, 1, 0.3 * 2 * 0.74);
    // automatic: one body needs a tenth of ten
    cells = cells_of(&hard, 0);
    assert_numbers(&cells, 1, 1, 1, 0.3 * 2 * 0.74);
    hard_end(&hard);
}

static uint64_t code_at(const struct hard *hard, const struct scree_event_cells *cells, double x, double y,
                        double z)
{
    return scree_event_cells_at(event_of(hard), cells, (double[3]){x, y, z});
}

// Centres keep a radius away from planes: 9 of 10 m are left, 4.5 cells of 2 m, so five. A body at a plane is
// in the first or the last cell.
static void walls_have_a_whole_number_of_cells_between_the_centres_that_touch_them(void **state)
{
    (void)state;
    const double infinite = INFINITE;
    struct hard hard = make_walls((double[3]){0, -1, 0}, (double[3]){10, infinite, 7}, 0);
    const struct scree_event_cells cells = cells_of(&hard, 2);
    assert_numbers(&cells, 5, 0, 3, 9.0 / 5 * 2 * 6 / 3);
    const uint64_t first = code_at(&hard, &cells, 0.6, 0, 0.6);
    assert_true(code_at(&hard, &cells, 0.4, 0, 0.4) == first &&
                code_at(&hard, &cells, 2.2, 1.4, 2.4) == first);
    assert_true(code_at(&hard, &cells, 2.4, 0, 0.6) != first && code_at(&hard, &cells, 0.6, 0, 2.6) != first);
    // the cells of an open axis begin at the plane, less the radius, and do not end
    assert_true(code_at(&hard, &cells, 0.6, -0.4, 0.6) == first);
    assert_true(code_at(&hard, &cells, 0.6, 1.6, 0.6) == first + (UINT64_C(1) << 21));
    assert_true(code_at(&hard, &cells, 9.7, 0, 0.6) == code_at(&hard, &cells, 9.4, 0, 0.6));
    assert_true(code_at(&hard, &cells, 0.6, 2.0 * SCREE_EVENT_CELLS_HALF - 3, 0.6) !=
                SCREE_EVENT_CELLS_OUTSIDE);
    assert_true(code_at(&hard, &cells, 0.6, 2.0 * SCREE_EVENT_CELLS_HALF + 1, 0.6) ==
                SCREE_EVENT_CELLS_OUTSIDE);
    assert_true(code_at(&hard, &cells, 0.6, NOT_A_NUMBER, 0.6) == SCREE_EVENT_CELLS_OUTSIDE);
    hard_end(&hard);
}

// An axis that only the upper side limits, and one without limits, whose cells begin at the origin.
static void axes_without_limits_have_cells_of_the_given_width(void **state)
{
    (void)state;
    const double infinite = INFINITE;
    struct hard hard =
        make_walls((double[3]){-infinite, -infinite, -3}, (double[3]){infinite, 10, infinite}, 0);
    const struct scree_event_cells cells = cells_of(&hard, 2);
    assert_numbers(&cells, 0, 0, 0, 8);
    const uint64_t first = code_at(&hard, &cells, -0.1, 9.4, 0);
    assert_true(code_at(&hard, &cells, -1.9, 7.6, 0) == first);
    assert_true(code_at(&hard, &cells, 0.1, 9.4, 0) == first + 1);
    assert_true(code_at(&hard, &cells, -0.1, 7.4, 0) == first - (UINT64_C(1) << 21));
    // a body that is in the plane by a part of its radius
    assert_true(code_at(&hard, &cells, -0.1, 9.7, 0) == first);
    double width;
    assert_refused(SCREE_ERROR_ARGUMENT, "this one has no limits along x",
                   scree_event_cells_width(event_of(&hard), 0, &width));
    hard_end(&hard);
}

// Planes limit cells if they stop the bodies of all materials that bodies have.
static void planes_that_some_bodies_pass_limit_no_cells(void **state)
{
    (void)state;
    const double infinite = INFINITE;
    for (int passes = 0; passes < 2; ++passes) {
        struct hard hard =
            make_walls((double[3]){-infinite, -infinite, 0}, (double[3]){infinite, infinite, 7}, 0);
        scree_material_id ghost;
        assert_ok(scree_material_add(hard.world, &(struct scree_material_def){.name = "ghost", .density = 1},
                                     &ghost));
        const struct scree_interaction_value values[] = {
            {"restitution", 1, NULL}, {"friction", 0, NULL}, {"tangential-restitution", 0, NULL}};
        // the first rule that matches counts
        const struct scree_interaction_def rules[] = {{.between = {ghost, hard.material}, .law = "none"},
                                                      {.law = "hard", .values = values, .count = 3}};
        assert_ok(scree_interaction_clear(hard.world));
        for (int r = 0; r < 2; ++r)
            assert_ok(scree_interaction_add(hard.world, &rules[r]));
        hard_add_body(hard.world, (double[3]){3, 3, 3}, (double[3]){0}, 0.5, passes ? ghost : hard.material);
        assert_ok(scree_engine_run(hard.engine, 1));
        const struct scree_event_cells cells = cells_of(&hard, 2);
        assert_numbers(&cells, 0, 0, passes ? 0 : 3, 8);
        hard_end(&hard);
    }
}

static void look(void *user, const struct scree_event_collision *collision)
{
    const struct hard *hard = (const struct hard *)user;
    const struct scree_event_cells cells = cells_of(hard, 1);
    // the wall has come from 10 m with 1 m/s
    const double height = 10 - collision->time - 1;
    const int number = (int)floor(height + 0.5);
    assert_int_equal(cells.number[2], number);
    hard_within(cells.volume * number / height, 1, 1e-14);
}

static void close_in(void *user, double time, struct scree_wall_motion *motion)
{
    (void)user;
    (void)time;
    motion->velocity[2] = -1;
}

// A wall moves towards another one, with a velocity or by a function: when collisions are drawn in the middle
// of a step, the cells are those of the walls at that time.
static void cells_are_those_of_walls_where_they_are_now(void **state)
{
    (void)state;
    const double infinite = INFINITE;
    for (int by_function = 0; by_function < 2; ++by_function) {
        struct hard hard =
            make_walls((double[3]){-infinite, -infinite, 0},
                       (double[3]){infinite, infinite, by_function ? 9.9 : 10}, by_function ? 0 : -1);
        if (by_function) {
            // from where the other one is after the first step
            const scree_wall_id id = {2};
            assert_ok(scree_wall_motion_set_function(hard.world, id,
                                                     &(struct scree_wall_motion_def){.function = close_in}));
        }
        assert_ok(scree_event_observe(hard.engine, look, &hard));
        for (int b = 0; b < 8; ++b)
            hard_add_body(hard.world, (double[3]){b % 2, b / 2 % 2, 1 + b % 2}, (double[3]){b % 3, -b % 4, 0},
                          0.5, hard.material);
        assert_ok(scree_engine_run(hard.engine, 50));
        struct scree_event_counts counts;
        assert_ok(scree_event_get_counts(hard.engine, &counts));
        assert_true(counts.pairs > 10);
        hard_end(&hard);
    }
}

// --- skewed cells

// Cells of a lattice: as many as faces are widths apart, of equal volumes, counted with a grid of points.
static void check_skewed(int dimension, const double vectors[9], double wanted, const int number[3],
                         double volume)
{
    struct hard hard = hard_make(&(struct scree_world_def){.dimension = dimension}, 1, 1, 0, 0);
    assert_ok(scree_cell_set_vectors(hard.world, (double[3]){1, -2, dimension == 3 ? 3 : 0}, vectors));
    hard_add_body(hard.world, (double[3]){4, 4, dimension == 3 ? 4 : 0}, (double[3]){0}, 0.01, hard.material);
    assert_ok(scree_stochastic_create(hard.world, &(struct scree_stochastic_def){.step = 0.1}, &hard.engine));
    assert_ok(scree_engine_run(hard.engine, 1));
    const struct scree_event_cells cells = cells_of(&hard, wanted);
    const int all = number[0] * number[1] * (dimension == 3 ? number[2] : 1);
    assert_numbers(&cells, number[0], number[1], dimension == 3 ? number[2] : 0, volume / all);
    // eight points in each cell, four in two dimensions, at fractions of the vectors
    int count[8][8][8] = {0};
    const int layers = dimension == 3 ? 2 * number[2] : 1;
    for (int p = 0; p < 4 * number[0] * number[1] * layers; ++p) {
        const int at[3] = {p % (2 * number[0]), p / (2 * number[0]) % (2 * number[1]),
                           p / (4 * number[0] * number[1])};
        double x[3] = {1, -2, dimension == 3 ? 3 : 0};
        for (int k = 0; k < 9; ++k)
            if (k / 3 < dimension)
                x[k % 3] += (at[k / 3] + 0.5) / (2 * number[k / 3]) * vectors[k];
        const uint64_t code = scree_event_cells_at(event_of(&hard), &cells, x);
        int cell[3] = {0};
        for (int k = 0; k < dimension; ++k) {
            cell[k] = (int)(code >> 21 * k & 0x1FFFFF) - SCREE_EVENT_CELLS_HALF;
            assert_int_equal(cell[k], at[k] / 2);
        }
        ++count[cell[0]][cell[1]][cell[2]];
    }
    for (int c = 0; c < all; ++c)
        assert_int_equal(count[c % number[0]][c / number[0] % number[1]][c / number[0] / number[1]],
                         dimension == 3 ? 8 : 4);
    hard_end(&hard);
}

// The faces of the first are 10 * 9 * 8 = 720 over the areas of two vectors apart: |(3, 9, 0) x (1, 2, 8)| =
// |(72, -24, -3)| gives 9.48; |(1, 2, 8) x (10, 0, 0)| = |(0, 80, -20)| gives 8.73, and 8 for the third. The
// plane ones are 70/(3^2 + 7^2)^(1/2) = 9.19 and 7 apart.
static void skewed_cells_have_equal_parts(void **state)
{
    (void)state;
    check_skewed(3, (double[9]){10, 0, 0, 3, 9, 0, 1, 2, 8}, 2, (int[3]){5, 4, 4}, 720);
    check_skewed(3, (double[9]){10, 0, 0, 3, 9, 0, 1, 2, 8}, 3, (int[3]){3, 3, 3}, 720);
    check_skewed(2, (double[9]){10, 0, 0, 3, 7, 0, 0, 0, 5}, 2, (int[3]){5, 4, 1}, 70);
}

// A box of two dimensions with any bounds along z that begins to deform has the same area.
static void the_area_of_a_box_that_deforms_does_not_depend_on_its_depth(void **state)
{
    (void)state;
    struct hard hard = hard_make(&(struct scree_world_def){.dimension = 2}, 1, 1, 0, 0);
    assert_ok(scree_cell_set(
        hard.world,
        &(struct scree_cell_def){.lower = {0, 0, -2}, .upper = {6, 6, 2}, .periodic = {true, true, false}}));
    hard_add_body(hard.world, (double[3]){1, 1, 0}, (double[3]){0}, 0.1, hard.material);
    assert_ok(scree_cell_set_form(hard.world, SCREE_CELL_NEWTON));
    assert_ok(scree_cell_deform(hard.world, (double[9]){0, 0.01}));
    assert_ok(scree_stochastic_create(hard.world, &(struct scree_stochastic_def){.step = 0.1}, &hard.engine));
    assert_ok(scree_engine_run(hard.engine, 1));
    const struct scree_event_cells cells = cells_of(&hard, 2);
    assert_numbers(&cells, 3, 3, 0, 4);
    hard_end(&hard);
}

// The width is such that ten bodies are in a cell: of 1000 in a cube of 10, the cube root of 10.
static void the_automatic_width_is_that_of_ten_bodies(void **state)
{
    (void)state;
    const struct drawn_gas gases[] = {
        {.dimension = 3, .side = 10, .spacing = 1, .radius = {0.01, 0.01}, .restitution = 1},
        {.dimension = 2, .side = 30, .spacing = 1, .radius = {0.01, 0.01}, .restitution = 1},
        {.dimension = 3, .side = 10, .spacing = 1, .radius = {0.01, 0.01}, .restitution = 1, .walls = true},
        {.dimension = 3,
         .side = 10,
         .spacing = 1,
         .radius = {0.01, 0.01},
         .restitution = 1,
         .deforms = true}};
    for (size_t g = 0; g < sizeof gases / sizeof gases[0]; ++g) {
        struct hard hard = drawn_gas_make(&gases[g]);
        double width;
        assert_ok(
            scree_stochastic_create(hard.world, &(struct scree_stochastic_def){.step = 0.01}, &hard.engine));
        assert_ok(scree_engine_run(hard.engine, 1));
        assert_ok(scree_event_cells_width(event_of(&hard), 0, &width));
        // centres have the radius 0.01 less of 10 at both walls
        const double free = gases[g].walls ? 9.98 / 10 : 1;
        hard_within(width, free * (gases[g].dimension == 2 ? sqrt(10.0) : cbrt(10.0)), 1e-14);
        hard_end(&hard);
    }
}

// --- correlation

static double correlation(int dimension, const double *radius, size_t count, double volume, double one,
                          double other)
{
    struct scree_event_crowd crowd = {0};
    for (size_t k = 0; k < count; ++k) {
        const struct scree_event_crowd part = scree_event_crowd_of(dimension, radius[k], volume);
        crowd.fraction += part.fraction;
        crowd.inverse_length += part.inverse_length;
    }
    return scree_event_correlation(dimension, crowd, one, other);
}

// Equal bodies of a solid fraction f: (1 - f/2) / (1 - f)^3 and (1 - 7f/16) / (1 - f)^2.
static void equal_bodies_have_the_values_of_carnahan_starling_and_henderson(void **state)
{
    (void)state;
    for (double f = 0; f < 0.6; f += 0.05) {
        // seven bodies
        const double r = 0.3;
        double radius[7];
        for (int k = 0; k < 7; ++k)
            radius[k] = r;
        const double volume = f > 0 ? 7 * 4 * SCREE_PI / 3 * r * r * r / f : 1e300,
                     area = f > 0 ? 7 * SCREE_PI * r * r / f : 1e300;
        hard_within(correlation(3, radius, 7, volume, r, r) / ((1 - f / 2) / pow(1 - f, 3)), 1, 3e-15);
        hard_within(correlation(2, radius, 7, area, r, r) / ((1 - 7 * f / 16) / pow(1 - f, 2)), 1, 3e-15);
    }
}

// Mixtures of n_1 = 0.1 with d = 1 and n_2 = 0.02 with d = 2: with x_k = pi/6 sum n d^k, x_2 = 0.03 pi and
// x_3 = 0.26 pi/6; Mansoori and others: chi_ij = 1/(1 - x_3) + 3 x_2 d_i d_j/(d_i + d_j)/(1 - x_3)^2 + 2 (x_2
// d_i d_j/(d_i + d_j))^2/(1 - x_3)^3.
static void mixtures_have_the_values_of_their_equations(void **state)
{
    (void)state;
    // ten and two of them in a volume of 100
    double radius[12];
    for (int k = 0; k < 12; ++k)
        radius[k] = k < 10 ? 0.5 : 1;
    const double x2 = SCREE_PI / 6 * (0.1 + 0.02 * 4), x3 = SCREE_PI / 6 * (0.1 + 0.02 * 8);
    const double flat = SCREE_PI / 4 * (0.1 + 0.02 * 2), f = SCREE_PI / 4 * (0.1 + 0.02 * 4);
    for (int pair = 0; pair < 3; ++pair) {
        const double a = pair < 2 ? 1 : 2, b = pair < 1 ? 1 : 2, m = a * b / (a + b);
        const double solid =
            1 / (1 - x3) + 3 * x2 * m / pow(1 - x3, 2) + 2 * x2 * x2 * m * m / pow(1 - x3, 3);
        // Jenkins and Mancini: 1/(1 - f) + 9/8 d_i d_j/(d_i + d_j) (pi/4 sum n d)/(1 - f)^2
        const double disks = 1 / (1 - f) + 9.0 / 8 * m * flat / pow(1 - f, 2);
        hard_within(correlation(3, radius, 12, 100, a / 2, b / 2) / solid, 1, 3e-15);
        hard_within(correlation(2, radius, 12, 100, a / 2, b / 2) / disks, 1, 3e-15);
    }
    // the pair of both, term by term: x_2 = 0.0942478, x_3 = 0.1361357, d_1 d_2/(d_1 + d_2) = 2/3
    hard_within(correlation(3, radius, 12, 100, 0.5, 1), 1.1575892 + 0.2525865 + 0.0122477, 1e-6);
}

// Bounds of rates need that it grows with the bodies and with the radii, also where a cell is overfull.
static void the_correlation_grows_with_bodies_and_radii(void **state)
{
    (void)state;
    for (int dimension = 2; dimension <= 3; ++dimension) {
        double radius[60], last = 1;
        for (int k = 0; k < 60; ++k) {
            radius[k] = k % 3 ? 0.5 : 0.2;
            const double chi = correlation(dimension, radius, (size_t)k + 1, 25, 0.3, 0.4);
            assert_true(chi >= last && chi < 1000);
            assert_true(chi < correlation(dimension, radius, (size_t)k + 1, 25, 0.3, 0.5));
            last = chi;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_period_has_the_number_of_cells_that_is_nearest),
        cmocka_unit_test(walls_have_a_whole_number_of_cells_between_the_centres_that_touch_them),
        cmocka_unit_test(axes_without_limits_have_cells_of_the_given_width),
        cmocka_unit_test(planes_that_some_bodies_pass_limit_no_cells),
        cmocka_unit_test(cells_are_those_of_walls_where_they_are_now),
        cmocka_unit_test(skewed_cells_have_equal_parts),
        cmocka_unit_test(the_area_of_a_box_that_deforms_does_not_depend_on_its_depth),
        cmocka_unit_test(the_automatic_width_is_that_of_ten_bodies),
        cmocka_unit_test(equal_bodies_have_the_values_of_carnahan_starling_and_henderson),
        cmocka_unit_test(mixtures_have_the_values_of_their_equations),
        cmocka_unit_test(the_correlation_grows_with_bodies_and_radii),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
