"""Loads the compiled part, if the processor can run it."""

from __future__ import annotations

from tidewise.errors import RunError


def require_processor(missing: str) -> None:
    """Errors: RunError naming what this processor lacks."""
    if missing:
        raise RunError(
            f"this processor has no {missing}, and tidewise needs an x86-64 one with AVX2, FMA and "
            "BMI2 (x86-64-v3: Intel Haswell of 2013, AMD Excavator of 2015, or later); take a "
            "newer machine"
        )


def load_core():
    """tidewise._core. Errors: RunError on a processor that it was not compiled for."""
    from tidewise import _processor

    require_processor(_processor.missing())
    from tidewise import _core

    return _core


core = load_core()
