#!/usr/bin/env python3
"""Mass properties of unions of spheres and disks to 20 digits, for unit.mass: python3 mass_unions.py > mass_unions.csv

Independent of src/shape, which integrates over surfaces: here a union of spheres is cut into slices along z, and a
slice, a union of disks, into strips along y between all points where outlines begin, end or cross. In a strip the union is
a fixed set of intervals of x between arcs, whose moments are antiderivatives in closed form. The integral over z is by the
double exponential rule between all z at which the slices change their topology, with 32 digits. The step of the rule is
halved until values differ by less than 1e-14; a halving about doubles the number of right digits, so the last ones have more
than 20. Coordinates are multiples of 1/64, so that they are exact in binary. Needs mpmath; takes minutes.
"""

import itertools

from mpmath import atan2, cosh, mp, mpf, nstr, pi, sinh, sqrt, tanh

mp.dps = 32
UNIT = mpf(1) / 64

# name, dimension, pebbles (x, y, z, radius in units of 1/64)
UNIONS = [
    ("lens", 3, [(0, 0, 0, 64), (32, 48, -16, 48)]),
    ("three with common volume", 3, [(0, 0, 0, 64), (50, 0, 7, 56), (20, 45, -9, 40)]),
    ("tetrahedron with a hollow", 3, [(44, 44, 44, 64), (44, -44, -44, 64), (-44, 44, -44, 64), (-44, -44, 44, 64)]),
    ("ring", 3, [(96, 0, 0, 52), (48, 83, 6, 52), (-48, 83, 0, 50), (-96, 0, 3, 52), (-48, -83, 0, 54), (48, -83, 0, 52)]),
    ("tapered chain", 3, [(0, 0, 0, 64), (40, 10, 5, 52), (75, 17, 9, 43), (104, 20, 20, 35), (128, 24, 27, 28)]),
    ("nested and apart", 3, [(0, 0, 0, 64), (10, -8, 6, 30), (70, 0, 0, 20), (200, 30, -20, 45), (-20, 40, 33, 33)]),
    ("four through two points", 3, [(48, 0, 0, 80), (-48, 0, 0, 80), (0, 48, 0, 80), (0, -48, 0, 80)]),
    ("two disks", 2, [(0, 0, 0, 64), (50, 33, 0, 40)]),
    ("three disks with common area", 2, [(0, 0, 0, 64), (50, 0, 0, 56), (20, 45, 0, 40)]),
    ("ring of disks", 2, [(96, 0, 0, 52), (48, 83, 0, 52), (-48, 83, 0, 50), (-96, 0, 0, 52), (-48, -83, 0, 54), (48, -83, 0, 52)]),
    ("three disks through one point", 2, [(48, 0, 0, 80), (-48, 0, 0, 80), (0, -16, 0, 80)]),
]


def arc_moments(disk, side, low, high):
    """Integrals over y of X y^b, b = 0, 1, 2, of X^2 y^b, b = 0, 1, and of X^3, with the arc X = x + side s."""
    x, y, r = disk

    def integrals(v):
        t = min(max(v - y, -r), r)
        # both from the same rounded difference, so that their errors at the ends of an arc cancel
        s = sqrt((r - t) * (r + t))
        angle = atan2(t, s)
        s0 = (t * s + r * r * angle) / 2
        s1 = -s**3 / 3
        s2 = (r**4 * angle - t * s * (r * r - 2 * t * t)) / 8
        q0 = r * r * t - t**3 / 3
        q1 = r * r * t**2 / 2 - t**4 / 4
        c0 = (t * s**3 + 3 * r * r * s0) / 4
        return t, t * t / 2, t**3 / 3, s0, s1, s2, q0, q1, c0

    one, t1, t2, s0, s1, s2, q0, q1, c0 = (b - a for a, b in zip(integrals(low), integrals(high)))
    s0, s1, s2, c0 = side * s0, side * s1, side * s2, side * c0
    x0, x1, x2 = x * one + s0, x * t1 + s1, x * t2 + s2
    square0, square1 = x * x * one + 2 * x * s0 + q0, x * x * t1 + 2 * x * s1 + q1
    cube = x**3 * one + 3 * x * x * s0 + 3 * x * q0 + c0
    return [x0, x1 + y * x0, x2 + 2 * y * x1 + y * y * x0, square0 / 2, (square1 + y * square0) / 2, cube / 3]


def crossings(disks):
    for (a, b, r), (c, d, s) in itertools.combinations(disks, 2):
        dx, dy = c - a, d - b
        square = dx * dx + dy * dy
        if square == 0:
            continue
        along = (square + r * r - s * s) / (2 * square)
        across = r * r / square - along * along
        if across > 0:
            for sign in (-1, 1):
                yield b + along * dy + sign * sqrt(across) * dx


def slice_moments(disks):
    """Integrals of 1, y, y^2, x, x y and x^2 over a union of disks."""
    sums = [mpf(0)] * 6
    ends = [d[1] - d[2] for d in disks] + [d[1] + d[2] for d in disks] + list(crossings(disks))
    ends.sort()
    for low, high in zip(ends, ends[1:]):
        middle = (low + high) / 2
        cuts = []
        for disk in disks:
            square = disk[2] ** 2 - (middle - disk[1]) ** 2
            if square > 0:
                cuts.append((disk[0] - sqrt(square), disk[0] + sqrt(square), disk))
        cuts.sort(key=lambda cut: cut[0])
        while cuts:
            first, end, last = cuts[0][2], cuts[0][1], cuts[0][2]
            cuts.pop(0)
            while cuts and cuts[0][0] <= end:
                if cuts[0][1] > end:
                    end, last = cuts[0][1], cuts[0][2]
                cuts.pop(0)
            right, left = arc_moments(last, 1, low, high), arc_moments(first, -1, low, high)
            sums = [m + b - a for m, a, b in zip(sums, left, right)]
    return sums


def topology(spheres):
    """All z where slices begin or end, circles of two spheres begin or end, or three spheres meet."""
    for *centre, r in spheres:
        yield centre[2] - r
        yield centre[2] + r
    for (a, b, c, r), (d, e, f, s) in itertools.combinations(spheres, 2):
        u = (d - a, e - b, f - c)
        square = sum(k * k for k in u)
        along = (square + r * r - s * s) / (2 * square)
        radius = r * r - along * along * square
        if radius > 0:
            extent = sqrt(radius * (1 - u[2] * u[2] / square))
            yield c + along * u[2] - extent
            yield c + along * u[2] + extent
    for three in itertools.combinations(spheres, 3):
        # the line of equal powers through the point p, along n
        (a, ra), (b, rb), (c, rc) = ((s[:3], s[3]) for s in three)
        u, v = [q - p for p, q in zip(a, b)], [q - p for p, q in zip(a, c)]
        uu, vv, uv = (sum(x * y for x, y in zip(p, q)) for p, q in ((u, u), (v, v), (u, v)))
        gram = uu * vv - uv * uv
        if gram == 0:
            continue
        h, k = (uu + ra * ra - rb * rb) / 2, (vv + ra * ra - rc * rc) / 2
        i, j = (h * vv - k * uv) / gram, (k * uu - h * uv) / gram
        p = [i * x + j * y for x, y in zip(u, v)]
        rest = ra * ra - sum(x * x for x in p)
        if rest >= 0:
            normal = (u[0] * v[1] - u[1] * v[0]) / sqrt(gram)
            yield a[2] + p[2] - sqrt(rest) * normal
            yield a[2] + p[2] + sqrt(rest) * normal


def integrate(spheres):
    """Integrals of 1, x, y, z, xx, yy, zz, yz, zx, xy over a union of spheres."""

    def values(z):
        disks = [(x, y, sqrt(r * r - (z - c) ** 2)) for x, y, c, r in spheres if abs(z - c) < r]
        m, my, myy, mx, mxy, mxx = slice_moments(disks)
        return [m, mx, my, z * m, mxx, myy, z * z * m, z * my, z * mx, mxy]

    def nodes(level):
        step = mpf(1) / 2**level
        for k in range(-5 * 2**level, 5 * 2**level + 1):
            if level == 3 or k % 2:
                t = k * step
                yield tanh(pi / 2 * sinh(t)), pi / 2 * cosh(t) / cosh(pi / 2 * sinh(t)) ** 2

    ends = sorted(topology(spheres))
    total = [mpf(0)] * 10
    for low, high in zip(ends, ends[1:]):
        half = (high - low) / 2
        if half < mpf(10) ** -26:
            continue
        last, sums, level = None, [mpf(0)] * 10, 3
        while last is None or max(abs(a - b) for a, b in zip(last, now)) > mpf(10) ** -14:
            last = now if level > 3 else None
            for at, weight in nodes(level):
                if weight < mpf(10) ** -26:
                    continue
                sums = [s + weight * v for s, v in zip(sums, values((low + high) / 2 + half * at))]
            now = [s * half / 2**level for s in sums]
            level += 1
            assert level < 10
        total = [a + b for a, b in zip(total, now)]
    return total


def properties(dimension, pebbles):
    balls = [tuple(UNIT * k for k in p) for p in pebbles]
    if dimension == 2:
        m, my, myy, mx, mxy, mxx = slice_moments([(x, y, r) for x, y, _, r in balls])
        zero = mpf(0)
        m, *moments = m, mx, my, zero, mxx, myy, zero, zero, zero, mxy
    else:
        m, *moments = integrate(balls)
    x, y, z, xx, yy, zz, yz, zx, xy = (k / m for k in moments)
    xx, yy, zz, yz, zx, xy = xx - x * x, yy - y * y, zz - z * z, yz - y * z, zx - z * x, xy - x * y
    return m, x, y, z, yy + zz, zz + xx, xx + yy, -yz, -zx, -xy


def check():
    """Closed forms: a sphere, and a lens of two."""
    m, *_, xx, yy, zz, yz, zx, xy = properties(3, [(10, 20, 30, 64)])
    assert abs(m - 4 * pi / 3) < 1e-20 and max(abs(k - mpf(2) / 5) for k in (xx, yy, zz)) < 1e-20
    m = properties(3, [(0, 0, 0, 64), (0, 0, 64, 64)])[0]
    assert abs(m - 9 * pi / 4) < 1e-20


def main():
    check()
    print("# Unions of spheres and disks, by mass_unions.py. Values are in the first row of a union: volume (area), centre,")
    print("# and the inertia tensor about the centre over the mass.")
    print("union,dimension,x,y,z,r,volume,cx,cy,cz,xx,yy,zz,yz,zx,xy")
    for name, dimension, pebbles in UNIONS:
        values = [nstr(v if abs(v) > 1e-20 else mpf(0), 20) for v in properties(dimension, pebbles)]
        for pebble in pebbles:
            print(name, dimension, *(float(UNIT * k) for k in pebble), *values, sep=",", flush=True)
            values = [""] * 10


main()
