// Periodic cells with cell vectors in the event engine, see cell.h.

#include "event/cell.h"

#include "base/sum.h"
#include "math/vec3.h"
#include "world/body.h"
#include "world/cell.h"
#include "world/cell_servo.h"
#include "world/grain.h"

#include <math.h>
#include <string.h>

// the automatic step strains the cell by this at most
#define AUTOMATIC_STRAIN 0.02

static bool deforms(const struct scree_lattice *lattice)
{
    bool any = lattice->by_function != 0;
    for (int k = 0; k < 9; ++k)
        any = any || lattice->gradient[k] != 0 || lattice->coming[k] != 0 || lattice->end[k] != 0;
    return any;
}

// --- what is refused

static scree_status refuse(const char *what, const char *instead)
{
    return scree_status_fail(SCREE_ERROR_UNSUPPORTED,
                             "the event engine moves bodies in cells that deform: %s; %s", what, instead);
}

scree_status scree_event_cell_check(const struct scree_world *world)
{
    const struct scree_lattice *lattice = scree_world_lattice(world);
    const struct scree_cell_servo *servo = scree_world_cell_servo(world);
    if (!lattice)
        return SCREE_OK;
    if (scree_world_open_axes(world) != 0)
        return refuse("this cell is not periodic along all axes",
                      "make it periodic along all of them, or use a box along the axes that does not deform");
    if (servo && servo->controlled != 0)
        return refuse("a servo of the cell reaches stresses",
                      "give rates of strain, or use the engine 'soft'");
    if (deforms(lattice) && lattice->form != SCREE_CELL_NEWTON)
        return refuse("the form of the motion is 'mean-field', in which forces act between collisions",
                      "use the form 'newton'");
    for (size_t i = 0; i < scree_world_bodies(world); ++i)
        if (!(scree_grain_reach(world, i) > 0))
            return refuse("this world has rigid bodies without spheres",
                          "use spheres, disks and clumps of them");
    return scree_cell_check_lattice(world, true);
}

// --- the course

static void set_skew(struct scree_event *event)
{
    const struct scree_cell_course *course = scree_world_cell_course(event->world);
    struct scree_event_skew *skew = &event->space.skew;
    skew->present = true;
    skew->time = course->time;
    memcpy(skew->vectors, course->vectors, sizeof skew->vectors);
    memcpy(skew->velocities, course->velocities, sizeof skew->velocities);
    memcpy(skew->gradient, course->gradient, sizeof skew->gradient);
    memcpy(skew->corner, scree_world_cell(event->world)->lower, sizeof skew->corner);
    scree_event_cell_move(event);
}

// The cell vectors of the present course at a time.
static void vectors_at(const struct scree_event *event, double time, double vectors[9])
{
    const struct scree_event_skew *skew = &event->space.skew;
    for (int k = 0; k < 9; ++k)
        vectors[k] = skew->vectors[k] + (time - skew->time) * skew->velocities[k];
}

// The velocity gradient of the motion of images at a time.
static struct scree_mat3 gradient_at(const struct scree_event *event, double time)
{
    const struct scree_event_skew *skew = &event->space.skew;
    double vectors[9];
    if (skew->steady)
        return scree_lattice_load(skew->gradient);
    vectors_at(event, time, vectors);
    return scree_mat3_product(scree_lattice_load(skew->velocities),
                              scree_mat3_inverse(scree_lattice_load(vectors)));
}

void scree_event_cell_move(struct scree_event *event)
{
    struct scree_event_skew *skew = &event->space.skew;
    vectors_at(event, event->now, skew->here);
    scree_lattice_store(scree_mat3_inverse(scree_lattice_load(skew->here)), skew->inverse);
}

// Whether the gradient stays as it is and its square is 0: then the vectors move straight for all times.
static bool is_steady(const struct scree_lattice *lattice)
{
    double square[9];
    const struct scree_mat3 gradient = scree_lattice_load(lattice->gradient);
    scree_lattice_store(scree_mat3_product(gradient, gradient), square);
    bool steady = !lattice->by_function &&
                  memcmp(lattice->gradient, lattice->coming, sizeof lattice->gradient) == 0 &&
                  memcmp(lattice->gradient, lattice->end, sizeof lattice->gradient) == 0;
    for (int k = 0; k < 9; ++k)
        steady = steady && square[k] == 0;
    return steady;
}

// Begins a course now, with a gradient of the motion of images at this time.
static void begin_course(struct scree_event *event, struct scree_mat3 gradient)
{
    const struct scree_lattice *lattice = scree_world_lattice(event->world);
    struct scree_cell_course *course = scree_world_cell_course(event->world);
    course->time = event->now;
    memcpy(course->vectors, lattice->vectors, sizeof course->vectors);
    memcpy(course->deformation, lattice->deformation, sizeof course->deformation);
    memcpy(course->gradient, lattice->gradient, sizeof course->gradient);
    scree_lattice_store(scree_mat3_product(gradient, scree_lattice_load(lattice->vectors)),
                        course->velocities);
    set_skew(event);
}

// Whether the cell is where its course has brought it.
static bool is_on_course(const struct scree_event *event)
{
    const struct scree_lattice *lattice = scree_world_lattice(event->world);
    return memcmp(scree_world_cell_course(event->world)->gradient, lattice->gradient,
                  sizeof lattice->gradient) == 0 &&
           memcmp(event->space.skew.here, lattice->vectors, sizeof lattice->vectors) == 0;
}

static void set_spin(struct scree_event *event, const double gradient[9])
{
    event->space.skew.spin = scree_lattice_spin(scree_lattice_load(gradient));
}

scree_status scree_event_cell_read(struct scree_event *event)
{
    const struct scree_lattice *lattice = scree_world_lattice(event->world);
    event->space.skew = (struct scree_event_skew){0};
    if (!lattice)
        return SCREE_OK;
    SCREE_TRY(scree_entity_require(scree_world_entity(event->world, SCREE_ENTITY_CELL), SCREE_CELL_COURSE));
    event->space.skew.steady = is_steady(lattice);
    set_skew(event);
    if (!is_on_course(event))
        begin_course(event, scree_lattice_load(lattice->gradient));
    set_spin(event, lattice->gradient);
    return SCREE_OK;
}

// --- positions

void scree_event_cell_enter(const struct scree_event *event, double position[3], double velocity[3],
                            int64_t turns[3])
{
    const struct scree_event_skew *skew = &event->space.skew;
    double n[3], shift[3], speed[3];
    const struct scree_vec3 s = scree_event_skew_fraction(skew, position);
    scree_vec3_store(scree_vec3_make(floor(s.x), floor(s.y), floor(s.z)), n);
    memset(turns, 0, 3 * sizeof *turns);
    if (n[0] == 0 && n[1] == 0 && n[2] == 0)
        return;
    scree_event_skew_shift(skew, n, event->now, shift, speed);
    for (int k = 0; k < 3; ++k) {
        position[k] = position[k] - shift[k];
        velocity[k] = velocity[k] - speed[k];
        turns[k] = (int64_t)n[k];
    }
}

void scree_event_cell_displacement(const struct scree_event *event, uint32_t body, const double position[3],
                                   double velocity[3], double displacement[3])
{
    const struct scree_event_skew *skew = &event->space.skew;
    const struct scree_event_lists *lists = &event->lists;
    const double magic = 6755399441055744.0;
    double s[3], place[3], shift[3], speed[3];
    scree_vec3_store(scree_event_skew_fraction(skew, position), s);
    for (int k = 0; k < 3; ++k) {
        place[k] = (double)lists->body[body].place[k] * lists->grids.step[k];
        place[k] += ((s[k] - place[k]) + magic) - magic;
    }
    scree_event_skew_shift(skew, place, event->now, shift, speed);
    for (int k = 0; k < 3; ++k) {
        displacement[k] = position[k] - skew->corner[k] - shift[k];
        velocity[k] = velocity[k] - speed[k];
    }
}

// In a time t a body flies t w, with the fluctuation w of its velocity at the start, apart from a place that
// moves with the cell.
double scree_event_cell_path(const struct scree_event *event, uint32_t body)
{
    const struct scree_flight *flight = &event->space.flight[body];
    const struct scree_vec3 place = scree_vec3_sub(scree_vec3_load(flight->position),
                                                   scree_vec3_load(event->space.skew.corner)),
                            mean = scree_mat3_apply(gradient_at(event, flight->time), place);
    return (event->now - flight->time) *
           scree_vec3_norm(scree_vec3_sub(scree_vec3_load(flight->velocity), mean));
}

// --- work

// Kinetic energy of the fluctuation of a body.
static double fluctuation_energy(const struct scree_event *event, uint32_t body, const double position[3],
                                 struct scree_mat3 gradient)
{
    const struct scree_vec3 place =
        scree_vec3_sub(scree_vec3_load(position), scree_vec3_load(event->space.skew.corner));
    const struct scree_vec3 w = scree_vec3_sub(scree_vec3_load(event->space.flight[body].velocity),
                                               scree_mat3_apply(gradient, place));
    return 0.5 * scree_world_grains(event->world)[body].mass * scree_vec3_norm_squared(w);
}

// The part of the energy of the fluctuation of the spin that changes while a body turns freely: with the mean
// spin w of the step and the inertia I it is w . I w / 2, for the energy and the momentum of the spin itself
// are constant.
static double turning_energy(const struct scree_event *event, uint32_t body, double time)
{
    if (!event->rigid.turns || event->rigid.rotation[body].kind == SCREE_EVENT_STEADY)
        return 0;
    const struct scree_event_rotation *rotation = &event->rigid.rotation[body];
    const struct scree_vec3 inside = scree_quat_rotate_inverse(
        scree_event_rotation_at(rotation, time).orientation, event->space.skew.spin);
    return 0.5 * scree_vec3_dot(inside, scree_vec3_divide(inside, rotation->lightness));
}

// Work of the cell during the flight of a body until now.
static double work_of_flight(const struct scree_event *event, uint32_t body)
{
    const struct scree_flight *flight = &event->space.flight[body];
    double position[3];
    scree_event_position(flight, NULL, event->now, position);
    return fluctuation_energy(event, body, position, gradient_at(event, event->now)) -
           fluctuation_energy(event, body, flight->position, gradient_at(event, flight->time)) +
           turning_energy(event, body, event->now) - turning_energy(event, body, flight->time);
}

static double work_of_flights(const struct scree_event *event)
{
    struct scree_sum sum = {0};
    for (uint32_t i = 0; i < event->lists.bodies; ++i)
        if (event->space.flight[i].time != event->now)
            scree_sum_add(&sum, work_of_flight(event, i));
    return scree_sum_value(&sum);
}

void scree_event_cell_land(struct scree_event *event, uint32_t body)
{
    scree_world_cell_course(event->world)->work += work_of_flight(event, body);
}

void scree_event_cell_collide(struct scree_event *event, struct scree_vec3 impulse, struct scree_vec3 branch,
                              struct scree_vec3 lever)
{
    struct scree_cell_course *course = scree_world_cell_course(event->world);
    double on[3], along[3];
    scree_vec3_store(impulse, on);
    scree_vec3_store(branch, along);
    for (int k = 0; k < 9; ++k)
        course->impulses[k] += on[k / 3] * along[k % 3];
    // impulses act on fluctuations, also of spins, about half the curl of the mean motion in this step
    const struct scree_vec3 mean = scree_vec3_sub(scree_mat3_apply(gradient_at(event, event->now), branch),
                                                  scree_vec3_cross(event->space.skew.spin, lever));
    course->work -= scree_vec3_dot(impulse, mean);
}

void scree_event_cell_show_work(struct scree_event *event)
{
    scree_world_lattice(event->world)->work =
        scree_world_cell_course(event->world)->work + work_of_flights(event);
}

void scree_event_cell_read_work(struct scree_event *event)
{
    const double shown = scree_world_lattice(event->world)->work, flights = work_of_flights(event);
    if (scree_world_cell_course(event->world)->work + flights != shown)
        scree_world_cell_course(event->world)->work = shown - flights;
}

// --- flights that end with a step

// Brings all flights to the present time, and their positions into the cell. Sums are exact, so that they do
// not depend on the order of rows.
static void land_all(struct scree_event *event)
{
    struct scree_free_paths *paths = scree_world_free_paths(event->world);
    struct scree_sum work = {0}, length = {0};
    for (uint32_t i = 0; i < event->lists.bodies; ++i) {
        const struct scree_flight *flight = &event->space.flight[i];
        double position[3], velocity[3];
        if (flight->time == event->now)
            continue;
        scree_sum_add(&work, work_of_flight(event, i));
        scree_sum_add(&length, scree_event_cell_path(event, i));
        scree_event_position(flight, NULL, event->now, position);
        memcpy(velocity, flight->velocity, sizeof velocity);
        scree_event_take_off(event, i, event->now, position, velocity);
        if (event->rigid.turns)
            scree_event_rigid_turn_off(event, i, event->now, false);
    }
    scree_world_cell_course(event->world)->work += scree_sum_value(&work);
    if (paths)
        paths->length += scree_sum_value(&length);
}

// Ends the flights of all bodies and begins new ones here: the velocity of the mean motion changes by that of
// a change of the gradient, and fluctuations do not.
static void change_gradient(struct scree_event *event, struct scree_mat3 change)
{
    const struct scree_vec3 corner = scree_vec3_load(event->space.skew.corner);
    for (uint32_t i = 0; i < event->lists.bodies; ++i) {
        struct scree_flight *flight = &scree_world_flights(event->world)[i];
        const struct scree_vec3 place = scree_vec3_sub(scree_vec3_load(flight->position), corner);
        scree_vec3_store(scree_vec3_add(scree_vec3_load(flight->velocity), scree_mat3_apply(change, place)),
                         flight->velocity);
    }
}

// The spins of bodies change with that of the mean motion.
static void change_spins(struct scree_event *event, const double from[9], const double to[9])
{
    const struct scree_vec3 change =
        scree_lattice_spin(scree_mat3_sub(scree_lattice_load(to), scree_lattice_load(from)));
    if (change.x == 0 && change.y == 0 && change.z == 0)
        return;
    struct scree_rotor *rotors = scree_world_rotors(event->world);
    for (uint32_t i = 0; i < event->lists.bodies; ++i) {
        scree_body_add_spin(&scree_world_grains(event->world)[i], rotors ? &rotors[i] : NULL, change);
        if (event->rigid.turns)
            scree_event_rigid_turn_off(event, i, event->now, false);
    }
}

// --- steps

double scree_event_cell_longest(const struct scree_world *world)
{
    const struct scree_lattice *lattice = scree_world_lattice(world);
    const double norm = lattice ? scree_lattice_norm(scree_lattice_load(lattice->gradient)) : 0;
    return norm > 0 ? AUTOMATIC_STRAIN / norm : (double)INFINITY;
}

// Bounds how much a step changes distances that move with the cell, relative to them. In a step the gradient
// D changes by less than e |D| / (1 - e), e = h |D|.
static double strain_of(const struct scree_event *event, const struct scree_lattice *lattice)
{
    const struct scree_mat3 gradient = scree_lattice_load(lattice->coming);
    const double e = event->step * scree_lattice_norm(gradient);
    const double change = event->space.skew.steady ? 0 : e * e / (1 - e);
    return e < 0.5 ? event->step * scree_lattice_stretching(gradient) + change : e;
}

static scree_status check_step(const struct scree_event *event, double strain)
{
    if (!(strain <= event->lists.strain))
        return scree_status_fail(SCREE_ERROR_ARGUMENT,
                                 "a step of %g s would strain the cell by %g, and at most %g is possible "
                                 "with the neighbour lists of the event engine: take steps of at most %g s",
                                 event->step, strain, event->lists.strain,
                                 0.9 * event->step * event->lists.strain / strain);
    if (!event->space.skew.steady && event->def.contact_time > 0)
        return refuse("with a contact time the velocity gradient must be a constant simple shear along axes",
                      "leave out `contact-time`, or use `elastic-below`");
    return SCREE_OK;
}

// Builds all lists again, which were built before the cell was strained.
static scree_status renew_lists(struct scree_event *event)
{
    scree_event_show(event);
    return scree_event_prepare(event);
}

scree_status scree_event_cell_begin_step(struct scree_event *event)
{
    struct scree_lattice *lattice = scree_world_lattice(event->world);
    if (!lattice)
        return SCREE_OK;
    SCREE_TRY(scree_cell_begin_step(event->world, event->step));
    SCREE_TRY(scree_event_cell_check(event->world));
    event->space.skew.steady = is_steady(lattice);
    const double strain = event->lists.bodies > 0 ? strain_of(event, lattice) : 0;
    SCREE_TRY(check_step(event, strain));
    event->strained += strain;
    if (event->strained > event->lists.strain) {
        SCREE_TRY(renew_lists(event));
        event->strained = strain;
        SCREE_TRY(check_step(event, strain));
    }
    if (event->space.skew.steady) {
        // without bodies, edits of the cell leave no traces in them
        if (!is_on_course(event))
            begin_course(event, scree_lattice_load(lattice->gradient));
        set_spin(event, lattice->coming);
        return SCREE_OK;
    }
    const struct scree_mat3 before = scree_lattice_load(lattice->gradient),
                            rate = scree_lattice_rate(scree_lattice_load(lattice->coming), event->step);
    land_all(event);
    begin_course(event, rate);
    set_spin(event, lattice->coming);
    change_gradient(event, scree_mat3_sub(rate, before));
    change_spins(event, lattice->gradient, lattice->coming);
    for (uint32_t i = 0; i < event->lists.bodies; ++i)
        scree_event_predict(event, i);
    return SCREE_OK;
}

// Takes shorter vectors of the same lattice, if there are some.
static void shorten_vectors(struct scree_event *event)
{
    struct scree_lattice *lattice = scree_world_lattice(event->world);
    struct scree_cell_course *course = scree_world_cell_course(event->world);
    int64_t change[3][3], inverse[3][3];
    if (!scree_lattice_reduce(scree_lattice_load(lattice->vectors), event->world->dimension, 0, change))
        return;
    scree_lattice_inverse_change((const int64_t(*)[3])change, inverse);
    double *const all[] = {lattice->vectors, lattice->rate, course->vectors, course->velocities};
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        scree_lattice_store(scree_lattice_change(scree_lattice_load(all[k]), (const int64_t(*)[3])change),
                            all[k]);
    set_skew(event);
    memcpy(lattice->vectors, event->space.skew.here, sizeof lattice->vectors);
    for (size_t i = 0; i < event->lists.bodies; ++i) {
        struct scree_image *image = &scree_world_images(event->world)[i];
        const struct scree_image old = *image;
        for (int k = 0; k < 3; ++k)
            image->count[k] =
                inverse[k][0] * old.count[0] + inverse[k][1] * old.count[1] + inverse[k][2] * old.count[2];
    }
    // places in the lists are fractions of the old vectors
    event->strained = (double)INFINITY;
}

void scree_event_cell_end_step(struct scree_event *event, bool whole)
{
    struct scree_lattice *lattice = scree_world_lattice(event->world);
    if (!lattice)
        return;
    const struct scree_cell_course *course = scree_world_cell_course(event->world);
    scree_event_cell_move(event);
    memcpy(lattice->vectors, event->space.skew.here, sizeof lattice->vectors);
    memcpy(lattice->rate, course->velocities, sizeof lattice->rate);
    const struct scree_mat3 deformation = scree_lattice_load(course->deformation),
                            rate =
                                scree_mat3_product(scree_lattice_load(course->velocities),
                                                   scree_mat3_inverse(scree_lattice_load(course->vectors)));
    scree_lattice_store(
        scree_mat3_add_scaled(deformation, event->now - course->time, scree_mat3_product(rate, deformation)),
        lattice->deformation);
    memcpy(lattice->middle, lattice->coming, sizeof lattice->middle);
    if (!event->space.skew.steady) {
        const struct scree_mat3 before = gradient_at(event, event->now);
        land_all(event);
        if (!whole)
            scree_lattice_store(before, lattice->end);
        change_gradient(event, scree_mat3_sub(scree_lattice_load(lattice->end), before));
        change_spins(event, lattice->coming, lattice->end);
        memcpy(lattice->gradient, lattice->end, sizeof lattice->gradient);
    }
    shorten_vectors(event);
}
