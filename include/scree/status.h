// How every call of Scree says whether it worked.
//
// A function that can fail returns a scree_status. When it is not SCREE_OK, the thread that made the call can
// read what was wrong, where, and what would be right from scree_status_message(). The library itself never
// prints and never exits.

#ifndef SCREE_STATUS_H
#define SCREE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

// A result that must be looked at, and a function that takes a format as printf does.
#define SCREE_NODISCARD __attribute__((warn_unused_result))
#define SCREE_PRINTF(format_at, values_at) __attribute__((format(printf, format_at, values_at)))

// SCREE_OK, and the ways to fail that status.def lists.
typedef enum scree_status {
#define SCREE_STATUS(symbol, name, meaning) SCREE_##symbol,
#include <scree/status.def>
#undef SCREE_STATUS
} scree_status;

// One word for a status, such as "argument"; "unknown" for a value that is none.
const char *scree_status_name(scree_status status);

// One sentence on what a status means in general; "" for a value that is none.
const char *scree_status_meaning(scree_status status);

// The last error of the calling thread, in words; "" if there was none. The text stays valid until the next
// failing call of the same thread.
const char *scree_status_message(void);

// For a user's callback, load or engine that fails: stores what was wrong, where, and what would be right, as
// printf does, and returns `status`, which is not SCREE_OK. The values may include the message stored before.
SCREE_NODISCARD scree_status scree_status_fail(scree_status status, const char *format, ...)
    SCREE_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif

#endif
