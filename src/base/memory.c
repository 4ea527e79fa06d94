// Aligned, zero-filled blocks over posix_memalign. The three counters are the only state.

// madvise and its huge pages are no part of POSIX
#define _DEFAULT_SOURCE

#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const size_t huge_block = (size_t)4 << 20;
static const size_t huge_page = (size_t)2 << 20;

static _Atomic uint64_t blocks_asked;
static _Atomic uint64_t block_to_fail;
static _Atomic size_t blocks_live;

static bool is_injected_failure(void)
{
    const uint64_t number = atomic_fetch_add(&blocks_asked, 1) + 1;
    return number == atomic_load(&block_to_fail);
}

static void *aligned_block(size_t bytes)
{
    void *block = NULL;
    const bool huge = bytes >= huge_block;
    if (posix_memalign(&block, huge ? huge_page : SCREE_MEMORY_ALIGNMENT, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    // before the first touch, so that the zeroes are written into huge pages; a refusal costs only speed
    if (huge)
        (void)madvise(block, bytes, MADV_HUGEPAGE);
#endif
    memset(block, 0, bytes);
    return block;
}

// the caller's pointer has a type unknown here, so it is written and read as bytes
static void store_pointer(void **out, void *block)
{
    memcpy(out, &block, sizeof block);
}

static void *load_pointer(void **from)
{
    void *block;
    memcpy(&block, from, sizeof block);
    return block;
}

scree_status scree_memory_new(size_t count, size_t size, void **out)
{
    store_pointer(out, NULL);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT,
                                 "%zu elements of %zu bytes are more than can be addressed", count, size);
    if (bytes == 0)
        return SCREE_OK;
    void *block = is_injected_failure() ? NULL : aligned_block(bytes);
    if (block == NULL)
        return scree_status_fail(SCREE_ERROR_MEMORY, "no memory for %zu bytes (%zu elements of %zu bytes)",
                                 bytes, count, size);
    atomic_fetch_add(&blocks_live, 1);
    store_pointer(out, block);
    return SCREE_OK;
}

scree_status scree_memory_resize(void **block, size_t old_count, size_t new_count, size_t size)
{
    if (old_count == new_count)
        return SCREE_OK;
    void *fresh;
    SCREE_TRY(scree_memory_new(new_count, size, &fresh));
    void *stale = load_pointer(block);
    const size_t kept = old_count < new_count ? old_count : new_count;
    if (kept * size > 0)
        memcpy(fresh, stale, kept * size);
    scree_memory_free(stale);
    store_pointer(block, fresh);
    return SCREE_OK;
}

void scree_memory_free(void *block)
{
    if (block == NULL)
        return;
    atomic_fetch_sub(&blocks_live, 1);
    free(block);
}

size_t scree_memory_live(void)
{
    return atomic_load(&blocks_live);
}

uint64_t scree_memory_count(void)
{
    return atomic_load(&blocks_asked);
}

void scree_memory_fail_at(uint64_t nth)
{
    // with 0 it is a block already given, which does not come again
    atomic_store(&block_to_fail, atomic_load(&blocks_asked) + nth);
}
