"""Policies flown by Parcels and OpenDrift end where 'tidewise rehearse' ends."""

from __future__ import annotations

import datetime
from dataclasses import dataclass

import numpy as np
import pyproj
import pytest

from fleet import OUTCOMES, Fleet
from missions import choose, fly, without_land

ALLOWED = 0.01  # maximum difference, as a share of distance and of duration
# With the same interpolation, the programs differ only by integrators and number formats.
ALLOWED_ALIKE = 0.0005


@dataclass(frozen=True)
class Ends:
    """Ends of all missions."""

    outcome: list[str]
    hours: np.ndarray
    place: np.ndarray  # (mission, 2), longitude and latitude


@pytest.fixture(scope="module")
def flights(run, forecast, tmp_path_factory):
    """Flights of twenty missions; then those that run aground, if planned without land."""
    flights = []
    chosen = None
    for land in (True, False):
        folder = tmp_path_factory.mktemp("missions")
        source = forecast
        if not land:
            source = folder / "water.nc"
            without_land(forecast, source)
        run(
            folder, "env", "import", source, "--spacing", "3km", "--step", "3h", "--out", "coast.h5"
        )
        chosen = chosen or list(choose(folder / "coast.h5"))
        flown = fly(run, forecast, chosen, folder)
        flights += [flight for flight in flown if land or flight.outcome == "obstacle"]
    return flights


def in_parcels(fleet, forecast, in_water) -> Ends:
    module = pytest.importorskip("parcels_kernel", reason="parcels 4 is not installed")
    fieldset = module.read_forecast(forecast, "water_u", "water_v", fleet, in_water=in_water)
    flown = module.depart(fieldset, fleet)
    flown.execute(
        module.fly, np.timedelta64(10, "m"), fieldset.time_interval.right, verbose_progress=False
    )
    departure = np.array([mission.departure for mission in fleet.missions])
    outcome = [OUTCOMES[number] for number in flown.outcome]
    return Ends(outcome, (flown.ended - departure) / 3600, np.column_stack([flown.x, flown.y]))


def in_opendrift(fleet, forecast, in_water) -> Ends:
    module = pytest.importorskip("opendrift_model", reason="opendrift is not installed")
    model = module.PolicyDrift(fleet, loglevel=50)
    model.read_forecast(forecast, "water_u", "water_v", in_water=in_water)
    model.depart()
    step = datetime.timedelta(minutes=10)
    model.run(end_time=model.last_time(), time_step=step, time_step_output=6 * step)
    departure = np.array([mission.departure for mission in fleet.missions])
    return Ends(
        [OUTCOMES[number] for number in model.outcome], (model.ended - departure) / 3600, model.end
    )


def differences(flights, ends):
    """Return the differences of ends and durations from the rehearsals, as shares.

    Prints a row for each mission, which 'scripts/test_referees.sh -rP' shows.
    """
    geod = pyproj.Geod(ellps="WGS84")
    shares = []
    for number, one in enumerate(flights):
        length = geod.inv(*one.mission.start, *one.mission.target)[2]
        off = geod.inv(*one.end, *ends.place[number])[2]
        later = (ends.hours[number] - one.hours) / one.hours
        shares.append((off / length, abs(later)))
        print(
            f"| {number + 1} | {length / 1000:.0f} | {one.outcome} | {one.hours:.2f} | {off:.1f} "
            f"| {100 * off / length:.4f} | {100 * later:+.4f} |"
        )
    return np.array(shares)


@pytest.mark.parametrize("referee", [in_parcels, in_opendrift])
def test_each_flight_ends_where_the_rehearsal_does(flights, forecast, referee):
    ends = referee(Fleet([flight.mission for flight in flights]), forecast, in_water=True)
    assert ends.outcome == [flight.outcome for flight in flights]
    assert len(flights) > 22 and ends.outcome[20:] == ["obstacle"] * (len(flights) - 20)
    shares = differences(flights, ends)
    assert (shares < ALLOWED_ALIKE).all(), shares


@pytest.mark.parametrize("referee", [in_parcels, in_opendrift])
def test_own_interpolation_near_land_changes_less_than_a_hundredth(
    flights, forecast, referee
):
    # Flights that run aground end at a shore, at a place that depends on the flow near it.
    arriving = flights[:20]
    ends = referee(Fleet([flight.mission for flight in arriving]), forecast, in_water=False)
    assert ends.outcome == [flight.outcome for flight in arriving]
    shares = differences(arriving, ends)
    assert (shares < ALLOWED).all(), shares
