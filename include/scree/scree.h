// Scree, a discrete element engine: the whole interface. Start at world.h, body.h and soft.h.
#ifndef SCREE_SCREE_H
#define SCREE_SCREE_H

#include <scree/body.h>
#include <scree/bond.h>
#include <scree/cell.h>
#include <scree/checkpoint.h>
#include <scree/compare.h>
#include <scree/contact.h>
#include <scree/convert.h>
#include <scree/distribution.h>
#include <scree/energy.h>
#include <scree/engine.h>
#include <scree/event.h>
#include <scree/field.h>
#include <scree/flux_surface.h>
#include <scree/group.h>
#include <scree/interaction.h>
#include <scree/law.h>
#include <scree/laws.h>
#include <scree/load.h>
#include <scree/material.h>
#include <scree/measure.h>
#include <scree/mesh.h>
#include <scree/mesh_file.h>
#include <scree/motion.h>
#include <scree/polyhedron.h>
#include <scree/polyhedron_shape.h>
#include <scree/profile.h>
#include <scree/run.h>
#include <scree/scene.h>
#include <scree/servo.h>
#include <scree/shape.h>
#include <scree/soft.h>
#include <scree/status.h>
#include <scree/stochastic.h>
#include <scree/types.h>
#include <scree/version.h>
#include <scree/wall.h>
#include <scree/world.h>

#endif
