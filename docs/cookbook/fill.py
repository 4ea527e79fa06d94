"""fill.py: state of the filling at the end of a run of fill.yaml, with a picture of bodies.csv."""
import math

import recipe

VESSEL, DENSITY, GRAVITY = 50e-3, 2500, 9.81

rows = recipe.table("out/fill.csv")
end = {name: values[-1] for name, values in rows.items()}
bodies = recipe.bodies("bodies.csv")
heights = sorted(body["z"] + body["radius"] for body in bodies)
height = heights[int(0.98 * len(heights))]  # a few grains that lie higher do not count

recipe.show("grains", end["bodies"])
recipe.show("mass", 1e3 * end["inserted-mass"], "g", 4)
recipe.show("force on the vessel over the weight", -end["vessel"] / (GRAVITY * end["inserted-mass"]), "", 4)
recipe.show("height", 1e3 * height, "mm")
recipe.show("porosity inside", end["porosity"])
overall = 1 - end["inserted-mass"] / DENSITY / (math.pi / 4 * VESSEL**2 * height)
recipe.show("porosity of the whole filling", overall)
recipe.show("unbalanced force", end["unbalanced"], "", 2)
recipe.show("largest overlap", 100 * max(rows["max-overlap"]), "% of the radius", 2)

drawing, axes = recipe.figure(7.2, 3.4, 2)
if drawing:
    axes[0].plot(rows["time"], [GRAVITY * mass for mass in rows["inserted-mass"]], color="grey", label="weight")
    axes[0].plot(rows["time"], [-force for force in rows["vessel"]], label="force on the vessel")
    axes[0].plot(rows["time"], [-force for force in rows["floor"]], label="force on the floor")
    axes[0].set(xlabel="time [s]", ylabel="force [N]", xlim=(0, None), ylim=(0, None))
    axes[0].legend(loc="lower right")
    # the half of the vessel behind its axis
    drawn = recipe.disks(axes[1], [body for body in bodies if body["y"] > 0], shade="radius")
    half = 1e3 * VESSEL / 2
    axes[1].plot([-half, -half, half, half], [65, 0, 0, 65], color="black")
    axes[1].set(xlabel="x [mm]", ylabel="z [mm]", xlim=(-half - 3, half + 3), ylim=(-3, 65))
    bar = drawing.colorbar(drawn, ax=axes[1], shrink=0.8, format=lambda radius, _: f"{1e3 * radius:.1f}")
    bar.set_label("radius [mm]")
    recipe.save(drawing, "fill.png")
