#pragma once

#include "mdp/process/decision_process.h"
#include "tidewise/process.h"

namespace tidewise::mdp {

/// The process is negated if Direction::least is wanted, so that methods always maximize.
struct Process::Content {
  DecisionProcess<double> process;
  Direction direction = Direction::greatest;
  bool has_target = false;  ///< the read request made states terminal
};

}  // namespace tidewise::mdp
