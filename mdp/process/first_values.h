#pragma once

#include <cstddef>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The values that iteration begins with, (state).
template <class Real>
std::vector<Real> first_values(const DecisionProcess<Real>& process) {
  if (!process.initial_value.empty()) return process.initial_value;
  return std::vector<Real>(static_cast<std::size_t>(process.state_count), Real{0});
}

}  // namespace tidewise::mdp
