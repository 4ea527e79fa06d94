"""repose.py [OUT]: angle of the slope that remains, from the bodies at the end of a run of repose.yaml."""
import math
import sys

import recipe

DIAMETER, LENGTH, DEPTH = 4e-3, 64e-3, 16e-3


def surface(path):
    """Heights of the surface in strips of one diameter along x: means over the depth, in cells of one diameter."""
    strips, cells = round(LENGTH / DIAMETER), round(DEPTH / DIAMETER)
    tops = [[0.0] * cells for _ in range(strips)]
    for body in recipe.bodies(path):
        strip, cell = int(body["x"] / DIAMETER), min(int(body["y"] / DIAMETER), cells - 1)
        if body["z"] > 0 and strip < strips:
            tops[strip][cell] = max(tops[strip][cell], body["z"] + body["radius"])
    return [recipe.mean(top) for top in tops]


def angle(path):
    """The angle in degrees of the line that ends one diameter above the edge of the floor and has the mean height of the
    surface. A line of least squares would depend much more on single grains at the crest and the toe."""
    return math.degrees(math.atan((recipe.mean(surface(path)) - DIAMETER) / (LENGTH / 2)))


if __name__ == "__main__":
    out = sys.argv[1] if len(sys.argv) > 1 else "out"
    rows = recipe.table(f"{out}/repose.csv")
    end = f"{out}/slope-000001.csv"
    degrees = angle(end)
    recipe.show("angle of repose", degrees, "degrees")
    recipe.show("grains at the end", sum(body["z"] > 0 for body in recipe.bodies(end)))
    recipe.show("kinetic energy at the end", 100 * rows["kinetic"][-1] / max(rows["kinetic"]), "% of its largest value", 2)
    recipe.show("largest overlap at the end", 100 * rows["max-overlap"][-1], "% of the radius", 2)

    drawing, axes = recipe.figure(5.6, 3.6)
    if drawing:
        recipe.disks(axes, [body for body in recipe.bodies(end) if body["z"] > -4e-3])
        crest = DIAMETER + LENGTH * math.tan(math.radians(degrees))
        axes.plot([0, 1e3 * LENGTH], [1e3 * crest, 1e3 * DIAMETER], color="#c03030", linewidth=2.5, label=f"{degrees:.0f} degrees")
        axes.set(xlabel="x [mm]", ylabel="z [mm]", xlim=(-2, 75), ylim=(-6, 46))
        axes.legend(fontsize=11)
        recipe.save(drawing, "repose.png")
