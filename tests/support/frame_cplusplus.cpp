// frame_answer() compiled as C++ in double, see frame_sample.h.

#include "support/frame_answer.h"

void frame_answer_of_cplusplus(const struct frame_sample *sample, double *answer)
{
    frame_answer(sample, answer);
}
