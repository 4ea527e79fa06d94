// The next collision of a body with its neighbours, several at a time, for each instruction set.
//
// The time of a collision is a function of the two records alone, symmetric in them to the last bit: the
// distance is taken at the later one of their two times, when it is known best. So it does not matter which
// of the two is asked, when, and with which neighbour lists; and a restarted run finds the same times.
//
// Bodies fall with the same gravity, which has no influence on the distance of two of them.

#ifndef SCREE_EVENT_PREDICT_H
#define SCREE_EVENT_PREDICT_H

#include "event/skew.h"
#include "world/records.h"

#include <scree/kernel.h>

// What predictions read.
struct scree_event_space {
    const struct scree_flight *flight;
    const uint64_t *id;
    double period[3], inverse[3]; // 1 and 0 along an axis that is not periodic
    double gravity[3];
    bool falls; // gravity is not 0
    struct scree_event_skew skew;
};

// How flights are predicted.
enum scree_event_flying { SCREE_EVENT_STRAIGHT, SCREE_EVENT_FALLING, SCREE_EVENT_SKEWED };

static inline enum scree_event_flying scree_event_flying(const struct scree_event_space *space)
{
    // in a cell with cell vectors bodies do not fall
    return space->skew.present ? SCREE_EVENT_SKEWED
           : space->falls      ? SCREE_EVENT_FALLING
                               : SCREE_EVENT_STRAIGHT;
}

struct scree_event_hit {
    double time; // infinite if there is none
    uint32_t partner;
};

enum { SCREE_EVENT_NONE = INT32_MAX }; // no partner

// The earliest collision of a body with one of the listed ones; of several at the same time that with the
// lowest id. `now` decides which image of the partner is meant: the nearest. The list is followed by the body
// itself, which it never meets, up to a multiple of eight.
typedef struct scree_event_hit scree_event_search(const struct scree_event_space *space, uint32_t body,
                                                  const uint32_t *neighbour, uint32_t count, double now);

// The times when the spheres around the listed bodies begin to overlap that around a body: the later of the
// starts of both flights if they overlap then, and infinite if they never do, or no longer. `start` has room
// for whole groups.
typedef void scree_event_overlaps(const struct scree_event_space *space, uint32_t body,
                                  const uint32_t *neighbour, uint32_t count, double now, double *start);

struct scree_event_search_set {
    scree_event_search *search[3]; // [enum scree_event_flying]
    scree_event_overlaps *overlaps[3];
};
extern const struct scree_event_search_set scree_event_search_sets[SCREE_KERNEL_SETS];

// Position and velocity of a body in free flight at a time; `gravity` is null for a body that does not fall.
static inline void scree_event_position(const struct scree_flight *flight, const double *gravity, double time,
                                        double position[3])
{
    const double h = time - flight->time;
    for (int k = 0; k < 3; ++k)
        position[k] = flight->position[k] + h * (flight->velocity[k] + (gravity ? 0.5 * h * gravity[k] : 0));
}

static inline void scree_event_velocity(const struct scree_flight *flight, const double *gravity, double time,
                                        double velocity[3])
{
    for (int k = 0; k < 3; ++k)
        velocity[k] = flight->velocity[k] + (gravity ? (time - flight->time) * gravity[k] : 0);
}

// The difference of two coordinates to the nearest image.
static inline double scree_event_nearest(double difference, double period, double inverse)
{
    const double magic = 6755399441055744.0; // 1.5 * 2^52: adding and subtracting it rounds to an integer
    return difference - period * ((difference * inverse + magic) - magic);
}

// The time of the collision of two bodies, the bits of the searches above; infinite if there is none.
double scree_event_pair_time(const struct scree_event_space *space, uint32_t body, uint32_t other,
                             double now);

#endif
