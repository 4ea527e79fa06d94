// The energy books of contacts, see books.h.

#include "law/books.h"

#include "base/sum.h"
#include "world/wall.h"

// What contacts hold, summed order-free.
struct holding {
    struct scree_sum stored, dashpot, work; // the latter two are ahead: half a step of them
};

static void add(struct holding *holding, const struct scree_look *look, double step)
{
    scree_sum_add(&holding->stored, look->stored);
    scree_sum_add(&holding->dashpot, 0.5 * look->dashpot);
    scree_sum_add(&holding->work, 0.5 * step * look->feed);
}

// Books what contacts hold; what is ahead counts `ahead` times.
static void book(const struct scree_world *world, const struct holding *holding, double stored, double ahead)
{
    struct scree_clock *clock = scree_world_clock(world);
    clock->fed += stored * scree_sum_value(&holding->stored);
    clock->gone_dashpot += ahead * scree_sum_value(&holding->dashpot);
    clock->gone_work += ahead * scree_sum_value(&holding->work);
}

// Before forces are known the half-step that was ahead has been moved.
static double ahead_now(const struct scree_world *world)
{
    return !world->motor || world->motor->forces_known ? 1 : 0;
}

static bool is_open(const struct scree_grain *grain)
{
    return grain && (grain->flags & SCREE_FLAG_OPENED);
}

void scree_books_visit(const struct scree_looker *looker, scree_books_visitor *visitor, void *context)
{
    const struct scree_world *world = looker->world;
    const struct scree_contacts *contacts = &world->contacts;
    struct scree_look look;
    for (size_t c = 0; c < contacts->candidates; ++c)
        if (scree_look_contact(looker, c, &look))
            visitor(context, &look,
                    is_open(scree_look_grain(world, contacts->pair[c].low)) ||
                        is_open(scree_look_grain(world, contacts->pair[c].high)));
    for (size_t c = 0; c < contacts->walls.count; ++c)
        if (scree_look_wall_contact(looker, c, &look))
            visitor(context, &look, is_open(scree_look_grain(world, contacts->walls.pair[c].low)));
}

// Contacts that are open, or those that are not.
struct gathering {
    struct holding holding;
    double step;
    bool open;
};

static void gather(void *context, const struct scree_look *look, bool open)
{
    struct gathering *gathering = (struct gathering *)context;
    if (open == gathering->open)
        add(&gathering->holding, look, gathering->step);
}

static void open_all(struct scree_world *world)
{
    struct scree_look_pairs pairs = {0};
    struct gathering gathering = {.step = scree_world_clock(world)->step};
    scree_books_visit(&(struct scree_looker){.world = world, .pairs = &pairs, .step = gathering.step}, gather,
                      &gathering);
    book(world, &gathering.holding, -1, -ahead_now(world));
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        scree_world_grains(world)[i].flags |= SCREE_FLAG_OPENED;
    world->opened = true;
}

// A side of a contact that goes: its force is another from now on.
static void disturb(struct scree_world *world, const struct scree_grain *grain)
{
    scree_world_outdate_one(world, (scree_slot){grain->owner});
}

static void open_pairs(struct scree_world *world, uint32_t slot, const struct scree_looker *looker,
                       struct holding *holding)
{
    const struct scree_contacts *contacts = &world->contacts;
    const size_t inside = contacts->inside[slot / SCREE_CONTACTS_TILE];
    struct scree_look look;
    for (uint32_t k = contacts->row_first[slot]; k < contacts->row_first[slot + 1]; ++k) {
        const uint32_t entry = contacts->row[k];
        const size_t candidate = (entry >> 1 & 1 ? inside : 0) + (entry >> 2);
        const struct scree_pair pair = contacts->pair[candidate];
        const struct scree_grain *other = scree_look_grain(world, entry & 1 ? pair.low : pair.high);
        if (is_open(other) || !scree_look_contact(looker, candidate, &look))
            continue;
        add(holding, &look, looker->step);
        disturb(world, other);
    }
}

static void open_walls(const struct scree_world *world, uint32_t slot, const struct scree_looker *looker,
                       struct holding *holding)
{
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    const size_t tile = slot / SCREE_CONTACTS_TILE;
    struct scree_look look;
    for (size_t c = walls->first[tile]; c < walls->first[tile + 1]; ++c)
        if (walls->pair[c].low == slot && scree_look_wall_contact(looker, c, &look))
            add(holding, &look, looker->step);
}

static void open(struct scree_world *world, scree_slot slot)
{
    const struct scree_contacts *contacts = &world->contacts;
    struct scree_grain *grain = &scree_world_grains(world)[slot.index];
    if (is_open(grain))
        return;
    // bodies have changed slots since contacts were searched: all at once, so that none has to be sought
    if (slot.index >= contacts->grains || contacts->id[slot.index] != scree_world_ids(world)[slot.index]) {
        open_all(world);
        return;
    }
    struct scree_look_pairs pairs = {0};
    struct holding holding = {0};
    const struct scree_looker looker = {
        .world = world, .pairs = &pairs, .step = scree_world_clock(world)->step};
    open_pairs(world, slot.index, &looker, &holding);
    open_walls(world, slot.index, &looker, &holding);
    book(world, &holding, -1, -ahead_now(world));
    grain->flags |= SCREE_FLAG_OPENED;
    world->opened = true;
}

// What is ahead of the contacts of a wall changes with its motion. Inside a step the forces of the moment
// were made with the old motion: they work along the new one, and a dashpot takes the mean of both.
static void steer(struct scree_world *world, size_t wall, const double *velocity, const double *spin)
{
    const struct scree_wall_contacts *walls = &world->contacts.walls;
    struct scree_look_pairs pairs = {0};
    struct holding before = {0}, after = {0};
    const struct scree_looker looker = {
        .world = world, .pairs = &pairs, .step = scree_world_clock(world)->step};
    const struct scree_wall *old = scree_wall_row(world, wall);
    struct scree_wall moved = *old;
    memcpy(moved.velocity, velocity, sizeof moved.velocity);
    memcpy(moved.spin, spin, sizeof moved.spin);
    for (size_t c = 0; c < walls->count && ahead_now(world) > 0; ++c) {
        struct scree_look was, is;
        const struct scree_grain *grain = scree_look_grain(world, walls->pair[c].low);
        if (scree_look_wall_of(world, c) != old || is_open(grain) ||
            !scree_look_wall_contact(&looker, c, &was) ||
            !scree_look_wall(&looker, grain, &moved, walls->pair[c].high & 7,
                             walls->stride > 0 ? walls->history + c * walls->stride : NULL, walls->stride,
                             &is))
            continue;
        if (world->motor) {
            is.dashpot = 0.5 * (was.dashpot + is.dashpot);
            is.feed = scree_look_feed(&moved, &was);
        }
        add(&before, &was, looker.step);
        add(&after, &is, looker.step);
    }
    book(world, &before, 0, -1);
    book(world, &after, 0, 1);
}

void scree_books_close(struct scree_world *world, const struct scree_law_classes *classes, bool stepped)
{
    if (!world->opened)
        return;
    struct gathering gathering = {.step = scree_world_clock(world)->step, .open = true};
    scree_books_visit(&(struct scree_looker){.world = world, .classes = classes, .step = gathering.step},
                      gather, &gathering);
    // a step has booked the half-step before this moment too, in which these contacts were not
    book(world, &gathering.holding, 1, stepped ? -1 : 1);
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        scree_world_grains(world)[i].flags &= ~(uint32_t)SCREE_FLAG_OPENED;
    world->opened = false;
}

void scree_books_change_step(struct scree_world *world, const struct scree_law_classes *classes, double step)
{
    const double last = scree_world_clock(world)->step;
    struct gathering before = {.step = last}, after = {.step = step};
    scree_books_visit(&(struct scree_looker){.world = world, .classes = classes, .step = last}, gather,
                      &before);
    scree_books_visit(&(struct scree_looker){.world = world, .classes = classes, .step = step}, gather,
                      &after);
    book(world, &before.holding, 0, -1);
    book(world, &after.holding, 0, 1);
}

const struct scree_world_books scree_books = {.open = open, .open_all = open_all, .steer = steer};
