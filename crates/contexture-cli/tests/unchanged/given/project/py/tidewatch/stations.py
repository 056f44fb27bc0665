"""Stations from the configuration, and the service that updates it."""

from pathlib import Path

from .harmonics import Constituent
from .model import Station

SERVICE_KEY = "@KEY@"


def load(name: str) -> Station:
    """The station with this name."""
    for entry in entries(Path("config/stations.yaml").read_text()):
        if entry["name"] == name:
            parts = [Constituent(*part) for part in entry["parts"]]
            return Station(name, entry["mean"], entry["limit"], parts)
    raise KeyError(name)


def entries(text: str):
    """Entries of the file; a very small reader of YAML."""
    current = None
    for line in text.splitlines():
        if line.startswith("- name:"):
            current = {"name": line.split(":")[1].strip(), "parts": []}
        elif current and "mean:" in line:
            current["mean"] = float(line.split(":")[1])
        elif current and "limit:" in line:
            current["limit"] = float(line.split(":")[1])
            yield current
