// Reading, inspecting and converting body files of other programs.
//
// Supported are data files and dumps of LAMMPS and LIGGGHTS, XYZ, and CSV; scree_convert_format_at lists
// them. Numbers are in SI units unless the file or the definition gives other units. Written numbers read
// back as the same bits.
#ifndef SCREE_CONVERT_H
#define SCREE_CONVERT_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A file format. The texts are constant. */
struct scree_convert_format {
    const char *name;           /**< for `from` and `to` of struct scree_convert_def */
    const char *about;          /**< one sentence */
    const char *const *endings; /**< file name endings of this format, terminated by null */
    bool snapshots;             /**< a file may contain several snapshots */
};

/** Copies format number `index` to `format`, not null; returns false past the last. */
bool scree_convert_format_at(size_t index, struct scree_convert_format *format);

/** Options of a conversion; all zero is the default. */
struct scree_convert_def {
    const char *from;     /**< input format; null: detected from the file */
    const char *to;       /**< output format; null: by the file extension */
    const char *units;    /**< of the input, LAMMPS names: "si", "cgs", "micro", "nano" or "lj"; null: as
                             given in the file, else SI */
    const char *units_to; /**< of the output, same names; null for SI */
    bool all;             /**< convert all snapshots */
    uint64_t snapshot;    /**< else convert this one, from 1; 0 for the last */
    bool by_step;         /**< else convert the snapshot of step `step` */
    uint64_t step;
    double scale;   /**< factor for lengths and velocities, not for masses; 0 for 1 */
    double radius;  /**< m, for bodies without a radius in the file */
    double density; /**< kg/m^3, for bodies without density and mass in the file */
    bool force;     /**< overwrite an existing output file */
    bool molecules; /**< rows of a dump with the same `mol` are pebbles of one clump, as those with the same
                       `id_multisphere` always are */
};

/** Summary of the input and the output. */
struct scree_convert_report {
    const char *format;            /**< of the input; constant */
    uint64_t snapshots;            /**< number of converted snapshots */
    uint64_t bodies;               /**< in the last snapshot, as all members below */
    uint64_t types;                /**< number of types; 0 if the file has none */
    bool has_step, has_time;       /**< the file contains a step number; a time */
    uint64_t step;                 /**< valid if `has_step` */
    double time;                   /**< s, valid if `has_time` */
    bool has_box;                  /**< the file contains a box */
    bool periodic[3];              /**< along x, y, z */
    double lower[3], upper[3];     /**< m: the box; else the bounding box of all bodies */
    double min_radius, max_radius; /**< m: smallest and largest radius; 0 without radii */
    const char *to;                /**< output format; null without output */
    char not_stored[256];          /**< input data that the output format cannot store, separated by commas;
                                "mass (kept as the density of a sphere)" where mass is stored that way */
    char type_numbers[512]; /**< type numbers in the output and their names, such as "1 glass, 2 steel";
                          "" if the output contains the names */
    uint64_t clumps;        /**< bodies that have several rows in the input, as pebbles */
    uint64_t pebbles;       /**< these rows */
    uint64_t shapes;        /**< shapes of clumps, each of which was written to a file of its own */
};

/** Converts the file `in` to the file `out`. With null for `out` the input is only read. `out` must not be
 * the input file. `def` and `report` may be null. Errors in a file are reported with their line. In CSV, rows
 * that are pebbles of the same body become one row, and their shapes are written to `out` with `-shape-1.txt`
 * and so on in place of its extension; other formats keep the pebbles. */
SCREE_NODISCARD scree_status scree_convert_file(const char *in, const char *out,
                                                const struct scree_convert_def *def,
                                                struct scree_convert_report *report);

#ifdef __cplusplus
}
#endif
#endif
