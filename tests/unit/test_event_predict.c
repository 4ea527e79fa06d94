// Predictions of every instruction set of this processor, against those of one pair after the other.

#include "base/processor.h"
#include "event/predict.h"
#include "support/worlds.h"

enum { BODIES = 60, MOST = 40, ROUNDS = 4000 };

struct crowd {
    struct scree_flight flight[BODIES] __attribute__((aligned(64)));
    uint64_t id[BODIES];
    uint32_t neighbour[MOST + 8];
    struct scree_event_space space;
};

// In odd rounds all flights begin together; in every third one the bodies are so large that many overlap.
static uint32_t make(struct crowd *crowd, uint64_t *seed, int round)
{
    struct scree_event_space *space = &crowd->space;
    *space = (struct scree_event_space){.flight = crowd->flight, .id = crowd->id};
    for (int k = 0; k < 3; ++k) {
        space->period[k] = k == 2 ? 1 : 3;
        space->inverse[k] = k == 2 ? 0 : 1 / 3.0;
        space->gravity[k] = splitmix_signed(seed);
    }
    for (uint32_t i = 0; i < BODIES; ++i) {
        struct scree_flight *flight = &crowd->flight[i];
        // 7 and BODIES have no common divisor
        crowd->id[i] = 7 * i % BODIES + 1;
        flight->time = round % 2 == 1 ? 1 : 1.5 + 0.5 * splitmix_signed(seed);
        flight->radius = round % 3 == 0 ? 0.6 : 0.15;
        for (int k = 0; k < 3; ++k) {
            flight->position[k] = 1.5 * splitmix_signed(seed);
            flight->velocity[k] = splitmix_signed(seed);
        }
    }
    const uint32_t count = (uint32_t)round % MOST, body = (uint32_t)round % BODIES;
    for (uint32_t n = 0; n < MOST + 8; ++n)
        crowd->neighbour[n] = n < count ? (body + 1 + n) % BODIES : body;
    return count;
}

// The earliest collision, and whether others have the same time.
static struct scree_event_hit expect(const struct crowd *crowd, uint32_t body, uint32_t count, bool *several)
{
    struct scree_event_hit hit = {INFINITE, SCREE_EVENT_NONE};
    *several = false;
    for (uint32_t n = 0; n < count; ++n) {
        const uint32_t other = crowd->neighbour[n];
        const double time = scree_event_pair_time(&crowd->space, body, other, 2);
        const bool same = time == hit.time && time < INFINITE;
        *several = same || (*several && !(time < hit.time));
        if (time < hit.time || (same && crowd->id[other] < crowd->id[hit.partner]))
            hit = (struct scree_event_hit){time, other};
    }
    return hit;
}

static void all_sets_find_the_first_collision(void **state)
{
    (void)state;
    struct crowd crowd;
    uint64_t seed = 11;
    int hits = 0, ties = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        const uint32_t count = make(&crowd, &seed, round), body = (uint32_t)round % BODIES;
        crowd.space.falls = round / 2 % 2 == 1;
        const enum scree_event_flying flying = scree_event_flying(&crowd.space);
        bool several;
        const struct scree_event_hit expected = expect(&crowd, body, count, &several);
        hits += expected.time < INFINITE;
        ties += several;
        for (int set = 0; set <= scree_processor_best(); ++set) {
            const struct scree_event_hit hit =
                scree_event_search_sets[set].search[flying](&crowd.space, body, crowd.neighbour, count, 2);
            assert_true(hit.time == expected.time);
            assert_int_equal(hit.partner, expected.partner);
        }
    }
    assert_true(hits > ROUNDS / 3 && hits < ROUNDS && ties > ROUNDS / 20);
}

// Overlaps begin when the spheres would collide, or when the later flight begins if they overlap then; they
// do not if the spheres have parted.
static void all_sets_find_overlaps(void **state)
{
    (void)state;
    struct crowd crowd;
    uint64_t seed = 12;
    int ahead = 0, inside = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        const uint32_t count = make(&crowd, &seed, round), body = (uint32_t)round % BODIES;
        crowd.space.falls = round / 2 % 2 == 1;
        const enum scree_event_flying flying = scree_event_flying(&crowd.space);
        for (int set = 0; set <= scree_processor_best(); ++set) {
            double start[MOST + 8];
            scree_event_search_sets[set].overlaps[flying](&crowd.space, body, crowd.neighbour, count, 2,
                                                          start);
            for (uint32_t n = 0; n < count; ++n) {
                const double time = scree_event_pair_time(&crowd.space, body, crowd.neighbour[n], 2);
                const double begun = crowd.flight[body].time > crowd.flight[crowd.neighbour[n]].time
                                         ? crowd.flight[body].time
                                         : crowd.flight[crowd.neighbour[n]].time;
                assert_true(start[n] == time || start[n] == begun || start[n] == INFINITE);
                if (time >= 2 && time < INFINITE)
                    assert_true(start[n] == time);
                ahead += start[n] < INFINITE && start[n] > begun;
                inside += start[n] == begun;
            }
        }
    }
    assert_true(ahead > ROUNDS && inside > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sets_find_the_first_collision),
        cmocka_unit_test(all_sets_find_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
