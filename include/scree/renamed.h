// Public names that were renamed: using an old name is a compile error that gives the new one. Remove these
// with the next version.

#ifndef SCREE_RENAMED_H
#define SCREE_RENAMED_H

#define SCREE_RENAMED_PRAGMA(text) _Pragma(#text)
#define SCREE_RENAMED(text, name) SCREE_RENAMED_PRAGMA(GCC error text) name

#define scree_body_push                                                                                      \
    SCREE_RENAMED("scree_body_push is called scree_body_add_force now", scree_body_add_force)
#define scree_checkpoint_look                                                                                \
    SCREE_RENAMED("scree_checkpoint_look is called scree_checkpoint_info now", scree_checkpoint_info)
#define scree_gate_id                                                                                        \
    SCREE_RENAMED("scree_gate_id is called scree_flux_surface_id now", scree_flux_surface_id)
#define scree_gate_def                                                                                       \
    SCREE_RENAMED("scree_gate_def is called scree_flux_surface_def now", scree_flux_surface_def)
#define scree_gate_passed                                                                                    \
    SCREE_RENAMED("scree_gate_passed is called scree_flux_surface_crossings now",                            \
                  scree_flux_surface_crossings)
#define scree_gate_add                                                                                       \
    SCREE_RENAMED("scree_gate_add is called scree_flux_surface_add now", scree_flux_surface_add)
#define scree_gate_count                                                                                     \
    SCREE_RENAMED("scree_gate_count is called scree_flux_surface_count now", scree_flux_surface_count)
#define scree_gate_get                                                                                       \
    SCREE_RENAMED("scree_gate_get is called scree_flux_surface_get now", scree_flux_surface_get)
#define scree_gate_look                                                                                      \
    SCREE_RENAMED("scree_gate_look is called scree_flux_surface_update now", scree_flux_surface_update)
#define scree_scene_peer                                                                                     \
    SCREE_RENAMED("scree_scene_peer is called scree_scene_equivalent now", scree_scene_equivalent)
#define scree_scene_peer_at                                                                                  \
    SCREE_RENAMED("scree_scene_peer_at is called scree_scene_equivalent_at now", scree_scene_equivalent_at)
#define SCREE_ALARM_WAY                                                                                      \
    SCREE_RENAMED("SCREE_ALARM_WAY is called SCREE_ALARM_DISPLACEMENT now", SCREE_ALARM_DISPLACEMENT)
#define SCREE_LIMIT_WAY                                                                                      \
    SCREE_RENAMED("SCREE_LIMIT_WAY is called SCREE_LIMIT_DISPLACEMENT now", SCREE_LIMIT_DISPLACEMENT)
#define SCREE_POINT_TRAFFIC                                                                                  \
    SCREE_RENAMED("SCREE_POINT_TRAFFIC is called SCREE_POINT_INSERT_DELETE now", SCREE_POINT_INSERT_DELETE)
#define scree_soft_ceiling                                                                                   \
    SCREE_RENAMED("scree_soft_ceiling is called scree_engine_limit_at_rest now", scree_engine_limit_at_rest)
#define scree_soft_limit                                                                                     \
    SCREE_RENAMED("scree_soft_limit is called scree_engine_limit now", scree_engine_limit)
#define scree_soft_limit_at_rest                                                                             \
    SCREE_RENAMED("scree_soft_limit_at_rest is called scree_engine_limit_at_rest now",                       \
                  scree_engine_limit_at_rest)
#define scree_soft_profile                                                                                   \
    SCREE_RENAMED("scree_soft_profile is called scree_engine_profile now", scree_engine_profile)
#define scree_soft_set_damping                                                                               \
    SCREE_RENAMED("scree_soft_set_damping is called scree_engine_set_damping now", scree_engine_set_damping)
#define scree_soft_set_step                                                                                  \
    SCREE_RENAMED("scree_soft_set_step is called scree_engine_set_step now", scree_engine_set_step)
#define scree_soft_step SCREE_RENAMED("scree_soft_step is called scree_engine_step now", scree_engine_step)
#define scree_kernel_slip                                                                                    \
    SCREE_RENAMED("scree_kernel_slip is called scree_kernel_tangential_velocity now",                        \
                  scree_kernel_tangential_velocity)
#define scree_kernel_place                                                                                   \
    SCREE_RENAMED("scree_kernel_place is called scree_kernel_loop now", scree_kernel_loop)
#define SCREE_KERNEL_PLACES                                                                                  \
    SCREE_RENAMED("SCREE_KERNEL_PLACES is called SCREE_KERNEL_LOOPS now", SCREE_KERNEL_LOOPS)
#define scree_law_resisting                                                                                  \
    SCREE_RENAMED("scree_law_resisting is called scree_law_resistance now", scree_law_resistance)
#define scree_measure_deepest                                                                                \
    SCREE_RENAMED("scree_measure_deepest is called scree_measure_max_overlap now", scree_measure_max_overlap)
#define scree_cell_place                                                                                     \
    SCREE_RENAMED("scree_cell_place is called scree_cell_unwrapped_position now",                            \
                  scree_cell_unwrapped_position)
#define scree_measure_solid                                                                                  \
    SCREE_RENAMED("scree_measure_solid is called scree_measure_solid_fraction now",                          \
                  scree_measure_solid_fraction)
#define scree_world_pass                                                                                     \
    SCREE_RENAMED("scree_world_pass is called scree_world_advance_time now", scree_world_advance_time)
#define scree_world_track_spheres                                                                            \
    SCREE_RENAMED("scree_world_track_spheres is called scree_world_integrate_sphere_orientation now",        \
                  scree_world_integrate_sphere_orientation)
#define scree_ended_function                                                                                 \
    SCREE_RENAMED("scree_ended_function is called scree_cancel_function now", scree_cancel_function)
#define scree_measure_flow                                                                                   \
    SCREE_RENAMED("scree_measure_flow is called scree_measure_mean_motion now", scree_measure_mean_motion)
#define scree_measure_touching                                                                               \
    SCREE_RENAMED("scree_measure_touching is called scree_measure_coordination_numbers now",                 \
                  scree_measure_coordination_numbers)
#define SCREE_FIX_PLACE SCREE_RENAMED("SCREE_FIX_PLACE is called SCREE_FIX_POSITION now", SCREE_FIX_POSITION)
#define SCREE_MEASURE_CELLS                                                                                  \
    SCREE_RENAMED("SCREE_MEASURE_CELLS is called SCREE_MEASURE_MAX_CELLS now", SCREE_MEASURE_MAX_CELLS)

#endif
