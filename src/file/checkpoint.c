// Checkpoints of worlds, see checkpoint.h: the parts of the file, its checksum, and the facts about it.

#include "file/checkpoint.h"

#include "base/memory.h"
#include "contact/interaction.h"
#include "file/atomic.h"
#include "file/checkpoint_rows.h"
#include "file/checksum.h"
#include "world/store.h"

#include <scree/body.h>
#include <scree/checkpoint.h>
#include <scree/contact.h>
#include <scree/field.h>
#include <scree/version.h>
#include <scree/wall.h>
#include <scree/world.h>

#include <stdio.h>
#include <string.h>

// version 1 had no quanta in the force sums, version 2 no lists of candidate pairs, and version 3 was written
// by the HDF5 library, in another layout
static const struct scree_checksum_kind kind = {
    "checkpoint", 4,
    "an older version of Scree, in a format that this version does not read (format 3 is another layout of "
    "HDF5; format 2 also has less contact data; in format 1 forces were summed in a fixed order): finish the "
    "run with that version, or start a new run from its last frame, converted to CSV by that version (scree "
    "convert)"};

// --- writing

scree_status scree_checkpoint_begin(struct scree_hdf *hdf)
{
    return scree_hdf_create(hdf, SCREE_CHECKSUM_HEADER);
}

static scree_status put_facts(struct scree_hdf *hdf, const struct scree_world *world)
{
    struct scree_version_facts version;
    struct scree_digest digest;
    scree_version_get(&version);
    SCREE_TRY(scree_world_digest(world, &digest));
    const uint64_t numbers[5] = {scree_world_steps(world), (uint64_t)scree_world_dimension(world),
                                 scree_body_count(world), scree_wall_count(world),
                                 scree_contact_count(world)};
    const uint64_t halves[2] = {digest.low, digest.high};
    const double time = scree_world_time(world);
    SCREE_TRY(scree_hdf_set_text(hdf, "/", "scree", version.version));
    SCREE_TRY(scree_hdf_set_text(hdf, "/", "engine", world->engine ? world->engine : ""));
    SCREE_TRY(scree_hdf_set(hdf, "/", "steps, dimension, bodies, walls, contacts", SCREE_U64, 5, numbers));
    SCREE_TRY(scree_hdf_set(hdf, "/", "digest", SCREE_U64, 2, halves));
    return scree_hdf_set(hdf, "/", "time", SCREE_F64, 1, &time);
}

// Constant loads are stored completely; of loads given by a function only that they exist.
static scree_status put_loads(struct scree_hdf *hdf, const struct scree_world *world)
{
    const size_t count = world->loads.count;
    uint64_t *ids;
    double *values = NULL;
    SCREE_TRY(scree_hdf_group(hdf, "/loads"));
    SCREE_TRY(scree_hdf_set(hdf, "/loads", "last", SCREE_U64, 1, &world->last_load));
    SCREE_TRY(scree_memory_new(count, 3 * sizeof *ids, (void **)&ids));
    scree_status status = scree_memory_new(count, 6 * sizeof *values, (void **)&values);
    for (size_t l = 0; l < count && status == SCREE_OK; ++l) {
        const struct scree_load *load = &world->loads.data[l];
        ids[3 * l] = load->id.value;
        ids[3 * l + 1] = load->def.body.value;
        ids[3 * l + 2] = load->def.function != NULL || load->missing;
        memcpy(&values[6 * l], load->def.force, sizeof load->def.force);
        memcpy(&values[6 * l + 3], load->def.moment, sizeof load->def.moment);
    }
    if (status == SCREE_OK)
        status = scree_hdf_write(hdf, "/loads/ids", &(struct scree_hdf_shape){SCREE_U64, count, 3}, ids, 0);
    if (status == SCREE_OK)
        status =
            scree_hdf_write(hdf, "/loads/values", &(struct scree_hdf_shape){SCREE_F64, count, 6}, values, 0);
    scree_memory_free(values);
    scree_memory_free(ids);
    return status;
}

scree_status scree_checkpoint_put(struct scree_hdf *hdf, const struct scree_world *world)
{
    SCREE_TRY(put_facts(hdf, world));
    SCREE_TRY(put_loads(hdf, world));
    SCREE_TRY(scree_checkpoint_rows_put(hdf, world));
    return scree_checkpoint_contacts_put(hdf, world);
}

void scree_checkpoint_checksum(void *image, size_t size)
{
    scree_checksum_write(&kind, image, size);
}

scree_status scree_checkpoint_write(struct scree_world *world, const char *path)
{
    struct scree_hdf hdf;
    struct scree_atomic_piece piece = {0};
    void *image = NULL;
    if (world->stepping)
        return scree_status_fail(SCREE_ERROR_STATE, "a checkpoint is written between steps, not inside one");
    SCREE_TRY(scree_field_commit(world));
    SCREE_TRY(scree_checkpoint_begin(&hdf));
    scree_status status = scree_checkpoint_put(&hdf, world);
    if (status == SCREE_OK)
        status = scree_hdf_finish(&hdf, &image, &piece.size);
    else
        scree_hdf_close(&hdf);
    piece.data = image;
    if (status == SCREE_OK)
        scree_checkpoint_checksum(image, piece.size);
    if (status == SCREE_OK)
        status = scree_atomic_write(path, NULL, &piece, 1, true);
    scree_memory_free(image);
    return status;
}

// --- reading

scree_status scree_checkpoint_open(struct scree_checkpoint *checkpoint, const char *path)
{
    size_t size;
    *checkpoint = (struct scree_checkpoint){0};
    SCREE_TRY(scree_atomic_read(path, SIZE_MAX / 2, &checkpoint->image, &size));
    scree_status status = scree_checksum_check(&kind, path, checkpoint->image, size);
    if (status == SCREE_OK)
        status = scree_hdf_open(&checkpoint->hdf, checkpoint->image, size);
    if (status != SCREE_OK)
        scree_checkpoint_close(checkpoint);
    return status;
}

void scree_checkpoint_close(struct scree_checkpoint *checkpoint)
{
    scree_hdf_close(&checkpoint->hdf);
    scree_memory_free(checkpoint->image);
    *checkpoint = (struct scree_checkpoint){0};
}

static scree_status get_facts(struct scree_checkpoint *checkpoint, struct scree_checkpoint_facts *facts)
{
    uint64_t numbers[5], halves[2];
    struct scree_hdf *hdf = &checkpoint->hdf;
    *facts = (struct scree_checkpoint_facts){0};
    SCREE_TRY(scree_hdf_get_text(hdf, "/", "scree", facts->version, sizeof facts->version));
    // files of older versions do not have it
    if (scree_hdf_get_text(hdf, "/", "engine", facts->engine, sizeof facts->engine) != SCREE_OK) {
        facts->engine[0] = 0;
        scree_status_clear();
    }
    SCREE_TRY(scree_hdf_get(hdf, "/", "steps, dimension, bodies, walls, contacts", SCREE_U64, 5, numbers));
    SCREE_TRY(scree_hdf_get(hdf, "/", "digest", SCREE_U64, 2, halves));
    SCREE_TRY(scree_hdf_get(hdf, "/", "time", SCREE_F64, 1, &facts->time));
    facts->steps = numbers[0];
    facts->dimension = (int)numbers[1];
    facts->bodies = numbers[2];
    facts->walls = numbers[3];
    facts->contacts = numbers[4];
    facts->digest = (struct scree_digest){halves[0], halves[1]};
    if (scree_hdf_has(hdf, "/run"))
        SCREE_TRY(scree_hdf_get_text(hdf, "/run", "title", facts->title, sizeof facts->title));
    return SCREE_OK;
}

static scree_status get_loads(struct scree_hdf *hdf, struct scree_world *world)
{
    struct scree_hdf_shape shape;
    uint64_t *ids = NULL;
    double *values = NULL;
    SCREE_TRY(scree_hdf_get(hdf, "/loads", "last", SCREE_U64, 1, &world->last_load));
    SCREE_TRY(scree_hdf_find(hdf, "/loads/ids", &shape));
    SCREE_TRY(scree_memory_new(shape.rows, 3 * sizeof *ids, (void **)&ids));
    scree_status status = scree_memory_new(shape.rows, 6 * sizeof *values, (void **)&values);
    if (status == SCREE_OK)
        status = scree_hdf_read(hdf, "/loads/ids", &(struct scree_hdf_shape){SCREE_U64, shape.rows, 3}, ids);
    if (status == SCREE_OK)
        status =
            scree_hdf_read(hdf, "/loads/values", &(struct scree_hdf_shape){SCREE_F64, shape.rows, 6}, values);
    for (size_t l = 0; l < shape.rows && status == SCREE_OK; ++l) {
        struct scree_load load = {{ids[3 * l]}, {.body = {ids[3 * l + 1]}}, ids[3 * l + 2] != 0};
        memcpy(load.def.force, &values[6 * l], sizeof load.def.force);
        memcpy(load.def.moment, &values[6 * l + 3], sizeof load.def.moment);
        status = scree_array_push(&world->loads, load);
    }
    scree_memory_free(values);
    scree_memory_free(ids);
    return status;
}

scree_status scree_checkpoint_get(struct scree_checkpoint *checkpoint, struct scree_world *world)
{
    struct scree_checkpoint_facts facts;
    struct scree_digest digest;
    if (scree_body_count(world) > 0 || scree_wall_count(world) > 0 || world->engine)
        return scree_status_fail(
            SCREE_ERROR_STATE,
            "a checkpoint can only be read into an empty world; this one has %zu bodies, %zu walls and %s",
            scree_body_count(world), scree_wall_count(world), world->engine ? "an engine" : "no engine");
    SCREE_TRY(get_facts(checkpoint, &facts));
    SCREE_TRY(get_loads(&checkpoint->hdf, world));
    SCREE_TRY(scree_checkpoint_rows_get(&checkpoint->hdf, world));
    SCREE_TRY(scree_interaction_restore(world));
    SCREE_TRY(scree_checkpoint_contacts_get(&checkpoint->hdf, world));
    SCREE_TRY(scree_store_finish(world));
    SCREE_TRY(scree_world_digest(world, &digest));
    if (digest.low != facts.digest.low || digest.high != facts.digest.high)
        return scree_status_fail(SCREE_ERROR_NUMBER,
                                 "the state read from the checkpoint does not have the digest stored in it");
    return SCREE_OK;
}

scree_status scree_checkpoint_read(struct scree_world *world, const char *path)
{
    struct scree_checkpoint checkpoint;
    SCREE_TRY(scree_checkpoint_open(&checkpoint, path));
    const scree_status status = scree_checkpoint_get(&checkpoint, world);
    scree_checkpoint_close(&checkpoint);
    return status;
}

scree_status scree_checkpoint_info(const char *path, struct scree_checkpoint_facts *facts)
{
    struct scree_checkpoint checkpoint;
    SCREE_TRY(scree_checkpoint_open(&checkpoint, path));
    const scree_status status = get_facts(&checkpoint, facts);
    scree_checkpoint_close(&checkpoint);
    return status;
}
