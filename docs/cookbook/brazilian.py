"""brazilian.py: force, breaks and pieces of the Brazilian test."""
import glob
import math

import recipe

RADIUS, THICKNESS = 25e-3, 10e-3

rows = recipe.table("out/brazilian.csv")
breaks = recipe.table("out/brazilian-breaks.csv")
# both plates move by the displacement
squeeze = [-2 * d for d in rows["displacement"]]
force = [0.5 * (up - low) for up, low in zip(rows["force-upper"], rows["force-lower"])]
peak = max(range(len(force)), key=lambda k: force[k])
split = next((k for k, share in enumerate(rows["largest-fragment"]) if share < 0.75), len(force) - 1)
middle = [x for x, time in zip(breaks["x"], breaks["time"]) if time <= rows["time"][split]]

recipe.show("largest force", 1e-3 * force[peak], "kN")
recipe.show("strength", 1e-6 * 2 * force[peak] / (math.pi * 2 * RADIUS * THICKNESS), "MPa")
recipe.show("strain at the largest force", 100 * squeeze[peak] / (2 * RADIUS), "%")
recipe.show("difference of the plates", 100 * abs(rows["force-upper"][peak] + rows["force-lower"][peak]) / force[peak], "%")
recipe.show("broken bonds at the largest force", rows["broken"][peak], digits=4)
recipe.show("broken bonds at the end", rows["broken"][-1], digits=4)
recipe.show("broken in tension", 100 * breaks["mode"].count("tension") / len(breaks["mode"]), "%")
recipe.show("near the loaded diameter", 100 * sum(abs(x) < 0.2 * RADIUS for x in middle) / len(middle), "%")
recipe.show("largest piece at the end", 100 * rows["largest-fragment"][-1], "%")
recipe.show("largest energy error", 100 * max(abs(e) for e in rows["energy-error"][len(force) // 10 :]), "%", 2)


def pieces():
    """Place, radius and piece of the grains in the last frame; none without h5py."""
    try:
        import h5py
    except ImportError:
        return None
    with h5py.File(sorted(glob.glob("out/brazilian-bodies/*.hdf"))[-1]) as file:
        data = file["VTKHDF"]
        names = "radius", "fragment", "fragment_size"
        return data["Points"][:, :2], *(data["PointData"][name][:] for name in names)


drawing, axes = recipe.figure(7.6, 3.8, 2)
if drawing:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    grains = pieces()
    if grains:
        palette = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377"]
        place, radius, piece, size = grains
        large = sorted(set(piece[size > 0.01 * len(piece)]), key=lambda p: -max(size[piece == p]))
        colour = {p: palette[k % len(palette)] for k, p in enumerate(large)}
        circles = [Circle(1e3 * p, 1e3 * r) for p, r in zip(place, radius)]
        axes[0].add_collection(PatchCollection(circles, facecolor=[colour.get(p, "#bbbbbb") for p in piece]))
    axes[0].plot([1e3 * x for x in breaks["x"]], [1e3 * y for y in breaks["y"]], "k.", markersize=1)
    for sign in (-1, 1):
        axes[0].axhline(sign * 1e3 * (RADIUS - 0.5 * squeeze[-1]), color="#404040", linewidth=2)
    axes[0].set(xlim=(-31, 31), ylim=(-28, 28), aspect="equal", xlabel="x [mm]", ylabel="y [mm]")
    axes[0].grid(False)
    axes[1].plot([1e3 * s for s in squeeze], [1e-3 * f for f in force])
    axes[1].set(xlabel="squeeze [mm]", ylabel="force [kN]", xlim=(0, None), ylim=(0, None))
    other = axes[1].twinx()
    other.plot([1e3 * s for s in squeeze], rows["broken"], color="#cc3311")
    other.set(ylabel="broken bonds", ylim=(0, None))
    other.yaxis.label.set_color("#cc3311")
    other.spines["right"].set_visible(True)
    other.grid(False)
    recipe.save(drawing, "brazilian.png")
