// Profile: where the time of a run goes. Clocks are read at a few places of a step and nothing that is
// computed depends on them. One step in 17 is looked at and stands for the others, in small worlds one in up
// to 997; a search, which is rare, is timed each time. So the looking costs less than half a percent.
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
    SCREE_PROFILE_PARTS /**< how many there are */
} scree_profile_part;

/** Where the time went. */
struct scree_profile {
    double seconds[SCREE_PROFILE_PARTS]; /**< on the wall, by part */
    double total;                        /**< s; what is more than the parts is the rest */
    uint64_t steps;                      /**< that were taken in this time */
};

/** Name of a part, as "search"; null past the last. */
const char *scree_profile_name(size_t part);

/** One sentence on it; null past the last. */
const char *scree_profile_about(size_t part);

/** Tells where the time of a soft engine's runs went since it was made, to `profile`, not null. */
SCREE_NODISCARD scree_status scree_soft_profile(const struct scree_engine *engine,
                                                struct scree_profile *profile);

#ifdef __cplusplus
}
#endif
#endif
