"""coming.py NAME=FILE...: height of the centre of mass of the bodies in each file."""
import sys

import recipe

drawing, axes = recipe.figure(7.2, 3.0, len(sys.argv) - 1)
for k, argument in enumerate(sys.argv[1:]):
    name, path = argument.split("=")
    bodies = recipe.bodies(path)
    volume = sum(body["radius"] ** 3 for body in bodies)
    centre = sum(body["z"] * body["radius"] ** 3 for body in bodies) / volume
    recipe.show(f"grains of {name}", len(bodies))
    recipe.show(f"centre of mass of {name}", 1e3 * centre, "mm")
    if drawing:
        recipe.disks(axes[k], bodies)
        axes[k].axhline(1e3 * centre, color="#c03030", linewidth=1)
        axes[k].set(xlabel="x [mm]", title=name, xlim=(-2, 42), ylim=(-2, 52))
if drawing:
    axes[0].set(ylabel="z [mm]")
    recipe.save(drawing, "coming.png")
