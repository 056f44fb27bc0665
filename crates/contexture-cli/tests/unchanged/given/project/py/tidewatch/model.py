"""Stations and their predicted levels."""

from dataclasses import dataclass, field

from .harmonics import Constituent, height


@dataclass
class Station:
    """A gauge with its constants."""

    name: str
    mean: float
    limit: float
    constituents: list[Constituent] = field(default_factory=list)

    def level(self, hours: float, wind: float = 0.0) -> float:
        """Predicted level, including the surge from wind."""
        return self.mean + height(self.constituents, hours) + surge(wind)

    def floods(self, hours: float, wind: float = 0.0) -> bool:
        """Whether the level is above the limit."""
        return self.level(hours, wind) > self.limit


def surge(wind: float) -> float:
    """Meters of surge for wind in m/s, from the 2022 fit."""
    if wind < 4:
        return 0.0
    return 0.0021 * (wind - 4) ** 2


def predict(station: Station, hours: int, wind: float = 0.0) -> list[float]:
    """Levels for each of the next hours."""
    levels = []
    for hour in range(hours):
        levels.append(round(station.level(hour, wind), 3))
    return levels
