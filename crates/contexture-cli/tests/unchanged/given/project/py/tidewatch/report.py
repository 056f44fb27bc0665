"""Text reports for operators."""

from .harmonics import highest
from .model import Station, predict


class Report:
    """Lines of text about one station."""

    width = 40

    def __init__(self, station: Station):
        self.station = station
        self.lines: list[str] = []

    def add_levels(self, hours: int) -> "Report":
        """One bar for each hour."""
        for hour, level in enumerate(predict(self.station, hours)):
            bar = "#" * int(max(level, 0) / self.station.limit * self.width)
            self.lines.append(f"{hour:02d} {level:6.2f} {bar}")
        return self

    def add_alert(self, wind: float) -> "Report":
        """A warning when the highest water is above the limit."""
        hour, _ = highest(self.station.constituents, 0, 24)
        if self.station.floods(hour, wind):
            self.lines.append(f"ALERT: flood expected in {hour:.1f} h")
        return self

    def text(self) -> str:
        return "\n".join(self.lines)
