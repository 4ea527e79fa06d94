// The cost of frames of all bodies: the bed of 30,000 spheres with and without frames, alternately, in
// wall-clock time. Files are made by a separate thread: with one computing thread on two processors it has
// the other one.
//
//   bench-frames [THREADS [STEPS [EVERY [ROUNDS]]]]
//
// A line for each `deflate` of 0, 1 and 6: `ratio` is the median of the ratios of neighbouring runs; `waited`
// and `copied` are the shares of time in which the run waited for files and copied their contents; `bytes` is
// the size of a frame per particle. Run it at the root of the tree: files are written to build/bench/frames
// and deleted.

#include "scene.h"

#include <dirent.h>
#include <sys/stat.h>

enum { MAX_ROUNDS = 25 };

#define FOLDER "build/bench/frames"

static const char text[] =
    "scree: 1\n"
    "gravity: [0, 0, -1]\n"
    "materials: {grain: {density: 1, young: 1e5, poisson: 0.3}}\n"
    "contacts: [{between: [any, any], law: hertz-mindlin, friction: 0.3, arms: radius,\n"
    "            stiffness: 73260.073, stiffness-tangential: 90497.738, coulomb-limit: absolute,\n"
    "            damping-normal: 1000, damping-tangential: 500}]\n"
    "world: {box: [[0, 0, 0], [30, 30, 100]], periodic: [x, y]}\n"
    "bodies: [read: {file: bed.csv, material: grain}]\n"
    "walls: [plane: {point: [0, 0, 0], normal: [0, 0, 1], material: grain}]\n"
    "engine: {soft: {step: 5e-4}}\n";

static void make_folders(void)
{
    static const char *const folders[] = {"build", "build/bench", FOLDER};
    for (size_t k = 0; k < sizeof folders / sizeof folders[0]; ++k)
        (void)mkdir(folders[k], 0777);
}

static size_t write_bed(void)
{
    size_t count;
    struct scene_sphere *sphere = scene_read(SCENE_ONE_SIZE, &count);
    FILE *file = fopen(FOLDER "/bed.csv", "w");
    for (size_t k = 0; file && k < count; ++k)
        fprintf(file, "%.17g %.17g %.17g %.17g\n", sphere[k].position[0], sphere[k].position[1],
                sphere[k].position[2], sphere[k].radius);
    if (!file || fclose(file) != 0) {
        fprintf(stderr, "bench: cannot write " FOLDER "/bed.csv\n");
        exit(1);
    }
    free(sphere);
    return count;
}

// Runs a scene and returns its time by task.
static struct scree_profile run(int threads, size_t steps, const char *record)
{
    struct scree_scene *scene;
    struct scree_profile profile;
    const struct scree_run_def def = {.threads = threads, .force = true, .profile = &profile};
    char path[] = FOLDER "/bed.yaml";
    FILE *file = fopen(path, "w");
    if (!file || fprintf(file, "%srun: {steps: %zu}\n%s", text, steps, record) < 0 || fclose(file) != 0) {
        fprintf(stderr, "bench: cannot write %s\n", path);
        exit(1);
    }
    bench_must(scree_scene_load(path, NULL, &scene));
    bench_must(scree_scene_run(scene, &def, NULL));
    scree_scene_free(scene);
    return profile;
}

// Returns the bytes and the number of all frames, and deletes them.
static double clear_frames(size_t *frames)
{
    DIR *folder = opendir(FOLDER "/bed-bodies");
    double bytes = 0;
    *frames = 0;
    for (const struct dirent *entry; folder && (entry = readdir(folder));) {
        struct stat status;
        char path[600];
        snprintf(path, sizeof path, FOLDER "/bed-bodies/%s", entry->d_name);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
            bytes += (double)status.st_size;
            ++*frames;
            remove(path);
        }
    }
    if (folder)
        closedir(folder);
    return bytes;
}

static void bench(int threads, size_t steps, size_t every, size_t rounds, int deflate, size_t bodies)
{
    double without_frames[MAX_ROUNDS], with_frames[MAX_ROUNDS], ratio[MAX_ROUNDS], waited[MAX_ROUNDS],
        copied[MAX_ROUNDS];
    double bytes = 0;
    size_t frames = 1;
    char record[200];
    snprintf(record, sizeof record, "record: [{frames: bed, every: %zu steps, of: [bodies], deflate: %d}]\n",
             every, deflate);
    for (size_t r = 0; r < rounds; ++r) {
        without_frames[r] = run(threads, steps, "").total;
        const struct scree_profile profile = run(threads, steps, record);
        with_frames[r] = profile.total;
        ratio[r] = with_frames[r] / without_frames[r];
        waited[r] = profile.seconds[SCREE_PROFILE_WAITING] / profile.total;
        copied[r] = profile.seconds[SCREE_PROFILE_RECORDS] / profile.total;
        bytes = clear_frames(&frames);
    }
    printf("%9d %8d %7zu %9.2f %9.2f %7.3f %8.3f %7.3f %7.1f\n", threads, deflate, frames,
           bench_median(without_frames, rounds), bench_median(with_frames, rounds),
           bench_median(ratio, rounds), bench_median(waited, rounds), bench_median(copied, rounds),
           bytes / (double)(frames * bodies));
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc > 5) {
        fprintf(stderr, "usage: bench-frames [THREADS [STEPS [EVERY [ROUNDS]]]]\n");
        return 2;
    }
    const int threads = argc > 1 ? (int)bench_number(argv[1], 1, 1024) : 1;
    const size_t steps = argc > 2 ? bench_number(argv[2], 1, 1000000000) : 1000;
    const size_t every = argc > 3 ? bench_number(argv[3], 1, 1000000000) : 100;
    const size_t rounds = argc > 4 ? bench_number(argv[4], 1, MAX_ROUNDS) : 5;
    make_folders();
    const size_t bodies = write_bed();
    printf("# %7s %8s %7s %9s %9s %7s %8s %7s %7s\n", "threads", "deflate", "frames", "without", "with",
           "ratio", "waited", "copied", "bytes");
    static const int levels[] = {0, 1, 6};
    for (size_t k = 0; k < sizeof levels / sizeof levels[0]; ++k)
        bench(threads, steps, every, rounds, levels[k], bodies);
    return 0;
}
