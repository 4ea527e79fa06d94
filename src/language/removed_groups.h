// Stages that change a group whose walls or bodies were removed.

#ifndef SCREE_LANGUAGE_REMOVED_GROUPS_H
#define SCREE_LANGUAGE_REMOVED_GROUPS_H

struct scree_reading;

// Reports entries of stages that change a removed group.
void scree_removed_groups_check(struct scree_reading *reading);

#endif
