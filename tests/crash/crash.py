#!/usr/bin/env python3
"""crash.py SCREE kill|disk|damage|memory|together|sweep: checks the files of runs that are killed, whose disk is full, whose
checkpoint is damaged, that have too little memory, or that write the same files at the same time. A run restarted from
these files must have the same digest, tables and frames as an uninterrupted run.

SCREE_KILLS: number of kills; default 20.
SCREE_LIMITS: number of commands with little memory; default 60.
SCREE_SEED: seed of the random moments and limits; default: from the clock, and printed.
"""
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SCENE = """
scree: 1
title: To be killed
gravity: [0, 0, -9.81]
materials: {glass: {density: 2500, young: 5 MPa, poisson: 0.25}}
contacts:
  - {between: [any, any], law: hertz-mindlin, friction: 0.5, restitution: 0.7, rolling-friction: 0.01}
bodies:
  - fill: {shape: {sphere: {radius: {uniform: [2 mm, 3 mm]}}}, count: 150, material: glass,
           inside: {box: [[-0.02, -0.02, 0.01], [0.02, 0.02, 0.2]]}}
insert:
  - {shape: {sphere: {radius: 2.5 mm}}, material: glass, inside: {box: [[-0.02, -0.02, 0.22], [0.02, 0.02, 0.28]]},
     rate: {mass: 20 g/s}, velocity: [0, 0, -1]}
remove:
  - {inside: {box: [[-0.02, -0.02, -0.01], [0, 0, 0.01]]}}
walls:
  - box: {lower: [-0.02, -0.02, 0], upper: [0.02, 0.02, 0.3], material: glass}
  - plane: {point: [0, 0, 0], normal: [0, 0, 1], material: glass}
    velocity: [0, 0, 10 mm/s]
  - plane: {point: [0, 0, 0.4], normal: [0, 0, -1], material: glass}
    group: lid
    servo: {force: -1 N, direction: [0, 0, -1], max-velocity: 1 m/s}
run:
  - {until: 60 ms, damping: {local: 0.2}}
  - {for: 90 ms, gravity: [1, 0, -9.81], damping: {local: 0.05}}
record:
  - {table: out/table.csv, every: 1 ms, columns: [time, steps, kinetic, energy-error, contacts, inserted]}
  - {frames: out/frame, every: 5 ms}
  - {checkpoint: out/state.chk, every: 10 ms}
"""
COLUMNS = 6
SERIES = ["bodies", "contacts", "walls"]


class Failure(Exception):
    pass


def require(condition, *words):
    if not condition:
        raise Failure(" ".join(str(word) for word in words))


def report(*words):
    print(*words, flush=True)


class Run:
    """A scene in a temporary folder."""

    def __init__(self, scree, folder):
        self.scree, self.folder = scree, folder
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "scene.yaml"), "w", encoding="utf-8") as file:
            file.write(SCENE)

    def path(self, name):
        return os.path.join(self.folder, name)

    def command(self, *words):
        return [self.scree, *words]

    def call(self, *words, **more):
        return subprocess.run(self.command(*words), cwd=self.folder, capture_output=True, text=True, check=False,
                              **more)

    def newest(self):
        """The checkpoint for a restart: the newest, or the previous one if a kill came between two renames."""
        for name in ("out/state.chk", "out/state.chk.previous"):
            if os.path.exists(self.path(name)):
                return name
        return None

    def digest(self, name):
        result = self.call("restart", name, "--threads", "1")
        require(result.returncode == 0, "restart of", name, "ended with", result.returncode, result.stderr)
        return re.search(r"digest ([0-9a-f]{32})", result.stdout).group(1)


def check_table(run):
    """Checks that every row of the table is complete and that times increase."""
    path = run.path("out/table.csv")
    if not os.path.exists(path):
        return
    with open(path, encoding="utf-8", newline="") as file:
        text = file.read()
    rows = text.split("\n")
    require(rows[-1] == "", "the table ends in the middle of a row:", rows[-1])
    require(all(row.count(",") == COLUMNS - 1 for row in rows[:-1]), "a row is not complete")
    times = [float(row.split(",")[0]) for row in rows[1:-1]]
    require(times == sorted(set(times)), "the times of the table do not increase")


def check_frames(run):
    """Checks that each index is JSON, and that the files in it exist and are complete HDF5 files."""
    for name in SERIES:
        index = run.path(f"out/frame-{name}.hdf.series")
        if not os.path.exists(index):
            continue
        with open(index, encoding="utf-8") as file:
            series = json.load(file)
        times = [entry["time"] for entry in series["files"]]
        require(times == sorted(set(times)), "the times of", index, "do not increase")
        for entry in series["files"]:
            result = run.call("info", os.path.join("out", entry["name"]))
            require(result.returncode == 0, entry["name"], "cannot be read:", result.stderr)


def check_checkpoints(run):
    for name in ("out/state.chk", "out/state.chk.previous"):
        if os.path.exists(run.path(name)):
            result = run.call("info", name)
            require(result.returncode == 0, name, "cannot be read:", result.stderr)


def require_same_results(run, other):
    """Checks that tables and frames equal those of an uninterrupted run, byte for byte."""
    names = ["out/table.csv"]
    for name in SERIES:
        folder = f"out/frame-{name}"
        files = sorted(os.listdir(run.path(folder)))
        require(files == sorted(os.listdir(other.path(folder))), "the frames of", name, "differ")
        names += [folder + ".hdf.series"] + [f"{folder}/{file}" for file in files]
    for name in names:
        with open(run.path(name), "rb") as found, open(other.path(name), "rb") as expected:
            require(found.read() == expected.read(), name, "differs")


def uninterrupted(scree, folder):
    """A complete run: the run, its digest and its duration."""
    run = Run(scree, os.path.join(folder, "uninterrupted"))
    start = time.monotonic()
    result = run.call("run", "scene.yaml", "--threads", "1")
    require(result.returncode == 0, "the run ended with", result.returncode, result.stderr)
    return run, re.search(r"digest ([0-9a-f]{32})", result.stdout).group(1), time.monotonic() - start


def kill(scree, folder):
    """Kills a run at random moments, each time restarting from the newest checkpoint, until it is complete."""
    kill_count = int(os.environ.get("SCREE_KILLS", "20"))
    base, digest, duration = uninterrupted(scree, folder)
    seed = int(os.environ.get("SCREE_SEED", str(time.time_ns() % 1000000)))
    report(f"seed {seed}: a run takes {duration:.2f} s")
    rng = random.Random(seed)
    killed = chains = 0
    while killed < kill_count:
        run = Run(scree, os.path.join(folder, f"killed-{chains}"))
        for _ in range(12):
            newest = run.newest()
            words = ["restart", newest] if newest else ["run", "scene.yaml", "--force"]
            threads = str(rng.choice([1, 2]))
            with subprocess.Popen(run.command(*words, "--quiet", "--threads", threads), cwd=run.folder) as process:
                time.sleep(rng.uniform(0.005, 0.7 * duration))
                process.send_signal(signal.SIGKILL)
                ended = process.wait()
            if ended == 0:
                break
            require(ended == -signal.SIGKILL, "a killed run ended with", ended)
            killed += 1
            check_table(run)
            check_frames(run)
            check_checkpoints(run)
            if killed >= kill_count:
                break
        newest = run.newest()
        if newest:
            require(run.digest(newest) == digest, "after", killed, "kills the digest differs")
            require_same_results(run, base)
        chains += 1
        shutil.rmtree(run.folder)
    report(f"{killed} kills in {chains} runs; each run ended with the digest of an uninterrupted one, {digest}")


def fill_disk(run, words, size, max_length):
    """Runs with limited space: on a file system of `size` bytes if the user is root, else with at most `max_length` bytes per
    file. Copies the results to the folder "kept"."""
    mount = ["unshare", "-m", "sh", "-c",
             f"mkdir -p out && mount -t tmpfs -o size={size} none out && \"$@\"; ended=$?; "
             "mkdir -p kept && cp -r out/. kept/ && exit $ended", "sh"]
    if os.geteuid() == 0 and subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", run.folder],
                                            capture_output=True, check=False).returncode == 0:
        return "a full file system", subprocess.run(mount + run.command(*words), cwd=run.folder, text=True,
                                                    capture_output=True, check=False)
    result = run.call(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (max_length, max_length)))
    shutil.copytree(run.path("out"), run.path("kept"))
    return "a limit on files", result


def disk(scree, folder):
    """A full disk gives an error that names the cause, and the last checkpoint remains intact."""
    base, digest, _ = uninterrupted(scree, folder)
    sizes = [os.path.getsize(os.path.join(root, name)) for root, _, names in os.walk(base.path("out"))
             for name in names]
    for fraction in (0.1, 0.5, 0.8):
        run = Run(scree, os.path.join(folder, f"full-{fraction}"))
        # a file system gives whole pages to every file
        space = int(fraction * sum((size + 4095) // 4096 * 4096 for size in sizes))
        how, result = fill_disk(run, ["run", "scene.yaml", "--threads", "1"], space, int(fraction * max(sizes)))
        require(result.returncode == 1, "on", how, "the run ended with", result.returncode, result.stderr)
        require(re.search("No space left|File too large", result.stderr), "the message does not name the cause:", result.stderr)
        shutil.rmtree(run.path("out"), ignore_errors=True)
        os.rename(run.path("kept"), run.path("out"))
        check_frames(run)
        check_checkpoints(run)
        newest = run.newest()
        if newest:
            require(run.digest(newest) == digest, "the restarted run has another digest")
            require_same_results(run, base)
        report(f"{how}, {fraction} of the space needed: `{result.stderr.strip()}`; " +
            ("restarts from " + newest if newest else "before the first checkpoint"))


def damage(scree, folder):
    """Any damage to a checkpoint is reported, and the previous one is suggested."""
    base, digest, _ = uninterrupted(scree, folder)
    path = base.path("out/state.chk")
    with open(path, "rb") as file:
        complete = file.read()
    rng = random.Random(7)
    cases = [("empty", b""), ("cut in the checksum", complete[:100]), ("cut to half", complete[:len(complete) // 2]),
             ("last byte missing", complete[:-1]), ("one byte added", complete + b"\0"), ("zeros at the end",
                                                                           complete[:-4096] + bytes(4096))]
    for offset in [17, 18, *(rng.randrange(len(complete)) for _ in range(20))]:
        cases.append((f"byte {offset}", complete[:offset] + bytes([complete[offset] ^ 1 << rng.randrange(8)]) +
                      complete[offset + 1:]))
    for case, data in cases:
        with open(path, "wb") as file:
            file.write(data)
        for words in (["restart", "out/state.chk"], ["info", "out/state.chk"]):
            result = base.call(*words)
            require(result.returncode == 1, case, "ended with", result.returncode, result.stdout, result.stderr)
        result = base.call("restart", "out/state.chk")
        require("out/state.chk.previous" in result.stderr, case, "is refused without naming the previous checkpoint:", result.stderr)
    # the newest checkpoint is damaged: a write that fails must not replace the intact previous one
    with open(base.path("out/state.chk.previous"), "rb") as file:
        before = file.read()
    limit = len(complete) // 2
    result = base.call("restart", "out/state.chk.previous",
                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    require(result.returncode == 1, "with a limit on files the run ended with", result.returncode, result.stderr)
    with open(base.path("out/state.chk.previous"), "rb") as file:
        require(file.read() == before, "the only intact checkpoint was lost by a failed write")
    require(base.digest("out/state.chk.previous") == digest, "the previous checkpoint ends with another digest")
    report(f"{len(cases)} damaged checkpoints were refused")


def min_memory(succeeds, low, high):
    """The smallest memory in KiB between `low` and `high` with which a command succeeds, within 16 KiB."""
    while high - low > 16:
        middle = (low + high) // 2
        low, high = (low, middle) if succeeds(middle) else (middle, high)
    return high


def memory(scree, folder):
    """With too little memory each command ends with status 1 and a message, with enough memory with its result, and never by
    a signal. The commands write and read frames and checkpoints."""
    rounds = int(os.environ.get("SCREE_LIMITS", "60"))
    seed = int(os.environ.get("SCREE_SEED", str(time.time_ns() % 1000000)))
    rng = random.Random(seed)
    run = Run(scree, os.path.join(folder, "little-memory"))
    short_scene = SCENE.replace("until: 60 ms", "until: 3 ms").replace("for: 90 ms", "for: 2 ms").replace("every: 5 ms", "every: 1 ms")
    with open(run.path("scene.yaml"), "w", encoding="utf-8") as file:
        file.write(short_scene.replace("every: 10 ms", "every: 2 ms"))
    require(run.call("run", "scene.yaml").returncode == 0, "the run without limits failed")
    shutil.copytree(run.path("out"), run.path("kept"))

    def limited(words, kib):
        return run.call(*words, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1024 * kib, 1024 * kib)))

    if limited(["version"], 1 << 20).returncode != 0:
        report("skipped: with sanitizers the program needs more than 1 GiB of addresses")
        return
    # enough for the system to load the program, and enough for a complete run
    to_start = min_memory(lambda kib: limited(["version"], kib).returncode == 0, 1024, 1 << 20) + 64
    enough = min_memory(lambda kib: limited(["run", "scene.yaml", "--force", "--threads", "1"], kib).returncode == 0,
                          to_start, 1 << 20)
    frame = "kept/frame-bodies/000003.hdf"
    commands = [["run", "scene.yaml", "--force"]] * 6 + [
        ["restart", "out/state.chk"], ["restart", "out/state.chk.previous"], ["info", "kept/state.chk"], ["info", frame],
        ["diff", frame, "kept/frame-bodies/000002.hdf"], ["convert", frame, "converted.csv", "--force"]]
    digests, ended = {}, {0: 0, 1: 0}
    for _ in range(rounds):
        words = list(rng.choice(commands))
        if words[0] in ("run", "restart"):
            words += ["--threads", str(rng.choice([1, 2, 4]))]
            shutil.rmtree(run.path("out"))
            shutil.copytree(run.path("kept"), run.path("out"))
        # mostly a little less than enough; sometimes up to 400 MB, which several threads reserve for their stacks
        kib = rng.randrange(to_start, enough + 256) if rng.random() < 0.8 else int(to_start * (400000 / to_start) ** rng.random())
        result = limited(words, kib)
        differs = words[0] == "diff" and result.returncode == 1 and not result.stderr
        where = ("with", kib, "KiB", words, "and seed", seed)
        require(result.returncode in (0, 1), *where, "the status is", result.returncode, result.stderr)
        require(result.returncode == 0 or differs or "memory" in result.stderr, *where, "the message is", result.stderr,
                result.stdout)
        ended[result.returncode] += 1
        digest = re.search(r"digest ([0-9a-f]{32})", result.stdout)
        if result.returncode == 0 and words[0] in ("run", "restart"):
            require(digests.setdefault("digest", digest.group(1)) == digest.group(1), *where, "the digest differs")
    report(f"seed {seed}: the program starts with {to_start} KiB, and {enough} KiB are enough for one thread; "
           f"{ended[1]} of {rounds} commands ended with a message, {ended[0]} with their result")


def together(scree, folder):
    """When several runs write the same files, only one succeeds, and its files equal those of a run alone."""
    records = {"checkpoint": "{checkpoint: out/state.chk, every: 2 ms}", "dump": "{dump: out/dump.csv, every: 2 ms}",
               "table": "{table: out/table.csv, every: 1 ms, columns: [time, kinetic]}",
               "frames": "{frames: out/frame, every: 2 ms, of: [bodies]}"}
    base = SCENE[:SCENE.index("record:")]
    for name, record in records.items():
        alone = Run(scree, os.path.join(folder, f"alone-{name}"))
        with open(alone.path("scene.yaml"), "w", encoding="utf-8") as file:
            file.write(base + f"record: [{record}]\n")
        require(alone.call("run", "scene.yaml", "--threads", "1").returncode == 0, "the run alone failed")
        for force in ([], ["--force"]):
            run = Run(scree, os.path.join(folder, f"both-{name}-{len(force)}"))
            shutil.copy(alone.path("scene.yaml"), run.path("scene.yaml"))
            processes = [subprocess.Popen(run.command("run", "scene.yaml", "--threads", "1", *force), text=True,
                                          cwd=run.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                         for _ in range(3)]
            results = [process.communicate() + (process.returncode,) for process in processes]
            # with --force, a run that begins after another has ended overwrites its results
            succeeded = sum(status == 0 for _, _, status in results)
            require(succeeded == 1 or (force and succeeded > 1), name, force, succeeded, "runs succeeded:", results)
            for _, error, status in results:
                require(status in (0, 1), "ended with", status, error)
                require(status == 0 or "is being written by another run" in error or "already exists" in error, error)
            written = sorted(os.path.relpath(os.path.join(root, file), run.folder)
                          for root, _, files in os.walk(run.path("out")) for file in files)
            expected = sorted(os.path.relpath(os.path.join(root, file), alone.folder)
                          for root, _, files in os.walk(alone.path("out")) for file in files)
            require(written == expected, "wrote", written, "instead of", expected)
            for file in written:
                # checkpoints are compared by `scree diff`: their bytes depend on the order of bodies in memory
                if ".chk" in file:
                    require(run.call("diff", file, alone.path(file)).returncode == 0, file, "differs")
                    continue
                with open(run.path(file), "rb") as found, open(alone.path(file), "rb") as reference:
                    require(found.read() == reference.read(), file, "differs")
        # another run is refused while the first one writes, but not after the first one was killed
        run = Run(scree, os.path.join(folder, f"killed-{name}"))
        with open(run.path("scene.yaml"), "w", encoding="utf-8") as file:
            file.write(base.replace("for: 90 ms", "for: 900 s") + f"record: [{record}]\n")
        with subprocess.Popen(run.command("run", "scene.yaml", "--quiet"), cwd=run.folder) as process:
            while not os.path.exists(run.path("out")) or not os.listdir(run.path("out")):
                time.sleep(0.01)
            time.sleep(0.1)
            result = run.call("run", "scene.yaml", "--force")
            require(result.returncode == 1 and f"process {process.pid}" in result.stderr, name, "during a run:", result.stderr)
            process.send_signal(signal.SIGKILL)
        shutil.copy(alone.path("scene.yaml"), run.path("scene.yaml"))
        result = run.call("run", "scene.yaml", "--force", "--threads", "1")
        require(result.returncode == 0, "after a kill the run ended with", result.returncode, result.stderr)
        require(sorted(os.listdir(run.path("out"))) == sorted(os.listdir(alone.path("out"))), "files of the killed run remain")
    report("only one of several runs succeeded, and killed runs left no locks")


def running_processes(group):
    """The ids of the processes in the group of a process, without those that have ended."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                stat = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if stat[0] != "Z" and stat[2] == str(group.pid):
            found.append(name)
    return found


def sweep(scree, folder):
    """A killed sweep leaves no processes; when repeated, it runs only the unfinished points."""
    run = Run(scree, folder)
    text = SCENE.replace("title: To be killed", "variables: {speed: 1, other: 1}").replace(
        "velocity: [0, 0, -1]", 'velocity: ["${other - 1}", 0, "${-speed}"]')
    with open(run.path("scene.yaml"), "w", encoding="utf-8") as file:
        file.write(text)
    words = ["run", "scene.yaml", "--sweep", "speed=0.25,0.5,0.75,1,1.25", "--jobs", "2", "--threads", "1"]
    complete = run.call(*words, "--to", "complete")
    require(complete.returncode == 0, "the sweep failed:", complete.stderr)

    def rows(name):
        with open(run.path(f"{name}/sweep.csv"), encoding="utf-8") as file:
            # without the column of seconds
            return [",".join(cell for k, cell in enumerate(row.split(",")) if k != 3) for row in file.read().splitlines()]

    finished = 0
    for kills in range(40):
        with subprocess.Popen(run.command(*words, "--to", "killed"), cwd=run.folder, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, start_new_session=True) as process:
            # wait until at least one more point is finished
            deadline = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < deadline and not (
                    os.path.exists(run.path("killed/sweep.csv")) and len(rows("killed")) - 1 > finished):
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            output = process.communicate()[0]
            for _ in range(200):
                if not running_processes(process):
                    break
                time.sleep(0.01)
            require(not running_processes(process), "points of the killed sweep still run:", running_processes(process))
        if kills > 0:
            require("continues the sweep" in output or not output, "the sweep began again:", output)
        finished_rows = rows("killed")
        require(all(row in rows("complete") for row in finished_rows), "a row differs:", finished_rows)
        require(len(finished_rows) - 1 >= finished, "finished points were lost")
        finished = len(finished_rows) - 1
        if finished == 5:
            break
    require(kills > 0, "the sweep was complete before the first kill")
    stamps = [os.stat(run.path(f"killed/speed={speed}/sweep.point")).st_mtime_ns for speed in ("0.25", "0.5", "0.75", "1", "1.25")]
    result = run.call(*words, "--to", "killed")
    require(result.returncode == 0 and "5 of 5 points are finished" in result.stdout, "after the last kill:", result.stdout, result.stderr)
    require(rows("killed") == rows("complete"), "the table differs:", rows("killed"))
    require(stamps == [os.stat(run.path(f"killed/speed={speed}/sweep.point")).st_mtime_ns
                    for speed in ("0.25", "0.5", "0.75", "1", "1.25")], "a finished point was run again")
    # another sweep into the same folder is refused and changes nothing
    before = rows("killed")
    for change, expected in ((["--sweep", "speed=1,2"], "a different sweep"), (["-D", "other=2"], "a different sweep")):
        unchanged = words if "-D" in change else ["run", "scene.yaml"]
        result = run.call(*unchanged, *change, "--to", "killed")
        require(result.returncode == 1 and expected in result.stderr and "--sweep speed=0.25,0.5,0.75,1,1.25" in result.stderr, change,
             result.returncode, result.stderr)
    with open(run.path("scene.yaml"), "w", encoding="utf-8") as file:
        file.write(text.replace("-speed}", "-speed * speed}"))
    result = run.call(*words, "--to", "killed")
    require(result.returncode == 1 and "the scene has changed since" in result.stderr, "with a changed scene:", result.stderr)
    require(rows("killed") == before, "a refused sweep changed the table")
    # a comment is no change of the scene; with --force all points are run again
    with open(run.path("scene.yaml"), "w", encoding="utf-8") as file:
        file.write("# a comment\n" + text)
    result = run.call(*words, "--to", "killed")
    require(result.returncode == 0 and "5 of 5 points are finished" in result.stdout, "after a new comment:", result.stderr)
    result = run.call(*words, "--to", "killed", "--force")
    require(result.returncode == 0 and "continues" not in result.stdout, "with --force:", result.stdout, result.stderr)
    require(rows("killed") == rows("complete"), "the table differs after --force")
    report(f"a sweep of 5 points was killed {kills + 1} times and ended with the same table")


def main():
    scree = os.path.abspath(sys.argv[1])
    for name in sys.argv[2:]:
        folder = tempfile.mkdtemp(prefix="scree-crash-", dir=os.getcwd())
        try:
            {"kill": kill, "disk": disk, "damage": damage, "memory": memory, "together": together, "sweep": sweep}[name](scree, folder)
        except Failure as failure:
            report(f"{name}: {failure}\nthe files are in {folder}")
            return 1
        shutil.rmtree(folder)
    return 0


sys.exit(main())
