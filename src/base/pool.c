// Pool of ids, see pool.h: a sorted array of pages, each mapping 4096 consecutive ids to slots.

#include "base/pool.h"

#include <assert.h>
#include <string.h>

static uint64_t page_number(uint64_t id)
{
    return (id - 1) / SCREE_POOL_PAGE;
}

// position of the page with that number, or where it would be inserted
static size_t page_position(const struct scree_pool *pool, uint64_t number)
{
    size_t first = 0, last = pool->pages.count;
    while (first < last) {
        const size_t middle = first + (last - first) / 2;
        if (pool->pages.data[middle].number < number)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

static bool has_page(const struct scree_pool *pool, size_t position, uint64_t number)
{
    return position < pool->pages.count && pool->pages.data[position].number == number;
}

// NULL if the id is not in use; 0, which is not an id, maps to an entry that is never in use
static uint32_t *slot_of(const struct scree_pool *pool, uint64_t id, size_t *position)
{
    *position = page_position(pool, page_number(id));
    if (!has_page(pool, *position, page_number(id)))
        return NULL;
    uint32_t *slot = pool->pages.data[*position].slots + (id - 1) % SCREE_POOL_PAGE;
    return *slot != SCREE_POOL_NO_SLOT ? slot : NULL;
}

static scree_status open_page(struct scree_pool *pool, size_t position, uint64_t number)
{
    SCREE_TRY(scree_array_reserve(&pool->pages, pool->pages.count + 1));
    uint32_t *slots;
    SCREE_TRY(scree_memory_new(SCREE_POOL_PAGE, sizeof *slots, (void **)&slots));
    for (size_t i = 0; i < SCREE_POOL_PAGE; ++i)
        slots[i] = SCREE_POOL_NO_SLOT;
    struct scree_pool_page *page = pool->pages.data + position;
    memmove(page + 1, page, (pool->pages.count - position) * sizeof *page);
    *page = (struct scree_pool_page){.number = number, .slots = slots};
    ++pool->pages.count;
    return SCREE_OK;
}

static void close_page(struct scree_pool *pool, size_t position)
{
    struct scree_pool_page *page = pool->pages.data + position;
    scree_memory_free(page->slots);
    --pool->pages.count;
    memmove(page, page + 1, (pool->pages.count - position) * sizeof *page);
}

scree_status scree_pool_insert(struct scree_pool *pool, uint32_t slot, uint64_t *id)
{
    if (pool->last == UINT64_MAX)
        return scree_status_fail(SCREE_ERROR_LIMIT, "no id is left: all 2^64 - 1 ids have been used");
    const uint64_t next = pool->last + 1;
    SCREE_TRY(scree_pool_insert_id(pool, next, slot));
    *id = next;
    return SCREE_OK;
}

scree_status scree_pool_insert_id(struct scree_pool *pool, uint64_t id, uint32_t slot)
{
    if (id == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "0 is not a valid id: ids start at 1");
    if (slot == SCREE_POOL_NO_SLOT)
        return scree_status_fail(SCREE_ERROR_LIMIT, "slot %lu is above the maximum, %lu", (unsigned long)slot,
                                 (unsigned long)SCREE_POOL_NO_SLOT - 1);
    if (scree_pool_find(pool, id, NULL))
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "id %llu is in use already: ids must be unique",
                                 (unsigned long long)id);
    const uint64_t number = page_number(id);
    const size_t position = page_position(pool, number);
    if (!has_page(pool, position, number))
        SCREE_TRY(open_page(pool, position, number));
    struct scree_pool_page *page = pool->pages.data + position;
    page->slots[(id - 1) % SCREE_POOL_PAGE] = slot;
    ++page->living;
    ++pool->living;
    if (id > pool->last)
        pool->last = id;
    return SCREE_OK;
}

bool scree_pool_find(const struct scree_pool *pool, uint64_t id, uint32_t *slot)
{
    size_t position;
    const uint32_t *found = slot_of(pool, id, &position);
    if (found != NULL && slot != NULL)
        *slot = *found;
    return found != NULL;
}

void scree_pool_move(struct scree_pool *pool, uint64_t id, uint32_t slot)
{
    size_t position;
    uint32_t *found = slot_of(pool, id, &position);
    assert(found != NULL && slot != SCREE_POOL_NO_SLOT);
    *found = slot;
}

void scree_pool_remove(struct scree_pool *pool, uint64_t id)
{
    size_t position;
    uint32_t *found = slot_of(pool, id, &position);
    assert(found != NULL);
    *found = SCREE_POOL_NO_SLOT;
    --pool->living;
    if (--pool->pages.data[position].living == 0)
        close_page(pool, position);
}

void scree_pool_free(struct scree_pool *pool)
{
    for (size_t i = 0; i < pool->pages.count; ++i)
        scree_memory_free(pool->pages.data[i].slots);
    scree_array_free(&pool->pages);
    *pool = (struct scree_pool){0};
}
