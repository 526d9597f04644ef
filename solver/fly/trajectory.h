#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "env/grid.h"
#include "solver/step/landing_rule.h"
#include "tidewise/rollout.h"

namespace tidewise {

/// Mode of simulated flights (docs/model.md, 4).
enum class RolloutMode {
  continuous,  ///< one realization for the whole flight, bilinear in space, from the true position
  chain        ///< a newly drawn realization at each step, at the cell's centre: the model itself
};

/// Words of RolloutMode, in its order.
template <>
inline constexpr std::array<std::string_view, 2> words_of<RolloutMode>{"continuous", "chain"};
/// Words of Baseline, in its order.
template <>
inline constexpr std::array<std::string_view, 4> words_of<Baseline>{"aim", "crab", "greedy",
                                                                    "fixed"};

/// Words of TrajectoryOutcome in files, in the order of the codes.
template <>
inline constexpr std::array<std::string_view, 7> words_of<TrajectoryOutcome>{
    "arrived",       "obstacle",       "out_of_domain",  "out_of_time",
    "out_of_energy", "without_action", "out_of_forecast"};
/// Descriptions of TrajectoryOutcome for messages.
inline constexpr std::array<std::string_view, 7> outcomes_in_words{
    "arrived",          "hit an obstacle",   "left the domain",
    "ran out of time",  "ran out of energy", "reached water without an action",
    "left the forecast"};
/// Description of an outcome for messages.
constexpr std::string_view in_words(TrajectoryOutcome outcome) {
  return outcomes_in_words[static_cast<std::size_t>(outcome)];
}

/// Outcome of a flight that ended in this state; a flight that is under way has run out of time.
TrajectoryOutcome final_outcome(StepOutcome state);

/// Numbers of at most `tracks` flights, evenly spaced among all, ascending.
std::vector<std::size_t> tracked_flights(std::size_t flights, std::size_t tracks);

/// All flights of one rollout.
struct RolloutResult {
  RolloutMode mode = RolloutMode::continuous;
  TimeLevel departure;
  std::vector<Trajectory> trajectories;
};

}  // namespace tidewise
