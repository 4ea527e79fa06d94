// The record `track`: where the bodies of a group are and how they move, over time.

#ifndef SCREE_RUN_TRACK_H
#define SCREE_RUN_TRACK_H

#include "run/record.h"

extern const struct scree_record_kind scree_track_kind;

#endif
