#pragma once

#include "mdp/process/decision_process.h"
#include "tidewise/process.h"

namespace tidewise::mdp {

/// `process` is turned where the least is wanted, so that methods find the greatest.
struct Process::Content {
  DecisionProcess<double> process;
  Direction direction = Direction::greatest;
  bool has_target = false;  ///< it ends in states that were asked for
};

}  // namespace tidewise::mdp
