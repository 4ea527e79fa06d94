#!/usr/bin/env python3
"""cookbook.py SCREE PAGE [PICTURES]: tests that the page docs/cookbook/PAGE.md is correct.

- The commands in its blocks ```sh run, in a temporary folder with the files of docs/cookbook. Commands that need a program
  that is not installed (gnuplot, ParaView) are skipped, and pictures are drawn only if matplotlib is installed.
- Each row of its table of numbers, `| name | value | least | most | reason |`, is a number that the commands print as
  `name: value`; the printed value and that of the page are both between least and most.
- Each line of its blocks ```yaml is a line of a scene in the folder; each picture and linked file exists.

The commands have one processor. With PICTURES the drawn pictures are copied to that folder, with fewer colours."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

BOOK = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs/cookbook")
OPTIONAL = ("gnuplot", "xvfb-run", "pvbatch")
# least, most and the printed value are rounded to the digits that are shown
ROUNDING = 1e-9


def fail(why):
    sys.exit(f"cookbook: {why}")


def blocks(text, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.M | re.S)


def commands(text):
    """The lines of all command blocks; a line that ends in a backslash continues on the next one."""
    lines = "".join(blocks(text, "sh")).replace("\\\n", " ").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


def numbers(text):
    """name -> (value, least, most) of the table of numbers."""
    found = {}
    for row in re.findall(r"^\| (.*) \|$", text, re.M):
        cells = [cell.strip() for cell in row.split(" | ")]
        if len(cells) == 5 and re.match(r"-?\d", cells[1]):
            value, least, most = (float(re.match(r"-?[\d.]+(e[+-]?\d+)?", cell)[0]) for cell in cells[1:4])
            found[cells[0]] = (value, least, most)
    return found


def python():
    """A Python with matplotlib, if there is one."""
    for candidate in (sys.executable, "/usr/bin/python3"):
        if subprocess.run([candidate, "-c", "import matplotlib"], capture_output=True).returncode == 0:
            return candidate, True
    return sys.executable, False


def run(scree, page, folder, keep):
    path = os.path.join(BOOK, page + ".md")
    with open(path) as file:
        text = file.read()
    lines = commands(text)
    if not lines:
        fail(f"{page}.md has no commands")

    # the text of the page
    scenes = set()
    for name in os.listdir(BOOK):
        if name.endswith(".yaml"):
            with open(os.path.join(BOOK, name)) as file:
                scenes.update(line.strip() for line in file)
    for block in blocks(text, "yaml"):
        for line in block.splitlines():
            if line.strip() and line.strip() not in scenes:
                fail(f"{page}.md shows a line that no scene has: {line}")
    for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        if not os.path.exists(os.path.join(BOOK, link)) and not (keep and link.startswith("pictures/")):
            fail(f"{page}.md refers to {link}, which does not exist")

    # the programs
    bin = os.path.join(folder, "bin")
    work = os.path.join(folder, "work")
    os.mkdir(bin)
    os.mkdir(work)
    os.symlink(os.path.abspath(scree), os.path.join(bin, "scree"))
    interpreter, draws = python()
    with open(os.path.join(bin, "python3"), "w") as file:
        file.write(f'#!/bin/sh\nexec "{interpreter}" "$@"\n')
    os.chmod(os.path.join(bin, "python3"), 0o755)
    for name in os.listdir(BOOK):
        if os.path.isfile(os.path.join(BOOK, name)) and not name.endswith(".md"):
            shutil.copy(os.path.join(BOOK, name), work)
    environment = dict(os.environ, PATH=bin + os.pathsep + os.environ["PATH"], LC_ALL="C", MPLCONFIGDIR=folder, HOME=folder)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    # the commands
    output = ""
    skipped = False
    for line in lines:
        words = line.split()
        missing = [word for word in words if word in OPTIONAL and not shutil.which(word)]
        if missing or (words[:2] == ["python3", "plot.py"] and not draws):
            print(f"skipped, {missing[0] if missing else 'matplotlib'} is not installed: {line}")
            skipped = True
            continue
        begin = time.monotonic()
        done = subprocess.run(["sh", "-c", line], cwd=work, env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        print(f"{time.monotonic() - begin:6.1f} s  {line}", flush=True)
        if done.returncode:
            fail(f"{page}.md: '{line}' ends with status {done.returncode}:\n{done.stdout}")
        output += done.stdout

    # the numbers
    printed = dict(re.findall(r"^(.+?): (-?[\d.]+(?:e[+-]?\d+)?)(?: .*)?$", output, re.M))
    stated = numbers(text)
    if not stated and not skipped:
        fail(f"{page}.md states no numbers")
    for name, (value, least, most) in stated.items():
        if name not in printed:
            if not skipped:
                fail(f"{page}.md states '{name}', which the commands do not print:\n{output}")
            continue
        for what, number in (("states", value), ("should state", float(printed[name]))):
            if not least - ROUNDING <= number <= most + ROUNDING:
                fail(f"{page}.md {what} {name}: {number:g}, which is not between {least:g} and {most:g}\n{output}")
        print(f"{name}: {printed[name]}, stated {value:g}, between {least:g} and {most:g}")

    for picture in re.findall(r"\]\(pictures/([^)]+\.png)\)", text):
        drawn = os.path.join(work, picture)
        if draws and not skipped and not os.path.exists(drawn):
            fail(f"{page}.md shows {picture}, which the commands do not draw")
        if keep and os.path.exists(drawn):
            os.makedirs(keep, exist_ok=True)
            subprocess.run([interpreter, "-c", REDUCE, drawn, os.path.join(keep, picture)], check=True)


REDUCE = """
import sys
from PIL import Image
Image.open(sys.argv[1]).convert("RGB").quantize(64, method=Image.Quantize.MAXCOVERAGE).save(sys.argv[2], optimize=True)
"""


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        fail("usage: cookbook.py SCREE PAGE [PICTURES]")
    with tempfile.TemporaryDirectory(prefix="scree-cookbook-") as temporary:
        run(sys.argv[1], sys.argv[2], temporary, sys.argv[3] if len(sys.argv) > 3 else None)
