// Comparison of result files.
#ifndef SCREE_COMPARE_H
#define SCREE_COMPARE_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The first difference of two files. */
struct scree_difference {
    bool differs;
    char where[256];   /**< such as "/VTKHDF/PointData/velocity[2] of id 17" */
    char value[2][64]; /**< of the first and the second file; empty if missing */
};

/** Compares two frames (HDF5 files): names, shapes and bits of all data sets, in alphabetical order. The
 * first difference goes to `difference`, not null; rows are named by their ids. */
SCREE_NODISCARD scree_status scree_compare_frames(const char *first, const char *second,
                                                  struct scree_difference *difference);

/** Lists the contents of a frame: one line per data set, with type and size, and the value if it is a single
 * number. */
SCREE_NODISCARD scree_status scree_compare_list(const char *path, scree_text_function *write, void *user);

#ifdef __cplusplus
}
#endif
#endif
