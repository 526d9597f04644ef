#pragma once

#include "mdp/process/decision_process.h"
#include "tidewise/process.h"

namespace tidewise::mdp {

/// Data of a Process. Rewards are negated for Direction::minimize, so that methods always maximize.
struct Process::Content {
  DecisionProcess<double> process;
  Direction direction = Direction::maximize;
  bool has_target = false;  ///< the read request named terminal states
};

}  // namespace tidewise::mdp
