"""Predict water levels at harbor gauges."""

from .model import Station, predict

__all__ = ["Station", "predict"]
