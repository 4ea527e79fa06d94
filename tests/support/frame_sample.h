// Input and output of frame_answer.h, independent of the number type.

#ifndef SCREE_TESTS_FRAME_SAMPLE_H
#define SCREE_TESTS_FRAME_SAMPLE_H

#ifdef __cplusplus
extern "C" {
#endif

enum { FRAME_CONSTANTS = 3, FRAME_HISTORY = 7 };

struct frame_side_sample {
    double centre[3], velocity[3], spin[3], kick[3], twist[3];
    double radius, mass;
};

struct frame_wall_sample {
    double normal[3], gap, velocity[3], spin[3], middle[3], half_gap, change[3];
};

struct frame_rule_sample {
    double constants[FRAME_CONSTANTS], resistance[5], period[3], step, arm, turning;
    int at_wall; // else the two grains are in contact
};

struct frame_sample {
    struct frame_side_sample side[2];
    struct frame_wall_sample wall;
    struct frame_rule_sample rule;
    double history[FRAME_HISTORY];
};

// Indices of the numbers in an answer.
enum {
    FRAME_OVERLAP = 0,
    FRAME_NORMAL = 1,
    FRAME_MIDDLE = 4,
    FRAME_SLIDE = 7,
    FRAME_SLIP = 10,
    FRAME_FORCE = 13,
    FRAME_COUPLE = 16,
    FRAME_MOMENT = 19,
    FRAME_FRICTION = 25,
    FRAME_DASHPOT = 26,
    FRAME_AFTER = 27,
    FRAME_ANSWERS = FRAME_AFTER + FRAME_HISTORY
};

// The same function in each language and number type.
typedef void frame_answer_function(const struct frame_sample *sample, double *answer);
frame_answer_function frame_answer_of_c, frame_answer_of_c_float, frame_answer_of_cplusplus,
    frame_answer_of_cplusplus_float;

// Creates a sample from a seed. All values can be represented as floats, so every number type gets equal
// input.
void frame_sample_make(unsigned seed, int at_wall, struct frame_sample *sample);

#ifdef __cplusplus
}
#endif
#endif
