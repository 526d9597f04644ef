#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A process without any structure, as measurements of solvers have it: every action leads to
/// states drawn at random, each as likely, with probabilities as uneven as unit draws over their
/// sum, and brings a unit draw. No two rows are alike; nothing ends.
struct RandomWorldOptions {
  std::int32_t states = 200'000;
  std::int32_t actions = 8;
  std::int32_t successors = 8;  ///< of each action; those drawn twice are merged
  double discount = 0.95;
  std::uint64_t seed = 1;
};

/// The same bits on any machine: each row draws by a counter of its own. Errors: InputError for
/// numbers that make no process.
template <class Real>
DecisionProcess<Real> make_random_world(const RandomWorldOptions& options);

}  // namespace tidewise::mdp
