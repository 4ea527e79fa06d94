// The line that a run says of how far it is.
//
// What always holds: a line for a terminal leaves the last column of its width free, so that it can be
// written over. What does not fit is said shorter, and then not at all, the least important first.

#ifndef SCREE_CLI_LIVE_LINE_H
#define SCREE_CLI_LIVE_LINE_H

#include "live.h"

// Whether what is printed goes to a terminal that can write over a line.
bool scree_live_line_is_terminal(void);

// Prints it, without an end.
void scree_live_line_print(const struct scree_live *live, const struct scree_progress *progress);

#endif
