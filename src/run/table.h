// The record `table`: columns over time, see csv.h.

#ifndef SCREE_RUN_TABLE_H
#define SCREE_RUN_TABLE_H

#include "run/record.h"

extern const struct scree_record_kind scree_table_kind;

#endif
