// The record `table`: columns over time, see csv.h.

#ifndef SCREE_IO_TABLE_H
#define SCREE_IO_TABLE_H

#include "io/record.h"

extern const struct scree_record_kind scree_table_kind;

#endif
