// Comparing files of results.
#ifndef SCREE_COMPARE_H
#define SCREE_COMPARE_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The first place in which two files differ. */
struct scree_difference {
    bool differs;
    char where[256];   /**< as "/VTKHDF/PointData/velocity[2] of id 17" */
    char value[2][64]; /**< what stands there in both; empty where nothing does */
};

/** Compares two frames, files in HDF5 with data of the same names, shapes and bits, in alphabetical order,
 * into `difference`, not null. Rows are named by the ids that stand beside them. */
SCREE_NODISCARD scree_status scree_compare_frames(const char *first, const char *second,
                                                  struct scree_difference *difference);

/** Tells what lies in a frame: a line for each of its data, with type and size, and the value of what is one
 * number alone. */
SCREE_NODISCARD scree_status scree_compare_list(const char *path, scree_text_function *write, void *user);

#ifdef __cplusplus
}
#endif
#endif
