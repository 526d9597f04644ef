"""The sample routes of write_samples, with the expected values in all digits."""

import json
import math
import os
import subprocess

import pytest


class Sample:
    """A folder of files that all hold one route."""

    def __init__(self, folder):
        self.folder = folder
        self.truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
        self.name = self.truth["name"]
        self.names = self.truth["names"]
        self.points = [(lon, lat) for lon, lat, _, _ in self.truth["waypoints"]]
        self.instants = [instant for _, _, _, instant in self.truth["waypoints"]]
        # Distance within which each waypoint counts as reached.
        self.radii = [self.truth["capture_radius"]] * (len(self.points) - 2)
        self.radii.append(self.truth["arrival_radius"])
        self.is_dated = None not in self.instants

    def path(self, form):
        """Return the file in a format; skip the test if the format cannot hold the route."""
        if form not in self.truth["files"]:
            pytest.skip(f"refused: {self.truth['refused'][form]}")
        return self.folder / self.truth["files"][form]

    def text(self, form):
        return self.path(form).read_text(encoding="ascii")


@pytest.fixture(scope="session")
def samples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    subprocess.run([os.environ["TIDEWISE_WRITE_SAMPLES"], str(folder)], check=True)
    listed = [Sample(each) for each in sorted(folder.iterdir())]
    assert {sample.name for sample in listed} >= {"washington", "date_line", "pole", "greenwich"}
    return listed


@pytest.fixture(
    params=range(6), ids=["washington", "date_line", "pole", "greenwich", "undated", "scattered"]
)
def sample(samples, request):
    return samples[request.param]


def distance(first, second):
    """Return the distance [m] between two places along the chord; exact for small distances."""

    def place(lon, lat):
        lon, lat = math.radians(lon), math.radians(lat)
        return math.cos(lat) * math.cos(lon), math.cos(lat) * math.sin(lon), math.sin(lat)

    return 6371000 * math.dist(place(*first), place(*second))


@pytest.fixture
def agree():
    """A function that requires places to agree within a number of metres."""

    def compare(places, expected, within=0.05):
        assert len(places) == len(expected)
        for place, reference in zip(places, expected, strict=True):
            assert -180 <= place[0] < 180, place
            assert distance(place, reference) <= within, (place, reference)

    return compare
