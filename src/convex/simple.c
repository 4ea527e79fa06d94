// Contacts of a rounded body with spheres and planes, see pair.h.

#include "convex/pair.h"
#include "convex/point.h"

bool scree_convex_sphere_contact(const struct scree_convex_body *body, struct scree_vec3 centre,
                                 double radius, struct scree_convex_contact *contact)
{
    const double reach = body->rounding + radius;
    const struct scree_vec3 arm = scree_vec3_sub(centre, body->position);
    const struct scree_convex_nearest at =
        scree_convex_point(body->shape, scree_mat3_apply_transposed(body->rotation, arm), reach);
    if (!(at.gap < reach))
        return false;
    const double overlap = reach - at.gap;
    contact->normal = scree_mat3_apply(body->rotation, at.normal);
    contact->point = scree_vec3_add_scaled(arm, 0.5 * overlap - radius, contact->normal);
    contact->overlap = overlap;
    contact->share = 1;
    contact->feature = 0;
    return true;
}

size_t scree_convex_plane_contacts(const struct scree_convex_body *body, struct scree_vec3 normal,
                                   double offset, struct scree_convex_contact *contact, size_t capacity)
{
    const struct scree_convex *shape = body->shape;
    const struct scree_vec3 turned = scree_mat3_apply_transposed(body->rotation, normal);
    const double shift = scree_vec3_dot(normal, body->position) - offset - body->rounding;
    size_t count = 0;
    for (uint32_t v = 0; v < shape->vertices; ++v) {
        const double gap = scree_vec3_dot(turned, shape->vertex[v]) + shift;
        if (!(gap < 0) || count++ >= capacity)
            continue;
        const struct scree_vec3 arm = scree_mat3_apply(body->rotation, shape->vertex[v]);
        contact[count - 1] = (struct scree_convex_contact){
            .point = scree_vec3_add_scaled(arm, -(body->rounding + 0.5 * gap), normal),
            .normal = scree_vec3_negate(normal),
            .overlap = -gap,
            .share = 1,
            .feature = scree_convex_feature_make(SCREE_CONVEX_VERTEX_A, v, 0)};
    }
    return count;
}
