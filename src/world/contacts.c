// Contacts, see contacts.h.

#include "world/contacts.h"

#include "base/memory.h"

void scree_contacts_free(struct scree_contacts *contacts)
{
    void *const blocks[] = {
        contacts->first,      contacts->pair,          contacts->sort,       contacts->keeper,
        contacts->history,    contacts->live,          contacts->row,        contacts->row_first,
        contacts->id,         contacts->group,         contacts->depth,      contacts->walls.first,
        contacts->walls.pair, contacts->walls.key,     contacts->walls.sort, contacts->walls.keeper,
        contacts->walls.live, contacts->walls.history, contacts->walls.order};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
    *contacts = (struct scree_contacts){0};
}
