// Failing allocations, see starve.h.

#include "support/starve.h"

#include "base/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <cmocka.h>

// Each allocation fails under the address sanitizer, which sees most faults and runs all tests that use this.
// The thread sanitizer is slow and looks for other faults. It and plain builds see the first allocations and
// a part of the others.
#if defined __SANITIZE_THREAD__
enum { EVERY = 16 };
#elif defined __SANITIZE_ADDRESS__
enum { EVERY = 1 };
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
enum { EVERY = 16 };
#elif __has_feature(address_sanitizer)
enum { EVERY = 1 };
#else
enum { EVERY = 5 };
#endif
#else
enum { EVERY = 5 };
#endif

uint64_t scree_starve(scree_status (*attempt)(void *user), void *user)
{
    const size_t live = scree_memory_live();
    for (uint64_t nth = 1;; nth += nth < EVERY ? 1 : EVERY) {
        const uint64_t before = scree_memory_count();
        scree_memory_fail_at(nth);
        const scree_status status = attempt(user);
        scree_memory_fail_at(0);
        const bool failed = scree_memory_count() - before >= nth;
        if (status != (failed ? SCREE_ERROR_MEMORY : SCREE_OK))
            fail_msg("allocation %llu %s, and the call returned '%s': %s", (unsigned long long)nth,
                     failed ? "failed" : "did not fail", scree_status_name(status), scree_status_message());
        if (scree_memory_live() != live)
            fail_msg("allocation %llu failed, and %zu blocks are allocated after the call, %zu before",
                     (unsigned long long)nth, scree_memory_live(), live);
        if (!failed)
            return nth - 1;
    }
}
