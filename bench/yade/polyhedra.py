#!/usr/bin/env python3
"""Runs the bed of cubes of bench-blocks with Yade's polyhedra, and prints one line:

    cubes steps ns pairs

  YADE=yade bench/yade/polyhedra.py PACKING TILE WARM STEPS

PACKING is bench/data/blocks-1k.xyzq.gz, repeated TILE x TILE times. ns is processor time of one thread, per cube and
step; pairs is the number of touching pairs per cube, each counted for both.

The script starts Yade, and is then read by it. Differences: cubes are sharp, and the normal force is proportional to the
volume of the overlap (Law2_PolyhedraGeom_PolyhedraPhys_Volumetric); the box is not periodic, so the cubes of the lowest
layer and of the rim, half an edge wide, are fixed.
"""
import gzip
import os
import shlex
import subprocess
import sys
import time

DENSITY, EDGE, SIDE, STEP = 1.0, 1.0, 10.0, 2e-3


def start():
    arguments = " ".join([os.path.abspath(sys.argv[1])] + [str(int(word)) for word in sys.argv[2:5]])
    command = shlex.split(os.environ.get("YADE", "yade")) + ["-n", "-x", "-j1", os.path.abspath(__file__)]
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            env=dict(os.environ, BLOCKS=arguments))
    lines = [line for line in result.stdout.splitlines() if line.startswith("cubes ")]
    if not lines:
        sys.exit("polyhedra: Yade failed\n" + result.stdout[-2000:] + result.stderr[-2000:])
    print(lines[-1].split(" ", 1)[1])


def simulate():
    from yade import (O, Bo1_Polyhedra_Aabb, ForceResetter, Ig2_Polyhedra_Polyhedra_PolyhedraGeom, InsertionSortCollider,
                      InteractionLoop, Ip2_PolyhedraMat_PolyhedraMat_PolyhedraPhys,
                      Law2_PolyhedraGeom_PolyhedraPhys_Volumetric, NewtonIntegrator, PolyhedraMat, Quaternion, Vector3,
                      polyhedra_utils)
    packing, *numbers = os.environ["BLOCKS"].rsplit(" ", 3)
    tile, warm, steps = map(int, numbers)
    material = PolyhedraMat(young=1e5, poisson=0.3, density=DENSITY, frictionAngle=0.46)
    with gzip.open(packing, "rt") as file:
        bed = [list(map(float, line.split())) for line in file]
    half = 0.5 * EDGE
    corners = [[x, y, z] for x in (-half, half) for y in (-half, half) for z in (-half, half)]
    for i in range(tile):
        for k in range(tile):
            for x, y, z, *q in bed:
                body = polyhedra_utils.polyhedra(material, v=corners)
                body.state.pos = Vector3(x + i * SIDE, y + k * SIDE, z)
                body.state.ori = Quaternion(*q)
                rim = [min(c, tile * SIDE - c) < half for c in (x + i * SIDE, y + k * SIDE)]
                body.dynamic = not (any(rim) or z < EDGE)
                O.bodies.append(body)
    O.engines = [ForceResetter(), InsertionSortCollider([Bo1_Polyhedra_Aabb()], verletDist=0.05),
                 InteractionLoop([Ig2_Polyhedra_Polyhedra_PolyhedraGeom()],
                                 [Ip2_PolyhedraMat_PolyhedraMat_PolyhedraPhys()],
                                 [Law2_PolyhedraGeom_PolyhedraPhys_Volumetric()]),
                 NewtonIntegrator(damping=0, gravity=(0, 0, -1))]
    O.dt = STEP
    O.run(warm, True)
    begun = time.process_time()
    O.run(steps, True)
    spent = time.process_time() - begun
    pairs = sum(1 for i in O.interactions if i.isReal)
    print(f"\ncubes {len(O.bodies)} {steps} {1e9 * spent / steps / len(O.bodies):.0f} {2 * pairs / len(O.bodies):.3f}",
          flush=True)


if "BLOCKS" in os.environ:
    simulate()
elif len(sys.argv) == 5:
    start()
else:
    sys.exit(__doc__)
