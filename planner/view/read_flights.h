#pragma once

#include <nlohmann/json.hpp>

#include "env/environment_info.h"
#include "output/run/trajectory_reader.h"
#include "output/view/run_view.h"

namespace tidewise {

/// The levels that a page shows.
struct FlightLevels {
  TimeLevel first;
  TimeLevel last;
  double departs = 0;  ///< the departure [levels], at or after the first
};

/// Reads all flights. Sets `levels` to those that they need: from the departure to the level at or
/// after the end of the last flight. Errors: InputError if the points of a flight are not at the
/// policy's levels.
FlightsView read_flights(const TrajectoryReader& file, const TimeAxis& time, FlightLevels& levels);

/// True if each of a run's flights stayed in one realization, by its summary.
bool flies_each_realization(const nlohmann::ordered_json& summary);

/// Gives each flight the weight of its realization, if the environment has weights. Requires that
/// each flight stays in one realization.
void weigh_flights(const EnvironmentInfo& info, FlightsView& flights);

}  // namespace tidewise
