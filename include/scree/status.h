// Status: the result of every function that can fail.
//
// A function that can fail returns a scree_status. If it is not SCREE_OK, scree_status_message() returns, in
// the calling thread, what was wrong, where, and what would be right. The library never prints and never
// exits.

#ifndef SCREE_STATUS_H
#define SCREE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

// Attributes: the result must be used; the function has a printf format.
#define SCREE_NODISCARD __attribute__((warn_unused_result))
#define SCREE_PRINTF(format_at, values_at) __attribute__((format(printf, format_at, values_at)))

// SCREE_OK and the failures listed in status.def.
typedef enum scree_status {
#define SCREE_STATUS(symbol, name, meaning) SCREE_##symbol,
#include <scree/status.def>
#undef SCREE_STATUS
} scree_status;

// Name of a status, such as "argument"; "unknown" for an invalid value.
const char *scree_status_name(scree_status status);

// General meaning of a status; "" for an invalid value.
const char *scree_status_meaning(scree_status status);

// Message of the last error of the calling thread; "" if there was none. Valid until the next failing call of
// the same thread.
const char *scree_status_message(void);

// For a user's callback, load or engine that fails: stores a message (printf format) that says what was
// wrong, where, and what would be right; returns `status`, which must not be SCREE_OK. The values may include
// the previously stored message.
SCREE_NODISCARD scree_status scree_status_fail(scree_status status, const char *format, ...)
    SCREE_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif

#endif
