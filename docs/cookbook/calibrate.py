"""calibrate.py ANGLE: angle of repose of each run of the sweep, and the rolling friction that gives ANGLE degrees."""
import glob
import sys

import recipe
import repose

target = float(sys.argv[1])
runs = []
for path in glob.glob("repose-sweep/rolling=*/out"):
    rolling = float(path.split("rolling=")[1].split("/")[0])
    runs.append((rolling, repose.angle(f"{path}/slope-000001.csv")))
runs.sort()
for rolling, angle in runs:
    recipe.show(f"angle at {rolling:g}", angle, "degrees")
for (low, below), (high, above) in zip(runs, runs[1:]):
    if below <= target <= above:
        found = low + (high - low) * (target - below) / (above - below)
        break
else:
    sys.exit(f"no run of the sweep is on the other side of {target:g} degrees: sweep a wider range")
recipe.show("rolling friction", found, "", 2)

drawing, axes = recipe.figure(5.2, 3.2)
if drawing:
    axes.plot([rolling for rolling, _ in runs], [angle for _, angle in runs], "o-", label="sweep")
    axes.axhline(target, color="grey", linestyle="--", linewidth=1, label="measured in the laboratory")
    axes.plot([found], [target], "s", color="#c03030", label=f"rolling friction {found:.2g}")
    axes.set(xlabel="coefficient of rolling friction", ylabel="angle of repose [degrees]")
    axes.legend()
    recipe.save(drawing, "calibrate.png")
