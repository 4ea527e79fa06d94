#!/usr/bin/env python3
"""engines.py BENCH_EVENT PICTURE.png [ROUNDS]: measures and draws which engine is faster for a gas of hard spheres.

BENCH_EVENT is the program bench-event of a build. Simulated time per second of processor time on one thread, in units of
the time in which a sphere flies its diameter at the thermal velocity, against the solid fraction, for two numbers of
spheres: medians of ROUNDS runs (1), in turns. Prints the table that it draws. Takes 10 minutes per round.
"""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "docs/cookbook"))
import recipe

FRACTIONS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.49)
CELLS = (14, 29)  # of a lattice with four spheres each, along each axis
KINDS = {"event": "smooth", "soft": "soft"}
COLOURS = {"event": "#c0504d", "soft": "#4f81bd"}


def collisions(engine, cells, fraction):
    """Timed collisions per sphere: enough for a second."""
    return max(1, round((100 if engine == "event" else 20) * fraction * (1 if cells < 20 else 0.25)))


def measure(program, engine, cells, fraction):
    command = [program, str(cells), str(fraction), KINDS[engine], str(collisions(engine, cells, fraction))]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if result.returncode:
        sys.exit("engines.py: bench-event failed")
    return float(result.stdout.split()[-1])


def measure_all(program, rounds):
    """Speeds by engine and cells, for all fractions."""
    runs = {}
    for _ in range(rounds):
        for fraction in FRACTIONS:
            for cells in CELLS:
                for engine in KINDS:
                    speed = measure(program, engine, cells, fraction)
                    runs.setdefault((engine, cells, fraction), []).append(speed)
    return {(engine, cells): [sorted(runs[engine, cells, fraction])[rounds // 2] for fraction in FRACTIONS]
            for engine in KINDS for cells in CELLS}


def report(speeds):
    print(f"{'engine':>8} {'spheres':>8} " + " ".join(f"{fraction:8}" for fraction in FRACTIONS))
    for (engine, cells), line in speeds.items():
        print(f"{engine:>8} {4 * cells**3:8} " + " ".join(f"{speed:8.3g}" for speed in line))


def draw(speeds, path):
    drawing, axes = recipe.figure()
    if not drawing:
        return
    for (engine, cells), line in speeds.items():
        axes.loglog(FRACTIONS, line, "o-" if cells == CELLS[0] else "s--", markersize=4, color=COLOURS[engine],
                    label=f"{engine}, {4 * cells**3:,} spheres")
    axes.set_xticks(FRACTIONS, [str(fraction) for fraction in FRACTIONS])
    axes.minorticks_off()
    axes.set_xlabel("solid fraction")
    axes.set_ylabel("simulated time per second")
    axes.legend()
    recipe.save(drawing, path)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    speeds = measure_all(sys.argv[1], int(sys.argv[3]) if len(sys.argv) == 4 else 1)
    report(speeds)
    draw(speeds, sys.argv[2])


if __name__ == "__main__":
    main()
