// Input and output of frame_answer(), in double for every number type.

#ifndef SCREE_TESTS_FRAME_SAMPLE_H
#define SCREE_TESTS_FRAME_SAMPLE_H

#ifdef __cplusplus
extern "C" {
#endif

enum { FRAME_CONSTANTS = 3, FRAME_HISTORY = 7 };

struct frame_side_sample {
    double centre[3], velocity[3], spin[3], half_kick[3], half_twist[3];
    double radius, mass;
};

struct frame_wall_sample {
    double normal[3], gap, velocity[3], spin[3], half_normal[3], half_gap, change[3];
    double mobility;
};

struct frame_rule_sample {
    double constants[FRAME_CONSTANTS], resistance[5], period[3], step, arm, tangential_ratio;
    // 1: the first grain touches the wall; 0: the two grains touch; 2: their contact is given from outside
    int at_wall;
};

struct frame_sample {
    struct frame_side_sample side[2];
    struct frame_wall_sample wall;
    struct frame_rule_sample rule;
    double history[FRAME_HISTORY];
};

// The weight of a contact from outside: exact in every number type.
#define FRAME_WEIGHT 0.5

// Index of the first number of each quantity in an answer.
enum {
    FRAME_OVERLAP = 0,
    FRAME_NORMAL = 1,
    FRAME_HALF_NORMAL = 4,
    FRAME_TANGENTIAL_DISPLACEMENT = 7,
    FRAME_TANGENTIAL_VELOCITY = 10,
    FRAME_FORCE = 13,
    FRAME_COUPLE = 16,
    FRAME_MOMENT = 19,
    FRAME_FRICTION = 25,
    FRAME_DASHPOT = 26,
    FRAME_NEW_HISTORY = 27,
    FRAME_ANSWERS = FRAME_NEW_HISTORY + FRAME_HISTORY
};

// The same function in each language and number type.
typedef void frame_answer_function(const struct frame_sample *sample, double *answer);
frame_answer_function frame_answer_of_c, frame_answer_of_c_float, frame_answer_of_cplusplus,
    frame_answer_of_cplusplus_float;

// Creates a sample from a seed. All values are exact in float, so every number type gets equal input.
void frame_sample_make(unsigned seed, int at_wall, struct frame_sample *sample);

#ifdef __cplusplus
}
#endif
#endif
