// Profile: wall-clock time of the parts of a run. No result depends on the clocks. One step in 17 is timed,
// in small worlds fewer, down to one in 997. Searches are rare: each is timed. The overhead is below 0.5 %.
#ifndef SCREE_PROFILE_H
#define SCREE_PROFILE_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct scree_engine;

/** Parts of a run, as profile.def lists them. */
typedef enum scree_profile_part {
#define PROFILE(symbol, name, about) SCREE_PROFILE_##symbol,
#include <scree/profile.def>
#undef PROFILE
    SCREE_PROFILE_PARTS /**< number of parts */
} scree_profile_part;

/** Time by part. */
struct scree_profile {
    double seconds[SCREE_PROFILE_PARTS]; /**< wall-clock time by part */
    double total;                        /**< s, including work that belongs to no part */
    uint64_t steps;                      /**< steps taken in this time */
};

/** Name of a part, such as "search"; null past the last. */
const char *scree_profile_name(size_t part);

/** One sentence about a part; null past the last. */
const char *scree_profile_about(size_t part);

/** Copies the profile of an engine since its creation to `profile`, not null; fails for an engine that keeps
 * none. */
SCREE_NODISCARD scree_status scree_engine_profile(const struct scree_engine *engine,
                                                  struct scree_profile *profile);

#ifdef __cplusplus
}
#endif
#endif
