#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// Which world solvers are measured on, beside grid worlds: each of another kind, so that what is
/// fast on one need not be on the next.
struct SampleWorld {
  std::string kind;                ///< "random", "queues", "car", "inventory"
  std::optional<double> discount;  ///< in place of the kind's own
  double scale = 1;                ///< of the number of states, about; 1: some 10^7 entries
};

/// Random rows; three queues (queue_network.h); the mountain car; dense rows (inventory.h).
const std::vector<std::string>& sample_world_kinds();

/// "random", or "random@0.999" with a discount. Nothing where it is none of the kinds.
/// Errors: InputError for a discount that is none.
std::optional<SampleWorld> sample_world_of(std::string_view name);

/// Errors: InputError for a kind that there is not, or a scale that leaves nothing.
template <class Real>
DecisionProcess<Real> make_sample_world(const SampleWorld& world);

}  // namespace tidewise::mdp
