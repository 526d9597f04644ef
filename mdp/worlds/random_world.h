#pragma once

#include <cstdint>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A process without structure, as in benchmarks of solvers: every action leads to random states,
/// with probabilities proportional to uniform random numbers, and has a uniform random reward in
/// [0, 1). No two rows are equal; nothing terminates.
struct RandomWorldOptions {
  std::int32_t states = 200'000;
  std::int32_t actions = 8;
  std::int32_t successors = 8;  ///< number of successors of each action; repeated ones are merged
  double discount = 0.95;
  std::uint64_t seed = 1;
};

/// Makes the process of the options. The bits are the same on any machine, because each row has its
/// own counter. Errors: InputError for invalid numbers.
template <class Real>
DecisionProcess<Real> make_random_world(const RandomWorldOptions& options);

}  // namespace tidewise::mdp
