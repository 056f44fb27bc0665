from tidewatch.harmonics import Constituent
from tidewatch.model import Station, surge


def test_calm_has_no_surge():
    assert surge(3.9) == 0.0


def test_storm_floods():
    station = Station("quay", 1.0, 1.5, [Constituent("M2", 0.4, 0.0)])
    assert not station.floods(0)
    assert station.floods(0, wind=20)
