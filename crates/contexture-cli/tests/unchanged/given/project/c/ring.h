#ifndef RING_H
#define RING_H

#include <stddef.h>

#define RING_SIZE 64

/* Newest readings of a gauge. */
struct ring {
    double levels[RING_SIZE];
    size_t next;
    size_t count;
};

void ring_push(struct ring *ring, double level);
double ring_mean(const struct ring *ring);

#endif
