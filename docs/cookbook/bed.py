# Yade: the same bed as bed.yaml. Run: yade -n -x bed.py
from math import atan
from yade import pack, utils

glass = O.materials.append(FrictMat(young=5e6, poisson=0.25, density=2500, frictionAngle=atan(0.5)))
for axis, position, side in ((2, 0, 1), (0, 0, 1), (0, 0.04, -1), (1, 0, 1), (1, 0.04, -1)):
    O.bodies.append(utils.wall(position, axis, sense=side, material=glass))
cloud = pack.SpherePack()
cloud.makeCloud((0, 0, 0), (0.04, 0.04, 0.12), rMean=0.0025, rRelFuzz=0.08, num=500, seed=1)
cloud.toSimulation(material=glass)

O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()]),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_MindlinPhys(en=0.5)],
        [Law2_ScGeom_MindlinPhys_Mindlin()],
    ),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=0),
]
O.dt = 1e-5
O.run(50000, True)

with open("bed-yade.csv", "w") as file:
    file.write("x [m],y [m],z [m],radius [m]\n")
    for body in O.bodies:
        if isinstance(body.shape, Sphere):
            file.write("%.9g,%.9g,%.9g,%.9g\n" % (*body.state.pos, body.shape.radius))
