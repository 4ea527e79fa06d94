"""The part `cell` of bench/run: a dense packing in a periodic cell in simple shear, compared with LAMMPS, with Yade, and
with the same packing in a box that does not deform.

Costs are processor time on one thread. A ratio is the median of the ratios of neighbouring runs.
"""
import gzip
import os
import pathlib
import subprocess
import sys

import bodies

PACKING = pathlib.Path("build/bench/cell-30k.xyzr.gz")
SIDE = 29.4
# timed and untimed steps
STEPS, YADE_STEPS = (1000, 200), (60, 40)
LAMMPS_TARGET, YADE_TARGET, BOX_LIMIT = 2.0, 8.0, 1.1


def make_packing(build):
    if PACKING.exists():
        return
    PACKING.parent.mkdir(parents=True, exist_ok=True)
    plain, packed = PACKING.with_name("cell.partial"), PACKING.with_name("cell.partial.gz")
    if subprocess.run([str(build / "bench-cell"), "make", str(plain)], stdout=subprocess.DEVNULL).returncode:
        sys.exit("bench/run: bench-cell failed")
    with open(plain, "rb") as file, gzip.open(packed, "wb") as out:
        out.write(file.read())
    plain.unlink()
    packed.replace(PACKING)


def run_cells(build):
    """The box, the cell at rest, and the cell in shear, in turns in one process."""
    result = subprocess.run([str(build / "bench-cell"), str(PACKING), "turns", *map(str, STEPS)],
                            stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit("bench/run: bench-cell failed")
    rows = [line.split() for line in result.stdout.splitlines() if not line.startswith("#")]
    return [dict(zip(("spheres", "steps", "ns", "contacts", "searches"), map(float, words[1:]))) for words in rows]


def run_lammps():
    spheres, steps, seconds, _, contacts, searches, share = bodies.run_program(
        "bench/lammps/run", "cell-30k", PACKING, STEPS[0], f"warm={STEPS[1]}")
    return {"ns": 1e9 * seconds * share / (spheres * steps), "contacts": contacts, "searches": searches}


def run_yade():
    words = bodies.run_program("bench/yade/cell.py", PACKING, SIDE, *YADE_STEPS)
    return {"ns": words[2], "contacts": words[3]}


def report_cells(report, build, rounds):
    lammps, yade = bodies.find_program("LAMMPS", "lmp"), bodies.find_program("YADE", "yade")
    make_packing(build)
    boxes, still, cells, lammps_runs, yade_runs = [], [], [], [], []
    for _ in range(rounds):
        for runs, run in zip((boxes, still, cells), run_cells(build)):
            runs.append(run)
        lammps_runs += [run_lammps()] if lammps else []
        yade_runs += [run_yade()] if yade else []
    print(f"\n{'30,000 spheres':<14} {'ns':>8} {'contacts':>9} {'searches':>8}")
    for name, runs in (("box", boxes), ("still", still), ("shear", cells), ("LAMMPS", lammps_runs), ("Yade", yade_runs)):
        if runs:
            searches = f"{bodies.median(runs, 'searches'):8.0f}" if "searches" in runs[0] else ""
            print(f"{name:<14} {bodies.median(runs):8.1f} {bodies.median(runs, 'contacts'):9.3f} {searches}")
    print(f"\n{'compared with':<40} {'ns':>8} {'other':>8} {'ratio':>7} {'target':>7}")
    bodies.report_ratio(report, "cell vectors, box", still, boxes, BOX_LIMIT, True)
    bodies.report_ratio(report, "sheared cell, box", cells, boxes, BOX_LIMIT, True)
    if lammps:
        bodies.report_ratio(report, "sheared cell, LAMMPS", cells, lammps_runs, LAMMPS_TARGET, False)
    if yade:
        bodies.report_ratio(report, "sheared cell, Yade", cells, yade_runs, YADE_TARGET, False)
