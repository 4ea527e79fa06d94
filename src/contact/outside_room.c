// Room for contacts from outside, see outside_room.h.

#include "contact/outside_room.h"

#include "contact/outside_mesh.h"
#include "world/contacts.h"

void scree_outside_room_note(struct scree_outside_room *room, struct scree_contact_key key, size_t contacts)
{
    if (room->contacts == 0 || scree_contact_key_compare(&key, &room->key) < 0)
        *room = (struct scree_outside_room){key, contacts};
}

scree_status scree_outside_room_check(const struct scree_outside_room *room)
{
    const bool wall = scree_contact_kind_is_wall(room->key.kind);
    if (room->contacts == 0)
        return SCREE_OK;
    if (room->contacts == SCREE_OUTSIDE_ROOM_RIM)
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "body %llu reaches the rim of wall %llu, which edges and faces of polyhedra do "
            "not touch: make the wall longer, close its end by a plane, or give it as a "
            "mesh",
            (unsigned long long)room->key.low, (unsigned long long)room->key.high);
    if (room->contacts == SCREE_OUTSIDE_ROOM_FACETS)
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "%d or more facets of wall %llu are within the rounding of a corner of body %llu, "
            "where fewer are searched: use larger facets or a smaller rounding",
            (int)SCREE_OUTSIDE_MESH_NEAR, (unsigned long long)room->key.high,
            (unsigned long long)room->key.low);
    return scree_status_fail(
        SCREE_ERROR_UNSUPPORTED,
        "body %llu and %s %llu have %zu contacts at once, but a pair has room for %d: vertices and edges are "
        "within the sum of the roundings of the other side. Use a smaller rounding, a shape with fewer "
        "vertices%s, or a stiffer contact",
        (unsigned long long)room->key.low, wall ? "wall" : "body", (unsigned long long)room->key.high,
        room->contacts, (int)SCREE_OUTSIDE_MOST, wall ? ", larger facets" : "");
}
