// Collisions that are drawn at random, see draws.h.

#include "event/draws.h"

#include "base/random.h"
#include "base/sort.h"
#include "base/sum.h"
#include "event/cell.h"
#include "event/cells.h"
#include "event/correlation.h"
#include "math/elementary.h"
#include "world/grain.h"

#include <math.h>
#include <string.h>

enum { STREAM = 0x6D63 };

// the largest probability of a collision with a fictitious partner in a part of a step
static const double most_probable = 0.25;

// collisions of a body in a step, above which the step is refused: one is already many
static const double most_often = 1000;

// --- random numbers of a cell in a step

struct numbers {
    uint64_t key, cell, count;
    struct scree_random_block block;
};

static double draw(struct numbers *numbers)
{
    if (numbers->count % 2 == 0)
        numbers->block =
            scree_random_philox(scree_random_counter(numbers->cell, numbers->count / 2), numbers->key);
    const uint32_t *word = numbers->block.word + numbers->count++ % 2 * 2;
    return scree_random_unit(scree_random_join(word[0], word[1]));
}

// A number below `count`.
static size_t draw_index(struct numbers *numbers, size_t count)
{
    const size_t index = (size_t)(draw(numbers) * (double)count);
    return index < count ? index : count - 1;
}

// A value of the normal distribution (Box, Muller 1958).
static double draw_deviation(struct numbers *numbers)
{
    const double size = sqrt(-2 * scree_log(draw(numbers)));
    return size * scree_cos(2 * SCREE_PI * draw(numbers));
}

// The normal of a collision, against the relative velocity, uniform over the cross section.
static struct scree_vec3 draw_normal_of(struct numbers *numbers, int dimension, struct scree_vec3 relative)
{
    const struct scree_vec3 along = scree_vec3_normalise(relative);
    if (dimension == 2) {
        const double b = 2 * draw(numbers) - 1;
        return scree_vec3_add_scaled(scree_vec3_scale(along, -sqrt(1 - b * b)), b,
                                     scree_vec3_make(-along.y, along.x, 0));
    }
    const double square = draw(numbers), b = sqrt(square);
    const struct scree_sincos angle = scree_sincos(2 * SCREE_PI * draw(numbers));
    const struct scree_vec3 first = scree_vec3_perpendicular(along), second = scree_vec3_cross(along, first);
    return scree_vec3_add_scaled(
        scree_vec3_add_scaled(scree_vec3_scale(along, -sqrt(1 - square)), b * angle.cos, first),
        b * angle.sin, second);
}

// --- a cell

// The bodies of a cell, and what bounds their rates.
struct crowd {
    struct scree_event *event;
    struct scree_event_occupant *body;
    size_t count;
    int dimension;
    double scale; // weight over volume
    double step;
    double largest; // radius
    double fastest; // fluctuation of a velocity, or more
    struct scree_vec3 mean;
    struct scree_event_crowd filled; // by all
    struct numbers numbers;
};

static double cross_section(int dimension, double radius_1, double radius_2)
{
    const double sum = radius_1 + radius_2;
    return dimension == 2 ? 2 * sum : SCREE_PI * sum * sum;
}

static struct scree_event_crowd part_of(const struct crowd *crowd, double radius)
{
    return scree_event_crowd_of(crowd->dimension, radius, 1 / crowd->scale);
}

static void measure(struct crowd *crowd)
{
    crowd->largest = crowd->fastest = 0;
    crowd->mean = scree_vec3_zero();
    crowd->filled = (struct scree_event_crowd){0, 0};
    double mass = 0;
    for (size_t k = 0; k < crowd->count; ++k) {
        const struct scree_event_occupant *body = &crowd->body[k];
        const struct scree_event_crowd part = part_of(crowd, body->radius);
        crowd->filled.fraction += part.fraction;
        crowd->filled.inverse_length += part.inverse_length;
        crowd->largest = body->radius > crowd->largest ? body->radius : crowd->largest;
        crowd->mean = scree_vec3_add_scaled(crowd->mean, body->mass, body->velocity);
        mass += body->mass;
    }
    crowd->mean = scree_vec3_scale(crowd->mean, 1 / mass);
    for (size_t k = 0; k < crowd->count; ++k) {
        const double speed = scree_vec3_norm(scree_vec3_sub(crowd->body[k].velocity, crowd->mean));
        crowd->fastest = speed > crowd->fastest ? speed : crowd->fastest;
    }
}

// The cross section of two bodies times their pair correlation.
static double density_of_pair(const struct crowd *crowd, const struct scree_event_occupant *one,
                              const struct scree_event_occupant *other)
{
    const double area = cross_section(crowd->dimension, one->radius, other->radius);
    if (crowd->event->draws.def.dilute)
        return area;
    const struct scree_event_crowd a = part_of(crowd, one->radius), b = part_of(crowd, other->radius);
    // rounding must not leave less than nothing
    struct scree_event_crowd others = crowd->filled;
    others.fraction -= a.fraction + b.fraction;
    others.inverse_length -= a.inverse_length + b.inverse_length;
    others.fraction = others.fraction > 0 ? others.fraction : 0;
    others.inverse_length = others.inverse_length > 0 ? others.inverse_length : 0;
    return area * scree_event_correlation(crowd->dimension, others, one->radius, other->radius);
}

// A bound of it for all pairs of the cell.
static double largest_density(const struct crowd *crowd)
{
    const double area = cross_section(crowd->dimension, crowd->largest, crowd->largest);
    return crowd->event->draws.def.dilute ? area
                                          : area * scree_event_correlation(crowd->dimension, crowd->filled,
                                                                           crowd->largest, crowd->largest);
}

static bool may_collide(const struct crowd *crowd, const struct scree_event_occupant *one,
                        const struct scree_event_occupant *other)
{
    const struct scree_event_body *body = crowd->event->lists.body;
    return scree_law_class_of(&crowd->event->classes, body[one->body].material, body[other->body].material) !=
           SCREE_CONTACTS_NO_CLASS;
}

// Reads the velocity that a body has after a collision.
static void reread(struct crowd *crowd, struct scree_event_occupant *body)
{
    body->velocity = scree_vec3_load(crowd->event->space.flight[body->body].velocity);
    const double speed = scree_vec3_norm(scree_vec3_sub(body->velocity, crowd->mean));
    crowd->fastest = speed > crowd->fastest ? speed : crowd->fastest;
}

// --- partners in the cell

static void collide_with_bodies(struct crowd *crowd)
{
    const double pairs = 0.5 * (double)crowd->count * (double)(crowd->count - 1),
                 most = largest_density(crowd);
    for (double time = 0;;) {
        const double bound = most * 2 * crowd->fastest, rate = pairs * crowd->scale * bound;
        time -= rate > 0 ? scree_log(draw(&crowd->numbers)) / rate : -(double)INFINITY;
        if (!(time < crowd->step))
            return;
        size_t first = draw_index(&crowd->numbers, crowd->count);
        size_t second = draw_index(&crowd->numbers, crowd->count - 1);
        second += second >= first ? 1 : 0;
        struct scree_event_occupant *one = &crowd->body[first < second ? first : second],
                                    *other = &crowd->body[first < second ? second : first];
        const struct scree_vec3 relative = scree_vec3_sub(one->velocity, other->velocity);
        if (!(draw(&crowd->numbers) * bound <
              density_of_pair(crowd, one, other) * scree_vec3_norm(relative)) ||
            !may_collide(crowd, one, other))
            continue;
        const struct scree_event_drawn drawn = {
            .body = {one->body, other->body},
            .apart = scree_vec3_sub(one->position, other->position),
            .relative = relative,
            .normal = draw_normal_of(&crowd->numbers, crowd->dimension, relative)};
        scree_event_collide_drawn(crowd->event, &drawn);
        reread(crowd, one);
        reread(crowd, other);
    }
}

// --- fictitious partners

// The mean over bodies of m u_j u_k of the fluctuations u is the product of a lower triangular matrix and its
// transpose (Cholesky); `root` receives this matrix, by rows.
static void find_root(const struct crowd *crowd, double root[3][3])
{
    double mean[3][3] = {{0}};
    for (size_t k = 0; k < crowd->count; ++k) {
        double u[3];
        scree_vec3_store(scree_vec3_sub(crowd->body[k].velocity, crowd->mean), u);
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j <= i; ++j)
                mean[i][j] += crowd->body[k].mass / (double)crowd->count * u[i] * u[j];
    }
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j <= i; ++j) {
            double rest = mean[i][j];
            for (int k = 0; k < j; ++k)
                rest -= root[i][k] * root[j][k];
            // nothing is left along directions in which nothing moves
            root[i][j] = i == j ? sqrt(rest > 0 ? rest : 0) : root[j][j] > 0 ? rest / root[j][j] : 0;
        }
}

static struct scree_vec3 draw_velocity(struct crowd *crowd, double root[3][3], double mass)
{
    double value[3] = {0}, velocity[3] = {0};
    for (int k = 0; k < crowd->dimension; ++k)
        value[k] = draw_deviation(&crowd->numbers);
    for (int i = 0; i < crowd->dimension; ++i)
        for (int j = 0; j <= i; ++j)
            velocity[i] += root[i][j] * value[j] / sqrt(mass);
    return scree_vec3_add(crowd->mean, scree_vec3_load(velocity));
}

static double energy_of(const struct crowd *crowd, const struct scree_event_occupant *body)
{
    return 0.5 * body->mass * scree_vec3_norm_squared(scree_vec3_sub(body->velocity, crowd->mean));
}

// Lets each body collide once, with the probability of a collision in a part of the step. Returns the energy
// that all bodies together have received from their partners, seen from their mean velocity before.
static double collide_once(struct crowd *crowd, double part)
{
    double received = 0;
    const double count = (double)crowd->count, density = sqrt(count * (count - 1)) * crowd->scale;
    double root[3][3];
    find_root(crowd, root);
    for (size_t k = 0; k < crowd->count; ++k) {
        struct scree_event_occupant *own = &crowd->body[k];
        size_t like = draw_index(&crowd->numbers, crowd->count - 1);
        like += like >= k ? 1 : 0;
        struct scree_event_occupant partner = crowd->body[like];
        partner.velocity = draw_velocity(crowd, root, partner.mass);
        const struct scree_vec3 relative = scree_vec3_sub(own->velocity, partner.velocity);
        const double chance =
            part * density * density_of_pair(crowd, own, &partner) * scree_vec3_norm(relative);
        if (!(draw(&crowd->numbers) < chance) || !may_collide(crowd, own, &partner))
            continue;
        const struct scree_event_drawn drawn = {
            .body = {own->body, partner.body},
            .apart = own->position,
            .relative = relative,
            .normal = draw_normal_of(&crowd->numbers, crowd->dimension, relative)};
        received -= energy_of(crowd, own);
        received += scree_event_collide_fictitious(crowd->event, &drawn);
        reread(crowd, own);
        received += energy_of(crowd, own);
    }
    return received;
}

// Gives back to the partners what all bodies together have received from them: shifts velocities to the mean
// before, and scales their fluctuations.
static void give_back(struct crowd *crowd, double received)
{
    const struct scree_vec3 before = crowd->mean;
    measure(crowd);
    double mass = 0, energy = 0;
    for (size_t k = 0; k < crowd->count; ++k) {
        mass += crowd->body[k].mass;
        energy += energy_of(crowd, &crowd->body[k]);
    }
    const struct scree_vec3 shift = scree_vec3_sub(before, crowd->mean);
    if (!(energy > 0))
        return;
    const double square = 1 + (0.5 * mass * scree_vec3_norm_squared(shift) - received) / energy;
    const double scale = square > 0 ? sqrt(square) : 0;
    // a few bodies may not have as much as they should give back: then the rest of it is not lost
    if (square < 0)
        scree_world_losses(crowd->event->world)[crowd->body[0].body].dashpot += square * energy;
    for (size_t k = 0; k < crowd->count; ++k) {
        struct scree_event_occupant *body = &crowd->body[k];
        const struct scree_vec3 fluctuation = scree_vec3_sub(body->velocity, crowd->mean);
        scree_event_push(crowd->event, body, scree_vec3_add_scaled(shift, scale - 1, fluctuation));
        reread(crowd, body);
    }
}

static void collide_with_fictitious(struct crowd *crowd)
{
    for (double time = 0; time < crowd->step;) {
        const double rate = (double)crowd->count * crowd->scale * largest_density(crowd) * 2 * crowd->fastest;
        const double rest = crowd->step - time,
                     part = rate * rest > most_probable ? most_probable / rate : rest;
        const double received = collide_once(crowd, part);
        if (received != 0)
            give_back(crowd, received);
        measure(crowd);
        time = part < rest ? time + part : crowd->step;
    }
}

// --- all cells

// Where a body is, in the periodic cell.
static struct scree_event_occupant find_occupant(const struct scree_event *event, uint32_t body)
{
    double position[3], velocity[3];
    int64_t turns[3];
    scree_event_find(event, body, position, velocity, turns);
    return (struct scree_event_occupant){.position = scree_vec3_load(position),
                                         .velocity = scree_vec3_load(velocity),
                                         .radius = event->space.flight[body].radius,
                                         .mass = 1 / event->lists.body[body].lightness,
                                         .body = body};
}

static scree_status find_cells(struct scree_event *event, const struct scree_event_cells *cells)
{
    struct scree_event_draws *draws = &event->draws;
    const size_t bodies = event->lists.bodies;
    for (uint32_t i = 0; i < bodies; ++i) {
        double position[3], velocity[3];
        int64_t turns[3];
        scree_event_find(event, i, position, velocity, turns);
        draws->code.data[i] = event->space.flight[i].radius > 0 ? scree_event_cells_at(event, cells, position)
                                                                : SCREE_EVENT_CELLS_OUTSIDE;
    }
    return scree_sort_order(draws->code.data, bodies, draws->order.data);
}

// Sorts a few keys, or many.
static void sort(uint64_t *key, size_t count)
{
    if (count > 32) {
        scree_sort_in_place(key, count);
        return;
    }
    for (size_t k = 1; k < count; ++k) {
        const uint64_t here = key[k];
        size_t to = k;
        for (; to > 0 && key[to - 1] > here; --to)
            key[to] = key[to - 1];
        key[to] = here;
    }
}

// Fails if bodies collide so often in a step that it would hardly end.
static scree_status check_rate(const struct crowd *crowd)
{
    const double often =
        (double)(crowd->count - 1) * crowd->scale * largest_density(crowd) * crowd->fastest * crowd->step;
    if (often < most_often)
        return SCREE_OK;
    return scree_status_fail(
        SCREE_ERROR_ARGUMENT,
        "the stochastic engine draws about %.2g collisions of body %llu in a step of %g s: "
        "give a step below the mean free time, about %.2g s, or a smaller weight than %g",
        often, (unsigned long long)crowd->event->space.id[crowd->body[0].body], crowd->step,
        crowd->step / often, crowd->event->draws.def.weight);
}

// Draws the collisions of the bodies of one cell, `count` of the order from `first` on.
static scree_status collide_in_cell(struct scree_event *event, struct crowd *crowd, size_t first,
                                    size_t count)
{
    struct scree_event_draws *draws = &event->draws;
    const uint32_t *body = draws->order.data + first;
    for (size_t k = 0; k < count; ++k)
        draws->key.data[k] = (uint64_t)draws->rank.data[body[k]] << 32 | body[k];
    sort(draws->key.data, count);
    for (size_t k = 0; k < count; ++k)
        draws->occupant.data[k] = find_occupant(event, (uint32_t)draws->key.data[k]);
    crowd->body = draws->occupant.data;
    crowd->count = count;
    crowd->numbers.cell = draws->code.data[body[0]];
    crowd->numbers.count = 0;
    measure(crowd);
    SCREE_TRY(check_rate(crowd));
    if (draws->def.partner == SCREE_STOCHASTIC_FICTITIOUS)
        collide_with_fictitious(crowd);
    else
        collide_with_bodies(crowd);
    for (size_t k = 0; k < count; ++k)
        if (event->space.flight[crowd->body[k].body].time == event->now)
            scree_event_predict(event, crowd->body[k].body);
    return SCREE_OK;
}

// The end of the bodies, in the order of cells, that are in the same cell as this one.
static size_t end_of_cell(const struct scree_event *event, size_t first)
{
    const struct scree_event_draws *draws = &event->draws;
    const uint64_t cell = draws->code.data[draws->order.data[first]];
    size_t end = first + 1;
    while (end < event->lists.bodies && draws->code.data[draws->order.data[end]] == cell)
        ++end;
    return end;
}

// Makes room for the bodies of the fullest cell, before any collision has happened.
static scree_status make_room(struct scree_event *event)
{
    struct scree_event_draws *draws = &event->draws;
    size_t most = 0;
    for (size_t first = 0, end; first < event->lists.bodies; first = end) {
        end = end_of_cell(event, first);
        most = end - first > most ? end - first : most;
    }
    SCREE_TRY(scree_array_reserve(&draws->key, most));
    return scree_array_reserve(&draws->occupant, most);
}

scree_status scree_event_draw_collisions(struct scree_event *event, double step)
{
    const struct scree_event_draws *draws = &event->draws;
    const struct scree_random_key key = {draws->def.seed, STREAM};
    struct scree_event_cells cells;
    if (2 * event->def.contact_time > (1 + 1e-9) * step)
        return scree_status_fail(
            SCREE_ERROR_ARGUMENT,
            "the contact time of the stochastic engine, %g s, must be at most half of the "
            "step, %g s",
            event->def.contact_time, step);
    SCREE_TRY(scree_event_cells_make(event, draws->def.cell, &cells));
    SCREE_TRY(find_cells(event, &cells));
    SCREE_TRY(make_room(event));
    struct crowd crowd = {.event = event,
                          .dimension = event->world->dimension,
                          .scale = draws->def.weight / cells.volume,
                          .step = step,
                          .numbers.key = scree_random_step_key(key, scree_world_clock(event->world)->steps)};
    for (size_t first = 0, end; first < event->lists.bodies; first = end) {
        end = end_of_cell(event, first);
        if (draws->code.data[draws->order.data[first]] != SCREE_EVENT_CELLS_OUTSIDE && end - first > 1)
            SCREE_TRY(collide_in_cell(event, &crowd, first, end - first));
    }
    return SCREE_OK;
}

scree_status scree_event_draws_measure(struct scree_event *event)
{
    struct scree_event_draws *draws = &event->draws;
    struct scree_sum sum = {0};
    SCREE_TRY(scree_array_reserve(&draws->used, event->classes.materials));
    draws->bodies = 0;
    draws->used.count = event->classes.materials;
    if (draws->used.count > 0)
        memset(draws->used.data, 0, draws->used.count);
    for (size_t i = 0; i < scree_world_bodies(event->world); ++i) {
        const double radius = scree_world_grains(event->world)[i].radius;
        scree_sum_add(&sum, radius);
        draws->bodies += radius > 0 ? 1 : 0;
        const uint16_t material = scree_world_grains(event->world)[i].material;
        if (radius > 0 && material < draws->used.count)
            draws->used.data[material] = 1;
    }
    draws->mean_radius = draws->bodies > 0 ? scree_sum_value(&sum) / (double)draws->bodies : 0;
    return SCREE_OK;
}

scree_status scree_event_draws_prepare(struct scree_event *event)
{
    struct scree_event_draws *draws = &event->draws;
    const size_t bodies = event->lists.bodies;
    SCREE_TRY(scree_array_reserve(&draws->rank, bodies));
    SCREE_TRY(scree_array_reserve(&draws->code, bodies));
    SCREE_TRY(scree_array_reserve(&draws->order, bodies));
    SCREE_TRY(scree_sort_order(event->space.id, bodies, draws->order.data));
    for (uint32_t k = 0; k < bodies; ++k)
        draws->rank.data[draws->order.data[k]] = k;
    return SCREE_OK;
}

size_t scree_event_draws_memory(const struct scree_event_draws *draws)
{
    return draws->rank.capacity * sizeof *draws->rank.data + draws->key.capacity * sizeof *draws->key.data +
           draws->code.capacity * sizeof *draws->code.data +
           draws->order.capacity * sizeof *draws->order.data +
           draws->occupant.capacity * sizeof *draws->occupant.data;
}

void scree_event_draws_free(struct scree_event_draws *draws)
{
    scree_array_free(&draws->used);
    scree_array_free(&draws->rank);
    scree_array_free(&draws->key);
    scree_array_free(&draws->code);
    scree_array_free(&draws->order);
    scree_array_free(&draws->occupant);
}

// --- what is refused

scree_status scree_event_draws_check(const struct scree_event *event)
{
    const struct scree_world *world = event->world;
    for (size_t i = 0; i < scree_world_bodies(world); ++i) {
        const struct scree_grain *grain = &scree_world_grains(world)[i];
        const unsigned long long id = (unsigned long long)scree_world_ids(world)[i];
        if (scree_grain_reach(world, i) > 0 && !(grain->radius > 0))
            return scree_status_fail(
                SCREE_ERROR_UNSUPPORTED,
                "the stochastic engine moves spheres and disks, and body %llu is a clump: use "
                "the engine 'event'",
                id);
        if (grain->radius > 0 && (grain->flags & SCREE_FIX_POSITION) == SCREE_FIX_POSITION)
            return scree_status_fail(
                SCREE_ERROR_UNSUPPORTED,
                "body %llu is fixed in place, and the stochastic engine knows no places of "
                "collisions between bodies: make it a wall, or use the engine 'event'",
                id);
    }
    return SCREE_OK;
}
