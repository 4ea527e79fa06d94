// Drawing the page, see picture.h: the path of the stem on a sphere, the spin in body axes with the flips
// that Jacobi's solution predicts, one flip pose by pose, and the time of a flip over the tilt for the whole
// family.

#include "picture.h"

#include "algebra.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const ink = "#1d2733", *const faint = "#8795a5", *const grid = "#e3e8ee";
static const char *const colours[3] = {"#e08e2b", "#2467a8", "#4f9d69"}; // about bar, stem and normal

// A rectangle of the page and the numbers along its edges.
struct plot {
    double left, top, width, height;
    double x[2], y[2];
};

static double plot_x(const struct plot *plot, double x)
{
    return plot->left + plot->width * (x - plot->x[0]) / (plot->x[1] - plot->x[0]);
}

static double plot_y(const struct plot *plot, double y)
{
    return plot->top + plot->height * (plot->y[1] - y) / (plot->y[1] - plot->y[0]);
}

static void line(FILE *file, double x1, double y1, double x2, double y2, const char *colour, double width,
                 const char *more)
{
    fprintf(file, "<line x1='%.2f' y1='%.2f' x2='%.2f' y2='%.2f' stroke='%s' stroke-width='%.2f' %s/>\n", x1,
            y1, x2, y2, colour, width, more);
}

static void text(FILE *file, double x, double y, double size, const char *colour, const char *more,
                 const char *words)
{
    fprintf(file, "<text x='%.1f' y='%.1f' font-size='%.1f' fill='%s' %s>%s</text>\n", x, y, size, colour,
            more, words);
}

static void heading(FILE *file, double x, double y, const char *words, const char *below)
{
    text(file, x, y, 17, ink, "font-weight='600'", words);
    text(file, x, y + 19, 12.5, faint, "", below);
}

// --- space: seen from the front, a little from the left and from above, momentum upwards

static void project(const double *v, double *out)
{
    static const double yaw_cos = 0.866025, yaw_sin = 0.5, pitch_cos = 0.951057, pitch_sin = 0.309017;
    const double x = yaw_cos * v[0] + yaw_sin * v[2], z = yaw_cos * v[2] - yaw_sin * v[0];
    out[0] = x;
    out[1] = pitch_cos * v[1] - pitch_sin * z;
    out[2] = pitch_sin * v[1] + pitch_cos * z; // towards the eye
}

struct segment {
    double from[3], to[3];
    double width;
    const char *colour;
};

// A rod as seen from the front, with a light along it.
static void draw_rod(FILE *file, const struct segment *rod, double x, double y, double scale)
{
    const double mean = 0.5 * (rod->from[2] + rod->to[2]);
    const double near = 1 + 1.5 * mean; // of the order of its size, so that near ends look larger
    for (int layer = 0; layer < 3; ++layer) {
        const double share = layer == 0 ? 1.35 : layer == 1 ? 1 : 0.3;
        const char *const layers[3] = {"#ffffff", rod->colour, "#ffffff"};
        line(file, x + scale * rod->from[0], y - scale * rod->from[1], x + scale * rod->to[0],
             y - scale * rod->to[1], layers[layer], share * rod->width * near,
             layer == 2 ? "stroke-linecap='round' opacity='0.28'" : "stroke-linecap='round'");
    }
}

static void draw_handle(FILE *file, const struct scree_handle *handle, const double *orientation, double x,
                        double y, double scale, double width)
{
    const double ends[4][3] = {{-0.5 * handle->bar, -handle->below, 0},
                               {0.5 * handle->bar, -handle->below, 0},
                               {0, -handle->below, 0},
                               {0, handle->stem - handle->below, 0}};
    double seen[4][3];
    for (int e = 0; e < 4; ++e) {
        double turned[3];
        scree_algebra_rotate(orientation, ends[e], turned);
        project(turned, seen[e]);
    }
    struct segment rods[2] = {{.width = width, .colour = "#5b6b7c"}, {.width = width, .colour = colours[1]}};
    for (int r = 0; r < 2; ++r) {
        memcpy(rods[r].from, seen[2 * r], sizeof rods[r].from);
        memcpy(rods[r].to, seen[2 * r + 1], sizeof rods[r].to);
    }
    // the farther rod first
    const int far = rods[0].from[2] + rods[0].to[2] > rods[1].from[2] + rods[1].to[2];
    draw_rod(file, &rods[far], x, y, scale);
    draw_rod(file, &rods[1 - far], x, y, scale);
}

static void draw_path(FILE *file, const struct scree_picture *picture, double x, double y, double radius,
                      double until, int front)
{
    static const double stem[3] = {0, 1, 0};
    int drawing = 0;
    for (size_t i = 0; i < picture->instant_count && picture->instants[i].time <= until; ++i) {
        double turned[3], seen[3];
        scree_algebra_rotate(picture->instants[i].orientation, stem, turned);
        project(turned, seen);
        if ((seen[2] >= 0) != front) {
            if (drawing)
                fprintf(file, "'/>\n");
            drawing = 0;
            continue;
        }
        if (!drawing)
            fprintf(file,
                    "<path fill='none' stroke='%s' stroke-width='%s' stroke-linejoin='round' "
                    "opacity='%s' d='M",
                    colours[1], front ? "1.8" : "1.1", front ? "0.9" : "0.28");
        fprintf(file, "%s%.1f %.1f", drawing ? " L" : "", x + radius * seen[0], y - radius * seen[1]);
        drawing = 1;
    }
    if (drawing)
        fprintf(file, "'/>\n");
}

// Circles of latitude about the momentum, in the half of the sphere that is seen.
static void draw_latitudes(FILE *file, double x, double y, double radius)
{
    enum { PIECES = 180 };
    static const double pi = 3.14159265358979323846;
    for (int degrees = -60; degrees <= 60; degrees += 30) {
        fprintf(file, "<path fill='none' stroke='#c3cedb' stroke-width='0.8' d='");
        int drawing = 0;
        for (int p = 0; p <= PIECES; ++p) {
            const double around = 2 * pi * p / PIECES, up = degrees * pi / 180;
            const double v[3] = {cos(up) * cos(around), sin(up), cos(up) * sin(around)};
            double seen[3];
            project(v, seen);
            if (seen[2] > 0)
                fprintf(file, "%s%.1f %.1f ", drawing ? "L" : "M", x + radius * seen[0],
                        y - radius * seen[1]);
            drawing = seen[2] > 0;
        }
        fprintf(file, "'/>\n");
    }
}

static void draw_sphere(FILE *file, const struct scree_picture *picture)
{
    static const double x = 292, y = 420, radius = 222;
    const double until = picture->first_flip + 3.5 * picture->flip;
    heading(file, 40, 122, "The path of the stem",
            "direction of the stem in space, over the first four flips");
    fprintf(file,
            "<radialGradient id='ball' cx='0.36' cy='0.3' r='0.85'><stop offset='0' stop-color='#ffffff'/>"
            "<stop offset='0.75' stop-color='#eef2f6'/><stop offset='1' stop-color='#d5dee8'/>"
            "</radialGradient>\n<circle cx='%.1f' cy='%.1f' r='%.1f' fill='url(#ball)' stroke='#b9c5d2'/>\n",
            x, y, radius);
    draw_path(file, picture, x, y, radius, until, 0);
    draw_latitudes(file, x, y, radius);
    draw_handle(file, picture->handle, picture->instants[0].orientation, x, y, 2300, 13);
    draw_path(file, picture, x, y, radius, until, 1);
    const double pole = 0.951057 * radius;
    line(file, x, y - pole, x, y - radius - 30, ink, 1.6, "marker-end='url(#tip)'");
    text(file, x + 10, y - radius - 18, 13, ink, "font-style='italic'", "angular momentum");
}

// --- curves

static void frame(FILE *file, const struct plot *plot)
{
    fprintf(file, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.1f' fill='#fbfcfd' stroke='%s'/>\n",
            plot->left, plot->top, plot->width, plot->height, grid);
}

static void mark_x(FILE *file, const struct plot *plot, double at, const char *label)
{
    const double x = plot_x(plot, at), bottom = plot->top + plot->height;
    line(file, x, plot->top, x, bottom, grid, 1, "");
    text(file, x, bottom + 16, 12, faint, "text-anchor='middle'", label);
}

static void mark_y(FILE *file, const struct plot *plot, double at, const char *label)
{
    const double y = plot_y(plot, at);
    line(file, plot->left, y, plot->left + plot->width, y, grid, 1, "");
    text(file, plot->left - 7, y + 4, 12, faint, "text-anchor='end'", label);
}

static void draw_curve(FILE *file, const struct scree_picture *picture, const struct plot *plot, int axis)
{
    fprintf(file, "<polyline fill='none' stroke='%s' stroke-width='%s' stroke-linejoin='round' points='",
            colours[axis], axis == 1 ? "2.2" : "1.4");
    for (size_t i = 0; i < picture->instant_count; i += 2) {
        const struct scree_picture_instant *instant = &picture->instants[i];
        if (instant->time <= plot->x[1])
            fprintf(file, "%.1f,%.1f ", plot_x(plot, instant->time), plot_y(plot, instant->body_spin[axis]));
    }
    fprintf(file, "'/>\n");
}

static void draw_spin(FILE *file, const struct scree_picture *picture)
{
    static const char *const names[3] = {"about the bar", "about the stem", "about the normal"};
    const double end = picture->instants[picture->instant_count - 1].time;
    const struct plot plot = {640, 162, 600, 210, {0, fmin(end, 13)}, {-19, 19}};
    heading(file, 600, 122, "The spin that the handle feels, rad/s",
            "in its own axes, over time in s; dashed: when Jacobi's solution flips, reckoned from the first "
            "flip");
    frame(file, &plot);
    char label[32];
    for (int t = 0; t <= (int)plot.x[1]; t += 2) {
        snprintf(label, sizeof label, "%d", t);
        mark_x(file, &plot, t, label);
    }
    for (int w = -15; w <= 15; w += 5) {
        snprintf(label, sizeof label, "%d", w);
        mark_y(file, &plot, w, label);
    }
    for (double t = picture->first_flip; t < plot.x[1]; t += picture->flip)
        line(file, plot_x(&plot, t), plot.top, plot_x(&plot, t), plot.top + plot.height, ink, 1,
             "stroke-dasharray='3 4' opacity='0.65'");
    static const int order[3] = {0, 2, 1};
    for (int k = 0; k < 3; ++k)
        draw_curve(file, picture, &plot, order[k]);
    for (int k = 0; k < 3; ++k) {
        const double x = plot.left + 10 + 150 * k, y = plot.top + plot.height + 36;
        line(file, x, y - 4, x + 22, y - 4, colours[k], 3, "");
        text(file, x + 29, y, 12.5, ink, "", names[k]);
    }
}

static void draw_family(FILE *file, const struct scree_picture *picture)
{
    const struct scree_picture_member *members = picture->members;
    const struct plot plot = {640, 478, 600, 160, {-3, 0}, {0.2, 2}};
    char below[96];
    snprintf(below, sizeof below, "against the tilt of the first spin in rad, for %zu handles at once",
             picture->member_count);
    heading(file, 600, 442, "How long a flip takes, s", below);
    frame(file, &plot);
    static const char *const decades[] = {"0.001", "0.01", "0.1", "1"};
    for (int d = 0; d < 4; ++d)
        mark_x(file, &plot, d - 3, decades[d]);
    static const char *const seconds[] = {"0.5", "1.0", "1.5", "2.0"};
    for (int s = 0; s < 4; ++s)
        mark_y(file, &plot, 0.5 * (s + 1), seconds[s]);
    fprintf(file, "<polyline fill='none' stroke='%s' stroke-width='1.6' points='", ink);
    for (size_t m = 0; m < picture->member_count; ++m)
        fprintf(file, "%.1f,%.1f ", plot_x(&plot, log10(members[m].tilt)),
                plot_y(&plot, members[m].expected));
    fprintf(file, "'/>\n");
    const size_t every = picture->member_count / 32 + 1;
    for (size_t m = 0; m < picture->member_count; m += every)
        if (!isnan(members[m].measured))
            fprintf(file, "<circle cx='%.1f' cy='%.1f' r='4' fill='%s' stroke='#ffffff'/>\n",
                    plot_x(&plot, log10(members[m].tilt)), plot_y(&plot, members[m].measured), colours[0]);
    line(file, plot.left + 340, plot.top + 22, plot.left + 362, plot.top + 22, ink, 1.6, "");
    text(file, plot.left + 369, plot.top + 26, 12.5, ink, "", "Jacobi's closed form");
    fprintf(file, "<circle cx='%.1f' cy='%.1f' r='4' fill='%s'/>\n", plot.left + 351, plot.top + 42,
            colours[0]);
    text(file, plot.left + 369, plot.top + 46, 12.5, ink, "", "measured");
}

// --- one flip, pose by pose

static const struct scree_picture_instant *instant_at(const struct scree_picture *picture, double time)
{
    size_t i = 0;
    while (i + 1 < picture->instant_count && picture->instants[i].time < time)
        ++i;
    return &picture->instants[i];
}

static void draw_poses(FILE *file, const struct scree_picture *picture)
{
    enum { POSES = 12 };
    static const double apart = 0.04;
    heading(file, 40, 712, "One flip", "the handle every 40 ms, the flip in the middle");
    for (int p = 0; p < POSES; ++p) {
        const double time = picture->first_flip + apart * (p - 0.5 * (POSES - 1));
        const double x = 94 + 99.0 * p, y = 790;
        char label[32];
        draw_handle(file, picture->handle, instant_at(picture, time)->orientation, x, y, 800, 5.5);
        snprintf(label, sizeof label, "%.2f s", time);
        text(file, x, y + 66, 12, faint, "text-anchor='middle'", label);
    }
}

static void draw_page(FILE *file, const struct scree_picture *picture)
{
    fprintf(file, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1280 890' "
                  "font-family='Helvetica, Arial, \"DejaVu Sans\", sans-serif'>\n"
                  "<defs><marker id='tip' viewBox='0 0 10 10' refX='8' refY='5' markerWidth='7' "
                  "markerHeight='7' orient='auto'><path d='M0 1 L9 5 L0 9 z' fill='#1d2733'/></marker>"
                  "</defs>\n<rect width='1280' height='890' fill='#ffffff'/>\n");
    char below[200];
    text(file, 40, 54, 28, ink, "font-weight='600'", "A T-handle in free flight");
    snprintf(below, sizeof below,
             "Scree " SCREE_VERSION ": symplectic splitting, steps of %.3g ms; the energy of %zu handles is "
             "kept to %.1g of itself",
             1e3 * picture->step, picture->member_count, picture->energy_error);
    text(file, 40, 80, 14, faint, "", below);
    draw_sphere(file, picture);
    draw_spin(file, picture);
    draw_family(file, picture);
    draw_poses(file, picture);
    fprintf(file, "</svg>\n");
}

int scree_picture_write(const char *path, const struct scree_picture *picture)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return -1;
    draw_page(file, picture);
    const int failed = ferror(file);
    return fclose(file) == 0 && !failed ? 0 : -1;
}
