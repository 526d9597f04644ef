#include "solver/fly/trajectory.h"

namespace tidewise {

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
