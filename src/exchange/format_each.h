// The functions of each format, see format.h. The table of formats is in formats.c.

#ifndef SCREE_EXCHANGE_FORMAT_EACH_H
#define SCREE_EXCHANGE_FORMAT_EACH_H

#include "exchange/format.h"

scree_format_detect scree_format_csv_detect, scree_format_data_detect, scree_format_dump_detect;
scree_format_detect scree_format_xyz_detect, scree_format_own_is_series, scree_format_own_is_frame;
scree_format_detect scree_format_own_is_checkpoint;

scree_format_read scree_format_csv_read, scree_format_data_read, scree_format_dump_read;
scree_format_read scree_format_xyz_read, scree_format_own_read_series, scree_format_own_read_frame;
scree_format_read scree_format_own_read_checkpoint;

scree_format_write scree_format_csv_write, scree_format_data_write, scree_format_dump_write;
scree_format_write scree_format_xyz_write;

// Without the style after the name of the section, as LIGGGHTS writes it; LIGGGHTS 3.8.0 reads both.
scree_format_write scree_format_data_write_plain;

// Dumps without units and time: LIGGGHTS's read_dump expects a fixed order of items and stops at others.
scree_format_write scree_format_dump_write_plain;

#endif
