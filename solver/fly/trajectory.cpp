#include "solver/fly/trajectory.h"

namespace tidewise {

std::string_view to_string(RolloutMode mode) {
  return mode == RolloutMode::continuous ? "continuous" : "chain";
}

std::string_view to_string(Baseline baseline) {
  switch (baseline) {
    case Baseline::aim:
      return "aim";
    case Baseline::crab:
      return "crab";
    case Baseline::greedy:
      return "greedy";
  }
  return "";
}

TrajectoryOutcome final_outcome(StepOutcome state) {
  switch (state) {
    case StepOutcome::arrived:
      return TrajectoryOutcome::arrived;
    case StepOutcome::obstacle:
      return TrajectoryOutcome::obstacle;
    case StepOutcome::out_of_domain:
      return TrajectoryOutcome::out_of_domain;
    case StepOutcome::out_of_time:
    case StepOutcome::under_way:
      break;
  }
  return TrajectoryOutcome::out_of_time;
}

}  // namespace tidewise
