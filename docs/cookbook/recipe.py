"""Helpers of the recipes: tables of Scree as lists of numbers, and figures if matplotlib is installed."""
import csv


def table(path):
    """The columns of a table by name, without the units: {"time": [0.0, 0.005, ...], ...}."""
    with open(path) as file:
        rows = list(csv.DictReader(file))
    return {title.split(" [")[0]: [number(row[title]) for row in rows] for title in rows[0]}


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


def bodies(path):
    """The rows of a CSV file of bodies, as a dump or `scree convert` writes it: [{"id": 1.0, "x": 0.002, ...}, ...]."""
    columns = table(path)
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def mean(values):
    return sum(values) / len(values)


def line(x, y):
    """Slope and intercept of the straight line of least squares."""
    mx, my = mean(x), mean(y)
    slope = sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)
    return slope, my - slope * mx


def show(name, value, unit="", digits=3):
    print(f"{name}: {value:.{digits}g} {unit}".rstrip())


def figure(width=6.4, height=3.6, columns=1, rows=1):
    """A figure and its axes, or None and None if matplotlib is not installed."""
    try:
        import matplotlib
    except ImportError:
        print("no picture: matplotlib is not installed")
        return None, None
    matplotlib.use("Agg")
    from matplotlib import pyplot

    pyplot.rcParams.update({"font.size": 9, "axes.grid": True, "grid.alpha": 0.3, "lines.linewidth": 1.5,
                            "axes.spines.top": False, "axes.spines.right": False, "legend.frameon": False})
    return pyplot.subplots(rows, columns, figsize=(width, height))


def disks(axes, rows, across="x", colour="#7a9cc6", shade=None):
    """Draws bodies as circles, seen along y (or along x), the nearest last; lengths in mm."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle

    along = "y" if across == "x" else "x"
    rows = sorted(rows, key=lambda row: -row[along])
    circles = [Circle((1e3 * row[across], 1e3 * row["z"]), 1e3 * row["radius"]) for row in rows]
    drawn = PatchCollection(circles, edgecolor="#404040", linewidth=0.3, facecolor=colour)
    if shade:
        drawn = PatchCollection(circles, edgecolor="#404040", linewidth=0.3, cmap="viridis")
        drawn.set_array([row[shade] for row in rows])
    axes.add_collection(drawn)
    axes.set_aspect("equal")
    axes.grid(False)
    return drawn


def save(drawing, path):
    drawing.tight_layout()
    drawing.savefig(path, dpi=100)
    print(f"picture: {path}")
