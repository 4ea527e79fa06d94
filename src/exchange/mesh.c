// Reading meshes, see scree/mesh_file.h.

#include "base/memory.h"
#include "exchange/mesh_input.h"
#include "math/real.h"

#include <scree/mesh_file.h>

#include <ctype.h>
#include <string.h>

static const struct {
    const char *ending;
    scree_status (*read)(struct scree_mesh_input *input);
} formats[] = {{".stl", scree_mesh_stl_read}, {".obj", scree_mesh_obj_read}};
enum { FORMATS = sizeof formats / sizeof formats[0] };

// Number of the format by the ending of the name.
static size_t format_of(const char *path)
{
    const size_t length = strlen(path);
    for (size_t f = 0; f < FORMATS; ++f) {
        const size_t ending = strlen(formats[f].ending);
        size_t same = 0;
        while (length >= ending && same < ending &&
               tolower((unsigned char)path[length - ending + same]) == formats[f].ending[same])
            ++same;
        if (same == ending)
            return f;
    }
    return FORMATS;
}

bool scree_mesh_is_file(const char *path)
{
    return format_of(path) < FORMATS;
}

// The error of the largest coordinate over it. Programs write texts with six digits or more, and then as many
// for all numbers: so the number of digits shows at what decimal the numbers were rounded. Fewer digits were
// not rounded.
static double precision_of(const struct scree_mesh_input *input)
{
    double precision = 0.5;
    if (input->precision > 0)
        return input->precision;
    for (size_t d = 1; d < input->digits; ++d)
        precision /= 10;
    return input->digits < 6 ? 0x1p-53 : scree_real_max(precision, 0x1p-53);
}

static scree_status fail_with_diagnostics(struct scree_mesh_input *input)
{
    char *text;
    SCREE_TRY(scree_diagnostic_text(&input->diagnostics, &text));
    const scree_status status =
        scree_status_fail(SCREE_ERROR_ARGUMENT, "'%.200s' cannot be read:\n%.700s", input->path, text);
    scree_memory_free(text);
    return status;
}

static scree_status read_input(struct scree_mesh_input *input, size_t format)
{
    SCREE_TRY(scree_lines_open(&input->lines, input->path, input->path, &input->diagnostics));
    SCREE_TRY(formats[format].read(input));
    if (input->diagnostics.all > 0)
        return fail_with_diagnostics(input);
    if (input->facet.count == 0)
        return scree_status_fail(SCREE_ERROR_ARGUMENT, "'%s' has no facets", input->path);
    return SCREE_OK;
}

// Moves the arrays to a mesh.
static void take(struct scree_mesh_input *input, struct scree_mesh *mesh)
{
    double reach = 0;
    *mesh = (struct scree_mesh){.vertex = input->vertex.data,
                                .vertices = input->vertex.count,
                                .facet = input->facet.data,
                                .number = input->number.data,
                                .facets = input->facet.count};
    input->vertex.data = NULL;
    input->facet.data = NULL;
    input->number.data = NULL;
    for (size_t v = 0; v < mesh->vertices; ++v)
        for (int k = 0; k < 3; ++k)
            reach = scree_real_max(reach, fabs(mesh->vertex[v][k]));
    mesh->error = precision_of(input) * reach;
}

// Adds the name of the file to a message.
static scree_status name_file(scree_status status, const char *path)
{
    if (status != SCREE_ERROR_ARGUMENT)
        return status;
    return scree_status_fail(status, "'%.200s': %s", path, scree_status_message());
}

scree_status scree_mesh_read(const char *path, const struct scree_mesh_def *def, struct scree_mesh *mesh,
                             struct scree_mesh_report *report)
{
    const struct scree_mesh_def none = {0};
    struct scree_mesh_input input = {.path = path};
    struct scree_mesh_report own = {0};
    const size_t format = format_of(path);
    *mesh = (struct scree_mesh){0};
    def = def ? def : &none;
    if (format == FORMATS)
        return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                                 "'%s' is not the name of a mesh: it must end in .stl or .obj", path);
    SCREE_TRY(scree_mesh_check_def(def));
    scree_status status = read_input(&input, format);
    if (status == SCREE_OK)
        take(&input, mesh);
    scree_lines_close(&input.lines);
    scree_diagnostic_free(&input.diagnostics);
    scree_array_free(&input.vertex);
    scree_array_free(&input.facet);
    scree_array_free(&input.number);
    SCREE_TRY(status);
    status = scree_mesh_transform(mesh, def);
    if (status == SCREE_OK)
        status = scree_mesh_repair(mesh, def->tolerance, &own);
    own.format = input.format;
    if (status == SCREE_OK && report)
        *report = own;
    if (status != SCREE_OK)
        scree_mesh_free(mesh);
    return name_file(status, path);
}
