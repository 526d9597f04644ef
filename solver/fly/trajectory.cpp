#include "solver/fly/trajectory.h"

#include <algorithm>

namespace tidewise {

std::vector<std::size_t> tracked_flights(std::size_t flights, std::size_t tracks) {
  std::vector<std::size_t> numbers(std::min(flights, tracks));
  for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n] = n * flights / numbers.size();
  return numbers;
}

TrajectoryOutcome final_outcome(StepOutcome state) {
  switch (state) {
    case StepOutcome::arrived:
      return TrajectoryOutcome::arrived;
    case StepOutcome::obstacle:
      return TrajectoryOutcome::obstacle;
    case StepOutcome::out_of_domain:
      return TrajectoryOutcome::out_of_domain;
    case StepOutcome::without_action:
      return TrajectoryOutcome::without_action;
    case StepOutcome::out_of_forecast:
      return TrajectoryOutcome::out_of_forecast;
    case StepOutcome::out_of_time:
    case StepOutcome::under_way:
      break;
  }
  return TrajectoryOutcome::out_of_time;
}

}  // namespace tidewise
