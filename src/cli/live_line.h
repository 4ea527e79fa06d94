// The progress line of a run.
//
// Invariant: on a terminal the line leaves the last column free, so that it can be rewritten in place. Parts
// that do not fit are printed in a shorter form, then left out, the least important first.

#ifndef SCREE_CLI_LIVE_LINE_H
#define SCREE_CLI_LIVE_LINE_H

#include "live.h"

// Returns true if standard output is a terminal that can rewrite a line.
bool scree_live_line_is_terminal(void);

// Prints the line without a newline.
void scree_live_line_print(const struct scree_live *live, const struct scree_progress *progress);

#endif
