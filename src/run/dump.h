// The record `dump`: all bodies as a file of another program, see format.h.

#ifndef SCREE_RUN_DUMP_H
#define SCREE_RUN_DUMP_H

#include "run/record.h"

extern const struct scree_record_kind scree_dump_kind;

#endif
