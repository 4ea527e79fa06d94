// What becomes of an attempt at anything where memory fails it.

#ifndef SCREE_TESTS_SUPPORT_STARVE_H
#define SCREE_TESTS_SUPPORT_STARVE_H

#include <scree/status.h>

#include <stdint.h>

// Makes the attempt with the first block of memory that it asks for failing, then with the second, and so on,
// until it asks for no more. The test fails unless it ends with SCREE_ERROR_MEMORY wherever a block failed
// and works where none did, and unless all that it took is given back each time. How often a block failed.
uint64_t scree_starve(scree_status (*attempt)(void *user), void *user);

#endif
