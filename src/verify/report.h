// The report of `scree verify`: rows of what was expected and what came out, and the verdict on each.
//
// A row passes when its error is within its tolerance; an error that is not a number never is. Rows are
// printed as they come, as an aligned table or as one JSON document.

#ifndef SCREE_VERIFY_REPORT_H
#define SCREE_VERIFY_REPORT_H

#include <scree/status.h>

#include <stdbool.h>
#include <stddef.h>

#define SCREE_REPORT_FORMAT(first) __attribute__((format(printf, first, first + 1)))

struct scree_report {
    bool json;
    double scale; // of every tolerance
    size_t cases, failed_cases, passed, failed, noted;
    size_t rows_of_case, failed_of_case;
    char diagnostic[256]; // of the command itself, when a case cannot go on
};

void scree_report_begin(struct scree_report *report);
void scree_report_end(struct scree_report *report, double seconds);

void scree_report_open_case(struct scree_report *report, const char *family, const char *name,
                            const char *about);
void scree_report_close_case(struct scree_report *report, scree_status status, double seconds);

// A number that must be within `tolerance` of the expected one.
void scree_report_near(struct scree_report *report, double expected, double got, double tolerance,
                       const char *format, ...) SCREE_REPORT_FORMAT(5);

// An error, which must be at most `limit`.
void scree_report_most(struct scree_report *report, double limit, double got, const char *format, ...)
    SCREE_REPORT_FORMAT(4);

// A count of disagreements, which must be none whatever the tolerances are scaled by.
void scree_report_none(struct scree_report *report, size_t got, const char *format, ...)
    SCREE_REPORT_FORMAT(3);

// A figure that is told and not judged.
void scree_report_note(struct scree_report *report, double expected, double got, const char *format, ...)
    SCREE_REPORT_FORMAT(4);

// Keeps why a case cannot go on and returns `status`.
scree_status scree_report_complain(struct scree_report *report, scree_status status, const char *format, ...)
    SCREE_REPORT_FORMAT(3);

// The larger of two errors; one that is not a number stays.
double scree_report_worse(double a, double b);

// The measured order of accuracy: the mean over all halvings of errors at steps h, h/2, h/4, ...
double scree_report_order(const double *errors, int count);

#endif
