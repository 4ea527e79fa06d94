// Bodies of a checkpoint, see former.h.

#include "io/former.h"

#include "world/grain.h"

#include <scree/scree.h>

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

bool scree_former_is(const char *path)
{
    static const char head[] = "Scree checkpoint ";
    char begins[sizeof head] = "";
    const int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    if (file < 0)
        return false;
    const ssize_t size = read(file, begins, sizeof head - 1);
    close(file);
    return size == (ssize_t)(sizeof head - 1) && strcmp(begins, head) == 0;
}

static scree_status add_row(const struct scree_world *world, scree_body_id id,
                            struct scree_format_table *table)
{
    struct scree_body_state body;
    SCREE_TRY(scree_body_get(world, id, &body));
    if (!(body.radius > 0))
        return scree_status_fail(
            SCREE_ERROR_UNSUPPORTED,
            "body %llu of the checkpoint is not round: only `scree restart` brings it back",
            (unsigned long long)id.value);
    SCREE_TRY(scree_format_add(table));
    const size_t row = table->count - 1;
    const char *material = scree_material_name(world, body.material);
    SCREE_TRY(scree_format_type(table, material, strlen(material), &table->type[row]));
    table->id[row] = id.value;
    table->line[row] = 1;
    table->number[SCREE_FORMAT_RADIUS][row] = body.radius;
    table->number[SCREE_FORMAT_MASS][row] = body.mass;
    for (int k = 0; k < 3; ++k) {
        table->number[SCREE_FORMAT_X + k][row] = body.position[k];
        table->number[SCREE_FORMAT_VELOCITY_X + k][row] = body.velocity[k];
        table->number[SCREE_FORMAT_SPIN_X + k][row] = body.spin[k];
    }
    return SCREE_OK;
}

static scree_status fill_table(const struct scree_world *world, struct scree_format_table *table)
{
    static const enum scree_format_column columns[] = {
        SCREE_FORMAT_X,      SCREE_FORMAT_Y,          SCREE_FORMAT_Z,          SCREE_FORMAT_RADIUS,
        SCREE_FORMAT_MASS,   SCREE_FORMAT_VELOCITY_X, SCREE_FORMAT_VELOCITY_Y, SCREE_FORMAT_VELOCITY_Z,
        SCREE_FORMAT_SPIN_X, SCREE_FORMAT_SPIN_Y,     SCREE_FORMAT_SPIN_Z,     SCREE_FORMAT_ID,
        SCREE_FORMAT_TYPE};
    for (size_t c = 0; c < sizeof columns / sizeof columns[0]; ++c)
        scree_format_declare(table, columns[c]);
    for (size_t slot = 0; slot < scree_world_bodies(world); ++slot)
        SCREE_TRY(add_row(world, (scree_body_id){scree_world_ids(world)[slot]}, table));
    table->dimension = scree_world_dimension(world);
    return SCREE_OK;
}

scree_status scree_former_read(const char *path, struct scree_format_table *table)
{
    struct scree_checkpoint_facts facts;
    struct scree_world *world;
    SCREE_TRY(scree_checkpoint_look(path, &facts));
    const struct scree_world_def def = {.dimension = facts.dimension};
    SCREE_TRY(scree_world_create(&def, &world));
    scree_status status = scree_checkpoint_read(world, path);
    if (status == SCREE_OK)
        status = fill_table(world, table);
    scree_world_destroy(world);
    return status;
}
