"""The part `polyhedra` of bench/run: settled beds of rounded cubes, compared with Yade's polyhedra, and single pairs.

Costs are processor time on one thread. A ratio is the median of the ratios of neighbouring runs.
"""
import subprocess
import sys

import bodies

PACKING = "bench/data/blocks-1k.xyzq.gz"
# the bed, repeated so many times in two directions: timed and untimed steps
BEDS = {1: (200, 20), 6: (20, 5)}
# of Yade, which takes half a minute for a step of the large bed
YADE_STEPS = {1: (20, 5), 6: (2, 1)}
YADE_TARGET = 5.0


def run_blocks(build, tile):
    steps, warm = BEDS[tile]
    cubes, _, _, cost, rate, pairs, contacts = bodies.run_program(build / "bench-blocks", tile, 1, steps, warm)[:7]
    return {"cubes": cubes, "ns": cost, "rate": rate, "pairs": pairs, "contacts": contacts}


def run_yade(tile):
    steps, warm = YADE_STEPS[tile]
    words = bodies.run_program("bench/yade/polyhedra.py", PACKING, tile, warm, steps)
    return {"ns": words[2], "pairs": words[3]}


def report_queries(report, build):
    """The lines of bench-polyhedra that end in the time of a query."""
    result = subprocess.run([str(build / "bench-polyhedra"), "time"], stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit("bench/run: bench-polyhedra failed")
    print(f"\n{'pair':<40} {'ns':>8}")
    for line in result.stdout.splitlines():
        name, _, rest = line.partition(" contacts in ")
        name = name[:16].strip()
        value = float(rest.split()[0])
        report.add(f"{name}", value, "ns/pair")
        print(f"{name:<40} {value:8.0f}")


def report_polyhedra(report, build, rounds):
    yade = bodies.find_program("YADE", "yade")
    runs, peers = {tile: [] for tile in BEDS}, {tile: [] for tile in BEDS}
    for _ in range(rounds):
        for tile in BEDS:
            runs[tile].append(run_blocks(build, tile))
            peers[tile] += [run_yade(tile)] if yade else []
    print(f"\n{'cubes':<12} {'':>9} {'ns':>8} {'steps/s':>8} {'pairs':>7} {'contacts':>9}")
    for values in runs.values():
        print(f"{'':<12} {values[0]['cubes']:9.0f} {bodies.median(values):8.0f} {bodies.median(values, 'rate'):8.2f}"
              f" {bodies.median(values, 'pairs'):7.2f} {bodies.median(values, 'contacts'):9.2f}")
        report.add(f"{values[0]['cubes']:.0f} cubes", bodies.median(values, "rate"), "steps/s")
    if yade:
        print(f"\n{'compared with':<40} {'ns':>8} {'other':>8} {'ratio':>7} {'target':>7}")
    for tile, others in peers.items():
        if others:
            print(f"Yade: {bodies.median(others, 'pairs'):.2f} pairs")
            bodies.report_ratio(report, f"{runs[tile][0]['cubes']:.0f} cubes, Yade", runs[tile], others, YADE_TARGET,
                                False, unit="ns/cube-step")
    report_queries(report, build)
