// Geometry of wall contacts, see wall_frames.h: loops for each kind of shape and each instruction set.

// functions that are not forced inline are called from the loops for the widest registers
#define SCREE_FN static inline __attribute__((always_inline))

#include "contact/wall_frames.h"

#include "base/processor.h"
#include "shape/nearest.h"

enum {
    CENTRE_WORDS = 4, // of a grain's record: centre, radius
    MOTION_WORDS = 8, // velocity and mass too
    RECORD_WORDS = 16,
    SPIN_ROW = 7,
    CHANGE_ROW = 14,  // packed
    FRAME_WORDS = 20, // and the change as doubles, padded
    CHANGE_WORDS = 16
};

// rows of values, one lane per grain
typedef scree_kernel_lanes lanes;

// velocity of the wall at a point, without branches
SCREE_KERNEL_INLINE struct scree_vec3 wall_velocity_at(const struct scree_wall *wall, struct scree_vec3 point)
{
    const struct scree_vec3 arm = scree_vec3_sub(point, scree_vec3_load(wall->pivot));
    return scree_vec3_add(scree_vec3_load(wall->velocity),
                          scree_vec3_cross(scree_vec3_load(wall->spin), arm));
}

SCREE_KERNEL_INLINE void store(lanes *restrict row, int first, int l, struct scree_vec3 v)
{
    row[first][l] = v.x;
    row[first + 1][l] = v.y;
    row[first + 2][l] = v.z;
}

// one lane; rows are the members of struct scree_kernel_wall, then the change of the velocity
SCREE_KERNEL_INLINE void frame_lane(enum scree_nearest_kind kind, const struct scree_wall *wall,
                                    unsigned feature, double h, lanes *restrict a, lanes *restrict out, int l)
{
    const struct scree_vec3 centre = {a[0][l], a[1][l], a[2][l]}, velocity = {a[4][l], a[5][l], a[6][l]};
    const struct scree_nearest now = scree_nearest_find(kind, wall, feature, centre);
    const struct scree_vec3 normal = scree_nearest_normal(wall, &now);
    const struct scree_vec3 point = scree_nearest_point(centre, &now, normal);
    const struct scree_vec3 relative_velocity = scree_vec3_sub(velocity, wall_velocity_at(wall, centre));
    const struct scree_vec3 half_centre = scree_vec3_add_scaled(centre, -0.5 * h, relative_velocity);
    const struct scree_nearest half = scree_nearest_find(kind, wall, feature, half_centre);
    const struct scree_vec3 half_normal = scree_nearest_normal(wall, &half);
    const struct scree_vec3 rotated = scree_vec3_add_scaled(
        half_normal, -0.5 * h, scree_vec3_cross(scree_vec3_load(wall->spin), half_normal));
    const struct scree_vec3 half_point = scree_nearest_point(half_centre, &half, half_normal);
    const struct scree_wall_pace pace = scree_wall_pace_at(wall, h, point, half_point);
    store(out, 0, l, normal);
    out[3][l] = now.gap;
    store(out, 4, l, pace.half);
    store(out, 10, l, scree_vec3_scale(rotated, 1.0 / sqrt(scree_vec3_dot(rotated, rotated))));
    out[13][l] = half.gap;
    store(out, CHANGE_WORDS, l, pace.change);
    out[CHANGE_WORDS + 3][l] = 0;
}

#define SCREE_KERNEL_BODY "contact/wall_frames.inc"
#include <scree/kernel_sets.inc>
#undef SCREE_KERNEL_BODY

typedef void filter_loop(const struct scree_wall_frames_job *job, double range, uint8_t *bits);
typedef void frame_loop(const struct scree_wall_frames_job *job, double h, struct scree_kernel_wall *out,
                        const uint32_t *record);

#define LOOPS(name, set)                                                                                     \
    {                                                                                                        \
        scree_kernel_##name##_plane_##set, scree_kernel_##name##_face_##set,                                 \
            scree_kernel_##name##_box_##set, scree_kernel_##name##_sphere_##set,                             \
            scree_kernel_##name##_round_##set                                                                \
    }

static filter_loop *const filter_loops[SCREE_KERNEL_SETS][SCREE_NEAREST_KINDS] = {
    LOOPS(filter, v2),
#if SCREE_WIDE_SETS
    LOOPS(filter, v3),
    LOOPS(filter, v4),
#endif
};

static frame_loop *const frame_loops[SCREE_KERNEL_SETS][SCREE_NEAREST_KINDS] = {
    LOOPS(frame, v2),
#if SCREE_WIDE_SETS
    LOOPS(frame, v3),
    LOOPS(frame, v4),
#endif
};

void scree_wall_frames_filter(const struct scree_wall_frames_job *job, double range, uint8_t *bits)
{
    filter_loops[scree_processor_set()][scree_nearest_kind(job->wall)](job, range, bits);
}

void scree_wall_frames_make(const struct scree_wall_frames_job *job, double h, struct scree_kernel_wall *out,
                            const uint32_t *record)
{
    frame_loops[scree_processor_set()][scree_nearest_kind(job->wall)](job, h, out, record);
}
