"""Animations have the requested number of frames, all different."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import tidewise
from tidewise.figures.animation import ffmpeg_is_there


def test_writes_a_gif(time_run, tmp_path):
    path = tmp_path / "film.gif"
    run = tidewise.open_run(time_run)
    tidewise.write_animation(run, path, max_flights=40, max_frames=4, width=9, dpi=60)
    with Image.open(path) as film:
        assert film.n_frames >= 4
        pictures = []
        for frame in (0, 2):
            film.seek(frame)
            pictures.append(np.asarray(film.convert("RGB")).astype(int))
    assert len(np.unique(pictures[0].reshape(-1, 3), axis=0)) > 50
    assert (np.abs(pictures[0] - pictures[1]).max(axis=2) > 30).mean() > 0.005
    assert [p.name for p in tmp_path.iterdir()] == ["film.gif"]


def test_writes_an_mp4_with_ffmpeg(time_run, tmp_path):
    path = tmp_path / "film.mp4"
    run = tidewise.open_run(time_run)
    if not ffmpeg_is_there():
        with pytest.raises(tidewise.InputError, match="ffmpeg"):
            tidewise.write_animation(run, path)
        return
    tidewise.write_animation(run, path, max_flights=40, max_frames=3, width=9, dpi=61)
    assert path.read_bytes()[4:8] == b"ftyp"


def test_ending_of_the_name_chooses_the_format(time_run, tmp_path):
    with pytest.raises(tidewise.InputError, match=r"\.gif or \.mp4"):
        tidewise.write_animation(tidewise.open_run(time_run), tmp_path / "film.avi")
