// Other programs' files of bodies: reading, looking at, and converting them.
//
// Known are data files and dumps of LAMMPS and LIGGGHTS, XYZ, and CSV; scree_convert_format_at lists them.
// Numbers are in SI units, unless the file says something else or you do. What is written reads back as the
// same bits.
#ifndef SCREE_CONVERT_H
#define SCREE_CONVERT_H

#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A format of files. Texts live as long as the program. */
struct scree_convert_format {
    const char *name;           /**< as `from` and `to` take it */
    const char *about;          /**< what it is */
    const char *const *endings; /**< of files that are taken to be of it, closed by null */
    bool snapshots;             /**< a file may hold several */
};

/** Format number `index` into `format`, not null; false past the last. */
bool scree_convert_format_at(size_t index, struct scree_convert_format *format);

/** How a file is converted; zero is a good value for all of it. */
struct scree_convert_def {
    const char *from;     /**< the format read; null for what the file looks like */
    const char *to;       /**< the format written; null for what the ending of the path says */
    const char *units;    /**< of the file read, by LAMMPS's names: "si", "cgs", "micro", "nano" or "lj";
                             null for what the file says, else SI */
    const char *units_to; /**< of the file written, likewise; null for SI */
    bool all;             /**< all snapshots, one behind the other */
    uint64_t snapshot;    /**< else this one, from 1; 0 for the last */
    bool by_step;         /**< else the one of the step `step` */
    uint64_t step;
    double scale;   /**< lengths are multiplied by it, those in velocities too, masses are not; 0 for 1 */
    double radius;  /**< m, of bodies that have none in the file */
    double density; /**< kg/m^3, of bodies that have neither density nor mass in the file */
    bool force;     /**< what is there already is written over */
};

/** What was found. */
struct scree_convert_report {
    const char *format;        /**< of the file read; lives as long as the program */
    uint64_t snapshots;        /**< that were taken */
    uint64_t bodies;           /**< in the last of them, as are all that follow */
    uint64_t types;            /**< different ones; 0 where the file has none */
    bool stepped, timed;       /**< the file tells the step, or the time */
    uint64_t step;             /**< if so */
    double time;               /**< s */
    bool boxed;                /**< the file tells a box */
    bool periodic[3];          /**< along x, y, z */
    double lower[3], upper[3]; /**< m: of the box; else of one around all bodies */
    double least, most;        /**< m: the radii; 0 where there are none */
    const char *to;            /**< the format of the file written; null where none is */
    char lost[256];            /**< what that has no place for and the file read has, between commas; "mass
                                  (kept as the density of a sphere)" where that says it; "" for nothing */
    char numbers[512];         /**< which number stands for the name of a type in the file written, as
                                  "1 glass, 2 steel"; "" where the names do */
};

/** Reads `in` and writes what is in it to `out`, which becomes a file of the other format. With null for
 * `out` it is read alone; the file that is read is refused as the one to be written. `def` and `report` may
 * be null. What is wrong in a file is told with its line. */
SCREE_NODISCARD scree_status scree_convert_file(const char *in, const char *out,
                                                const struct scree_convert_def *def,
                                                struct scree_convert_report *report);

#ifdef __cplusplus
}
#endif
#endif
