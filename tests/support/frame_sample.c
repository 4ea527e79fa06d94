// Creates samples (see frame_sample.h), and evaluates them in C.

#include "support/frame_sample.h"

#include "support/frame_answer.h"

// A number in [from, to), rounded to float.
static double draw(unsigned *state, double from, double to)
{
    *state = *state * 1664525u + 1013904223u;
    return (double)(float)(from + (to - from) * (*state >> 8) * 0x1p-24);
}

static void draw_vector(unsigned *state, double size, double *v)
{
    for (int k = 0; k < 3; ++k)
        v[k] = draw(state, -size, size);
}

// Unit vectors whose components have few decimals, so their length is 1 up to rounding in each number type.
static void draw_unit(unsigned *state, double *v)
{
    static const double unit[4][3] = {{0.6, 0.8, 0}, {0, -0.6, 0.8}, {-0.8, 0, 0.6}, {0.28, 0.96, 0}};
    *state = *state * 1664525u + 1013904223u;
    for (int k = 0; k < 3; ++k)
        v[k] = (double)(float)unit[*state >> 30][k];
}

static void make_side(unsigned *state, struct frame_side_sample *side)
{
    draw_vector(state, 1, side->velocity);
    draw_vector(state, 10, side->spin);
    draw_vector(state, 0.01, side->half_kick);
    draw_vector(state, 0.1, side->half_twist);
    side->radius = draw(state, 0.5, 1);
    side->mass = draw(state, 1, 4);
}

void frame_sample_make(unsigned seed, int at_wall, struct frame_sample *sample)
{
    unsigned state = seed * 2654435761u + 1;
    const struct frame_rule_sample rule = {.constants = {1000, 2, 0.5},
                                           .resistance = {0.0625, 0.25, 0.125, 0.5, 0.25},
                                           .period = {4, 4, 4},
                                           .step = 0x1p-10,
                                           .arm = 0.5,
                                           .tangential_ratio = 0.25,
                                           .at_wall = at_wall};
    struct frame_side_sample *side = sample->side;
    double direction[3];
    *sample = (struct frame_sample){.rule = rule};
    make_side(&state, &side[0]);
    make_side(&state, &side[1]);
    // a large overlap; for every third seed, across a periodic face
    const double distance = (side[0].radius + side[1].radius) * draw(&state, 0.9, 0.98);
    draw_unit(&state, direction);
    for (int k = 0; k < 3; ++k) {
        side[0].centre[k] = draw(&state, -0.25, 0.25);
        side[1].centre[k] =
            (double)(float)(side[0].centre[k] + distance * direction[k] + (seed % 3 == 1 ? 4 : 0));
    }
    draw_unit(&state, sample->wall.normal);
    draw_vector(&state, 1, sample->wall.velocity);
    draw_vector(&state, 1, sample->wall.spin);
    for (int k = 0; k < 3; ++k)
        sample->wall.half_normal[k] = sample->wall.normal[k];
    sample->wall.gap = (double)(float)(side[0].radius * draw(&state, 0.9, 0.98));
    sample->wall.half_gap = (double)(float)(sample->wall.gap * draw(&state, 0.999, 1.001));
    draw_vector(&state, 0.01, sample->history);
    draw_vector(&state, 0.01, sample->history + 3);
    sample->history[6] = draw(&state, -0.01, 0.01);
    draw_vector(&state, 0.01, sample->wall.change);
    // contacts move every other wall
    sample->wall.mobility = seed % 2 == 1 ? draw(&state, 0.1, 2) : 0;
}

void frame_answer_of_c(const struct frame_sample *sample, double *answer)
{
    frame_answer(sample, answer);
}
