"""frames.py FOLDER [data], for pvpython: opens the frames of the scenes known, worn, flat, sheared, empty and hopper in FOLDER with ParaView
and compares them with the values in the scenes, closed forms and the tables of the same runs. Without `data` it also makes
a picture."""
import csv
import math
import sys

from paraview import servermanager
from paraview.simple import *
from vtk.util.numpy_support import vtk_to_numpy
import numpy

folder = sys.argv[1]
failures = []


def check(name, found, expected, tolerance=0.0):
    """Compares numbers or lists, exactly or with a tolerance relative to the largest number."""
    found, expected = numpy.asarray(found, float), numpy.asarray(expected, float)
    if found.shape != expected.shape:
        failures.append(f"{name}: shape {found.shape}, expected {expected.shape}")
        return
    scale = numpy.abs(expected).max() if expected.size else 0.0
    if found.size and not (numpy.abs(found - expected) <= tolerance * scale).all():
        failures.append(f"{name}: {found.tolist()}, expected {expected.tolist()}")


class Series:
    """A series of frames of one kind: bodies, contacts or walls."""

    def __init__(self, scene, kind):
        self.source = OpenDataFile(f"{folder}/{scene}-{kind}.hdf.series")
        self.source.UpdatePipelineInformation()
        self.times = list(self.source.TimestepValues)

    def at(self, time):
        self.source.UpdatePipeline(time)
        return Frame(servermanager.Fetch(self.source))


class Frame:
    def __init__(self, data):
        self.data = data
        self.points = vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else numpy.zeros((0, 3))
        self.cells = data.GetNumberOfCells()

    def array(self, place, name):
        """The array `name` of Point, Cell or Field data."""
        found = getattr(self.data, f"Get{place}Data")().GetArray(name)
        if found is None:
            failures.append(f"the frame has no array {name} in its {place} data")
            return numpy.zeros(0)
        return vtk_to_numpy(found)

    def corners(self, cell):
        ids = self.data.GetCell(cell).GetPointIds()
        return numpy.array([self.points[ids.GetId(k)] for k in range(ids.GetNumberOfIds())])

    def sizes(self):
        """Areas of triangles, lengths of lines."""
        sizes = []
        for cell in range(self.cells):
            p = self.corners(cell)
            cross = numpy.cross(p[1] - p[0], p[2] - p[0]) / 2 if len(p) == 3 else p[1] - p[0]
            sizes.append(numpy.linalg.norm(cross))
        return numpy.array(sizes)


def table(scene):
    with open(f"{folder}/{scene}.csv") as file:
        rows = list(csv.DictReader(file))
    return {name.split(" ")[0]: [float(row[name]) for row in rows] for name in rows[0]}


def check_times(scene):
    rows = table(scene)
    for kind in ("bodies", "contacts", "walls"):
        check(f"{scene}: times of {kind}", Series(scene, kind).times, rows["time"])
    bodies, contacts = Series(scene, "bodies"), Series(scene, "contacts")
    for k, time in enumerate(rows["time"]):
        frame = bodies.at(time)
        check(f"{scene}: time in the frame", frame.array("Field", "time"), [time])
        check(f"{scene}: bodies", len(frame.points), rows["bodies"][k])
        check(f"{scene}: cells of bodies", frame.cells, rows["bodies"][k])
        check(f"{scene}: contacts", contacts.at(time).cells, rows["contacts"][k])
        if "steps" in rows:
            check(f"{scene}: step in the frame", frame.array("Field", "step"), [rows["steps"][k]])
    return rows


def mass(radius, density):
    return density * 4 / 3 * math.pi * radius**3


# --- known.yaml

rows = check_times("known")
series = Series("known", "bodies")
fixed = [[-1, -1, -1], [-0.75, -1, -1], [1.5, 1.5, -1.9005], [-1, -1.24, -1]]
for k, time in enumerate(rows["time"]):
    frame = series.at(time)
    free = [0.5 + time, 2 * time, 3 * time]
    # the time is a sum of 40 steps, each addition rounded
    check("known: positions", frame.points, [free] + fixed, 1e-14)
    check("known: unwrapped", frame.array("Point", "unwrapped"), [free] + fixed, 1e-14)
    check("known: ids", frame.array("Point", "id"), [1, 2, 3, 4, 5])
    check("known: radii", frame.array("Point", "radius"), [0.25, 0.125, 0.125, 0.1, 0.125])
    check("known: diameters", frame.array("Point", "diameter"), [0.5, 0.25, 0.25, 0.2, 0.25])
    check("known: materials", frame.array("Point", "material"), [1, 2, 2, 1, 2])
    check("known: velocities", frame.array("Point", "velocity"), [[1, 2, 3]] + 4 * [[0, 0, 0]], 1e-14)
    check("known: speeds", frame.array("Point", "speed"), [math.sqrt(14), 0, 0, 0, 0], 1e-15)
    masses = [mass(0.25, 2500), mass(0.125, 7800), mass(0.125, 7800), mass(0.1, 2500), mass(0.125, 7800)]
    check("known: masses", frame.array("Point", "mass"), masses, 1e-14)
    kinetic = 0.5 * frame.array("Point", "mass") * frame.array("Point", "speed") ** 2
    check("known: kinetic energy against the table", kinetic.sum(), rows["translation"][k], 1e-14)
    # sphere 1 has no contact, sphere 4 touches the floor only
    check("known: coordination", frame.array("Point", "coordination")[[0, 3]], [0, 1])
    check("known: orientations", frame.array("Point", "orientation"), 5 * [[1, 0, 0, 0]])

frame, walls = series.at(rows["time"][0]), Series("known", "walls").at(rows["time"][0])
contacts = Series("known", "contacts").at(rows["time"][0])
first, second = contacts.array("Cell", "first"), contacts.array("Cell", "second")
wall, force = contacts.array("Cell", "wall"), contacts.array("Cell", "force")
pair = [c for c in range(contacts.cells) if (first[c], second[c]) == (2, 5)]
floor = [c for c in range(contacts.cells) if wall[c] == 1]
check("known: overlapping pair, contact with the floor", [len(pair), len(floor)], [1, 1])
# Hertz: 4/3 E* sqrt(R) d^1.5 with the moduli and radii of the scene
steel, glass = (1 - 0.3**2) / 50e6, (1 - 0.25**2) / 50e6
pair_force = 4 / 3 / (2 * steel) * math.sqrt(0.0625) * 0.01**1.5
floor_force = 4 / 3 / (steel + glass) * math.sqrt(0.1) * 0.0005**1.5
if pair and floor:
    (c,), (f,) = pair, floor
    check("known: ends of a contact", contacts.corners(c), [[-1, -1, -1], [-1, -1.24, -1]], 1e-14)
    check("known: ends of a contact with a wall", contacts.corners(f), [[1.5, 1.5, -1.9005], [1.5, 1.5, -2]], 1e-14)
    check("known: overlap", contacts.array("Cell", "overlap")[[c, f]], [0.01, 0.0005], 1e-11)
    check("known: force of a contact", force[c], [0, pair_force, 0], 1e-11)
    check("known: force of the floor", force[f], [0, 0, floor_force], 1e-9)
    check("known: normal forces", contacts.array("Cell", "normal_force")[[c, f]], [pair_force, floor_force], 1e-9)
    # zero up to rounding of the normal
    shear = numpy.abs(contacts.array("Cell", "shear_force")[[c, f]])
    check("known: shear forces larger than rounding", shear > 4 * 2**-52 * pair_force, [False, False])
    check("known: normals", contacts.array("Cell", "normal")[[c, f]], [[0, 1, 0], [0, 0, 1]], 1e-14)
    check("known: energy against the table", contacts.array("Cell", "stored").sum(), rows["elastic"][0], 1e-12)
    # sphere 5 has one contact: force times lever arm over volume, tension positive
    stress = [0, -pair_force * 0.12 / (4 / 3 * math.pi * 0.125**3), 0, 0, 0, 0]
    check("known: stress in a body, as xx yy zz xy yz xz", frame.array("Point", "stress")[4], stress, 1e-11)

ids, sizes = walls.array("Cell", "id"), walls.sizes()
wall_force, wall_velocity = walls.array("Cell", "force"), walls.array("Cell", "velocity")
check("known: materials of walls", walls.array("Cell", "material"), numpy.full(walls.cells, 2))
check("known: shapes of walls", [walls.array("Cell", "shape")[ids == k].max() for k in range(1, 8)], range(1, 8))
check("known: force on the floor", numpy.unique(wall_force[ids == 1], axis=0), [[0, 0, -floor_force]], 1e-9)
check("known: force on other walls", numpy.abs(wall_force[ids != 1]).max(), 0)
check("known: velocity of the rectangle", numpy.unique(wall_velocity[ids == 2], axis=0), [[0, 0.5, 0]])
sector = 64 * math.sin(2 * math.pi / 64) / 2  # area of a polygon with 64 corners on the unit circle
perimeter = 128 * math.sin(math.pi / 64)  # of the same polygon
apothem = 0.25 * math.cos(math.pi / 64)
areas = [16, 0.125, sector * (0.25**2 - 0.125**2), 6 * 0.25, perimeter * 0.25 * 0.5,
         0.25 * perimeter / 2 * math.hypot(0.5, apothem)]
check("known: areas of walls", [sizes[ids == k].sum() for k in range(1, 7)], areas, 1e-13)
# the corners of the sphere lie on its surface
ball = numpy.concatenate([walls.corners(c) for c in range(walls.cells) if ids[c] == 7])
check("known: corners of the sphere", numpy.linalg.norm(ball - [1, -1, 1], axis=1), numpy.full(len(ball), 0.25), 1e-13)
check("known: area of the sphere", sizes[ids == 7].sum(), math.pi / 4, 5e-3)
for c in range(walls.cells):
    if ids[c] == 3:
        x, y = walls.corners(c).mean(axis=0)[:2] - 1
        check("known: velocity of the rotating disk", wall_velocity[c], [-2 * y, 2 * x, 0], 1e-12)
moved = Series("known", "walls").at(rows["time"][2])
plate = numpy.concatenate([moved.corners(c) for c in range(moved.cells) if moved.array("Cell", "id")[c] == 2])
check("known: the rectangle moves", plate[:, 1], numpy.full(len(plate), 1 + 0.5 * rows["time"][2]), 1e-14)

# --- worn.yaml

worn = Series("worn", "walls")
frame = worn.at(worn.times[-1])
ids, facet = frame.array("Cell", "id"), frame.array("Cell", "facet")
mesh = ids == 1
weight = 10 * mass(0.1, 1000)
check("worn: numbers of facets", facet[mesh], [0, 1])
check("worn: areas", frame.array("Cell", "area")[mesh], [2, 2], 1e-15)
check("worn: the mesh moves", frame.corners(0)[:, 0], [-1 + 0.075, 1 + 0.075, 1 + 0.075], 1e-13)
# the ball at rest keeps its place to the round-off of 15000 steps
check("worn: force on a facet", frame.array("Cell", "facet_force")[mesh][0], [0, 0, -weight], 1e-9)
check("worn: pressure", frame.array("Cell", "pressure")[mesh][0], weight / 2, 1e-9)
check("worn: friction work", frame.array("Cell", "friction_work")[mesh], [0, 0])
check("worn: impacts", frame.array("Cell", "impacts"), [0, 1] + [0] * (frame.cells - 2))
# a fall of 5 cm, and at most the way of a step at 1 m/s more
check("worn: energy of an impact", frame.array("Cell", "impact_energy")[mesh], [0, weight * 0.05], 2e-4)
check("worn: no facets elsewhere", facet[~mesh], [-1] * (frame.cells - 2))
check("worn: no pressure elsewhere", numpy.isnan(frame.array("Cell", "pressure")), ~mesh)

# --- flat.yaml

flat = Series("flat", "bodies")
check("flat: times", len(flat.times), 2)
frame = flat.at(flat.times[0])
check("flat: positions", frame.points, [[0, 0.099, 0], [0.5, 0.5, 0]], 6e-8)
check("flat: spins", frame.array("Point", "spin"), [[0, 0, 0], [0, 0, 3]])
walls = Series("flat", "walls").at(flat.times[0])
ids, sizes = walls.array("Cell", "id"), walls.sizes()
check("flat: lengths of walls", [sizes[ids == k].sum() for k in (2, 3, 4)], [0.25 * perimeter, 1.5, 0.5], 1e-6)
check("flat: the plane", walls.corners(int(numpy.flatnonzero(ids == 1)[0]))[:, 1], [0, 0])
check("flat: contacts", Series("flat", "contacts").at(flat.times[0]).cells, 1)

# --- sheared.yaml: the two bodies at faces touch through one, the third keeps its place in the cell

rows = table("sheared")
cells, bodies, contacts = Series("sheared", "cell"), Series("sheared", "bodies"), Series("sheared", "contacts")
check("sheared: times", cells.times, rows["time"])
corner = numpy.array([-1, 0, 0.5])
for k, time in enumerate(rows["time"]):
    frame, body = cells.at(time), bodies.at(time)
    vectors = numpy.array([[rows[f"cell-{edge}-{axis}"][k] for axis in "xyz"] for edge in "abc"])
    corners = [corner + numpy.array([n & 1, n >> 1 & 1, n >> 2 & 1]) @ vectors for n in range(8)]
    check("sheared: corners of the cell", frame.points, corners, 1e-14)
    check("sheared: edges", frame.sizes(), [numpy.linalg.norm(v) for v in vectors for _ in range(4)], 1e-14)
    # D (x - corner), with the shear of x along y and the strain rate along z
    arm = frame.points - corner
    mean = numpy.stack([2 * arm[:, 1], 0 * arm[:, 1], -0.5 * arm[:, 2]], axis=1)
    check("sheared: velocities of corners", frame.array("Point", "velocity"), mean, 1e-14)
    inside = (body.points - corner) @ numpy.linalg.inv(vectors)
    check("sheared: bodies inside the cell", (inside > -1e-12) & (inside < 1 + 1e-12), numpy.full(inside.shape, True))
    # (1.5, 1, 0.5) from the corner, F = (1 2t; 0 1; exp(-t/2)), of order 2 in the step
    free = corner + [1.5 + 2 * time, 1, 0.5 * math.exp(-0.5 * time)]
    check("sheared: a body without forces", body.array("Point", "unwrapped")[2], free, 1e-9)
check("sheared: contacts", rows["contacts"][0], 1)
line = contacts.at(0).corners(0)
check("sheared: a contact across a face", numpy.linalg.norm(line[1] - line[0]), math.hypot(0.19, 0.04), 1e-12)
check("sheared: the cell changes its vectors", rows["cell-b-x"][-1] < rows["cell-b-x"][0] + 1.5, True)

# --- empty.yaml

for kind, cells in (("bodies", 0), ("contacts", 0), ("walls", 2)):
    empty = Series("empty", kind)
    check(f"empty: times of {kind}", empty.times, [0, 0.001, 0.002], 1e-15)
    check(f"empty: {kind}", empty.at(0.001).cells, cells)

# --- hopper.yaml, and the picture

rows = check_times("hopper")
bodies, walls = Series("hopper", "bodies"), Series("hopper", "walls")
for k, time in enumerate(rows["time"]):
    frame = bodies.at(time)
    radius, velocity = frame.array("Point", "radius"), frame.array("Point", "velocity")
    kinetic = (0.5 * mass(radius, 2500) * (velocity**2).sum(axis=1)).sum()
    # numbers are rounded to single precision
    check("hopper: kinetic energy against the table", kinetic, rows["translation"][k], 1e-6)
    check("hopper: ids", frame.array("Point", "id"), range(1, 601))

# a threshold can select single bodies only if each body is a cell
large = Threshold(Input=bodies.source)
large.Scalars = ["POINTS", "radius"]
large.LowerThreshold, large.UpperThreshold = 0.005, 1
large.UpdatePipeline(rows["time"][0])
check("hopper: a threshold", servermanager.Fetch(large).GetNumberOfPoints(), (radius >= 0.005).sum())

if failures:
    sys.exit("\n".join(failures))

if sys.argv[2:] != ["data"]:
    view = CreateRenderView(ViewSize=[900, 900])
    view.Background = [1, 1, 1]
    view.ViewTime = rows["time"][-1]
    balls = Glyph(Input=bodies.source, GlyphType="Sphere")
    balls.ScaleArray = ["POINTS", "radius"]
    balls.ScaleFactor = 2
    balls.GlyphMode = "All Points"
    balls.OrientationArray = ["POINTS", "No orientation array"]
    ball_display = Show(balls, view)
    ColorBy(ball_display, ("POINTS", "velocity", "Magnitude"))
    ball_display.RescaleTransferFunctionToDataRange(True)
    ball_display.SetScalarBarVisibility(view, True)
    wall_display = Show(walls.source, view)
    wall_display.Representation = "Surface"
    wall_display.Opacity = 0.25
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.75, -0.75, 0.3], [0, 0, 0.1], [0, 0, 1]
    SaveScreenshot(f"{folder}/hopper.png", view)
print("all frames are correct")
