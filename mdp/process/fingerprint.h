#pragma once

#include <cstdint>
#include <string>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A hash (64 bits, 16 hexadecimal digits) of states, transitions, rewards and values of terminal
/// states, in single precision. Discount, names and initial values of other states are not
/// included. It detects a wrong file, not a forged one.
template <class Real>
std::string fingerprint(const DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
