"""Sums of harmonic constituents."""

import math
from dataclasses import dataclass

PERIODS = {"M2": 12.42, "S2": 12.0, "K1": 23.93, "O1": 25.82}


@dataclass(frozen=True)
class Constituent:
    """One cosine of the tide."""

    name: str
    amplitude: float
    phase: float

    def at(self, hours: float) -> float:
        """Height above the mean after `hours`."""
        angle = 2 * math.pi * hours / PERIODS[self.name]
        return self.amplitude * math.cos(angle - self.phase)


def height(constituents, hours):
    """Sum of all constituents."""
    total = 0.0
    for constituent in constituents:
        total += constituent.at(hours)
    return total


def highest(constituents, start, end, step=0.25):
    """Time and height of the highest water between two times."""
    best = (start, height(constituents, start))
    moment = start
    while moment <= end:
        level = height(constituents, moment)
        if level > best[1]:
            best = (moment, level)
        moment += step
    return best
