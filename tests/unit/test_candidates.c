// Candidate lists: they contain all pairs within the margin, are consistent, and do not depend on the
// number of threads; contact histories follow every change of the grains. Reference: gaps of all pairs,
// computed one by one (crowd.h).

#include "base/processor.h"
#include "row_groups.h"

static struct crowd crowd;

// --- independent checks of the lists

// The range of a candidate, see scree_contacts_range.
static size_t range_of(const struct scree_contacts *contacts, size_t candidate)
{
    size_t range = 0;
    while (candidate >= contacts->first[range + 1])
        ++range;
    return range;
}

static void build(struct scree_contacts *contacts)
{
    if (scree_candidates_build(contacts, &crowd.input) != SCREE_OK ||
        scree_contacts_index(contacts) != SCREE_OK)
        fail_msg("%s", scree_status_message());
}

static bool may_wrap(size_t i)
{
    for (int k = 0; k < crowd.input.dimension; ++k) {
        const double low = crowd.input.lower[k], x = crowd.grain[i].position[k];
        if (crowd.input.period[k] < (double)INFINITY &&
            (x <= low + crowd.input.max_displacement ||
             x >= low + crowd.input.period[k] - crowd.input.max_displacement))
            return true;
    }
    return false;
}

// Overlapping pairs are in rows, unless the grain has very many neighbours or the tile has no rows; other
// pairs are not in rows.
static void assert_range_is_valid(const struct scree_contacts *contacts, size_t range, struct scree_pair pair,
                                  double gap)
{
    const double tolerance = 1e-13 * (crowd.side + 8);
    const uint32_t owner = lower_slot(pair);
    const size_t *group = &contacts->group[range / RANGES];
    if (range % RANGES == SCREE_CONTACTS_ROWS)
        assert_true(gap < tolerance);
    else
        assert_true(gap > -tolerance || group[0] == group[1] ||
                    contacts->row_first[owner + 1] - contacts->row_first[owner] > 16);
}

// Every candidate is a pair within the margin, in a range that may contain it.
static void assert_candidates_are_valid(const struct scree_contacts *contacts)
{
    size_t pairs = 0;
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        const size_t range = range_of(contacts, c);
        if (pair.low == pair.high) {
            // padding refers to grains of its own tile: others may move while the list is read
            assert_int_equal(pair.low / SCREE_CONTACTS_TILE, range / RANGES);
            continue;
        }
        ++pairs;
        bool direct;
        const double gap = crowd_gap(&crowd, pair.low, pair.high, &direct);
        assert_true(crowd_touches(&crowd, pair.low) && crowd_touches(&crowd, pair.high));
        // round-off of a distance: a few units in the last place of the largest number in it
        assert_true(gap <= crowd.input.margin + 1e-13 * (crowd.side + 8));
        assert_true(crowd.id[pair.low] < crowd.id[pair.high]);
        const uint8_t class =
            crowd
                .class_of[crowd.grain[pair.low].material * CROWD_MATERIALS + crowd.grain[pair.high].material];
        assert_int_not_equal(class, SCREE_CONTACTS_NO_CLASS);
        if (contacts->class_of)
            assert_int_equal(contacts->class_of[c], class);
        assert_int_equal(lower_slot(pair) / SCREE_CONTACTS_TILE, range / RANGES);
        assert_range_is_valid(contacts, range, pair, gap);
        if (range % RANGES != SCREE_CONTACTS_INSIDE)
            continue;
        assert_int_equal(pair.low / SCREE_CONTACTS_TILE, range / RANGES);
        assert_int_equal(pair.high / SCREE_CONTACTS_TILE, range / RANGES);
        assert_true(direct && !may_wrap(pair.low) && !may_wrap(pair.high));
    }
    assert_int_equal(pairs, contacts->pair_count);
}

static void assert_rows_are_valid(const struct scree_contacts *contacts)
{
    assert_int_equal(contacts->grains, crowd.input.count);
    assert_int_equal(contacts->row_first[0], 0);
    assert_int_equal(contacts->row_first[contacts->grains], 2 * contacts->pair_count);
    for (size_t i = 0; i < contacts->grains; ++i) {
        assert_int_equal(contacts->id[i], crowd.id[i]);
        for (uint32_t n = contacts->row_first[i]; n < contacts->row_first[i + 1]; ++n) {
            const struct scree_pair pair = contacts->pair[contacts->row[n]];
            assert_true(pair.low == i || pair.high == i);
            assert_true(n == contacts->row_first[i] || contacts->row[n] > contacts->row[n - 1]);
        }
    }
}

// Within a range, pairs are ordered by the lower slot, and no pair occurs twice in succession.
static void assert_order_is_valid(const struct scree_contacts *contacts)
{
    for (size_t c = 1; c < contacts->candidates; ++c) {
        const struct scree_pair a = contacts->pair[c - 1], b = contacts->pair[c];
        if (range_of(contacts, c) % RANGES == SCREE_CONTACTS_ROWS)
            continue;
        if (a.low == a.high || b.low == b.high) {
            // padding is at the end of a range
            assert_true(b.low == b.high || c % 8 == 0);
            continue;
        }
        if (c % 8 == 0 && range_of(contacts, c) != range_of(contacts, c - 1))
            continue;
        assert_true(lower_slot(a) < lower_slot(b) ||
                    (lower_slot(a) == lower_slot(b) && (a.low != b.low || a.high != b.high)));
    }
}

static void assert_ranges_are_valid(const struct scree_contacts *contacts)
{
    assert_int_equal(contacts->tiles, (contacts->grains + SCREE_CONTACTS_TILE - 1) / SCREE_CONTACTS_TILE);
    assert_int_equal(contacts->first[0], 0);
    assert_int_equal(contacts->first[RANGES * contacts->tiles], contacts->candidates);
    for (size_t r = 0; r < RANGES * contacts->tiles; ++r) {
        assert_int_equal(contacts->first[r] % 8, 0);
        assert_true(contacts->first[r] <= contacts->first[r + 1]);
    }
    assert_int_equal(contacts->candidates % 8, 0);
    assert_true(contacts->history_capacity >= contacts->candidates || contacts->stride == 0);
    assert_int_equal(contacts->stride, crowd.input.stride);
    assert_true(!contacts->class_of == (crowd.input.classes == 1));
}

// The number of candidates equals that of an all-pairs search; since each candidate is valid, the sets are
// equal. Pairs whose gap equals the margin up to round-off may be listed or not.
static void assert_none_is_missing(const struct scree_contacts *contacts)
{
    size_t min_pairs = 0, max_pairs = 0;
    for (size_t i = 0; i < crowd.input.count; ++i) {
        if (!crowd_touches(&crowd, i))
            continue;
        for (size_t j = 0; j < i; ++j) {
            const size_t class_of =
                (size_t)crowd.grain[i].material * CROWD_MATERIALS + crowd.grain[j].material;
            if (!crowd_touches(&crowd, j) || crowd.class_of[class_of] == SCREE_CONTACTS_NO_CLASS)
                continue;
            bool direct;
            const double excess = crowd_gap(&crowd, i, j, &direct) - crowd.input.margin;
            const double tolerance = 1e-13 * (crowd.side + 8);
            min_pairs += excess < -tolerance;
            max_pairs += excess < tolerance;
        }
    }
    assert_true(contacts->pair_count >= min_pairs);
    assert_true(contacts->pair_count <= max_pairs);
}

static void assert_lists_are_valid(const struct scree_contacts *contacts)
{
    assert_ranges_are_valid(contacts);
    assert_candidates_are_valid(contacts);
    assert_rows_are_valid(contacts);
    assert_order_is_valid(contacts);
    assert_groups_are_valid(&crowd, contacts);
}

static bool same_bytes(const void *a, const void *b, size_t count, size_t size)
{
    return count == 0 || (!a && !b) || (a && b && memcmp(a, b, count * size) == 0);
}

static bool same_lists(const struct scree_contacts *a, const struct scree_contacts *b)
{
    return a->grains == b->grains && a->tiles == b->tiles && a->candidates == b->candidates &&
           a->pair_count == b->pair_count && a->stride == b->stride &&
           same_bytes(a->first, b->first, RANGES * a->tiles + 1, sizeof *a->first) &&
           same_bytes(a->group, b->group, a->tiles > 0 ? a->tiles + 1 : 0, sizeof *a->group) &&
           same_bytes(a->depth, b->depth, a->tiles > 0 ? a->group[a->tiles] : 0, 1) &&
           same_bytes(a->pair, b->pair, a->candidates, sizeof *a->pair) &&
           same_bytes(a->class_of, b->class_of, a->candidates, 1) &&
           same_bytes(a->live, b->live, a->candidates / 8, 1) &&
           same_bytes(a->history, b->history, a->candidates * a->stride, sizeof(double)) &&
           a->crowded_count == b->crowded_count &&
           same_bytes(a->crowded, b->crowded, a->crowded_count, sizeof *a->crowded) &&
           same_bytes(a->id, b->id, a->grains, sizeof *a->id);
}

// --- histories: a number determined by the two ids

static double history_of(uint64_t low, uint64_t high, size_t value)
{
    return (double)((low * UINT64_C(2654435761) + high * 40503 + value * 97) % 1000003) + 1;
}

// makes about three of four contacts live, with a history
static void make_live(struct scree_contacts *contacts, uint8_t *was_live)
{
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        if (pair.low == pair.high)
            continue;
        const uint64_t low = crowd.id[pair.low], high = crowd.id[pair.high];
        if ((low * 31 + high * 17) % 4 == 0)
            continue;
        contacts->live[c / 8] |= (uint8_t)(1u << c % 8);
        was_live[(low % CROWD_MAX) * CROWD_MAX + high % CROWD_MAX] = 1;
        for (size_t k = 0; k < contacts->stride; ++k)
            contacts->history[c * contacts->stride + k] = history_of(low, high, k);
    }
}

// `was_live` is indexed by ids below CROWD_MAX; the first `kept` values existed at every build
static void assert_histories_are_kept(const struct scree_contacts *contacts, const uint8_t *was_live,
                                      size_t kept)
{
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        const bool is_pair = pair.low != pair.high;
        const uint64_t low = is_pair ? crowd.id[pair.low] : 0, high = is_pair ? crowd.id[pair.high] : 0;
        const bool expected = is_pair && was_live[low * CROWD_MAX + high];
        assert_int_equal(scree_contacts_is_live(contacts, c), expected);
        for (size_t k = 0; k < contacts->stride; ++k)
            assert_true(contacts->history[c * contacts->stride + k] ==
                        (expected && k < kept ? history_of(low, high, k) : 0));
    }
}

// pairs that are not candidates any more lose their history
static void drop_separated(const struct scree_contacts *contacts, uint8_t *was_live)
{
    static uint8_t listed[CROWD_MAX * CROWD_MAX];
    memset(listed, 0, sizeof listed);
    for (size_t c = 0; c < contacts->candidates; ++c) {
        const struct scree_pair pair = contacts->pair[c];
        if (pair.low != pair.high)
            listed[crowd.id[pair.low] * CROWD_MAX + crowd.id[pair.high]] = 1;
    }
    for (size_t k = 0; k < sizeof listed; ++k)
        was_live[k] &= listed[k];
}

static void move_all(double largest)
{
    for (size_t i = 0; i < crowd.input.count; ++i)
        for (int k = 0; k < crowd.input.dimension; ++k) {
            double *x = &crowd.grain[i].position[k];
            *x += crowd_draw(&crowd, -largest, largest);
            const double low = crowd.input.lower[k], period = crowd.input.period[k];
            if (period < (double)INFINITY)
                *x = *x < low ? *x + period : *x >= low + period ? *x - period : *x;
        }
}

// ids below CROWD_MAX
static void renumber(void)
{
    for (size_t i = 0; i < crowd.input.count; ++i)
        crowd.id[i] = 1 + (i * 7919 + 13) % (CROWD_MAX - 1);
    crowd.next_id = 0;
}

static uint8_t *new_pair_table(void)
{
    uint8_t *table = test_calloc(CROWD_MAX, CROWD_MAX);
    assert_non_null(table);
    return table;
}

// --- tests

static void candidates_are_all_pairs_within_the_margin(void **state)
{
    (void)state;
    size_t pairs = 0;
    for (uint64_t world = 0; world < 200; ++world) {
        crowd_make(&crowd, world, 1 + (size_t)(world * 37 % 900) + (world % 20 == 0 ? 1900 : 0), 1);
        struct scree_contacts contacts = {0};
        build(&contacts);
        assert_lists_are_valid(&contacts);
        assert_none_is_missing(&contacts);
        pairs += contacts.pair_count;
        scree_candidates_free(&contacts);
    }
    // the worlds contain many pairs
    assert_true(pairs > 100000);
}

static void lists_do_not_depend_on_instruction_set_and_threads(void **state)
{
    (void)state;
    for (uint64_t world = 0; world < 12; ++world) {
        struct scree_contacts one = {0}, other = {0};
        crowd_make(&crowd, world, 2500, 1);
        build(&one);
        for (int set = 0; set <= scree_processor_best(); ++set) {
            scree_processor_choose(set);
            for (int threads = 1; threads <= 4; ++threads) {
                crowd.team.threads = threads;
                build(&other);
                assert_true(same_lists(&one, &other));
            }
        }
        scree_processor_choose(-1);
        scree_candidates_free(&one);
        scree_candidates_free(&other);
    }
}

static void histories_follow_their_pairs(void **state)
{
    (void)state;
    uint8_t *was_live = new_pair_table();
    for (uint64_t world = 0; world < 40; ++world) {
        crowd_make(&crowd, world, 400 + 50 * (size_t)(world % 20), 1 + (int)(world % 3));
        renumber();
        crowd.input.stride = 4 * (1 + world % 3);
        memset(was_live, 0, (size_t)CROWD_MAX * CROWD_MAX);
        struct scree_contacts contacts = {0};
        build(&contacts);
        make_live(&contacts, was_live);
        for (int step = 0; step < 4; ++step) {
            // unchanged, slightly moved, and moved so far that many contacts end
            move_all(step * step * 0.2 * crowd.input.margin);
            build(&contacts);
            assert_lists_are_valid(&contacts);
            drop_separated(&contacts, was_live);
            assert_histories_are_kept(&contacts, was_live, contacts.stride);
        }
        scree_candidates_free(&contacts);
    }
    test_free(was_live);
}

static void a_change_of_stride_keeps_the_common_values(void **state)
{
    (void)state;
    uint8_t *was_live = new_pair_table();
    crowd_make(&crowd, 8, 1200, 2);
    renumber();
    crowd.input.stride = 8;
    struct scree_contacts contacts = {0};
    build(&contacts);
    make_live(&contacts, was_live);
    const size_t strides[] = {12, 8, 4, 8, 0, 4};
    size_t kept = 8;
    for (size_t n = 0; n < sizeof strides / sizeof strides[0]; ++n) {
        crowd.input.stride = strides[n];
        kept = strides[n] < kept ? strides[n] : kept;
        build(&contacts);
        assert_histories_are_kept(&contacts, was_live, kept);
    }
    scree_candidates_free(&contacts);
    test_free(was_live);
}

// Sorts, removes and adds grains; new_slot[] has the new positions of the old slots.
static void shuffle_crowd(uint32_t *new_slot, size_t removed, size_t added)
{
    static struct scree_grain grain[CROWD_MAX];
    static uint64_t id[CROWD_MAX];
    static uint32_t order[CROWD_MAX];
    const size_t before = crowd.input.count;
    size_t count = 0;
    for (size_t i = 0; i < before; ++i)
        order[i] = (uint32_t)i;
    for (size_t i = before; i > 1; --i) {
        const size_t j = crowd_choice(&crowd, i);
        const uint32_t swap = order[i - 1];
        order[i - 1] = order[j];
        order[j] = swap;
    }
    memcpy(grain, crowd.grain, sizeof grain);
    memcpy(id, crowd.id, sizeof id);
    for (size_t n = 0; n < before; ++n) {
        if (n < removed) {
            new_slot[order[n]] = UINT32_MAX;
            continue;
        }
        // new grains between the old ones
        if (added > 0 && n % 5 == 0) {
            --added;
            crowd.id[count] = --crowd.next_id;
            crowd_place(&crowd, count++, false, false);
        }
        new_slot[order[n]] = (uint32_t)count;
        crowd.grain[count] = grain[order[n]];
        crowd.id[count++] = id[order[n]];
    }
    crowd.input.count = count;
}

static void histories_survive_sorting_removal_and_insertion(void **state)
{
    (void)state;
    static uint32_t new_slot[CROWD_MAX];
    uint8_t *was_live = new_pair_table();
    for (uint64_t world = 0; world < 30; ++world) {
        crowd_make(&crowd, world, 1300, 1 + (int)(world % 2));
        // new grains get descending ids below CROWD_MAX
        crowd.next_id = CROWD_MAX;
        for (size_t i = 0; i < crowd.input.count; ++i)
            crowd.id[i] = 1 + (i * 1009 + world) % (CROWD_MAX - 200);
        crowd.input.stride = 4 * (world % 4);
        memset(was_live, 0, (size_t)CROWD_MAX * CROWD_MAX);
        struct scree_contacts contacts = {0};
        build(&contacts);
        make_live(&contacts, was_live);
        const size_t pairs = contacts.pair_count;
        const size_t removed = world % 3 == 0 ? 0 : 100, before = crowd.input.count;
        shuffle_crowd(new_slot, removed, world % 4 == 0 ? 0 : 60);
        assert_int_equal(scree_candidates_renumber(&contacts, new_slot, before), SCREE_OK);
        assert_int_equal(scree_contacts_index(&contacts), SCREE_OK);
        assert_true(removed > 0 ? contacts.pair_count < pairs : contacts.pair_count == pairs);
        // the lists end with the last grain at the time of the search, without the new ones
        const size_t count = crowd.input.count;
        crowd.input.count = contacts.grains;
        for (size_t i = 0; i < contacts.grains; ++i)
            if (crowd.id[i] > CROWD_MAX - 200) {
                assert_int_equal(contacts.row_first[i], contacts.row_first[i + 1]);
                contacts.id[i] = crowd.id[i];
            }
        assert_rows_are_valid(&contacts);
        crowd.input.count = count;
        drop_separated(&contacts, was_live);
        assert_histories_are_kept(&contacts, was_live, contacts.stride);
        build(&contacts);
        assert_lists_are_valid(&contacts);
        assert_none_is_missing(&contacts);
        assert_histories_are_kept(&contacts, was_live, contacts.stride);
        scree_candidates_free(&contacts);
    }
    test_free(was_live);
}

static void a_cell_so_narrow_that_a_pair_has_two_contacts_is_refused(void **state)
{
    (void)state;
    crowd_make(&crowd, 4, 50, 1);
    crowd.input.margin = 0.1;
    for (size_t i = 0; i < 50; ++i)
        crowd.grain[i].radius = i == 7 ? 1 : i == 9 ? 0.75 : 0.5;
    crowd.grain[7].material = crowd.grain[9].material = 1;
    memcpy(crowd.grain[7].position, (double[]){0, 0, 0}, sizeof(double[3]));
    memcpy(crowd.grain[9].position, (double[]){0, 0, 0}, sizeof(double[3]));
    struct scree_contacts contacts = {0};
    for (int k = 0; k < crowd.input.dimension; ++k) {
        for (int l = 0; l < 3; ++l)
            crowd.input.period[l] = (double)INFINITY;
        // twice (1 + 0.75 + 0.1)
        crowd.input.period[k] = 3.699;
        assert_int_equal(scree_candidates_build(&contacts, &crowd.input), SCREE_ERROR_LIMIT);
        assert_non_null(strstr(scree_status_message(), "3.699"));
        assert_non_null(strstr(scree_status_message(), "3.7 "));
        crowd.input.period[k] = 3.701;
        build(&contacts);
    }
    scree_candidates_free(&contacts);
}

static void invalid_input_is_refused(void **state)
{
    (void)state;
    const double nan = (double)NAN;
    crowd_make(&crowd, 5, 60, 1);
    struct scree_contacts contacts = {0};
    build(&contacts);
    const struct scree_candidates_input valid = crowd.input;
    struct scree_candidates_input invalid[] = {valid, valid, valid, valid, valid, valid, valid, valid, valid};
    invalid[0].margin = nan;
    invalid[1].margin = -1;
    invalid[2].max_displacement = nan;
    invalid[3].dimension = 4;
    invalid[4].count = 59;
    invalid[5].period[0] = nan;
    invalid[6].period[1] = 0;
    invalid[7].materials = 2;
    invalid[8].stride = 1000;
    for (size_t n = 0; n < sizeof invalid / sizeof invalid[0]; ++n) {
        scree_status_clear();
        assert_int_not_equal(scree_candidates_build(&contacts, &invalid[n]), SCREE_OK);
        assert_true(scree_status_message()[0] != '\0');
    }
    assert_lists_are_valid(&contacts);
    scree_candidates_free(&contacts);
    crowd.input = valid;
    crowd.input.count = 0;
    build(&contacts);
    assert_int_equal(contacts.candidates, 0);
    scree_candidates_free(&contacts);
}

// The large grain is in the first, a middle or the last slot, so its id is the lower, either, or the higher.
static void a_grain_with_too_many_neighbours_is_reported(void **state)
{
    (void)state;
    enum { SMALL_GRAINS = SCREE_CONTACTS_CROWDED };
    static struct scree_grain grain[SMALL_GRAINS + 1];
    static uint64_t id[SMALL_GRAINS + 1];
    static const size_t slots[] = {0, SMALL_GRAINS / 2, SMALL_GRAINS};
    for (size_t s = 0; s < sizeof slots / sizeof slots[0]; ++s) {
        crowd_make(&crowd, 1, 1, 1);
        for (size_t i = 0, n = 0; i <= SMALL_GRAINS; ++i) {
            // on a spiral around a sphere
            const double z = 1 - (2 * (double)n + 1) / SMALL_GRAINS, angle = 2.4 * (double)n,
                         r = sqrt(1 - z * z);
            grain[i] = (struct scree_grain){.radius = i == slots[s] ? 1 : 1e-3, .material = 1};
            id[i] = i + 1;
            if (i == slots[s])
                continue;
            memcpy(grain[i].position, (double[]){r * cos(angle), r * sin(angle), z}, 3 * sizeof(double));
            ++n;
        }
        crowd.class_of[CROWD_MATERIALS + 1] = 0;
        crowd.input.grain = grain;
        crowd.input.id = id;
        crowd.input.count = SMALL_GRAINS + 1;
        struct scree_contacts contacts = {0};
        build(&contacts);
        assert_int_equal(contacts.crowded_count, 1);
        assert_int_equal(contacts.crowded[0], slots[s]);
        scree_candidates_free(&contacts);
    }
}

// Each allocation fails in turn: the lists stay as they were, and nothing leaks.
static void a_failed_allocation_leaves_the_lists_unchanged(void **state)
{
    (void)state;
    static uint32_t new_slot[CROWD_MAX];
    uint8_t *was_live = new_pair_table();
    for (uint64_t world = 6; world < 9; ++world) {
        crowd_make(&crowd, world, 1300, 1 + (int)(world % 2));
        renumber();
        crowd.input.stride = 4;
        struct scree_contacts contacts = {0}, before = {0};
        build(&contacts);
        build(&before);
        make_live(&contacts, was_live);
        make_live(&before, was_live);
        move_all(crowd.input.margin);
        // a search with existing and with new memory for histories, then a renumbering
        for (int round = 0; round < 3; ++round) {
            crowd.input.stride = round == 1 ? 8 : 4;
            uint64_t nth = 1;
            for (scree_status status = SCREE_ERROR_MEMORY; status != SCREE_OK; ++nth) {
                const size_t blocks = scree_memory_live();
                scree_memory_fail_at(nth);
                if (round < 2) {
                    status = scree_candidates_build(&contacts, &crowd.input);
                } else {
                    for (size_t i = 0; i < contacts.grains; ++i)
                        new_slot[i] = i % 10 == 3 ? UINT32_MAX : (uint32_t)(contacts.grains - 1 - i);
                    status = scree_candidates_renumber(&contacts, new_slot, contacts.grains);
                }
                scree_memory_fail_at(0);
                if (status == SCREE_OK)
                    break;
                assert_int_equal(status, SCREE_ERROR_MEMORY);
                assert_int_equal(scree_memory_live(), blocks);
                assert_true(same_lists(&contacts, &before));
            }
            assert_true(nth > (round < 2 ? 15 : 3));
            build(&before);
            assert_true(round == 2 || same_lists(&contacts, &before));
        }
        scree_candidates_free(&contacts);
        scree_candidates_free(&before);
    }
    test_free(was_live);
    assert_int_equal(scree_memory_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(candidates_are_all_pairs_within_the_margin),
        cmocka_unit_test(lists_do_not_depend_on_instruction_set_and_threads),
        cmocka_unit_test(histories_follow_their_pairs),
        cmocka_unit_test(a_change_of_stride_keeps_the_common_values),
        cmocka_unit_test(histories_survive_sorting_removal_and_insertion),
        cmocka_unit_test(a_cell_so_narrow_that_a_pair_has_two_contacts_is_refused),
        cmocka_unit_test(invalid_input_is_refused),
        cmocka_unit_test(a_grain_with_too_many_neighbours_is_reported),
        cmocka_unit_test(a_failed_allocation_leaves_the_lists_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
