// Type and size of a data set of an HDF5 file.

#ifndef SCREE_FILE_HDF_SHAPE_H
#define SCREE_FILE_HDF_SHAPE_H

#include "base/status.h"

#include <scree/field.h>

struct scree_hdf_shape {
    scree_type type;
    size_t rows;
    unsigned width; // 0: rank 1
};

#endif
