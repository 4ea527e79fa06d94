// Texts of alarms: the two sides of a contact with their groups and origins, and what to try.

#ifndef SCREE_ENGINE_ALARM_TEXT_H
#define SCREE_ENGINE_ALARM_TEXT_H

#include <scree/alarm.h>

struct scree_soft;

enum { SCREE_ALARM_SIDE = 320, SCREE_ALARM_ADVICE = 420 };

// Writes a body, or a wall if the id of the body is 0, as `body 7 (group feed, hopper.yaml:12)`.
void scree_alarm_text_side(const struct scree_soft *soft, scree_body_id body, scree_wall_id wall,
                           char text[SCREE_ALARM_SIDE]);

// The contact with the largest overlap relative to the smaller radius.
struct scree_alarm_overlap {
    double ratio, overlap; // overlap, m
    uint64_t body[2], wall;
    uint32_t part[2];
};

// Writes the likely cause of an overlap and what to try, with numbers.
void scree_alarm_text_overlap(const struct scree_soft *soft, const struct scree_alarm *alarm,
                              const struct scree_alarm_overlap *largest, char text[SCREE_ALARM_ADVICE]);

#endif
