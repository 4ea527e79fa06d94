// frame_answer() compiled as C in float, see frame_sample.h.

#define SCREE_REAL float
#include "support/frame_answer.h"

void frame_answer_of_c_float(const struct frame_sample *sample, double *answer)
{
    frame_answer(sample, answer);
}
