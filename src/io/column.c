// What can be measured of a world, see column.h.

#include "io/column.h"

#include <scree/scree.h>

#include <math.h>
#include <string.h>

// All that a row may need, measured once a row.
struct measure {
    double time, steps, bodies, walls, contacts;
    struct scree_energy energy;
    struct scree_momentum momentum;
    double kinetic, error;
};

#define COLUMN(name, unit, member, about) {name, unit, about},
#define COLUMNS                                                                                              \
    COLUMN("time", "s", time, "The time of the world.")                                                      \
    COLUMN("steps", "", steps, "Steps taken since the world was made.")                                      \
    COLUMN("bodies", "", bodies, "Bodies there are.")                                                        \
    COLUMN("walls", "", walls, "Walls there are.")                                                           \
    COLUMN("contacts", "", contacts, "Contacts there are.")                                                  \
    COLUMN("kinetic", "J", kinetic, "Kinetic energy.")                                                       \
    COLUMN("translation", "J", energy.translation, "Kinetic energy of translation.")                         \
    COLUMN("rotation", "J", energy.rotation, "Kinetic energy of rotation.")                                  \
    COLUMN("gravity", "J", energy.gravity, "Potential energy, zero at the origin.")                          \
    COLUMN("elastic", "J", energy.elastic, "Stored in contacts.")                                            \
    COLUMN("work", "J", energy.work, "Done by loads, prescribed motion and moving walls.")                   \
    COLUMN("damping", "J", energy.damping, "Lost to damping.")                                               \
    COLUMN("friction", "J", energy.friction, "Lost to slipping.")                                            \
    COLUMN("dashpot", "J", energy.dashpot, "Lost to the dashpots of contacts.")                              \
    COLUMN("inner", "J", energy.inner, "Lost in contacts to plastic flow and adhesion.")                     \
    COLUMN("fed", "J", energy.fed, "Brought in by adding, removing and editing.")                            \
    COLUMN("balance", "J", energy.balance, "What the ledger leaves unexplained.")                            \
    COLUMN("energy-error", "", error, "The balance as a share of all energies that are in the ledger.")      \
    COLUMN("momentum-x", "kg m/s", momentum.linear[0], "Momentum of all bodies along x.")                    \
    COLUMN("momentum-y", "kg m/s", momentum.linear[1], "Along y.")                                           \
    COLUMN("momentum-z", "kg m/s", momentum.linear[2], "Along z.")                                           \
    COLUMN("angular-x", "kg m^2/s", momentum.angular[0], "Angular momentum about the origin, along x.")      \
    COLUMN("angular-y", "kg m^2/s", momentum.angular[1], "Along y.")                                         \
    COLUMN("angular-z", "kg m^2/s", momentum.angular[2], "Along z.")
const struct scree_column scree_column_rows[] = {COLUMNS{0}};
#undef COLUMN

#define COLUMN(name, unit, member, about) name,
const char *const scree_column_names[] = {COLUMNS NULL};
#undef COLUMN

// Where each column is in a measure.
#define COLUMN(name, unit, member, about) offsetof(struct measure, member),
static const size_t places[] = {COLUMNS};
#undef COLUMN

size_t scree_column_find(const char *name)
{
    size_t c = 0;
    while (scree_column_rows[c].name && strcmp(scree_column_rows[c].name, name) != 0)
        ++c;
    return c;
}

static scree_status measure(struct scree_world *world, struct measure *all)
{
    *all = (struct measure){.time = scree_world_time(world),
                            .steps = (double)scree_world_steps(world),
                            .bodies = (double)scree_body_count(world),
                            .walls = (double)scree_wall_count(world),
                            .contacts = (double)scree_contact_count(world)};
    SCREE_TRY(scree_energy_get(world, &all->energy));
    SCREE_TRY(scree_energy_momentum(world, &all->momentum));
    const struct scree_energy *e = &all->energy;
    all->kinetic = e->translation + e->rotation;
    const double sum = all->kinetic + e->elastic + fabs(e->damping) + fabs(e->friction) + fabs(e->dashpot) +
                       fabs(e->inner) + fabs(e->work);
    all->error = sum > 0 ? e->balance / sum : 0;
    return SCREE_OK;
}

scree_status scree_column_measure(struct scree_world *world, const size_t *column, size_t columns,
                                  double *values)
{
    struct measure all;
    SCREE_TRY(measure(world, &all));
    for (size_t c = 0; c < columns; ++c)
        memcpy(&values[c], (const char *)&all + places[column[c]], sizeof values[c]);
    return SCREE_OK;
}
