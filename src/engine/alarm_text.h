// Texts of alarms: the two sides of a contact with their groups and origins, and what to try.

#ifndef SCREE_ENGINE_ALARM_TEXT_H
#define SCREE_ENGINE_ALARM_TEXT_H

#include <scree/alarm.h>

struct scree_soft;

enum { SCREE_ALARM_SIDE = 320, SCREE_ALARM_ADVICE = 420 };

// Writes a body, or a wall if the id of the body is 0, as `body 7 (group feed, hopper.yaml:12)`.
void scree_alarm_text_side(const struct scree_soft *soft, scree_body_id body, scree_wall_id wall,
                           char text[SCREE_ALARM_SIDE]);

enum { SCREE_ALARM_FACET = 120 };

// Writes the facet of a wall that is a mesh, as `, facet 12 at (0.1, 0, 0.25),`, with its centre; an empty
// text for another wall. The number is that in the mesh as repaired, from 0.
void scree_alarm_text_facet(const struct scree_soft *soft, size_t wall_slot, uint32_t feature,
                            char text[SCREE_ALARM_FACET]);

// The contact with the largest overlap relative to the smaller radius, or to another length for polyhedra.
struct scree_alarm_overlap {
    double ratio, overlap; // overlap, m
    uint64_t body[2], wall;
    uint32_t part[2];
    uint32_t wall_slot, feature;
    const char *of; // name of this length, null for the smaller radius
};

// Writes the likely cause of an overlap and what to try, with numbers.
void scree_alarm_text_overlap(const struct scree_soft *soft, const struct scree_alarm *alarm,
                              const struct scree_alarm_overlap *largest, char text[SCREE_ALARM_ADVICE]);

#endif
