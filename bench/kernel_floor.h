// The floor of comparison: one contact after another, branches and all, added straight into force arrays, as
// the usual scalar codes do it. Velocities of one time level, secant spring, arms R, cap on the absolute
// normal force, no record of what is dissipated: its physics is simpler than the probe's, so its bits are its
// own.

#ifndef SCREE_BENCH_KERNEL_FLOOR_H
#define SCREE_BENCH_KERNEL_FLOOR_H

#include "kernel_grain.h"
#include "kernel_law.h"
#include "kernel_list.h"

struct floor_world {
    size_t grains;
    const struct neighbours *near;
    double (*x)[3], (*v)[3], (*w)[3], (*force)[3], (*torque)[3];
    double *radius, *mass;
    int *touch;
    double (*shear)[3];
};

static inline void floor_contact(const struct law *law, struct floor_world *p, size_t i, size_t j,
                                 double *shear)
{
    double *fi = p->force[i], *fj = p->force[j], *ti = p->torque[i], *tj = p->torque[j];
    const double *xi = p->x[i], *xj = p->x[j], *vi = p->v[i], *vj = p->v[j], *wi = p->w[i], *wj = p->w[j];
    struct vec d = {nearest(xi[0] - xj[0], law->box.x), nearest(xi[1] - xj[1], law->box.y), xi[2] - xj[2]};
    double r = sqrt(dot(d, d)), inverse = 1.0 / r;
    struct vec n = scale(inverse, d);
    struct vec v = {vi[0] - vj[0], vi[1] - vj[1], vi[2] - vj[2]};
    double vn = dot(v, n), ri = p->radius[i], rj = p->radius[j];
    struct vec w = {ri * wi[0] + rj * wj[0], ri * wi[1] + rj * wj[1], ri * wi[2] + rj * wj[2]};
    struct vec vt = slip(v, vn, w, n);
    double reduced = p->mass[i] * p->mass[j] / (p->mass[i] + p->mass[j]);
    double overlap = ri + rj - r, a = sqrt(overlap * ri * rj / (ri + rj));
    double normal = a * (law->normal_stiffness * overlap - reduced * law->normal_damping * vn);
    struct vec u = add((struct vec){shear[0], shear[1], shear[2]}, scale(law->step, vt));
    u = sub(u, scale(dot(u, n), n));
    double damping = reduced * law->tangent_damping;
    struct vec f = scale(-a, add(scale(law->tangent_stiffness, u), scale(damping, vt)));
    double size = sqrt(dot(f, f)), limit = law->friction * fabs(normal);
    if (size > limit) {
        double ratio = limit / size;
        struct vec held = scale(damping / law->tangent_stiffness, vt);
        u = sub(scale(ratio, add(u, held)), held);
        f = scale(ratio, f);
    }
    shear[0] = u.x;
    shear[1] = u.y;
    shear[2] = u.z;
    struct vec t = cross(n, f);
    f = add(f, scale(normal, n));
    fi[0] += f.x, fi[1] += f.y, fi[2] += f.z;
    fj[0] -= f.x, fj[1] -= f.y, fj[2] -= f.z;
    ti[0] -= ri * t.x, ti[1] -= ri * t.y, ti[2] -= ri * t.z;
    tj[0] -= rj * t.x, tj[1] -= rj * t.y, tj[2] -= rj * t.z;
}

static inline void floor_move(const struct law *law, struct floor_world *p, size_t i)
{
    const double h = law->step, inverse = 1.0 / p->mass[i], box[3] = {law->box.x, law->box.y, law->box.z};
    const double inverse_inertia = 2.5 * inverse / (p->radius[i] * p->radius[i]);
    double overlap = p->radius[i] - p->x[i][2];
    if (overlap > 0.0)
        p->force[i][2] += sqrt(p->radius[i] * overlap) *
                          (law->normal_stiffness * overlap - p->mass[i] * law->normal_damping * p->v[i][2]);
    for (int k = 0; k < 3; k++) {
        p->v[i][k] += h * (p->force[i][k] * inverse + (k == 2 ? -1.0 : 0.0));
        p->w[i][k] += h * p->torque[i][k] * inverse_inertia;
        double x = p->x[i][k] + h * p->v[i][k];
        if (k < 2) {
            x = x < 0.0 ? x + box[k] : x;
            x = x >= box[k] ? x - box[k] : x;
        }
        p->x[i][k] = x;
        p->force[i][k] = p->torque[i][k] = 0.0;
    }
}

__attribute__((noinline)) static void floor_step(const struct law *law, struct floor_world *p)
{
    for (size_t i = 0; i < p->grains; i++) {
        for (size_t k = p->near->first[i]; k < p->near->first[i + 1]; k++) {
            size_t j = p->near->slot[k];
            double x = nearest(p->x[i][0] - p->x[j][0], law->box.x);
            double y = nearest(p->x[i][1] - p->x[j][1], law->box.y);
            double z = p->x[i][2] - p->x[j][2], size = p->radius[i] + p->radius[j];
            if (x * x + y * y + z * z >= size * size) {
                p->touch[k] = 0;
                p->shear[k][0] = p->shear[k][1] = p->shear[k][2] = 0.0;
                continue;
            }
            p->touch[k] = 1;
            floor_contact(law, p, i, j, p->shear[k]);
        }
    }
    for (size_t i = 0; i < p->grains; i++)
        floor_move(law, p, i);
}

#endif
