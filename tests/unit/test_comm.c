// Code written against the table of operations gives the same bits on one rank and on several. The several
// are threads behind a second table, written here, which also shows that the table is enough to build one.

#include "base/comm.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { RANKS = 4, ITEMS = 1000 };

// where the threads meet: each shows a pointer to what it brings, all read, all leave
struct meeting {
    pthread_barrier_t barrier;
    void *shown[RANKS];
    size_t counts[RANKS];
};

struct seat {
    struct meeting *meeting;
    int rank;
};

static int thread_rank(void *context)
{
    return ((struct seat *)context)->rank;
}

static int thread_size(void *context)
{
    (void)context;
    return RANKS;
}

static scree_status thread_barrier(void *context)
{
    pthread_barrier_wait(&((struct seat *)context)->meeting->barrier);
    return SCREE_OK;
}

static void *const *show(struct seat *seat, void *pointer, size_t count)
{
    seat->meeting->shown[seat->rank] = pointer;
    seat->meeting->counts[seat->rank] = count;
    (void)thread_barrier(seat);
    return seat->meeting->shown;
}

static scree_status thread_sum(void *context, int64_t *values, size_t count)
{
    void *const *shown = show(context, values, count);
    uint64_t totals[128] = {0};
    for (size_t i = 0; i < count; ++i)
        for (int rank = 0; rank < RANKS; ++rank)
            totals[i] += (uint64_t)((const int64_t *)shown[rank])[i];
    (void)thread_barrier(context);
    for (size_t i = 0; i < count; ++i)
        values[i] = (int64_t)totals[i];
    return thread_barrier(context);
}

static scree_status thread_extreme(void *context, double *values, size_t count, bool greatest)
{
    void *const *shown = show(context, values, count);
    double found[8];
    for (size_t i = 0; i < count; ++i) {
        found[i] = ((const double *)shown[0])[i];
        for (int rank = 1; rank < RANKS; ++rank) {
            const double other = ((const double *)shown[rank])[i];
            if (greatest ? other > found[i] : other < found[i])
                found[i] = other;
        }
    }
    (void)thread_barrier(context);
    memcpy(values, found, count * sizeof *values);
    return thread_barrier(context);
}

static scree_status thread_minimum(void *context, double *values, size_t count)
{
    return thread_extreme(context, values, count, false);
}

static scree_status thread_maximum(void *context, double *values, size_t count)
{
    return thread_extreme(context, values, count, true);
}

static const struct scree_comm_neighbour *entry_of(const struct scree_comm_neighbour *list, size_t count,
                                                   int rank)
{
    for (size_t i = 0; i < count; ++i)
        if (list[i].rank == rank)
            return list + i;
    return NULL;
}

static scree_status thread_exchange(void *context, struct scree_comm_neighbour *neighbours, size_t count)
{
    struct seat *seat = context;
    void *const *shown = show(seat, neighbours, count);
    scree_status status = SCREE_OK;
    for (size_t i = 0; i < count && status == SCREE_OK; ++i) {
        const int other = neighbours[i].rank;
        const struct scree_comm_neighbour *theirs =
            entry_of(shown[other], seat->meeting->counts[other], seat->rank);
        status = scree_array_reserve(&neighbours[i].receive, theirs->send.count);
        if (status == SCREE_OK && theirs->send.count > 0)
            memcpy(neighbours[i].receive.data, theirs->send.data, theirs->send.count);
        neighbours[i].receive.count = theirs->send.count;
    }
    (void)thread_barrier(context);
    return status;
}

static const struct scree_comm_table thread_table = {
    .name = "threads",
    .rank = thread_rank,
    .size = thread_size,
    .barrier = thread_barrier,
    .sum = thread_sum,
    .minimum = thread_minimum,
    .maximum = thread_maximum,
    .exchange = thread_exchange,
};

// what a program over ranks finds out about its share of ITEMS numbers
struct findings {
    scree_status status;
    int64_t count;
    double total, least, greatest;
    int64_t passed_round, pending;
};

static double item(int i)
{
    return (i % 7 - 3) * 1e15 + 1.0 / (1 + i);
}

// a byte goes once around the ring of ranks and counts them
static scree_status pass_round(const struct scree_comm *comm, int64_t *passed)
{
    const int rank = scree_comm_rank(comm), size = scree_comm_size(comm);
    const int next = (rank + 1) % size, before = (rank + size - 1) % size;
    struct scree_comm_neighbour neighbours[2] = {{.rank = next}, {.rank = before}};
    const size_t count = next == before ? 1 : 2;
    unsigned char token = 1;
    scree_status status = SCREE_OK;
    for (int hop = 1; hop < size && status == SCREE_OK; ++hop) {
        neighbours[0].send.count = 0;
        status = scree_array_push(&neighbours[0].send, token);
        if (status == SCREE_OK)
            status = scree_comm_exchange(comm, neighbours, count);
        if (status == SCREE_OK)
            token = (unsigned char)(neighbours[count - 1].receive.data[0] + 1);
    }
    *passed = token;
    scree_comm_neighbour_free(&neighbours[0]);
    scree_comm_neighbour_free(&neighbours[1]);
    return status;
}

static scree_status reduce(const struct scree_comm *comm, struct findings *findings)
{
    const int rank = scree_comm_rank(comm), size = scree_comm_size(comm);
    struct scree_sum sum = {0};
    findings->least = 1e300;
    findings->greatest = -1e300;
    for (int i = rank; i < ITEMS; i += size) {
        ++findings->count;
        scree_sum_add(&sum, item(i));
        findings->least = item(i) < findings->least ? item(i) : findings->least;
        findings->greatest = item(i) > findings->greatest ? item(i) : findings->greatest;
    }
    SCREE_TRY(scree_comm_barrier(comm));
    SCREE_TRY(scree_comm_sum(comm, &findings->count, 1));
    SCREE_TRY(scree_comm_sum_exact(comm, &sum));
    SCREE_TRY(scree_comm_minimum(comm, &findings->least, 1));
    SCREE_TRY(scree_comm_maximum(comm, &findings->greatest, 1));
    findings->total = scree_sum_value(&sum);
    findings->pending = sum.pending;
    return pass_round(comm, &findings->passed_round);
}

struct program {
    struct seat seat;
    struct findings findings;
};

static void *run_rank(void *context)
{
    struct program *program = context;
    const struct scree_comm comm = {&thread_table, &program->seat};
    program->findings.status = reduce(&comm, &program->findings);
    return NULL;
}

static void assert_findings_are_right(const struct findings *findings, int size)
{
    struct scree_sum sum = {0};
    for (int i = 0; i < ITEMS; ++i)
        scree_sum_add(&sum, item(i));
    assert_int_equal(findings->status, SCREE_OK);
    assert_int_equal(findings->count, ITEMS);
    assert_true(findings->total == scree_sum_value(&sum));
    // the room for carries is used up by ranks, not by items
    assert_int_equal(findings->pending, size);
    // i % 7 is 0 and 6 first at items 0 and 6, last at 994 and 993
    assert_true(findings->least == item(994));
    assert_true(findings->greatest == item(6));
    assert_int_equal(findings->passed_round, size);
}

static void a_reduction_on_one_rank_finds_what_is_there(void **state)
{
    (void)state;
    assert_int_equal(scree_comm_rank(&scree_comm_serial), 0);
    assert_int_equal(scree_comm_size(&scree_comm_serial), 1);
    assert_string_equal(scree_comm_serial.table->name, "serial");
    struct findings findings = {0};
    findings.status = reduce(&scree_comm_serial, &findings);
    assert_findings_are_right(&findings, 1);
}

static void a_reduction_on_several_ranks_finds_the_same(void **state)
{
    (void)state;
    static struct meeting meeting;
    assert_int_equal(pthread_barrier_init(&meeting.barrier, NULL, RANKS), 0);
    struct program programs[RANKS];
    pthread_t threads[RANKS];
    for (int rank = 0; rank < RANKS; ++rank) {
        programs[rank] = (struct program){.seat = {&meeting, rank}};
        assert_int_equal(pthread_create(&threads[rank], NULL, run_rank, &programs[rank]), 0);
    }
    for (int rank = 0; rank < RANKS; ++rank)
        assert_int_equal(pthread_join(threads[rank], NULL), 0);
    for (int rank = 0; rank < RANKS; ++rank)
        assert_findings_are_right(&programs[rank].findings, RANKS);
    pthread_barrier_destroy(&meeting.barrier);
}

static void a_lone_rank_hears_itself(void **state)
{
    (void)state;
    struct scree_comm_neighbour self[2] = {0};
    for (unsigned char i = 0; i < 100; ++i)
        assert_int_equal(scree_array_push(&self[1].send, i), SCREE_OK);
    assert_int_equal(scree_comm_exchange(&scree_comm_serial, self, 2), SCREE_OK);
    assert_int_equal(self[0].receive.count, 0);
    assert_int_equal(self[1].receive.count, 100);
    assert_memory_equal(self[1].receive.data, self[1].send.data, 100);
    // a shorter message replaces a longer one
    self[1].send.count = 3;
    assert_int_equal(scree_comm_exchange(&scree_comm_serial, self, 2), SCREE_OK);
    assert_int_equal(self[1].receive.count, 3);
    scree_comm_neighbour_free(&self[0]);
    scree_comm_neighbour_free(&self[1]);
}

static void a_lone_rank_has_no_other_neighbour(void **state)
{
    (void)state;
    struct scree_comm_neighbour stranger = {.rank = 1};
    assert_int_equal(scree_comm_exchange(&scree_comm_serial, &stranger, 1), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_status_message(), "rank 1"));
}

static void a_failed_exchange_leaks_nothing(void **state)
{
    (void)state;
    const size_t live = scree_memory_live();
    struct scree_comm_neighbour self = {0};
    assert_int_equal(scree_array_push(&self.send, 'x'), SCREE_OK);
    scree_memory_fail_at(1);
    assert_int_equal(scree_comm_exchange(&scree_comm_serial, &self, 1), SCREE_ERROR_MEMORY);
    assert_int_equal(scree_comm_exchange(&scree_comm_serial, &self, 1), SCREE_OK);
    assert_int_equal(self.receive.data[0], 'x');
    scree_comm_neighbour_free(&self);
    assert_int_equal(scree_memory_live(), live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reduction_on_one_rank_finds_what_is_there),
        cmocka_unit_test(a_reduction_on_several_ranks_finds_the_same),
        cmocka_unit_test(a_lone_rank_hears_itself),
        cmocka_unit_test(a_lone_rank_has_no_other_neighbour),
        cmocka_unit_test(a_failed_exchange_leaks_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
