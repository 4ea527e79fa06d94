// Protection against SIGXFSZ: a write beyond the file size limit raises this signal, which would end the
// process and with it any program that uses the library. Between begin and end the signal is blocked in the
// calling thread and discarded, so the write just fails with EFBIG.
//
// Invariants: signal mask and errno are restored, and a pending signal stays pending. Guards can be nested.

#ifndef SCREE_FILE_GUARD_H
#define SCREE_FILE_GUARD_H

#include <signal.h>
#include <stdbool.h>

struct scree_guard {
    sigset_t before;
    bool pending; // SIGXFSZ was already pending
};

void scree_guard_begin(struct scree_guard *guard);

void scree_guard_end(const struct scree_guard *guard);

// Returns a hint for messages if errno is a full disk or a file size limit; else "".
const char *scree_guard_hint(void);

#endif
