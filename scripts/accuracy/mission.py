"""What everybody is asked: the same starts, target and horizon."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Mission:
    starts: tuple = ((20, 50), (15, 30), (20, 75), (40, 20), (45, 80), (70, 85), (35, 60), (88, 25))
    target: tuple = (78, 56)
    radius: float = 5
    horizon: float = 80
