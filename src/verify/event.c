// Hard spheres and disks in the event engine, against statistical mechanics, kinetic theory and exact laws of
// conservation.

#include "event.h"

#include "verify.h"

const struct scree_verify_case scree_verify_event[] = {
    {"spheres", "pressure and rate of collisions of hard spheres", scree_event_spheres, NULL},
    {"crystal", "pressure of a face-centred cubic crystal", scree_event_crystal, NULL},
    {"disks", "pressure and rate of collisions of hard disks", scree_event_disks, NULL},
    {"dimers", "pressure and rotation of hard dimers", scree_event_dimers, NULL},
    {"haff", "cooling of smooth inelastic spheres", scree_event_haff, NULL},
    {"rough", "energy of spins and velocities of rough spheres", scree_event_rough, NULL},
    {"shear", "a granular gas in uniform shear", scree_event_shear, NULL},
    {"elastic", "energy and momentum over a million elastic collisions", scree_event_elastic, NULL},
    {"cloud", "momentum and angular momentum of a cloud of rough spheres", scree_event_cloud, NULL},
    {"reversal", "the way back of 1,000 spheres, and the growth of errors", scree_event_reversal, NULL},
    {"limit", "a vibrated layer, and the soft engine in the limit of stiff contacts", scree_event_limit,
     NULL},
    {"stiff-shear", "the gas in uniform shear, and the soft engine in the limit of stiff contacts",
     scree_event_shear_limit, NULL},
    {0},
};

// Cases that take minutes, and run only by name.
const struct scree_verify_case scree_verify_collisions[] = {
    {"elastic", "energy over a hundred million elastic collisions", scree_event_long_elastic, NULL},
    {"shear", "a granular gas in uniform shear, and the waves of more and more spheres",
     scree_event_long_shear, NULL},
    {"stiff-shear", "the gas in uniform shear in both engines, over a long time",
     scree_event_long_shear_limit, NULL},
    {0},
};
