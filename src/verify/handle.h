// A T-handle: a steel bar with a shorter stem perpendicular to it at its centre. Spinning about the stem, its
// axis of intermediate inertia, it flips over periodically (Dzhanibekov effect, tennis racket theorem).

#ifndef SCREE_VERIFY_HANDLE_H
#define SCREE_VERIFY_HANDLE_H

struct scree_handle {
    double mass;       // kg
    double inertia[3]; // kg m^2, about the bar, the stem and the normal to both
};

struct scree_handle scree_handle_make(void);

// Returns the time between flips in closed form. `share` receives k'^2, which is 0 for a spin that never
// flips.
double scree_handle_flip(const struct scree_handle *handle, const double *body_spin, double *share);

#endif
