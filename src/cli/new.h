// The example scenes embedded in the command.

#ifndef SCREE_CLI_NEW_H
#define SCREE_CLI_NEW_H

struct scree_embedded; // see cmake/embed.cmake

// Returns the example of that name (its file name without extension); null if there is none.
const struct scree_embedded *scree_new_find(const char *name);

// Writes a scene to a new file. Returns 0 or an errno value, EEXIST if the file exists.
int scree_new_write(const struct scree_embedded *scene, const char *path);

// Creates a folder and its missing parents. Returns 0 or an errno value.
int scree_new_folders(const char *path);

#endif
