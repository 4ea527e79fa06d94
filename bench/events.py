"""The part `event` of bench/run: hard spheres from collision to collision, in million collisions per second of processor
time on one thread.

The targets hold on a processor on which LAMMPS takes 32 ns for a particle and step of gas-100k. So each rate is multiplied by
the time that LAMMPS takes here over 32 ns; without LAMMPS rates are not compared with targets.
"""
import subprocess
import sys

import bodies

# cells of the lattice, fraction, kind, timed collisions per sphere, target
CASES = {
    "32k at 0.40": (20, 0.40, "smooth", 50, 1.0),
    "32k at 0.49": (20, 0.49, "smooth", 50, 1.0),
    "32k at 0.40, rough": (20, 0.40, "rough", 50, 0.7),
    "32k at 0.49, rough": (20, 0.49, "rough", 50, 0.7),
    "11k at 0.40": (14, 0.40, "smooth", 100, None),
    "1000k at 0.40": (63, 0.40, "smooth", 5, None),
}
# the same gas in both engines: cells of the lattice, fraction, collisions per sphere in the event and in the soft engine
GASES = {
    "98k at 0.05": (29, 0.05, 5, 1),
    "11k at 0.05": (14, 0.05, 20, 2),
    "11k at 0.20": (14, 0.20, 50, 5),
    "11k at 0.40": (14, 0.40, 50, 15),
    "11k at 0.49": (14, 0.49, 50, 20),
}
REFERENCE_NS, MOST_BYTES, MOST_GROWTH = 32, 400, 1.5
# Cache lines that a collision reads and that are not among the last 32 kB read: misses of the first-level data cache that
# `valgrind --tool=cachegrind --cache-sim=yes` counts for `bench-event 14 0.4 smooth`, the difference of 40 and 20 collisions per
# sphere. And the memory of 11,000 and of 1,000,000 spheres in MB.
LINES, SMALL, LARGE = 58, 4, 360


def run_bench(build, case):
    result = subprocess.run([str(build / "bench-event"), *map(str, case[:4])], stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit("bench/run: bench-event failed")
    return next(line for line in result.stdout.splitlines() if not line.startswith("#")).split()


def run_case(build, case):
    words = run_bench(build, case)
    return {"rate": float(words[4]), "enskog": float(words[5]), "bytes": float(words[8])}


def report_events(report, build, rounds, run_gas):
    """`run_gas` runs gas-100k with LAMMPS; null without LAMMPS."""
    runs, gas = {name: [] for name in CASES}, []
    for _ in range(rounds):
        for name, case in CASES.items():
            runs[name].append(run_case(build, case))
        gas += [run_gas()["ns"]] if run_gas else []
    scale = sorted(gas)[len(gas) // 2] / REFERENCE_NS if gas else None
    print(f"\n{'hard spheres':<20} {'M/s':>7} {'scaled':>7} {'target':>7} {'Enskog':>7} {'bytes':>6}"
          + (f"   scaled by {scale:.2f}, LAMMPS' time of gas-100k over {REFERENCE_NS} ns" if gas else ""))
    for name, (_, _, _, _, target) in CASES.items():
        rate = bodies.median(runs[name], "rate")
        scaled = rate * scale if scale else None
        missed = report.add(f"events {name}", scaled or rate, "M collisions/s", target=target if scale else None)
        report.add(f"events {name} memory", bodies.median(runs[name], "bytes"), "bytes/sphere", target=MOST_BYTES,
                   upper_limit=True)
        print(f"{name:<20} {rate:7.3f} {scaled or 0:7.3f} {target or '':>7} {bodies.median(runs[name], 'enskog'):7.4f}"
              f" {bodies.median(runs[name], 'bytes'):6.0f}{missed}")
    report_growth(report, build, *(1e3 / bodies.median(runs[name], "rate") for name in ("11k at 0.40", "1000k at 0.40")))
    report_engines(report, build, rounds)


def report_growth(report, build, few, many):
    """`few` and `many`: ns per collision among 11,000 and 1,000,000 spheres. Waiting for memory is left out of the growth."""
    near, far = (float(subprocess.run([str(build / "bench-lines"), str(size)], stdout=subprocess.PIPE, text=True,
                                      check=True).stdout) for size in (SMALL, LARGE))
    waits = LINES * (far - near)
    report.add("events cost from 11k to 1000k", many / few, "times")
    missed = report.add("events cost from 11k to 1000k, without memory", (many - waits) / few, "times", target=MOST_GROWTH,
                        upper_limit=True)
    print(f"a collision among 1,000,000 spheres costs {many:.0f} ns, {many / few:.2f} times as much as among 11,000; of these,"
          f" {waits:.0f} ns\nare {LINES} cache lines, each {far:.1f} ns from {LARGE} MB and {near:.1f} ns from {SMALL} MB:"
          f" without them {(many - waits) / few:.2f} times (at most {MOST_GROWTH}){missed}")


def report_engines(report, build, rounds):
    """The event engine and the soft one: simulated time per second of processor time, on one thread."""
    print(f"\n{'one gas':<20} {'event':>8} {'soft':>8} {'ratio':>6}   simulated time per second of processor time")
    for name, (cells, fraction, hard, soft) in GASES.items():
        speeds = []
        for kind, collisions in (("smooth", hard), ("soft", soft)):
            runs = [{"speed": float(run_bench(build, (cells, fraction, kind, collisions))[-1])} for _ in range(rounds)]
            speeds.append(bodies.median(runs, "speed"))
            report.add(f"gas {name} {kind}", speeds[-1], "simulated/s")
        print(f"{name:<20} {speeds[0]:8.3f} {speeds[1]:8.3f} {speeds[0] / speeds[1]:6.1f}")
