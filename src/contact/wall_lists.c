// Searching contacts with walls, see wall_lists.h.
//
// The facets of a mesh are found by its own tree; until then the mesh counts as one feature. The boxes of
// eight facets that are near some neighbouring grains are listed once, and these grains search in them.
//
// Most grains are far from a wall. All points of a box are at least as far from a wall as the centre of the
// box minus half its diagonal. So tiles are tested first, then blocks of near tiles, then grains of near
// blocks, eight at a time.

#include "contact/wall_lists.h"

#include "base/memory.h"
#include "base/sort.h"
#include "contact/mesh_near.h"
#include "contact/wall_frames.h"
#include "shape/nearest.h"
#include "shape/surface.h"
#include "world/wall.h"
#include "world/wall_rough.h"

#include <math.h>
#include <string.h>

enum { BLOCK = 64 }; // grains, one bit each in a word
// neighbouring grains that search in the same boxes of facets, and the largest number of these boxes: with
// more of them, the way down the tree is shorter
enum { GROUP = 8, MOST_LEAVES = 64 };

// A feature of a wall, by the wall's slot; of a mesh all facets.
struct wall_feature {
    uint32_t wall, feature;
};

static const struct scree_wall *wall_of(const struct scree_world *world, struct wall_feature face)
{
    return scree_wall_row(world, face.wall);
}

static bool is_mesh(const struct scree_wall *wall)
{
    return wall->shape == SCREE_WALL_MESH;
}

static size_t searched_features(const struct scree_wall *wall)
{
    return is_mesh(wall) ? 1 : scree_surface_features(wall);
}

// A feature that may be near some grains of a tile.
struct nearby {
    uint64_t grains; // grains of the current block, one bit each
    size_t count;    // number of contacts with the tile; then the next free index in the order
    struct wall_feature face;
};

// Working memory of a thread, for all features of all walls.
struct finder_scratch {
    struct nearby *nearby; // features near the tile
    uint32_t *block;       // indices of those that are near the block
    uint32_t *leaf;        // boxes of facets of a mesh
};

struct finder {
    const struct scree_world *world;
    const struct scree_law_classes *classes;
    const struct scree_exclusions *excluded;
    double margin;
    size_t features;
    struct wall_feature *face; // [features]: by wall, then feature
    size_t *first;             // [tiles + 1]: contacts of tile t are [first[t], first[t + 1])
    struct scree_pair *pair;   // null in the first pass, which counts contacts in first[t + 1]
    uint32_t *feature;         // as in struct scree_wall_contacts
    uint32_t *order;           // likewise
    uint32_t *nearby_of;       // by contact: index of the feature among those near the tile
    int threads;
    struct finder_scratch *scratch;
};

// Bounding box of some grains.
struct extent {
    double lower[3], upper[3];
    double radius; // the largest
};

static uint8_t class_of(const struct scree_law_classes *classes, const struct scree_grain *grain,
                        const struct scree_wall *wall)
{
    // polyhedra have lists of their own
    const bool touches = grain->radius > 0 && !(grain->flags & SCREE_FLAG_SHAPED);
    return touches ? scree_law_class_of(classes, grain->material, wall->material)
                   : (uint8_t)SCREE_CONTACTS_NO_CLASS;
}

static struct extent bound(const struct scree_grain *grain, size_t first, size_t last)
{
    const double infinity = (double)INFINITY;
    struct extent extent = {{infinity, infinity, infinity}, {-infinity, -infinity, -infinity}, 0};
    for (size_t i = first; i < last; ++i) {
        for (int k = 0; k < 3; ++k) {
            const double x = grain[i].position[k];
            extent.lower[k] = x < extent.lower[k] ? x : extent.lower[k];
            extent.upper[k] = x > extent.upper[k] ? x : extent.upper[k];
        }
        extent.radius = grain[i].radius > extent.radius ? grain[i].radius : extent.radius;
    }
    return extent;
}

// Lists the centre of a box, which may contain a single grain, and the images of the centre if grains in the
// box may leave the periodic cell before the next search: walls have no images, so a wrapped grain has new
// contacts. Returns the number of points.
static size_t list_images(const struct scree_cell *cell, const double lower[3], const double upper[3],
                          double margin, double image[27][3])
{
    size_t count = 1;
    for (int k = 0; k < 3; ++k)
        image[0][k] = 0.5 * (lower[k] + upper[k]);
    for (int k = 0; k < 3; ++k) {
        const double period = cell->period[k];
        const size_t before = count;
        for (int side = -1; side <= 1 && period > 0; side += 2) {
            const double left = side > 0 ? lower[k] - cell->lower[k] : cell->lower[k] + period - upper[k];
            for (size_t p = 0; p < before && left <= margin; ++p, ++count) {
                memcpy(image[count], image[p], sizeof image[0]);
                image[count][k] += side * period;
            }
        }
    }
    return count;
}

// The distance from the centre of a box within which a wall must be that is within `range` of a point of the
// box; `half` is half the diagonal of the box.
static double range_of(const struct scree_wall *wall, const double centre[3], double half, double range)
{
    double size = half + range;
    // allow for the round-off of distances
    for (int k = 0; k < 3; ++k)
        size += 1e-12 * fabs(centre[k] - wall->reference[k]);
    return size * (1 + 1e-9);
}

// Returns true if no point of a box is within `range` of a wall; `half` is half the diagonal of the box.
// Returns false if a distance is not finite.
static bool is_far(const struct scree_wall *wall, uint32_t feature, const double point[3], double half,
                   double range)
{
    struct scree_surface_touch touch;
    const double size = range_of(wall, point, half, range);
    if (is_mesh(wall)) {
        struct scree_surface_query query;
        unsigned facet;
        scree_surface_query_begin(&query, wall, point, size);
        return isfinite(size) && !scree_surface_query_next(&query, &facet);
    }
    scree_surface_touch(wall, feature, point, &touch);
    return touch.gap > size;
}

// Returns true if a box, or one of its images, is near a feature.
static bool is_near(const struct finder *finder, const struct extent *extent, struct wall_feature face,
                    double (*image)[3], size_t images)
{
    const struct scree_wall *wall = scree_wall_row(finder->world, face.wall);
    double square = 0;
    for (int k = 0; k < 3; ++k)
        square += (extent->upper[k] - extent->lower[k]) * (extent->upper[k] - extent->lower[k]);
    for (size_t p = 0; p < images; ++p)
        if (!is_far(wall, face.feature, image[p], 0.5 * sqrt(square), extent->radius + finder->margin))
            return true;
    return false;
}

// Tests grains near periodic faces one by one: each has its own images.
static uint64_t grains_at_faces(const struct finder *finder, struct wall_feature face, size_t first,
                                size_t last)
{
    const struct scree_wall *wall = scree_wall_row(finder->world, face.wall);
    uint64_t grains = 0;
    for (size_t i = first; i < last; ++i) {
        const struct scree_grain *grain = &scree_world_grains(finder->world)[i];
        double image[27][3];
        const size_t images = list_images(scree_world_cell(finder->world), grain->position, grain->position,
                                          finder->margin, image);
        bool is_near = false;
        for (size_t p = 0; p < images && !is_near; ++p)
            is_near = scree_surface_within(wall, face.feature, image[p], grain->radius + finder->margin);
        grains |= (uint64_t)is_near << (i - first);
    }
    return grains;
}

static uint64_t grains_in_block(const struct finder *finder, struct wall_feature face, size_t first,
                                size_t last)
{
    uint32_t slot[BLOCK];
    uint8_t bits[BLOCK / 8];
    const size_t count = last - first, groups = (count + 7) / 8;
    for (size_t k = 0; k < 8 * groups; ++k)
        slot[k] = (uint32_t)(k < count ? first + k : last - 1);
    const struct scree_wall_frames_job job = {.wall = scree_wall_row(finder->world, face.wall),
                                              .feature = face.feature,
                                              .grain = scree_world_grains(finder->world),
                                              .slot = slot,
                                              .count = 8 * groups};
    scree_wall_frames_filter(&job, finder->margin, bits);
    uint64_t grains = 0;
    for (size_t b = 0; b < groups; ++b)
        grains |= (uint64_t)bits[b] << 8 * b;
    return count < BLOCK ? grains & ((UINT64_C(1) << count) - 1) : grains;
}

// Removes grains that do not interact with the wall, or are excluded by bonds.
static uint64_t remove_non_interacting(const struct finder *finder, struct wall_feature face, size_t first,
                                       uint64_t grains)
{
    const struct scree_wall *wall = scree_wall_row(finder->world, face.wall);
    const uint64_t partner = scree_exclusions_wall(face.wall, face.feature);
    for (uint64_t left = grains; left; left &= left - 1) {
        const int l = __builtin_ctzll(left);
        const struct scree_grain *grain = &scree_world_grains(finder->world)[first + (size_t)l];
        if (class_of(finder->classes, grain, wall) == SCREE_CONTACTS_NO_CLASS ||
            scree_exclusions_contain(finder->excluded, (uint32_t)first + (uint32_t)l, partner))
            grains &= ~(UINT64_C(1) << l);
    }
    return grains;
}

// Lists the boxes of facets that are near some grains, away from periodic faces. Returns their number.
static size_t list_leaves(const struct finder *finder, const struct scree_wall *wall, size_t first,
                          size_t last, uint32_t *leaf)
{
    const struct extent extent = bound(scree_world_grains(finder->world), first, last);
    double square = 0, centre[3];
    for (int k = 0; k < 3; ++k) {
        centre[k] = 0.5 * (extent.lower[k] + extent.upper[k]);
        square += (extent.upper[k] - extent.lower[k]) * (extent.upper[k] - extent.lower[k]);
    }
    return scree_mesh_find_leaves(wall->surface, scree_nearest_to_local(wall, scree_vec3_load(centre)),
                                  range_of(wall, centre, 0.5 * sqrt(square), extent.radius + finder->margin),
                                  leaf);
}

// Facets near a grain, each once: those that more than one image of the grain is near to are taken for the
// first of the images. Counts them, or writes them in ascending order if `facet` is not null.
static size_t find_facets(const struct finder *finder, uint32_t wall_slot, uint32_t slot, uint32_t *facet)
{
    const struct scree_wall *wall = scree_wall_row(finder->world, wall_slot);
    const struct scree_grain *grain = &scree_world_grains(finder->world)[slot];
    const double range = grain->radius + finder->margin;
    double image[27][3];
    const size_t images =
        list_images(scree_world_cell(finder->world), grain->position, grain->position, finder->margin, image);
    size_t count = 0;
    if (scree_exclusions_contain(finder->excluded, slot, scree_exclusions_wall(wall_slot, 0)))
        return 0;
    for (size_t p = 0; p < images; ++p) {
        struct scree_surface_query query;
        unsigned f;
        scree_surface_query_begin(&query, wall, image[p], range);
        while (scree_surface_query_next(&query, &f)) {
            bool known = false;
            for (size_t q = 0; q < p && !known; ++q)
                known = scree_surface_within(wall, f, image[q], query.mesh.range);
            if (known)
                continue;
            if (facet)
                facet[count] = f;
            ++count;
        }
    }
    if (facet)
        scree_mesh_near_sort(facet, count);
    return count;
}

// The grains of a block that are near a mesh; adds up their facets in nearby->count.
static uint64_t grains_near_mesh(const struct finder *finder, const struct finder_scratch *scratch,
                                 struct nearby *nearby, size_t first, size_t last, bool at_faces)
{
    const struct scree_wall *wall = wall_of(finder->world, nearby->face);
    uint64_t grains = 0;
    size_t leaves = 0;
    for (size_t i = first; i < last; ++i) {
        const struct scree_grain *grain = &scree_world_grains(finder->world)[i];
        if (!at_faces && (i - first) % GROUP == 0)
            leaves = list_leaves(finder, wall, i, i + GROUP < last ? i + GROUP : last, scratch->leaf);
        if ((!at_faces && leaves == 0) || class_of(finder->classes, grain, wall) == SCREE_CONTACTS_NO_CLASS)
            continue;
        size_t facets = 0;
        if (at_faces || leaves > MOST_LEAVES)
            facets = find_facets(finder, nearby->face.wall, (uint32_t)i, NULL);
        else if (!scree_exclusions_contain(finder->excluded, (uint32_t)i,
                                           scree_exclusions_wall(nearby->face.wall, 0)))
            facets =
                scree_mesh_near_count(wall, scratch->leaf, leaves, grain, grain->radius + finder->margin);
        grains |= (uint64_t)(facets > 0) << (i - first);
        nearby->count += facets;
    }
    return grains;
}

// Finds which of the `count` features near a tile are near a block; returns their number.
static size_t find_block(const struct finder *finder, struct finder_scratch *scratch, size_t count,
                         size_t first, size_t last)
{
    const struct extent extent = bound(scree_world_grains(finder->world), first, last);
    double image[27][3];
    const size_t images =
        list_images(scree_world_cell(finder->world), extent.lower, extent.upper, finder->margin, image);
    size_t count_near = 0;
    for (size_t f = 0; f < count; ++f) {
        struct nearby *nearby = &scratch->nearby[f];
        if (!is_near(finder, &extent, nearby->face, image, images))
            continue;
        if (is_mesh(wall_of(finder->world, nearby->face))) {
            nearby->grains = grains_near_mesh(finder, scratch, nearby, first, last, images > 1);
        } else {
            const uint64_t bits = images > 1 ? grains_at_faces(finder, nearby->face, first, last)
                                             : grains_in_block(finder, nearby->face, first, last);
            nearby->grains = remove_non_interacting(finder, nearby->face, first, bits);
            nearby->count += (size_t)__builtin_popcountll(nearby->grains);
        }
        scratch->block[count_near] = (uint32_t)f;
        count_near += nearby->grains != 0;
    }
    return count_near;
}

// Writes the contacts of a block by grain, then wall and feature. Returns the end of its contacts.
static size_t write_block(const struct finder *finder, const struct finder_scratch *scratch,
                          size_t count_near, size_t first, size_t at)
{
    uint64_t any = 0;
    for (size_t n = 0; n < count_near; ++n)
        any |= scratch->nearby[scratch->block[n]].grains;
    for (; any; any &= any - 1) {
        const int l = __builtin_ctzll(any);
        for (size_t n = 0; n < count_near; ++n) {
            const struct nearby *nearby = &scratch->nearby[scratch->block[n]];
            if (!(nearby->grains >> l & 1))
                continue;
            const uint32_t slot = (uint32_t)(first + (size_t)l);
            size_t count = 1;
            finder->feature[at] = nearby->face.feature;
            if (is_mesh(wall_of(finder->world, nearby->face)))
                count = find_facets(finder, nearby->face.wall, slot, &finder->feature[at]);
            for (; count > 0; --count, ++at) {
                finder->pair[at] = (struct scree_pair){slot, nearby->face.wall};
                finder->nearby_of[at] = scratch->block[n];
            }
        }
    }
    return at;
}

// Orders the contacts of a tile by wall and feature, then by grain.
static void order_tile(const struct finder *finder, struct nearby *nearby, size_t count, size_t tile)
{
    size_t at = finder->first[tile];
    for (size_t f = 0; f < count; ++f) {
        const size_t number = nearby[f].count;
        nearby[f].count = at;
        at += number;
    }
    for (size_t k = finder->first[tile]; k < finder->first[tile + 1]; ++k)
        finder->order[nearby[finder->nearby_of[k]].count++] = (uint32_t)(k - finder->first[tile]);
}

static void find_tile(struct finder *finder, struct finder_scratch *scratch, size_t tile)
{
    const size_t grains = finder->world->contacts.grains, first = tile * SCREE_CONTACTS_TILE;
    const size_t last = first + SCREE_CONTACTS_TILE < grains ? first + SCREE_CONTACTS_TILE : grains;
    if (finder->pair && finder->first[tile] == finder->first[tile + 1])
        return;
    const struct extent extent = bound(scree_world_grains(finder->world), first, last);
    double image[27][3];
    const size_t images =
        list_images(scree_world_cell(finder->world), extent.lower, extent.upper, finder->margin, image);
    size_t count = 0, at = finder->pair ? finder->first[tile] : 0;
    for (size_t f = 0; f < finder->features; ++f)
        if (is_near(finder, &extent, finder->face[f], image, images))
            scratch->nearby[count++] = (struct nearby){.face = finder->face[f]};
    for (size_t from = first; from < last && count > 0; from += BLOCK) {
        const size_t count_near =
            find_block(finder, scratch, count, from, from + BLOCK < last ? from + BLOCK : last);
        if (finder->pair)
            at = write_block(finder, scratch, count_near, from, at);
    }
    if (finder->pair)
        order_tile(finder, scratch->nearby, count, tile);
    for (size_t f = 0; f < count && !finder->pair; ++f)
        finder->first[tile + 1] += scratch->nearby[f].count;
}

static void find_tiles(void *context, size_t first, size_t last, int thread)
{
    struct finder *finder = (struct finder *)context;
    for (size_t tile = first; tile < last; ++tile)
        find_tile(finder, &finder->scratch[thread], tile);
}

static scree_status allocate_finder(struct finder *finder, size_t tiles, const struct scree_team *team)
{
    const size_t walls = scree_wall_rows(finder->world);
    size_t leaves = 0;
    for (size_t w = 0; w < walls; ++w) {
        const struct scree_wall *wall = scree_wall_row(finder->world, w);
        finder->features += searched_features(wall);
        if (is_mesh(wall) && scree_mesh_leaves(wall->surface) > leaves)
            leaves = scree_mesh_leaves(wall->surface);
    }
    SCREE_TRY(scree_memory_new(tiles + 1, sizeof *finder->first, (void **)&finder->first));
    SCREE_TRY(scree_memory_new(finder->features, sizeof *finder->face, (void **)&finder->face));
    const size_t threads = (size_t)scree_team_size(team);
    SCREE_TRY(scree_memory_new(threads, sizeof *finder->scratch, (void **)&finder->scratch));
    finder->threads = (int)threads;
    for (size_t t = 0; t < threads; ++t) {
        struct finder_scratch *scratch = &finder->scratch[t];
        SCREE_TRY(scree_memory_new(finder->features, sizeof *scratch->nearby, (void **)&scratch->nearby));
        SCREE_TRY(scree_memory_new(finder->features, sizeof *scratch->block, (void **)&scratch->block));
        SCREE_TRY(scree_memory_new(leaves, sizeof *scratch->leaf, (void **)&scratch->leaf));
    }
    size_t f = 0;
    for (size_t w = 0; w < walls; ++w)
        for (uint32_t n = 0; n < searched_features(scree_wall_row(finder->world, w)); ++n)
            finder->face[f++] = (struct wall_feature){(uint32_t)w, n};
    return SCREE_OK;
}

// Finds all pairs, their order, and the first contact of each tile.
static scree_status find(struct finder *finder, size_t tiles, const struct scree_team *team)
{
    SCREE_TRY(allocate_finder(finder, tiles, team));
    if (finder->features > 0)
        scree_team_run(team, tiles, 1, find_tiles, finder);
    for (size_t t = 0; t < tiles; ++t)
        finder->first[t + 1] += finder->first[t];
    const size_t count = finder->first[tiles];
    SCREE_TRY(scree_memory_new(count, sizeof *finder->nearby_of, (void **)&finder->nearby_of));
    SCREE_TRY(scree_memory_new(count, sizeof *finder->order, (void **)&finder->order));
    SCREE_TRY(scree_memory_new(count, sizeof *finder->feature, (void **)&finder->feature));
    SCREE_TRY(scree_memory_new(count, sizeof *finder->pair, (void **)&finder->pair));
    if (count > 0)
        scree_team_run(team, tiles, 1, find_tiles, finder);
    return SCREE_OK;
}

static void free_finder(struct finder *finder)
{
    for (int t = 0; t < finder->threads; ++t) {
        scree_memory_free(finder->scratch[t].nearby);
        scree_memory_free(finder->scratch[t].block);
        scree_memory_free(finder->scratch[t].leaf);
    }
    void *const blocks[] = {finder->face,  finder->first,     finder->pair,   finder->feature,
                            finder->order, finder->nearby_of, finder->scratch};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
}

// Order of the old contacts by current slots of their grains; null if they are sorted.
static scree_status order_old(const struct scree_wall_contacts *old, uint32_t **order)
{
    uint64_t *slot;
    bool sorted = true;
    for (size_t k = 1; k < old->count; ++k)
        sorted = sorted && old->pair[k - 1].low <= old->pair[k].low;
    *order = NULL;
    if (sorted)
        return SCREE_OK;
    SCREE_TRY(scree_memory_new(old->count, sizeof *slot, (void **)&slot));
    for (size_t k = 0; k < old->count; ++k)
        slot[k] = old->pair[k].low;
    scree_status status = scree_memory_new(old->count, sizeof **order, (void **)order);
    if (status == SCREE_OK)
        status = scree_sort_order(slot, old->count, *order);
    scree_memory_free(slot);
    return status;
}

// Finds an old contact that was live by its key; contacts of the grain begin at `*at` or later.
static size_t find_old(const struct scree_contacts *contacts, const uint32_t *order, uint32_t slot,
                       const struct scree_contact_key *key, size_t *at)
{
    const struct scree_wall_contacts *old = &contacts->walls;
#define SORTED(n) (order ? order[n] : (n))
    while (*at < old->count && old->pair[SORTED(*at)].low < slot)
        ++*at;
    for (size_t n = *at; n < old->count && old->pair[SORTED(n)].low == slot; ++n) {
        if (!old->live[SORTED(n)])
            continue;
        const struct scree_contact_key old_key = scree_contacts_wall_key(contacts, SORTED(n));
        if (scree_contact_key_compare(&old_key, key) == 0)
            return SORTED(n);
    }
#undef SORTED
    return SIZE_MAX;
}

static scree_status allocate(struct scree_wall_contacts *walls, const struct scree_law_classes *classes,
                             size_t stride, bool rough)
{
    walls->layouts = classes->count;
    SCREE_TRY(scree_memory_new(walls->layouts, sizeof *walls->layout, (void **)&walls->layout));
    if (classes->count > 0)
        memcpy(walls->layout, classes->layout, classes->count * sizeof *walls->layout);
    SCREE_TRY(scree_memory_new(walls->slots, sizeof *walls->id, (void **)&walls->id));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->class_of, (void **)&walls->class_of));
    SCREE_TRY(scree_memory_new(walls->count, sizeof *walls->live, (void **)&walls->live));
    SCREE_TRY(scree_memory_new(3 * walls->count, sizeof *walls->force, (void **)&walls->force));
    SCREE_TRY(scree_memory_new(walls->count * stride, sizeof(double), (void **)&walls->history));
    return rough
               ? scree_memory_new(SCREE_CONTACTS_ROUGH * walls->count, sizeof(double), (void **)&walls->rough)
               : SCREE_OK;
}

static void free_lists(struct scree_wall_contacts *walls)
{
    void *const blocks[] = {walls->first,   walls->pair,     walls->feature, walls->order,
                            walls->id,      walls->class_of, walls->live,    walls->layout,
                            walls->history, walls->force,    walls->rough};
    for (size_t b = 0; b < sizeof blocks / sizeof blocks[0]; ++b)
        scree_memory_free(blocks[b]);
}

// Sets ids and classes of the new contacts, and copies state and history of the old ones, as far as they
// belong to the current law.
static void copy_old(const struct scree_world *world, const struct scree_law_classes *classes,
                     const uint32_t *order, size_t stride, struct scree_wall_contacts *walls)
{
    const struct scree_wall_contacts *old = &world->contacts.walls;
    const size_t common_stride = old->stride < stride ? old->stride : stride;
    size_t at = 0;
    if (walls->slots > 0)
        memcpy(walls->id, scree_entity_ids(scree_world_entity(world, SCREE_ENTITY_WALL)),
               walls->slots * sizeof *walls->id);
    for (size_t k = 0; k < walls->count; ++k) {
        const struct scree_pair pair = walls->pair[k];
        walls->class_of[k] =
            class_of(classes, &scree_world_grains(world)[pair.low], scree_wall_row(world, pair.high));
        const struct scree_contact_key key = {.low = world->contacts.id[pair.low],
                                              .high = walls->id[pair.high],
                                              .low_part = scree_contacts_part(&world->contacts, pair.low),
                                              .feature = walls->feature[k],
                                              .kind = SCREE_CONTACT_OF_WALL};
        const size_t old_contact = find_old(&world->contacts, order, pair.low, &key, &at);
        if (old_contact == SIZE_MAX)
            continue;
        walls->live[k] = 1;
        memcpy(&walls->force[3 * k], &old->force[3 * old_contact], 3 * sizeof *walls->force);
        const size_t valid = scree_contacts_valid_history(&old->layout[old->class_of[old_contact]],
                                                          &walls->layout[walls->class_of[k]], common_stride);
        if (walls->rough && old->rough)
            memcpy(scree_contacts_rough(walls, k), scree_contacts_rough(old, old_contact),
                   SCREE_CONTACTS_ROUGH * sizeof(double));
        if (valid > 0)
            memcpy(&walls->history[k * stride], &old->history[old_contact * old->stride],
                   valid * sizeof(double));
    }
}

scree_status scree_wall_lists_build(struct scree_world *world, const struct scree_law_classes *classes,
                                    size_t stride, const struct scree_exclusions *excluded, double margin,
                                    const struct scree_team *team)
{
    struct scree_contacts *contacts = &world->contacts;
    struct finder finder = {.world = world, .classes = classes, .excluded = excluded, .margin = margin};
    struct scree_wall_contacts walls = {.stride = stride, .slots = scree_wall_rows(world)};
    uint32_t *order = NULL;
    scree_status status = find(&finder, contacts->tiles, team);
    if (status == SCREE_OK)
        status = order_old(&contacts->walls, &order);
    if (status == SCREE_OK) {
        walls.count = finder.first[contacts->tiles];
        status = allocate(&walls, classes, stride, scree_wall_rough_any(world));
    }
    if (status == SCREE_OK) {
        walls.first = finder.first;
        walls.pair = finder.pair;
        walls.feature = finder.feature;
        walls.order = finder.order;
        finder.first = NULL;
        finder.pair = NULL;
        finder.feature = finder.order = NULL;
        copy_old(world, classes, order, stride, &walls);
        free_lists(&contacts->walls);
        contacts->walls = walls;
    } else {
        free_lists(&walls);
    }
    scree_memory_free(order);
    free_finder(&finder);
    return status;
}
