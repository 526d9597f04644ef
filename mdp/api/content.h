#pragma once

#include "mdp/process/decision_process.h"
#include "tidewise/process.h"

namespace tidewise::mdp {

/// The process is negated if Direction::minimize is wanted, so that methods always maximize.
struct Process::Content {
  DecisionProcess<double> process;
  Direction direction = Direction::maximize;
  bool has_target = false;  ///< the read request made states terminal
};

}  // namespace tidewise::mdp
