// Aligned, zero-filled blocks. The three counters are the only state.
//
// Small blocks come from posix_memalign. Each large block is a memory mapping: the system provides zeroed
// pages on first touch, so unused parts cost neither time nor memory, and all pages are returned at once when
// the block is freed, which a heap does not guarantee.

// MAP_ANONYMOUS and madvise are not part of POSIX
#define _DEFAULT_SOURCE

#include "base/memory.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t huge_block = (size_t)4 << 20;
static const size_t huge_page = (size_t)2 << 20;

static _Atomic uint64_t blocks_requested;
static _Atomic uint64_t block_to_fail;
static _Atomic size_t blocks_live;

static bool is_injected_failure(void)
{
    const uint64_t number = atomic_fetch_add(&blocks_requested, 1) + 1;
    return number == atomic_load(&block_to_fail);
}

// Header stored directly before a block.
struct head {
    void *start;   // of the heap block or the mapping
    size_t mapped; // bytes of the mapping, 0 for a block from the heap
};

static struct head *head_of(void *block)
{
    return (struct head *)((char *)block - SCREE_MEMORY_ALIGNMENT);
}

static void *heap_block(size_t bytes)
{
    void *start;
    if (posix_memalign(&start, SCREE_MEMORY_ALIGNMENT, bytes + SCREE_MEMORY_ALIGNMENT) != 0)
        return NULL;
    memset(start, 0, bytes + SCREE_MEMORY_ALIGNMENT);
    void *block = (char *)start + SCREE_MEMORY_ALIGNMENT;
    *head_of(block) = (struct head){start, 0};
    return block;
}

// The header has a page of its own; the excess around the block is unmapped.
static void *mapped_block(size_t bytes)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t usable = (bytes + page - 1) / page * page, area = usable + page + huge_page;
    char *area_start = mmap(NULL, area, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (area_start == MAP_FAILED)
        return NULL;
    const size_t before = (huge_page - ((uintptr_t)area_start + page) % huge_page) % huge_page;
    const size_t after = huge_page - before;
    char *start = area_start + before, *block = start + page;
    if (before > 0)
        (void)munmap(area_start, before);
    if (after > 0)
        (void)munmap(block + usable, after);
    *head_of(block) = (struct head){start, page + usable};
#ifdef MADV_HUGEPAGE
    // before the first touch, so that the first pages are huge already; a failure costs only speed
    (void)madvise(block, usable, MADV_HUGEPAGE);
#endif
    return block;
}

// the type of the caller's pointer is unknown here, so it is copied as bytes
static void store_pointer(void **out, void *block)
{
    memcpy(out, &block, sizeof block);
}

scree_status scree_memory_new(size_t count, size_t size, void **out)
{
    store_pointer(out, NULL);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX / 2)
        return scree_status_fail(SCREE_ERROR_LIMIT, "%zu elements of %zu bytes exceed the address space",
                                 count, size);
    if (bytes == 0)
        return SCREE_OK;
    void *block = is_injected_failure() ? NULL
                  : bytes >= huge_block ? mapped_block(bytes)
                                        : heap_block(bytes);
    if (block == NULL)
        return scree_status_fail(SCREE_ERROR_MEMORY,
                                 "out of memory: %zu bytes requested (%zu elements of %zu bytes)", bytes,
                                 count, size);
    atomic_fetch_add(&blocks_live, 1);
    store_pointer(out, block);
    return SCREE_OK;
}

scree_status scree_memory_resize(void **block, size_t old_count, size_t new_count, size_t size)
{
    if (old_count == new_count)
        return SCREE_OK;
    void *new_block, *old;
    SCREE_TRY(scree_memory_new(new_count, size, &new_block));
    memcpy(&old, block, sizeof old);
    const size_t kept = old_count < new_count ? old_count : new_count;
    if (kept * size > 0)
        memcpy(new_block, old, kept * size);
    scree_memory_free(old);
    store_pointer(block, new_block);
    return SCREE_OK;
}

scree_status scree_memory_grow(void **block, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return SCREE_OK;
    SCREE_TRY(scree_memory_resize(block, *capacity, wanted, size));
    *capacity = wanted;
    return SCREE_OK;
}

void scree_memory_free(void *block)
{
    if (block == NULL)
        return;
    atomic_fetch_sub(&blocks_live, 1);
    const struct head head = *head_of(block);
    if (head.mapped > 0)
        (void)munmap(head.start, head.mapped);
    else
        free(head.start);
}

size_t scree_memory_live(void)
{
    return atomic_load(&blocks_live);
}

uint64_t scree_memory_count(void)
{
    return atomic_load(&blocks_requested);
}

void scree_memory_fail_at(uint64_t nth)
{
    // for 0 this is the number of an earlier request, which never matches again
    atomic_store(&block_to_fail, atomic_load(&blocks_requested) + nth);
}
