"""The part `drum` of bench/run: 100,000 spheres in a rotating drum that is a mesh of 100,000 facets, smaller than the
spheres; compared with LIGGGHTS with the same grains, mesh, law and step.

The drum is half full. It is made from the settled bed of data/bed-30k.xyzr.gz in build/bench/drum when it is first needed,
and again when the scene below changes.
"""
import gzip
import math
import re
import shutil
import statistics
import sys

import bodies
import product

FOLDER = product.FOLDER.with_name("drum")
PACKING = "bench/data/bed-30k.xyzr.gz"
DIAMETER = 0.01  # m
GRAINS = 100000
# in diameters: radius and length of the drum, period of the packing
RADIUS, LENGTH, PERIOD = 30.5, 67.0, 30.0
# facets: rings of an end, each with six more corners than the one inside of it; rows of the tube
RINGS, ROWS = 54, 100
SPIN = 1.83  # rad/s; the acceleration at the wall is a tenth of that of gravity
STEP, SETTLED = 15.8e-6, 0.08  # s
WALL_LIMIT, TARGET = 25.0, 3.0  # percent of a step; time of LIGGGHTS over ours
SCENE = f"""scree: 1
title: Spheres in a drum of small facets
gravity: [0, 0, -10]
materials:
  grain: {{density: 1000, young: 10 MPa, poisson: 0.3}}
contacts:
  - {{between: [any, any], law: hertz-mindlin, friction: 0.3, restitution: 0.3}}
bodies:
  - read: {{file: grains.csv, material: grain}}
walls:
  - {{mesh: {{file: drum.stl, smooth: 2 deg, material: grain}}, spin: [{SPIN}, 0, 0]}}
engine: {{soft: {{step: {STEP} s}}}}
run:
  - {{until: {SETTLED / 2} s, damping: {{viscous: 20 1/s}}}}
  - {{until: {SETTLED} s, damping: {{viscous: 0}}}}
record:
  - {{checkpoint: out/drum.chk, every: {SETTLED} s}}
"""


def ring(corners, radius, x):
    """Corners of a ring about the x axis, the first one again at the end."""
    angles = (2 * math.pi * k / corners for k in range(corners + 1))
    return [(x, radius * math.cos(a), radius * math.sin(a)) for a in angles] if corners else [(x, 0.0, 0.0)]


def strip(inner, outer):
    """Triangles between two rings of different numbers of corners."""
    i, k = 0, 0
    while i + 1 < len(inner) or k + 1 < len(outer):
        # the next corner in order of the angle
        if k + 1 < len(outer) and (k + 1) * (len(inner) - 1) <= (i + 1) * (len(outer) - 1) or i + 1 == len(inner):
            yield inner[i], outer[k], outer[k + 1]
            k += 1
        else:
            yield inner[i], outer[k], inner[i + 1]
            i += 1


def facets():
    radius, length = RADIUS * DIAMETER, LENGTH * DIAMETER
    for x in (0.0, length):
        for n in range(RINGS):
            inner, outer = (ring(6 * m, radius * m / RINGS, x) for m in (n, n + 1))
            yield from strip(inner, outer)
    for row in range(ROWS):
        low, high = (ring(6 * RINGS, radius, length * r / ROWS) for r in (row, row + 1))
        yield from strip(low, high)


def write_mesh(path):
    count = 0
    with open(path, "w", encoding="ascii") as file:
        file.write("solid drum\n")
        for corners in facets():
            file.write("facet normal 0 0 0\nouter loop\n")
            for corner in corners:
                file.write("vertex {:.9g} {:.9g} {:.9g}\n".format(*corner))
            file.write("endloop\nendfacet\n")
            count += 1
        file.write("endsolid drum\n")
    return count


def write_grains(path):
    """The spheres of the repeated bed that are inside of the drum."""
    with gzip.open(PACKING, "rt") as file:
        bed = [list(map(float, line.split()))[:4] for line in file]
    grains = []
    for i in range(math.ceil(LENGTH / PERIOD)):
        for k in range(math.ceil(2 * RADIUS / PERIOD)):
            for x, y, z, r in bed:
                place = (x + i * PERIOD, y + (k - 1) * PERIOD, z - RADIUS)
                if r <= place[0] <= LENGTH - r and math.hypot(place[1], place[2]) <= RADIUS - r:
                    grains.append((*place, r))
    if len(grains) < GRAINS:
        sys.exit(f"bench/run: the drum has room for {len(grains)} grains only")
    with open(path, "w", encoding="ascii") as file:
        for grain in grains[:GRAINS]:
            file.write(",".join(f"{DIAMETER * value:.9g}" for value in grain) + "\n")


def settle(scree):
    """Checkpoint of the settled drum, its time and its step."""
    scene, checkpoint = FOLDER / "drum.yaml", FOLDER / "out/drum.chk"
    if not checkpoint.exists() or not scene.exists() or scene.read_text() != SCENE:
        shutil.rmtree(FOLDER, ignore_errors=True)
        FOLDER.mkdir(parents=True)
        print(f"a drum of {write_mesh(FOLDER / 'drum.stl')} facets; settling", file=sys.stderr)
        write_grains(FOLDER / "grains.csv")
        draft = FOLDER / "draft.yaml"
        draft.write_text(SCENE)
        product.run_timed([scree, "run", draft, "--force", "--quiet", "--threads", 1])
        draft.replace(scene)
    match = re.search(r"time +(\S+) s, step (\d+)", product.run_timed([scree, "info", checkpoint])[0])
    return checkpoint, float(match[1]), int(match[2])


def run_liggghts(scree, start, run):
    words = product.run_timed(["bench/liggghts/run", scree, start[0], repr(run["step"]), 100, run["steps"],
                               "deck=in.drum", f"mesh={(FOLDER / 'drum.stl').resolve()}", f"spin={SPIN}",
                               "skin=0.0005"])[0].split()
    keys = ("particles", "steps", "seconds", "contacts", "searches", "share")
    return dict(zip(keys, map(float, words)))


def cost(run):
    """ns per particle and step."""
    return {"ns": 1e9 * run.get("cpu_time", run.get("seconds", 0) * run.get("share", 1)) / run["steps"] / GRAINS}


def report_runs(report, scree, rounds, quick):
    peer = bodies.find_program("LIGGGHTS", "liggghts")
    start, seconds = settle(scree), (50 if quick else 1000) * STEP
    runs, others = [], []
    for _ in range(rounds):
        runs.append(product.run_scree(scree, start, start[1] + seconds))
        others += [run_liggghts(scree, start, runs[-1])] if peer else []
    shares = [100 * run["parts"].get("walls", 0) / sum(run["parts"].values()) for run in runs]
    missed = report.add("drum walls", statistics.median(shares), "percent of a step", target=WALL_LIMIT, upper_limit=True)
    print(f"\n{'drum':<40} walls {statistics.median(shares):.1f}% of a step, at most {WALL_LIMIT:.0f}%{missed}")
    print(f"contacts: {2 * runs[-1]['contacts'] / GRAINS:.3f}"
          + (f", LIGGGHTS {others[-1]['contacts']:.3f}" if peer else ""))
    if peer:
        bodies.report_ratio(report, "drum, LIGGGHTS", [cost(run) for run in runs], [cost(run) for run in others], TARGET,
                            False)
