// The scenes that the command carries within it, the examples, and where they are written to.

#ifndef SCREE_CLI_NEW_H
#define SCREE_CLI_NEW_H

struct scree_embedded; // see cmake/embed.cmake

// The scene of that name, which is that of its file without the ending; null for none.
const struct scree_embedded *scree_new_find(const char *name);

// Writes a scene to a file; one that is there stays. 0, or the error of the machine.
int scree_new_write(const struct scree_embedded *scene, const char *path);

// Makes a folder, and those above it that are missing. 0, or the error of the machine.
int scree_new_folders(const char *path);

#endif
