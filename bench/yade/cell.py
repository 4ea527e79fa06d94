#!/usr/bin/env python3
"""Runs the packing of bench-cell in simple shear with Yade's Hertz-Mindlin law, and prints one line:

    cell spheres steps ns contacts

  YADE=yade bench/yade/cell.py PACKING SIDE STEPS WARM

ns is processor time of one thread, per sphere and step; contacts are those per sphere, each counted at both. The script
starts Yade, and is then read by it. The moduli and the friction are those of bench-cell. Yade's dashpots have a
coefficient of restitution, and its skin is the one with which it is fastest here.
"""
import gzip
import os
import shlex
import subprocess
import sys
import time

# as in bench/cell.c and bench/scene.h
YOUNG, POISSON, FRICTION, DENSITY, STEP, RATE = 1e5, 0.3, 0.3, 1.0, 5e-4, 0.1
RESTITUTION, SKIN = 0.5, 0.1


def start():
    command = shlex.split(os.environ.get("YADE", "yade")) + ["-n", "-x", "-j1", os.path.abspath(__file__)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, SHEARED_CELL=" ".join(sys.argv[1:5])))
    lines = [line for line in result.stdout.splitlines() if line.startswith("cell ")]
    if not lines:
        sys.exit("cell: Yade failed\n" + result.stdout[-2000:] + result.stderr[-2000:])
    print(lines[-1].split(" ", 1)[1])


def simulate():
    import math
    from yade import (O, Bo1_Sphere_Aabb, ForceResetter, FrictMat, Ig2_Sphere_Sphere_ScGeom, InsertionSortCollider,
                      InteractionLoop, Ip2_FrictMat_FrictMat_MindlinPhys, Law2_ScGeom_MindlinPhys_Mindlin, Matrix3,
                      NewtonIntegrator, utils)
    packing, *numbers = os.environ["SHEARED_CELL"].split()
    side, steps, warm = float(numbers[0]), int(numbers[1]), int(numbers[2])
    O.periodic = True
    O.cell.setBox(side, side, side)
    O.materials.append(FrictMat(young=YOUNG, poisson=POISSON, density=DENSITY, frictionAngle=math.atan(FRICTION)))
    with gzip.open(packing, "rt") as file:
        for line in file:
            x, y, z, radius = map(float, line.split()[:4])
            O.bodies.append(utils.sphere((x, y, z), radius))
    O.engines = [ForceResetter(), InsertionSortCollider([Bo1_Sphere_Aabb()], verletDist=SKIN * 0.5),
                 InteractionLoop([Ig2_Sphere_Sphere_ScGeom()],
                                 [Ip2_FrictMat_FrictMat_MindlinPhys(en=RESTITUTION, es=RESTITUTION)],
                                 [Law2_ScGeom_MindlinPhys_Mindlin()]),
                 NewtonIntegrator(damping=0)]
    O.dt = STEP
    O.cell.velGrad = Matrix3(0, RATE, 0, 0, 0, 0, 0, 0, 0)
    O.run(warm, True)
    begun = time.process_time()
    O.run(steps, True)
    spent = time.process_time() - begun
    contacts = sum(1 for i in O.interactions if i.isReal)
    spheres = len(O.bodies)
    print(f"\ncell {spheres} {steps} {1e9 * spent / steps / spheres:.1f} {2 * contacts / spheres:.3f}", flush=True)


if "SHEARED_CELL" in os.environ:
    simulate()
elif len(sys.argv) == 5:
    start()
else:
    sys.exit(__doc__)
