#pragma once

#include <cstdint>
#include <string>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A number that two processes share when their states, transitions, rewards and what terminal
/// states are worth are the same in single precision, and as good as never otherwise: 64 bits of
/// all of them. The discount, names and first values of other states do not count. As text, 16
/// hexadecimal digits.
///
/// It tells a mistaken file from the right one, not a forged one.
template <class Real>
std::string fingerprint(const DecisionProcess<Real>& process);

}  // namespace tidewise::mdp
