"""view.py, for pvbatch: a picture of a frame of fill.yaml: bodies as spheres, coloured by their speed, in transparent
walls."""
from paraview.simple import *

bodies = OpenDataFile("out/fill-bodies.hdf.series")
walls = OpenDataFile("out/fill-walls.hdf.series")
spheres = Glyph(Input=bodies, GlyphType="Sphere", ScaleFactor=2, GlyphMode="All Points")
spheres.ScaleArray = ["POINTS", "radius"]
spheres.OrientationArray = ["POINTS", "No orientation array"]

view = CreateRenderView(ViewSize=[480, 520])
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]
view.OrientationAxesVisibility = 0
view.ViewTime = 0.26  # s; shows the last frame before this time

shown = Show(spheres, view)
ColorBy(shown, ("POINTS", "velocity", "Magnitude"))
colours = GetColorTransferFunction("velocity")
colours.RescaleTransferFunction(0, 1)
bar = GetScalarBar(colours, view)
bar.Title, bar.ComponentTitle = "speed [m/s]", ""
bar.TitleColor = bar.LabelColor = [0, 0, 0]
shown.SetScalarBarVisibility(view, True)
Show(walls, view).Opacity = 0.2

view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.12, -0.17, 0.1], [0.006, 0, 0.035], [0, 0, 1]
SaveScreenshot("view.png", view)
print(f"bodies in the picture: {bodies.GetDataInformation().GetNumberOfPoints()}")
