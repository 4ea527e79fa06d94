"""stiffness.py: what changes with Young's modulus (sweep of fill.yaml) and with the time step (sweep of step.yaml)."""
import recipe

soft = recipe.table("fill-sweep/sweep.csv")
fills = {path.split("_")[0]: recipe.table(f"fill-sweep/young={path}/out/fill.csv") for path in ("2_MPa", "8_MPa", "32_MPa")}
for k, (young, rows) in enumerate(fills.items()):
    recipe.show(f"steps at {young} MPa", soft["run steps"][k], "", 6)
    recipe.show(f"largest overlap at {young} MPa", 100 * max(rows["max-overlap"]), "% of the radius", 2)
    recipe.show(f"overlap at rest at {young} MPa", 100 * rows["max-overlap"][-1], "% of the radius", 2)
    recipe.show(f"porosity at {young} MPa", rows["porosity"][-1])
step = recipe.table("step-sweep/sweep.csv")
errors = [100 * abs(v / 0.6 - 1) for v in step["rebound"]]
for safety, error in zip(step["safety"], errors):
    recipe.show(f"error of the rebound at {safety:g}", error, "%", 2)

drawing, axes = recipe.figure(7.2, 3.2, 2)
if drawing:
    modulus = [float(young) for young in fills]
    axes[0].loglog(modulus, [100 * max(rows["max-overlap"]) for rows in fills.values()], "o-", label="in impacts")
    axes[0].loglog(modulus, [100 * rows["max-overlap"][-1] for rows in fills.values()], "s-", label="at rest")
    axes[0].set(xlabel="Young's modulus [MPa]", ylabel="largest overlap [% of the radius]", xticks=modulus)
    axes[0].set_xticklabels([f"{young:g}" for young in modulus])
    axes[0].minorticks_off()
    axes[0].set_yticks([0.5, 1, 2, 5, 10, 20])
    axes[0].set_yticklabels(["0.5", "1", "2", "5", "10", "20"])
    axes[0].legend()
    axes[1].loglog(step["safety"], errors, "o-")
    axes[1].set(xlabel="safety factor", ylabel="error of the rebound [%]", xticks=step["safety"])
    axes[1].set_xticklabels([f"{safety:g}" for safety in step["safety"]])
    axes[1].set_yticks([0.03, 0.1, 0.3, 1, 3, 10])
    axes[1].set_yticklabels(["0.03", "0.1", "0.3", "1", "3", "10"])
    axes[1].minorticks_off()
    recipe.save(drawing, "stiffness.png")
