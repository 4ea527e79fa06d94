#!/usr/bin/env python3
"""Runs the bonded lattice of bench-bonds with Yade's cohesive frictional law, and prints one line:

    bonds spheres steps ns elongation

  YADE=yade bench/yade/bonds.py CELLS WARM STEPS

CELLS, WARM and STEPS as for bench-bonds; ns is processor time of one thread, per bond and step. Elongation is the
largest of the first thousand bonds.

The script starts Yade, and is then read by it. The normal and shear stiffnesses equal those of bench-bonds; stiffnesses
of bending and twist are a quarter of the shear stiffness times R squared. Yade adds shear by increments, and its
bonds have no dashpot either.
"""
import os
import shlex
import subprocess
import sys
import time

# elastic modulus, shear over normal stiffness, radius of a bond over that of a sphere, density, step and speed:
# as in bench/bonds.c
YOUNG, RATIO, SECTION, DENSITY, STEP, SPEED = 1e5, 0.5, 0.5, 1.0, 1e-4, 1e-2
RADIUS, NEIGHBOURS = 0.5, 1.1  # spheres whose distance is below this many diameters are bonded


def start():
    arguments = " ".join(map(str, map(int, sys.argv[1:4])))
    command = shlex.split(os.environ.get("YADE", "yade")) + ["-n", "-x", "-j1", os.path.abspath(__file__)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, BONDS=arguments))
    lines = [line for line in result.stdout.splitlines() if line.startswith("bonds ")]
    if not lines:
        sys.exit("bonds: Yade failed\n" + result.stdout[-2000:] + result.stderr[-2000:])
    print(lines[-1].split(" ", 1)[1])


def simulate():
    import random
    from yade import (O, Bo1_Sphere_Aabb, CohFrictMat, ForceResetter, Ig2_Sphere_Sphere_ScGeom6D, InsertionSortCollider,
                      InteractionLoop, Ip2_CohFrictMat_CohFrictMat_CohFrictPhys, Law2_ScGeom6D_CohFrictPhys_CohesionMoment,
                      NewtonIntegrator, Vector3, utils)
    cells, warm, steps = map(int, os.environ["BONDS"].split())
    edge = 2 ** 0.5
    side = edge * cells
    O.periodic = True
    O.cell.setBox(side, side, side)
    # the stiffness E A / L of a bond; that of two equal spheres is young R in Yade, and `poisson` the ratio of stiffnesses
    stiffness = YOUNG * 3.141592653589793 * (SECTION * RADIUS) ** 2 / (2 * RADIUS)
    material = CohFrictMat(young=stiffness / RADIUS, poisson=RATIO, density=DENSITY, frictionAngle=0.5, normalCohesion=1e6,
                           shearCohesion=1e6, momentRotationLaw=True, alphaKr=0.25, alphaKtw=0.25, etaRoll=-1,
                           etaTwist=-1, isCohesive=True)
    O.materials.append(material)
    draw = random.Random(1)
    for x in range(cells):
        for y in range(cells):
            for z in range(cells):
                for b in ((0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)):
                    centre = [edge * (c + k + 0.25) for c, k in zip((x, y, z), b)]
                    number = O.bodies.append(utils.sphere(centre, RADIUS, material=material))
                    O.bodies[number].state.vel = Vector3([SPEED * draw.uniform(-1, 1) for _ in range(3)])
    bonding = Ip2_CohFrictMat_CohFrictMat_CohFrictPhys(setCohesionNow=True, setCohesionOnNewContacts=False)
    boxes = Bo1_Sphere_Aabb(aabbEnlargeFactor=NEIGHBOURS)
    geometry = Ig2_Sphere_Sphere_ScGeom6D(interactionDetectionFactor=NEIGHBOURS)
    O.engines = [ForceResetter(), InsertionSortCollider([boxes], verletDist=0.02 * RADIUS),
                 InteractionLoop([geometry], [bonding], [Law2_ScGeom6D_CohFrictPhys_CohesionMoment()]),
                 NewtonIntegrator(damping=0)]
    O.dt = STEP
    O.run(1, True)
    # later contacts are not bonds
    boxes.aabbEnlargeFactor = geometry.interactionDetectionFactor = 1
    O.run(warm, True)
    begun = time.process_time()
    O.run(steps, True)
    spent = time.process_time() - begun
    bonds = [i for i in O.interactions if i.isReal and i.phys.cohesionBroken is False]
    largest = max(abs(i.geom.penetrationDepth - i.phys.unp) for i in bonds[:1000])
    print(f"\nbonds {len(bonds)} {len(O.bodies)} {steps} {1e9 * spent / steps / len(bonds):.1f} {largest:.2e}", flush=True)


if "BONDS" in os.environ:
    simulate()
elif len(sys.argv) == 4:
    start()
else:
    sys.exit(__doc__)
