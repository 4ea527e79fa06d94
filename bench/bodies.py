"""The parts `clumps` and `bonds` of bench/run: bodies of several spheres, and spheres held together by bonds.

Costs are processor time on one thread and wall-clock time on two. A ratio is the median of the ratios of neighbouring runs.
"""
import os
import shlex
import shutil
import statistics
import subprocess
import sys

PACKING = "bench/data/clumps-10k.xyzq.gz"
# the bed, repeated so many times in two directions: timed and untimed steps
BEDS = {1: (400, 100), 6: (40, 20)}
# cells of the lattice along each axis: timed and untimed steps
LATTICES = {11: (400, 50), 35: (40, 10)}
CONTACT_LIMIT, ONE_LIMIT, LIGGGHTS_TARGET = 1.2, 1.03, 2.0
BOND_LIMIT, YADE_TARGET = 1.0, 5.0


def run_program(*command):
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit(f"bench/run: {' '.join(map(str, command))} failed")
    return [float(word) for word in result.stdout.splitlines()[-1].split() if word[0].isdigit()]


def find_program(variable, name):
    words = shlex.split(os.environ.get(variable, name))
    found = words and shutil.which(words[0])
    if not found:
        print(f"{name} is not installed: set {variable}=PROGRAM; no comparison with it", file=sys.stderr)
    return found


def run_clumps(build, tile, threads):
    steps, warm = BEDS[tile]
    pebbles, _, _, cost, contacts, contact = run_program(build / "bench-clumps", tile, threads, steps, warm)[:6]
    return {"pebbles": pebbles, "ns": cost, "contacts": contacts, "contact": contact}


def run_spheres(build, name, steps, warm):
    words = run_program(build / "bench-contacts", name, 1, steps, warm)
    return {"ns": words[4], "contact": 2 * words[4] / words[6]}


def run_liggghts(steps, warm):
    pebbles, steps, seconds, contacts, _, share = run_program("bench/liggghts/clumps", PACKING, warm, steps)
    return {"ns": 1e9 * seconds * share / (pebbles * steps), "contacts": contacts}


def median(runs, key="ns"):
    return statistics.median(run[key] for run in runs)


def ratio(above, below, key="ns"):
    return statistics.median(a[key] / b[key] for a, b in zip(above, below))


def report_ratio(report, name, runs, others, target, upper_limit, key="ns", unit="ns/particle-step"):
    found = ratio(runs, others, key) if upper_limit else ratio(others, runs, key)
    missed = report.add(name, median(runs, key), unit, median(others, key), found, target, upper_limit)
    print(f"{name:<40} {median(runs, key):8.1f} {median(others, key):8.1f} {found:7.2f} {target:7.2f}{missed}")


def report_clumps(report, build, rounds):
    liggghts = find_program("LIGGGHTS", "liggghts")
    runs = {(tile, threads): [] for tile in BEDS for threads in (1, 2)}
    spheres, peers, one, without = [], [], [], []
    for _ in range(rounds):
        for tile, threads in runs:
            runs[tile, threads].append(run_clumps(build, tile, threads))
            if (tile, threads) == (1, 1):
                spheres.append(run_spheres(build, "bed-30k", *BEDS[1]))
                peers += [run_liggghts(*BEDS[1])] if liggghts else []
        values = run_program(build / "bench-clumps", "one", 1, 1000, 200)
        without.append({"ns": values[3]})
        one.append({"ns": values[4]})
    print(f"\n{'clumps':<12} {'pebbles':>9} {'threads':>7} {'ns':>7} {'contacts':>9} {'ns/contact':>10}")
    for (tile, threads), values in runs.items():
        print(f"{'':<12} {values[0]['pebbles']:9.0f} {threads:7} {median(values):7.1f} {median(values, 'contacts'):9.3f}"
              f" {median(values, 'contact'):10.1f}")
        report.add(f"clumps {tile}x{tile} on {threads}", median(values), "ns/pebble-step")
    print(f"\n{'compared with':<40} {'ns':>8} {'other':>8} {'ratio':>7} {'target':>7}")
    report_ratio(report, "contact of clumps, bed-30k", runs[1, 1], spheres, CONTACT_LIMIT, True, "contact", "ns/contact")
    report_ratio(report, "bed-120k with one clump, without", one, without, ONE_LIMIT, True)
    if peers:
        report_ratio(report, "clumps, LIGGGHTS", runs[1, 1], peers, LIGGGHTS_TARGET, False)


def report_bonds(report, build, rounds):
    yade = find_program("YADE", "yade")
    keys = ("bonds", "spheres", "threads", "steps", "ns")
    print(f"\n{'bonds':<40} {'ns':>8} {'other':>8} {'ratio':>7} {'target':>7}")
    for cells, (steps, warm) in LATTICES.items():
        runs, contacts, peers = [], [], []
        for _ in range(rounds):
            runs.append(dict(zip(keys, run_program(build / "bench-bonds", cells, 1, steps, warm))))
            contacts.append({"ns": run_spheres(build, "bed-30k", 200, 50)["contact"]})
            if yade and cells == min(LATTICES):
                words = run_program("bench/yade/bonds.py", cells, warm, steps)
                peers.append({"ns": words[3]})
        name = f"{runs[0]['bonds']:.0f} bonds"
        report_ratio(report, f"{name}, contacts of bed-30k", runs, contacts, BOND_LIMIT, True, unit="ns/bond-step")
        if peers:
            report_ratio(report, f"{name}, Yade", runs, peers, YADE_TARGET, False, unit="ns/bond-step")
