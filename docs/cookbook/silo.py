"""silo.py: mass flow of the sweep over the outlet, beside the law of Beverloo."""
import glob
import math

import recipe

DENSITY, DIAMETER, GRAVITY = 2500, 6e-3, 9.81
FROM = 0.12  # s; before, the flow accelerates


def beverloo(outlet, bulk):
    """Beverloo, Leniger and van de Velde (1961), in kg/s; bulk is the bulk density."""
    return 0.58 * bulk * math.sqrt(GRAVITY) * (outlet - 1.4 * DIAMETER) ** 2.5


runs = []
for path in glob.glob("silo-sweep/outlet=*/out/silo.csv"):
    outlet = float(path.split("outlet=")[1].split("_mm")[0]) * 1e-3
    rows = recipe.table(path)
    steady = [k for k, time in enumerate(rows["time"]) if time >= FROM]
    flow, _ = recipe.line([rows["time"][k] for k in steady], [rows["outflow"][k] for k in steady])
    bulk = DENSITY * recipe.mean([rows["bulk"][k] for k in steady])
    runs.append((outlet, flow, bulk, rows))
runs.sort()

for outlet, flow, bulk, rows in runs:
    recipe.show(f"flow at {1e3 * outlet:.0f} mm", 1e3 * flow, "g/s")
    recipe.show(f"flow over Beverloo at {1e3 * outlet:.0f} mm", flow / beverloo(outlet, bulk))
recipe.show("bulk density", recipe.mean([bulk for _, _, bulk, _ in runs]), "kg/m^3", 4)
recipe.show("largest overlap", 100 * max(max(rows["max-overlap"]) for *_, rows in runs), "% of the radius", 2)
# the slope of the flow to the power 2/5 over the outlet is a straight line that begins at 1.4 diameters
slope, start = recipe.line([outlet for outlet, *_ in runs], [flow**0.4 for _, flow, *_ in runs])
recipe.show("outlet without flow", -start / slope / DIAMETER, "grain diameters", 2)

drawing, axes = recipe.figure(7.2, 3.2, 2)
if drawing:
    for outlet, flow, bulk, rows in runs:
        axes[0].plot(rows["time"], [1e3 * mass for mass in rows["outflow"]], label=f"outlet {1e3 * outlet:.0f} mm")
    axes[0].axvline(FROM, color="grey", linestyle=":", linewidth=1)
    axes[0].set(xlabel="time [s]", ylabel="mass that has left [g]", xlim=(0, None), ylim=(0, None))
    axes[0].legend()
    wide = [1e-3 * (24 + 0.5 * k) for k in range(45)]
    bulk = recipe.mean([bulk for _, _, bulk, _ in runs])
    axes[1].plot([1e3 * o for o in wide], [1e3 * beverloo(o, bulk) for o in wide], color="grey", label="Beverloo")
    axes[1].plot([1e3 * o for o, *_ in runs], [1e3 * flow for _, flow, *_ in runs], "o", label="Scree")
    axes[1].set(xlabel="diameter of the outlet [mm]", ylabel="mass flow [g/s]", ylim=(0, None))
    axes[1].legend()
    recipe.save(drawing, "silo.png")
