"""The part `product` of bench/run: complete runs. The settled hopper of the demo is continued with its table and frames,
compared with LIGGGHTS with the same grains, walls, law, step and outputs; and the same hopper with fewer grains.

The settled state is made in build/bench/product when it is first needed, and again when the scene of the demo changes.
"""
import os
import pathlib
import re
import resource
import shlex
import shutil
import statistics
import subprocess
import sys
import time

SCENE = pathlib.Path("examples/hopper.yaml")
FOLDER = pathlib.Path("build/bench/product")
PEER = "LIGGGHTS"
SETTLED = 0.45  # s: the grains have settled
# grains: timed seconds, normally and with --quick; target of the other program's time over ours
WORLDS = {20000: (0.02, 0.01, 2.0), 1000: (0.2, 0.1, None), 100: (0.8, 0.2, None)}
ROW, FRAME = 0.01, 0.02  # intervals in s, as in the scene
SHARES = {"walls": 8.0, "search": 8.0}  # percent of a step
STAGES = f"""run:
  - {{until: "${{time / 4}}", damping: {{viscous: 15 1/s}}}}
  - {{until: {SETTLED} s, damping: {{viscous: 0}}}}

"""


def run_timed(command):
    """Output, processor time and wall-clock time of a command."""
    before, start_time = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    result = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    after, wall_time = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic() - start_time
    if result.returncode:
        sys.exit(f"bench/run: {' '.join(map(str, command))} failed")
    return result.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall_time


def settle(scree, count):
    """Checkpoint of the settled hopper with closed outlet, its time and its step."""
    folder = FOLDER / str(count)
    scene, checkpoint = folder / "hopper.yaml", folder / "out/hopper.chk"
    text = SCENE.read_text()
    text = text[:text.index("run: #")] + STAGES + text[text.index("record:"):]
    text = re.sub(r"^  count: \d+$", f"  count: {count}", text, flags=re.M)
    if not checkpoint.exists() or not scene.exists() or scene.read_text() != text:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        draft = folder / "draft.yaml"
        draft.write_text(text)
        print(f"settling {count} grains", file=sys.stderr)
        run_timed([scree, "run", draft, "--force", "--quiet", "--threads", 1])
        draft.replace(scene)
    match = re.search(r"time +(\S+) s, step (\d+)", run_timed([scree, "info", checkpoint])[0])
    return checkpoint, float(match[1]), int(match[2])


def run_scree(scree, start, until):
    checkpoint, start_time, start_step = start
    output, cpu_time, wall_time = run_timed([scree, "restart", checkpoint, "--until", f"{until} s", "--threads",
                                          1, "--to", FOLDER / "out", "--force"])
    last_step, loop_time = re.search(r"^(\d+) steps in (\S+) s", output, flags=re.M).groups()
    steps = int(last_step) - start_step
    parts = {name.strip(): float(value)
             for name, value in re.findall(r"^  ([a-z ]+?) +(\d+\.\d+) +\S+ %$", output, flags=re.M)}
    contacts = [int(number) for number in re.findall(r"(\d+) contacts", output)][-1]
    # without the time for reading the checkpoint
    return {"cpu_time": float(loop_time) * cpu_time / wall_time, "steps": steps,
            "step": (until - start_time) / steps, "contacts": contacts, "parts": parts}


def run_liggghts(scree, start, run):
    checkpoint, step, steps = start[0], run["step"], run["steps"]
    words = run_timed(["bench/liggghts/run", scree, checkpoint, repr(step), min(steps // 5, 200), steps,
                   f"row={max(round(ROW / step), 1)}", f"frame={max(round(FRAME / step), 1)}"])[0].split()
    keys = ("particles", "steps", "seconds", "contacts", "searches", "share")
    return dict(zip(keys, map(float, words)))


def report_shares(report, runs):
    print(f"\n{'of a step':<12} {'share':>7} {'at most':>8}")
    for name, limit in SHARES.items():
        share = statistics.median(100 * run["parts"].get(name, 0) / sum(run["parts"].values()) for run in runs)
        missed = report.add(f"product {name}", share, "percent of a step", target=limit, upper_limit=True)
        print(f"{name:<12} {share:6.1f}% {limit:7.0f}%{missed}")


def report_runs(report, scree, rounds, quick):
    peer = shlex.split(os.environ.get(PEER, "liggghts"))
    peer = peer if peer and shutil.which(peer[0]) else None
    if not peer:
        print(f"{PEER} is not installed: set {PEER}=PROGRAM; the part product runs without comparison", file=sys.stderr)
    starts = {count: settle(scree, count) for count in WORLDS}
    runs = {count: ([], []) for count in WORLDS}
    for _ in range(rounds):
        for count, (normal, quick_time, _) in WORLDS.items():
            scree_runs, liggghts_runs = runs[count]
            scree_runs.append(run_scree(scree, starts[count], SETTLED + (quick_time if quick else normal)))
            if peer:
                liggghts_runs.append(run_liggghts(scree, starts[count], scree_runs[-1]))
    print(f"\n{'complete run':<12} {'steps':>7} {'ns':>7} {'contacts':>9}   {PEER}: {'ns':>7} {'contacts':>9}"
          f" {'ratio':>7} {'target':>7}")
    for count, (_, _, target) in WORLDS.items():
        scree_runs, liggghts_runs = runs[count]
        costs = [1e9 * run["cpu_time"] / run["steps"] / count for run in scree_runs]
        others = [1e9 * run["seconds"] * run["share"] / run["steps"] / count for run in liggghts_runs]
        line = (f"{f'hopper-{count}':<12} {scree_runs[0]['steps']:7} {statistics.median(costs):7.1f}"
                f" {2 * scree_runs[-1]['contacts'] / count:9.3f}")
        if liggghts_runs:
            other, found = statistics.median(others), statistics.median(b / a for a, b in zip(costs, others))
            missed = report.add(f"product hopper-{count}", statistics.median(costs), "ns/particle-step", other,
                                found, target)
            line += (f"             {other:7.1f} {liggghts_runs[-1]['contacts']:9.3f} {found:7.2f}"
                     f" {target or '':>7}{missed}")
        else:
            report.add(f"product hopper-{count}", statistics.median(costs), "ns/particle-step")
        print(line)
    report_shares(report, runs[max(WORLDS)][0])
