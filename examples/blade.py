#!/usr/bin/env python3
"""Writes blade.stl, the blade of the example mixer.yaml, in millimetres: a shaft of six sides along z and two twisted
plates, 2 mm thick, which push bodies up when the blade turns anticlockwise as seen from above.

    python3 examples/blade.py examples/blade.stl
"""
import math
import sys

SHAFT = {"radius": 3.5, "sides": 6, "ends": (1.0, 100.0)}
# a plate: stations from the axis outwards, and the angle of its profile with the horizontal at the first and the last
STATIONS, ANGLES = (2.5, 10, 18, 26, 34, 37), (60.0, 30.0)
# the leading edge is as high everywhere
WIDTH, THICKNESS, LOWEST = 18.0, 2.0, 1.0


def profile(radius, turn):
    """The four corners of the section of a plate, at a distance from the axis."""
    share = (radius - STATIONS[0]) / (STATIONS[-1] - STATIONS[0])
    angle = math.radians(ANGLES[0] + share * (ANGLES[1] - ANGLES[0]))
    corners, middle = [], LOWEST + WIDTH / 2 * math.sin(angle) + THICKNESS / 2 * math.cos(angle)
    for along, above in ((-1, 1), (1, 1), (1, -1), (-1, -1)):
        s, t = along * WIDTH / 2, above * THICKNESS / 2
        y, z = s * math.cos(angle) - t * math.sin(angle), middle - s * math.sin(angle) - t * math.cos(angle)
        corners.append((turn * radius, turn * y, z))
    return corners


def polygon(height):
    angles = (2 * math.pi * k / SHAFT["sides"] for k in range(SHAFT["sides"]))
    return [(SHAFT["radius"] * math.cos(a), SHAFT["radius"] * math.sin(a), height) for a in angles]


def tube(rings):
    """Triangles of a closed body between rings of corners."""
    corners = len(rings[0])
    for low, high in zip(rings, rings[1:]):
        for k in range(corners):
            n = (k + 1) % corners
            yield low[k], low[n], high[n]
            yield low[k], high[n], high[k]
    for k in range(1, corners - 1):
        yield rings[0][0], rings[0][k + 1], rings[0][k]
        yield rings[-1][0], rings[-1][k], rings[-1][k + 1]


def main():
    bodies = [tube([polygon(height) for height in SHAFT["ends"]])]
    bodies += [tube([profile(radius, turn) for radius in STATIONS]) for turn in (1, -1)]
    with open(sys.argv[1], "w", encoding="ascii") as file:
        file.write("solid blade\n")
        for corners in (triangle for body in bodies for triangle in body):
            file.write("facet normal 0 0 0\nouter loop\n")
            for corner in corners:
                file.write("vertex {:.5f} {:.5f} {:.5f}\n".format(*corner))
            file.write("endloop\nendfacet\n")
        file.write("endsolid blade\n")


main()
