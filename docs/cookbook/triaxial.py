"""triaxial.py [OUT]: stresses, strains and porosity of a run of triaxial.yaml.

The contacts and the forces of the walls give the size of the sample: in equilibrium the sum of force x branch vector over
all contacts, which is stress times volume of the region, is the force of a wall times the distance to the opposite wall."""
import math
import sys

import recipe

REGION = 0.2**3  # volume of the region of the columns, m^3
PRESSURE, COMPRESS, RAMP, RATE, MODULUS = 100e3, 20e-3, 3e-3, 2.0, 40e6
DIAMETER, SIDE, DENSITY = 4e-3, 34e-3, 2650

WINDOW = 2e-3  # s; edges and ratios are means over this time before and after, because a small sample fluctuates

out = sys.argv[1] if len(sys.argv) > 1 else "out"
table = recipe.table(f"{out}/triaxial.csv")
start = max(k for k, time in enumerate(table["time"]) if time <= COMPRESS)
rows = {name: values[start:] for name, values in table.items()}  # from the last row before shear on
time = rows["time"]


def smooth(values):
    """Means over the window."""
    count = round(WINDOW / (time[1] - time[0]))
    return [recipe.mean(values[max(0, k - count) : k + count + 1]) for k in range(len(values))]


def edges(axis):
    """The edge of the sample along this axis in each row."""
    return [-s * REGION / abs(f) for s, f in zip(rows[f"stress-{axis}{axis}"], rows[f"force-{axis}"])]


def moved(t):
    """Path of the top: its speed increases during the ramp and is then constant."""
    ramp = min(max(t - COMPRESS, 0), RAMP)
    return RATE * SIDE * (ramp**2 / (2 * RAMP) + max(t - COMPRESS - RAMP, 0))


x, y = smooth(edges("x")), smooth(edges("y"))
top = edges("z")[0]
z = [top - moved(t) for t in time]
volumes = [x[k] * y[k] * z[k] for k in range(len(time))]
porosity = [1 - rows["solid-fraction"][k] * REGION / volumes[k] for k in range(len(time))]
axial = [-math.log(z[k] / z[0]) for k in range(len(time))]
volume = [math.log(volumes[k] / volumes[0]) for k in range(len(time))]
side = [(abs(rows["force-x"][k]) / y[k] + abs(rows["force-y"][k]) / x[k]) / (2 * z[k]) for k in range(len(time))]
rough = [abs(rows["force-z"][k]) / (x[k] * y[k] * side[k]) for k in range(len(time))]
ratio = smooth(rough)
sheared = [k for k in range(len(time)) if time[k] > COMPRESS + RAMP]
peak = max(sheared, key=lambda k: ratio[k])


def friction_angle(r):
    return math.degrees(math.asin((r - 1) / (r + 1)))


recipe.show("unbalanced force before shear", rows["unbalanced"][0], "", 2)
recipe.show("porosity before shear", porosity[0])
recipe.show("pressure on the sides", recipe.mean([side[k] for k in sheared]) / 1e3, "kPa", 4)
recipe.show("largest deviation of the side pressure", 100 * max(abs(side[k] / PRESSURE - 1) for k in sheared), "%", 2)
recipe.show("peak friction angle", friction_angle(ratio[peak]), "degrees")
recipe.show("axial strain at the peak", 100 * axial[peak], "%", 2)
recipe.show("friction angle at the end", friction_angle(ratio[-1]), "degrees")
recipe.show("volume strain at the end", 100 * volume[-1], "%", 2)
recipe.show("porosity at the end", porosity[-1])
recipe.show("largest unbalanced force in shear", max(rows["unbalanced"][k] for k in sheared), "", 2)
recipe.show("inertial number", RATE * DIAMETER * math.sqrt(DENSITY / PRESSURE), "", 2)
recipe.show("modulus over pressure", MODULUS / PRESSURE)
recipe.show("largest overlap", 100 * max(table["max-overlap"]), "% of the radius", 2)

drawing, axes = recipe.figure(7.2, 3.2, 2)
if drawing:
    percent = [100 * strain for strain in axial]
    axes[0].plot(percent, rough, color="#9cc0e0", linewidth=1)
    axes[0].plot(percent, ratio)
    axes[0].set(xlabel="axial strain [%]", ylabel="axial stress / side pressure", xlim=(0, None))
    axes[1].plot(percent, [100 * strain for strain in volume])
    axes[1].set(xlabel="axial strain [%]", ylabel="volume strain [%], expansion positive", xlim=(0, None))
    recipe.save(drawing, "triaxial.png")
