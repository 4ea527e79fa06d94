// Predictions of every instruction set of this processor, against those of one pair after the other.

#include "base/processor.h"
#include "event/predict.h"
#include "math/mat3.h"
#include "support/worlds.h"

enum { BODIES = 60, MOST = 40, ROUNDS = 4000 };

struct crowd {
    struct scree_flight flight[BODIES] __attribute__((aligned(64)));
    uint64_t id[BODIES];
    uint32_t neighbour[MOST + 8];
    struct scree_event_space space;
};

// A cell with vectors that moved since the time 1, as they are at the time 2.
static void deform(struct scree_event_skew *skew, uint64_t *seed)
{
    *skew = (struct scree_event_skew){.present = true, .time = 1};
    for (int k = 0; k < 9; ++k) {
        skew->vectors[k] = (k % 4 == 0 ? 3 : 0) + 0.2 * splitmix_signed(seed);
        skew->velocities[k] = 0.1 * splitmix_signed(seed);
        skew->here[k] = skew->vectors[k] + skew->velocities[k];
    }
    scree_lattice_store(scree_mat3_inverse(scree_lattice_load(skew->here)), skew->inverse);
}

// In odd rounds all flights begin together; in every third one the bodies are so large that many overlap.
static uint32_t make(struct crowd *crowd, uint64_t *seed, int round)
{
    struct scree_event_space *space = &crowd->space;
    *space = (struct scree_event_space){.flight = crowd->flight, .id = crowd->id};
    // the flights fall, or the cell deforms, or neither
    space->falls = round / 2 % 3 == 1;
    if (round / 2 % 3 == 2)
        deform(&space->skew, seed);
    for (int k = 0; k < 3; ++k) {
        const bool repeats = k < 2 && !space->skew.present;
        space->period[k] = repeats ? 3 : 1;
        space->inverse[k] = repeats ? 1 / 3.0 : 0;
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

// Where a body is at a time in its flight, and its velocity.
static void fly(const struct crowd *crowd, uint32_t body, double time, double position[3], double velocity[3])
{
    const double *gravity = crowd->space.falls ? crowd->space.gravity : NULL;
    scree_event_position(&crowd->flight[body], gravity, time, position);
    scree_event_velocity(&crowd->flight[body], gravity, time, velocity);
}

// The distance of the surfaces at a time, with the image that is nearest at the time 2, and whether it grows.
static double gap_at(const struct crowd *crowd, uint32_t one, uint32_t other, double time, bool *grows)
{
    double position[2][3], velocity[2][3], d[3], u[3], square = 0, rate = 0;
    fly(crowd, one, time, position[0], velocity[0]);
    fly(crowd, other, time, position[1], velocity[1]);
    for (int k = 0; k < 3; ++k) {
        u[k] = velocity[1][k] - velocity[0][k];
        d[k] = position[1][k] - position[0][k];
        const double now = d[k] + (2 - time) * u[k];
        if (!crowd->space.skew.present)
            d[k] -= crowd->space.period[k] * nearbyint(now * crowd->space.inverse[k]);
    }
    if (crowd->space.skew.present)
        scree_event_skew_nearest(&crowd->space.skew, time, 2 - time, d, u);
    for (int k = 0; k < 3; ++k) {
        square += d[k] * d[k];
        rate += d[k] * u[k];
    }
    *grows = rate > 0;
    return sqrt(square) - crowd->flight[one].radius - crowd->flight[other].radius;
}

// Overlaps begin when the spheres would collide, or when the later flight begins if they overlap then; there
// are none if the spheres have parted.
static double expect_overlap(const struct crowd *crowd, uint32_t body, uint32_t other)
{
    const double own = crowd->flight[body].time, its = crowd->flight[other].time,
                 begun = own > its ? own : its;
    bool grows;
    if (gap_at(crowd, body, other, 2, &grows) > 0 && grows)
        return INFINITE;
    if (gap_at(crowd, body, other, begun, &grows) <= 0)
        return begun;
    return scree_event_pair_time(&crowd->space, body, other, 2);
}

static void all_sets_find_overlaps(void **state)
{
    (void)state;
    struct crowd crowd;
    uint64_t seed = 12;
    int ahead = 0, inside = 0, parted = 0;
    for (int round = 0; round < ROUNDS; ++round) {
        const uint32_t count = make(&crowd, &seed, round), body = (uint32_t)round % BODIES;
        const enum scree_event_flying flying = scree_event_flying(&crowd.space);
        for (int set = 0; set <= scree_processor_best(); ++set) {
            double start[MOST + 8];
            scree_event_search_sets[set].overlaps[flying](&crowd.space, body, crowd.neighbour, count, 2,
                                                          start);
            for (uint32_t n = 0; n < count; ++n) {
                const double expected = expect_overlap(&crowd, body, crowd.neighbour[n]);
                if (!(start[n] == expected))
                    fail_msg("round %d, set %d: %g instead of %g", round, set, start[n], expected);
                parted += !(expected < INFINITE);
                inside += expected < 2;
                ahead += expected > 2 && expected < INFINITE;
            }
        }
    }
    assert_true(ahead > ROUNDS && inside > ROUNDS && parted > ROUNDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_sets_find_the_first_collision),
        cmocka_unit_test(all_sets_find_overlaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
