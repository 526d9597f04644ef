#pragma once

#include <nlohmann/json.hpp>

#include "env/environment_info.h"
#include "output/run/trajectory_reader.h"
#include "output/view/run_view.h"

namespace tidewise {

/// The levels that a page goes through.
struct FlightLevels {
  TimeLevel first;
  TimeLevel last;
  double departs = 0;  ///< the departure [levels], at or after the first
};

/// All flights, and of `levels` what they take: from their departure to the level at or after the
/// last one's end. Errors: InputError where the points of a flight are not at the policy's levels.
FlightsView read_flights(const TrajectoryReader& file, const TimeAxis& time, FlightLevels& levels);

/// True if each of a run's flights stayed in one realization, by its summary.
bool flies_each_realization(const nlohmann::ordered_json& summary);

/// Flights through a realization count for its weight, where the environment has weights. Requires
/// flights each through one realization.
void weigh_flights(const EnvironmentInfo& info, FlightsView& flights);

}  // namespace tidewise
