"""plot.py: energies of a run over time, with matplotlib and nothing else."""
import csv
import sys

try:
    import matplotlib
except ImportError:
    sys.exit("plot.py needs matplotlib: sudo apt-get install python3-matplotlib")
matplotlib.use("Agg")  # draws to files; no screen is needed
from matplotlib import pyplot

with open("out/fill.csv") as file:
    rows = list(csv.DictReader(file))
time = [float(row["time [s]"]) for row in rows]
for title in ("kinetic [J]", "friction [J]", "dashpot [J]", "damping [J]"):
    pyplot.plot(time, [1e3 * float(row[title]) for row in rows], label=title.split(" ")[0])
pyplot.xlabel("time [s]")
pyplot.ylabel("energy [mJ]")
pyplot.legend()
pyplot.gcf().set_size_inches(6, 3.4)
pyplot.tight_layout()
pyplot.savefig("plot-matplotlib.png", dpi=100)
