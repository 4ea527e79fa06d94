# gnuplot plot.gp: energies of a run over time
set terminal pngcairo size 600,340 font "Sans,9"
set output "plot-gnuplot.png"
set datafile separator ","      # a table of Scree is a CSV file
set key autotitle columnheader top left noenhanced
set xlabel "time [s]"
set ylabel "energy [mJ]"
set grid
file = "out/fill.csv"
plot for [name in "kinetic friction dashpot damping"] file \
    using (column("time [s]")):(1000 * column(name . " [J]")) with lines linewidth 2 title name
