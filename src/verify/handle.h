// A T-handle: a steel rod with a shorter one across its middle. Spun about the shorter rod, its axis of
// middle inertia, it flips over again and again (Dzhanibekov's effect; the tennis racket theorem).

#ifndef SCREE_VERIFY_HANDLE_H
#define SCREE_VERIFY_HANDLE_H

struct scree_handle {
    double mass;       // kg
    double inertia[3]; // kg m^2, about the bar, the stem and the normal of both
};

struct scree_handle scree_handle_make(void);

// The period of its flips in closed form, and k'^2, the share that sets it apart from never flipping.
double scree_handle_flip(const struct scree_handle *handle, const double *body_spin, double *share);

#endif
