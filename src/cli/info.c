// `scree info`: prints what a file is, and a summary of its content.

#include "diff.h"
#include "load.h"

#include <scree/scree.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int fail(const char *path)
{
    return scree_cli_fail(SCREE_CLI_FAILED, "info: '%s': %s", path, scree_status_message());
}

// --- checkpoints

static int print_checkpoint(const char *path)
{
    struct scree_checkpoint_facts facts;
    struct scree_world *world;
    if (scree_checkpoint_info(path, &facts) != SCREE_OK)
        return fail(path);
    printf("checkpoint of Scree %s\n", facts.version);
    if (facts.title[0])
        printf("scene      %s\n", facts.title);
    if (facts.engine[0])
        printf("engine     %s\n", facts.engine);
    printf("time       %.9g s, step %llu\n", facts.time, (unsigned long long)facts.steps);
    printf("bodies     %llu, in %d dimensions\nwalls      %llu\ncontacts   %llu\n",
           (unsigned long long)facts.bodies, facts.dimension, (unsigned long long)facts.walls,
           (unsigned long long)facts.contacts);
    printf("digest     %016llx%016llx", (unsigned long long)facts.digest.high,
           (unsigned long long)facts.digest.low);
    fflush(stdout);
    if (scree_world_create(NULL, &world) != SCREE_OK)
        return fail(path);
    // reading verifies the digest
    const scree_status status = scree_checkpoint_read(world, path);
    printf("%s\n", status == SCREE_OK ? ", verified" : "");
    if (status == SCREE_OK)
        (void)scree_cli_print_cell(world);
    scree_world_destroy(world);
    return status == SCREE_OK ? SCREE_CLI_OK : fail(path);
}

// --- scenes

static void print_stage(size_t number, const struct scree_scene_stage *stage)
{
    printf("stage %-4zu ", number);
    if (stage->steps > 0)
        printf("%llu steps", (unsigned long long)stage->steps);
    else if (stage->time > 0)
        printf("for %g s", stage->time);
    else
        printf("until %g s", stage->until);
    printf("%s\n", stage->may_stop ? ", or until its stop condition is met" : "");
}

static int print_scene(const char *path)
{
    struct scree_scene *scene = NULL;
    struct scree_scene_stage stage;
    struct scree_scene_record record;
    const bool good = scree_load_file(path, NULL, &scene);
    if (good)
        printf("scene      %s\n", scree_scene_title(scene) ? scree_scene_title(scene) : "without a title");
    for (size_t s = 0; good && scree_scene_stage_at(scene, s, &stage); ++s)
        print_stage(s + 1, &stage);
    for (size_t r = 0; good && scree_scene_record_at(scene, r, &record); ++r) {
        printf("record     %s %s, ", record.kind, record.file);
        if (record.steps > 0)
            printf("every %llu steps\n", (unsigned long long)record.steps);
        else if (record.every > 0)
            printf("every %g s\n", record.every);
        else
            printf("as they occur\n");
    }
    if (good)
        scree_cli_quote_path(stdout, "`scree check ", path, "` prints what it contains\n");
    scree_scene_free(scene);
    return good ? SCREE_CLI_OK : SCREE_CLI_FAILED;
}

// --- frames

static int print_frame(const char *path)
{
    printf("frame for ParaView\n");
    return scree_compare_list(path, scree_cli_write, stdout) == SCREE_OK ? SCREE_CLI_OK : fail(path);
}

// Prints an error about the current line, followed by the path of a frame unless that is null.
static int print_index_error(const struct scree_diff_index *index, const char *message, const char *frame)
{
    fprintf(stderr, "scree info: '%s', line %zu: ", index->path, index->line);
    if (frame)
        scree_cli_quote_path(stderr, message, frame, "\n");
    else
        fprintf(stderr, "%s\n", message);
    return SCREE_CLI_FAILED;
}

static int print_index(struct scree_diff_index *index)
{
    char first[sizeof index->time] = "";
    size_t frames = 0;
    while (scree_diff_next(index)) {
        if (access(index->name, R_OK) != 0)
            return print_index_error(index, "cannot read the frame ", index->name);
        if (frames++ == 0)
            memcpy(first, index->time, sizeof first);
    }
    if (index->error)
        return print_index_error(index, index->error, NULL);
    printf("series of %zu frames for ParaView", frames);
    if (frames > 0)
        printf(", from %s to %s s", first, index->time);
    scree_cli_quote_path(stdout, "\nopen it with `paraview ", index->path, "`\n");
    return SCREE_CLI_OK;
}

static int print_series(const char *path)
{
    struct scree_diff_index index;
    if (!scree_diff_open(&index, path)) {
        perror("scree info: cannot open the series");
        return SCREE_CLI_FAILED;
    }
    const int status = print_index(&index);
    scree_diff_close(&index);
    return status;
}

// --- tables and other texts

static int print_table(const char *path)
{
    char *line = NULL, *head = NULL, *first = NULL, *last = NULL;
    size_t capacity = 0, rows = 0;
    FILE *table = fopen(path, "r");
    while (table && getline(&line, &capacity, table) > 0) {
        line[strcspn(line, "\r\n")] = 0;
        char **copy = !head ? &head : !first ? &first : &last;
        rows += copy != &head;
        free(*copy);
        *copy = strdup(line);
    }
    if (table)
        fclose(table);
    printf("table of %zu rows\n", rows);
    const char *end = last ? last : first;
    for (const char *at = head, *from = first, *to = end; at && *at;) {
        const size_t name = strcspn(at, ",");
        const size_t first_length = from ? strcspn(from, ",") : 0, last_length = to ? strcspn(to, ",") : 0;
        printf("  ");
        scree_cli_print_untrusted(stdout, at, name);
        printf("%*s", name < 24 ? (int)(24 - name) : 0, "");
        if (from) {
            printf(" ");
            scree_cli_print_untrusted(stdout, from, first_length);
            printf(" ... ");
            scree_cli_print_untrusted(stdout, to, last_length);
        }
        printf("\n");
        at += name + (at[name] == ',');
        from = from ? from + first_length + (from[first_length] == ',') : NULL;
        to = to ? to + last_length + (to[last_length] == ',') : NULL;
    }
    free(line);
    free(head);
    free(first);
    free(last);
    return SCREE_CLI_OK;
}

// --- meshes

static void print_places(const char *name, const struct scree_mesh_places *places)
{
    const size_t listed = sizeof places->first / sizeof places->first[0];
    if (places->count > 0)
        printf("%s %zu\n", name, places->count);
    for (size_t p = 0; p < places->count && p < listed; ++p) {
        const struct scree_mesh_place *place = &places->first[p];
        printf("           facet %lu", (unsigned long)place->facet[0]);
        if (place->facet[1] > 0)
            printf(" and facet %lu", (unsigned long)place->facet[1]);
        printf(", at (%.9g, %.9g, %.9g)\n", place->position[0], place->position[1], place->position[2]);
    }
    if (places->count > listed)
        printf("           and %zu more\n", places->count - listed);
}

static void print_repairs(const struct scree_mesh_report *report)
{
    const struct {
        size_t count;
        const char *what;
    } rows[] = {{report->degenerate, "facets without area removed"},
                {report->mended, "facets without area joined with their neighbours"},
                {report->duplicates, "duplicate facets removed"},
                {report->flipped, "facets reversed"},
                {report->unused_vertices, "vertices without a facet removed"}};
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; ++r)
        if (rows[r].count > 0)
            printf("repaired   %zu %s\n", rows[r].count, rows[r].what);
}

static void print_shells(const struct scree_mesh_report *report)
{
    printf("shells     %zu, %zu of them closed", report->shells, report->closed);
    if (report->cavities > 0)
        printf(", %zu of these cavities", report->cavities);
    printf("\n%s\n", report->watertight ? "watertight" : "not watertight");
}

static int print_mesh(const char *path)
{
    struct scree_mesh mesh;
    struct scree_mesh_report report;
    // the message contains the file name
    if (scree_mesh_read(path, NULL, &mesh, &report) != SCREE_OK)
        return scree_cli_fail(SCREE_CLI_FAILED, "info: %s", scree_status_message());
    printf("mesh of triangles, %s; lengths are in the unit of the file\n", report.format);
    printf("facets     %zu\nvertices   %zu, from %zu in the file\nedges      %zu\n", report.facets,
           report.vertices, report.vertices_read, report.edges);
    for (int k = 0; k < 3; ++k)
        printf("%s%c: %.9g to %.9g%s", k > 0 ? ", " : "bounds     ", 'x' + k, report.lower[k],
               report.upper[k], k < 2 ? "" : "\n");
    printf("precision  %.2g\narea       %.9g\n", mesh.error, report.area);
    if (report.closed > 0)
        printf("volume     %.9g\n", report.volume);
    print_shells(&report);
    print_repairs(&report);
    if (report.slivers > 0)
        printf("slivers    %zu facets are thinner than the precision\n", report.slivers);
    print_places("open edges", &report.open);
    print_places("edges of more than two facets", &report.nonmanifold);
    print_places("edges at which orientations contradict", &report.unoriented);
    print_places("T-junctions: open edges on which a vertex of another one lies", &report.junctions);
    scree_mesh_free(&mesh);
    return SCREE_CLI_OK;
}

// --- files of bodies

static int print_bodies(const char *path)
{
    struct scree_convert_report report;
    // the message contains the file name
    if (scree_convert_file(path, NULL, NULL, &report) != SCREE_OK)
        return scree_cli_fail(SCREE_CLI_FAILED, "info: %s", scree_status_message());
    scree_cli_print_bodies(path, &report);
    return SCREE_CLI_OK;
}

// Kinds of text files, detected from their first lines.
enum text { SCENE, TABLE, BODIES };

static enum text kind_of_text(const char *path)
{
    char line[4096];
    FILE *file = fopen(path, "r");
    // a table of a run starts with a lower-case column name and has no column of radii
    const bool table = file && fgets(line, sizeof line, file) && strchr(line, ',') &&
                       !strstr(line, "radius") && line[0] >= 'a' && line[0] <= 'z';
    if (file)
        fclose(file);
    return scree_diff_is_scene(path) ? SCENE : table ? TABLE : BODIES;
}

int scree_cli_info(const struct scree_cli_line *line)
{
    if (!scree_cli_check_count(line, 1, 1,
                               "name one file: a scene, a table, a checkpoint, a frame, a mesh, or a file of "
                               "bodies"))
        return SCREE_CLI_USAGE;
    const char *path = line->words[0];
    errno = 0;
    switch (scree_diff_kind(path)) {
    case SCREE_DIFF_CHECKPOINT:
        return print_checkpoint(path);
    case SCREE_DIFF_SERIES:
        return print_series(path);
    case SCREE_DIFF_FRAME:
        return print_frame(path);
    case SCREE_DIFF_NONE:
        return scree_cli_fail(SCREE_CLI_FAILED, "info: cannot read '%s': %s", path,
                              errno ? strerror(errno) : "it is not a file");
    default:
        break;
    }
    if (scree_mesh_is_file(path))
        return print_mesh(path);
    const enum text kind = kind_of_text(path);
    return kind == SCENE ? print_scene(path) : kind == TABLE ? print_table(path) : print_bodies(path);
}
