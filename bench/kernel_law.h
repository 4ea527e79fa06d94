// The contact law of the probe: Hertz-Mindlin with everything that a step of the soft engine needs.
//
// A pure function over plain values, free of branches, so that a loop over lanes turns it into vector code.
// The normal n points from side 1 (high) to side 0 (low); the force acts on side 0, its opposite on side 1,
// and the moment of side i is -(radius_i - half_overlap) * torque. A pair that does not touch gives exact
// zeros and a cleared history.
//
// Dashpots see the on-step velocities; the spring advances with the mid-step ones in the mid-step tangent
// plane and is then turned to the plane of the step by the minimal rotation (Vyas et al., Comput. Phys.
// Commun. 310, 109524, 2025).

#ifndef SCREE_BENCH_KERNEL_LAW_H
#define SCREE_BENCH_KERNEL_LAW_H

#include <math.h>

#define PROBE_INLINE static inline __attribute__((always_inline))

struct vec {
    double x, y, z;
};

// one grain as the law sees it: half is the mid-step velocity, full the on-step one
struct side {
    struct vec centre, half_velocity, half_spin, full_velocity, full_spin;
    double radius, mass;
};

// what outlives the step: the tangential spring, and the squared contact radius to which its stiffness
// belongs
struct history {
    struct vec spring;
    double area;
};

struct push {
    struct vec force, torque;
    double half_overlap, friction_loss, dashpot_loss;
};

// force = a (normal_stiffness overlap - m* normal_damping vn), a = sqrt(R* overlap), and alike along the
// tangent
struct law {
    double step, normal_stiffness, tangent_stiffness, normal_damping, tangent_damping, friction;
    struct vec box;
};

PROBE_INLINE struct vec add(struct vec a, struct vec b)
{
    return (struct vec){a.x + b.x, a.y + b.y, a.z + b.z};
}

PROBE_INLINE struct vec sub(struct vec a, struct vec b)
{
    return (struct vec){a.x - b.x, a.y - b.y, a.z - b.z};
}

PROBE_INLINE struct vec scale(double s, struct vec a)
{
    return (struct vec){s * a.x, s * a.y, s * a.z};
}

PROBE_INLINE double dot(struct vec a, struct vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

PROBE_INLINE struct vec cross(struct vec a, struct vec b)
{
    return (struct vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// shortest difference in a direction of period `length` (infinite when the direction is not periodic)
PROBE_INLINE double nearest(double difference, double length)
{
    double half = 0.5 * length;
    double down = difference > half ? length : 0.0;
    double up = difference < -half ? length : 0.0;
    return difference - down + up;
}

// the part across n of the surface velocity v - w x n, w = arm0 spin0 + arm1 spin1
PROBE_INLINE struct vec slip(struct vec v, double vn, struct vec w, struct vec n)
{
    return sub(sub(v, scale(vn, n)), cross(w, n));
}

// the spring turned from the plane across m to the plane across n, both unit, without a root
PROBE_INLINE struct vec turn(struct vec u, struct vec m, struct vec n)
{
    return sub(u, scale(dot(u, n) / (1.0 + dot(m, n)), add(m, n)));
}

// the spring laid into the plane across m with its length kept, times sqrt(old area / area) when the contact
// closes: the stiffness goes with sqrt(area), and only a force kept on closing and a spring kept on opening
// make no energy. One root and one division do both.
PROBE_INLINE struct vec relay(struct history old, struct vec m, double area)
{
    struct vec flat = sub(old.spring, scale(dot(old.spring, m), m));
    double smaller = old.area < area ? old.area : area;
    double below = dot(flat, flat) * area;
    double above = dot(old.spring, old.spring) * smaller;
    double ratio = below > 0.0 ? above / below : 0.0;
    return scale(sqrt(ratio), flat);
}

PROBE_INLINE struct push law_push(const struct law *law, struct side i, struct side j, struct vec d,
                                  struct history *history)
{
    double h = law->step;
    struct vec half = sub(i.half_velocity, j.half_velocity);
    struct vec back = sub(d, scale(0.5 * h, half));
    double distance = sqrt(dot(d, d));
    double back_distance = sqrt(dot(back, back));
    double size = i.radius + j.radius;
    double weight = i.mass + j.mass;

    // one division for four reciprocals
    double lengths = distance * back_distance;
    double sums = size * weight;
    double inverse = 1.0 / (lengths * sums);
    struct vec n = scale(inverse * sums * back_distance, d);
    struct vec m = scale(inverse * sums * distance, back);
    double reduced_radius = i.radius * j.radius * (inverse * lengths * weight);
    double reduced_mass = i.mass * j.mass * (inverse * lengths * size);

    double overlap = size - distance;
    double live = overlap > 0.0 ? 1.0 : 0.0;
    overlap = overlap > 0.0 ? overlap : 0.0;
    double area = reduced_radius * overlap;
    double a = sqrt(area);
    double arm_i = i.radius - 0.5 * overlap;
    double arm_j = j.radius - 0.5 * overlap;

    struct vec full = sub(i.full_velocity, j.full_velocity);
    double vn = dot(full, n);
    struct vec vt = slip(full, vn, add(scale(arm_i, i.full_spin), scale(arm_j, j.full_spin)), n);
    struct vec half_vt =
        slip(half, dot(half, m), add(scale(arm_i, i.half_spin), scale(arm_j, j.half_spin)), m);

    double resist = a * reduced_mass * law->normal_damping * vn;
    double normal = a * law->normal_stiffness * overlap - resist;
    double pressing = normal > 0.0 ? normal : 0.0;

    struct vec spring = turn(add(relay(*history, m, area), scale(h, half_vt)), m, n);
    spring = scale(live, spring);
    double damping = reduced_mass * law->tangent_damping;
    struct vec trial = scale(-a, add(scale(law->tangent_stiffness, spring), scale(damping, vt)));
    double trial_size = sqrt(dot(trial, trial));
    double limit = law->friction * pressing;
    double share = trial_size > limit ? limit / trial_size : 1.0;
    struct vec tangent = scale(share, trial);
    double given = (1.0 - share) * (damping / law->tangent_stiffness) * live;
    struct vec kept = sub(scale(share, spring), scale(given, vt));

    history->spring = kept;
    history->area = area;
    return (struct push){.force = add(scale(normal, n), tangent),
                         .torque = cross(n, tangent),
                         .half_overlap = 0.5 * overlap,
                         .friction_loss = dot(tangent, sub(kept, spring)),
                         .dashpot_loss = h * (resist * vn + a * damping * dot(vt, vt))};
}

#endif
