#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// A world for benchmarks that is not a grid world. The kinds differ, so that what is fast on one
/// may be slow on another.
struct SampleWorld {
  std::string kind;                ///< "random", "queues", "car", "inventory"
  std::optional<double> discount;  ///< replaces the default of the kind
  double scale = 1;  ///< factor of the number of states, approximately; 1: some 10^7 entries
};

/// Kinds: random rows; three queues (queue_network.h); the mountain car; dense rows (inventory.h).
const std::vector<std::string>& sample_world_kinds();

/// Parses the name of a world: "random", or "random@0.999" with a discount. nullopt for an unknown
/// kind. Errors: InputError for an invalid discount.
std::optional<SampleWorld> sample_world_of(std::string_view name);

/// Makes the process of a world. Errors: InputError for an unknown kind, or a scale that leaves no
/// states.
template <class Real>
DecisionProcess<Real> make_sample_world(const SampleWorld& world);

}  // namespace tidewise::mdp
