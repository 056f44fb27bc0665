#include "ring.h"

/* Adds a level; the oldest is overwritten. */
void ring_push(struct ring *ring, double level)
{
    ring->levels[ring->next] = level;
    ring->next = (ring->next + 1) % RING_SIZE;
    if (ring->count < RING_SIZE)
        ring->count++;
}

static double sum(const struct ring *ring)
{
    double total = 0;
    for (size_t i = 0; i < ring->count; i++)
        total += ring->levels[i];
    return total;
}

double ring_mean(const struct ring *ring)
{
    return ring->count ? sum(ring) / ring->count : 0;
}
