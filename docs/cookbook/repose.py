"""repose.py [OUT]: angle of the slope that remains, from the bodies at the end of a run of repose.yaml."""
import math
import sys

import recipe

DIAMETER, LENGTH = 4e-3, 64e-3


def surface(path):
    """Heights of the surface in strips of one diameter, and the strips of the slope without crest and toe."""
    tops = [0.0] * round(LENGTH / DIAMETER)
    for body in recipe.bodies(path):
        strip = int(body["x"] / DIAMETER)
        if body["z"] > 0 and 0 <= strip < len(tops):
            tops[strip] = max(tops[strip], body["z"] + body["radius"])
    x = [(strip + 0.5) * DIAMETER for strip in range(len(tops))]
    slope = [k for k, top in enumerate(tops) if 0.15 * max(tops) < top < 0.85 * max(tops)]
    return x, tops, slope


def angle(path):
    """The angle in degrees, and the straight line: its slope and its height at x = 0."""
    x, tops, slope = surface(path)
    steep, height = recipe.line([x[k] for k in slope], [tops[k] for k in slope])
    return math.degrees(math.atan(-steep)), steep, height


if __name__ == "__main__":
    out = sys.argv[1] if len(sys.argv) > 1 else "out"
    rows = recipe.table(f"{out}/repose.csv")
    end = f"{out}/slope-000001.csv"
    degrees, steep, height = angle(end)
    recipe.show("angle of repose", degrees, "degrees")
    recipe.show("grains at the end", sum(body["z"] > 0 for body in recipe.bodies(end)))
    recipe.show("kinetic energy at the end", 100 * rows["kinetic"][-1] / max(rows["kinetic"]), "% of its largest value", 2)
    recipe.show("largest overlap at the end", 100 * rows["max-overlap"][-1], "% of the radius", 2)

    drawing, axes = recipe.figure(5.6, 3.6)
    if drawing:
        recipe.disks(axes, [body for body in recipe.bodies(end) if body["z"] > -4e-3])
        x, _, slope = surface(end)
        ends = [x[slope[0]], x[slope[-1]]]
        axes.plot([1e3 * e for e in ends], [1e3 * (height + steep * e) for e in ends], color="#c03030", linewidth=2.5,
                  label=f"{degrees:.0f} degrees")
        axes.set(xlabel="x [mm]", ylabel="z [mm]", xlim=(-2, 75), ylim=(-6, 46))
        axes.legend(fontsize=11)
        recipe.save(drawing, "repose.png")
