"""drum.py: segregation of three shapes in a rotating drum."""
import glob

import recipe

SHAPES = {"pairs": "#4477aa", "rods": "#ccbb44", "crosses": "#ee6677"}

rows = recipe.table("out/clumps.csv")
half = len(rows["time"]) // 2
for name in SHAPES:
    index = rows["mixing-" + name]
    recipe.show(f"mixing index of {name} at the start", index[0])
    recipe.show(f"mixing index of {name} in the second half", recipe.mean(index[half:]))
recipe.show("largest energy error", 100 * max(abs(e) for e in rows["energy-error"][half:]), "%", 2)


def frames(of):
    """Positions, radii and numbers of shapes in each frame; none without h5py."""
    try:
        import h5py
    except ImportError:
        return []
    for path in sorted(glob.glob(f"out/clumps-{of}/*.hdf")):
        with h5py.File(path) as file:
            data = file["VTKHDF"]
            yield data["Points"][:], data["PointData"]["radius"][:], data["PointData"]["shape"][:]


def last(of):
    found = None
    for found in frames(of):
        pass
    return found


bodies = last("bodies")
if bodies:
    place, _, shape = bodies
    across = ((place[:, 0] - place[:, 0].mean()) ** 2 + (place[:, 2] - place[:, 2].mean()) ** 2) ** 0.5
    for k, name in enumerate(SHAPES):
        recipe.show(f"distance of {name} from the middle of the bed", 1e3 * across[shape == k + 1].mean(), "mm")

drawing, axes = recipe.figure(7.6, 3.6, 2)
if drawing:
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    pebbles = last("pebbles")
    if pebbles:
        # seen along the axis of the drum, the nearest last
        colours = list(SHAPES.values())
        rows_of = sorted(zip(*pebbles), key=lambda pebble: -pebble[0][1])
        circles = [Circle((1e3 * p[0], 1e3 * p[2]), 1e3 * r) for p, r, _ in rows_of]
        axes[0].add_collection(PatchCollection(circles, edgecolor="#404040", linewidth=0.3,
                                               facecolor=[colours[int(s) - 1] for _, _, s in rows_of]))
        bound = 1e3 * max(abs(place[:, 0]).max(), abs(place[:, 2]).max()) + 4
        axes[0].set(xlim=(-bound, bound), ylim=(-bound, bound), aspect="equal", xlabel="x [mm]", ylabel="z [mm]")
    axes[0].grid(False)
    for name, colour in SHAPES.items():
        axes[1].plot(rows["time"], rows["mixing-" + name], color=colour, label=name)
    axes[1].set(xlabel="time [s]", ylabel="mixing index", xlim=(0, None), ylim=(0.6, 1.1))
    axes[1].legend(loc="lower left")
    recipe.save(drawing, "drum.png")
