// Makes each allocation of a call fail in turn.

#ifndef SCREE_TESTS_SUPPORT_STARVE_H
#define SCREE_TESTS_SUPPORT_STARVE_H

#include <scree/status.h>

#include <stdint.h>

// Calls `attempt` with its first allocation failing, then with the second, and so on, until no allocation
// fails any more. Fails the test unless each call with a failed allocation returns SCREE_ERROR_MEMORY, the
// last call succeeds, and each call frees all memory that it took. Returns the number of allocations that can
// fail. Only under the address sanitizer each allocation fails and the number is exact.
uint64_t scree_starve(scree_status (*attempt)(void *user), void *user);

#endif
