"""restart.py FOLDER...: how far the column of restart.yaml has collapsed in each folder; the first is the packed column."""
import sys

import recipe

drawing, axes = recipe.figure(6, 5.2, 1, len(sys.argv) - 1)
for k, folder in enumerate(sys.argv[1:]):
    bodies = recipe.bodies(f"{folder}/column.csv")
    reach = sorted(body["x"] + body["radius"] for body in bodies)
    front = reach[int(0.98 * len(reach))]  # single grains that have rolled away do not count
    recipe.show(f"front of {folder}", 1e3 * front, "mm")
    recipe.show(f"height of {folder}", 1e3 * max(body["z"] + body["radius"] for body in bodies), "mm")
    if drawing:
        recipe.disks(axes[k], bodies)
        axes[k].set(ylabel="z [mm]", title=folder, xlim=(-2, 205), ylim=(-2, 50))
if drawing:
    axes[-1].set(xlabel="x [mm]")
    recipe.save(drawing, "restart.png")
