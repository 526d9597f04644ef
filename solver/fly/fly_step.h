#pragma once

#include <cstdint>

#include "solver/flight/chain_step.h"
#include "solver/flight/continuous_step.h"
#include "solver/fly/ensemble.h"
#include "solver/fly/flight_log.h"

namespace tidewise {

/// Makes one step of one flight of a fleet and logs it if the flight has a column in the log.
/// `Step` is ContinuousStep or ChainStep. Trivially copyable.
template <class Step>
struct FlyStep {
  Step step;
  TimeLevel level;
  EnsembleView ensemble;
  FlightLogView log;
  std::size_t log_step = 0;  ///< index of this step in the log

  /// Returns true if the flight is still under way.
  TIDEWISE_HOST_DEVICE bool operator()(std::size_t flight) const {
    const std::int32_t column = log.column[flight];
    const bool is_logged = column >= 0;
    const std::size_t at = is_logged ? log.at(log_step, static_cast<std::size_t>(column)) : 0;
    if (ensemble.state[flight] != StepOutcome::under_way) {
      if (is_logged) log.action[at] = no_action;
      return false;
    }
    Vehicle vehicle = ensemble.vehicle[flight];
    const StepRecord record = make_step(ensemble.number[flight], vehicle);
    ensemble.vehicle[flight] = vehicle;
    ensemble.state[flight] = record.outcome;
    if (is_logged) log.action[at] = record.action;
    if (is_logged && record.action != no_action) {
      log.x[at] = vehicle.x;
      log.y[at] = vehicle.y;
      log.energy[at] = static_cast<float>(vehicle.spent);
      log.harvested[at] = static_cast<float>(vehicle.harvested);
    }
    return record.outcome == StepOutcome::under_way;
  }

 private:
  TIDEWISE_HOST_DEVICE StepRecord make_step(std::int32_t number, Vehicle& vehicle) const {
    if constexpr (requires { step(number, vehicle); }) {
      return step(number, vehicle);
    } else {
      return step(number, level, vehicle);
    }
  }
};

}  // namespace tidewise
