#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "mdp/worlds/gridworld.h"
#include "mdp/worlds/sample_worlds.h"

namespace tidewise {

/// Size of a world.
enum class MdpSize { whole, quick };

/// A world of `tidewise research bench mdp`, with its horizon.
struct MdpWorld {
  mdp::GridworldOptions grid;
  std::int64_t steps = 0;                       ///< 0: infinite, with a discount
  std::optional<mdp::SampleWorld> sample = {};  ///< another kind of world that replaces the grid
};

/// Name of the slip world of 512² cells, 100 steps without discount.
extern const char* const finite_world;

/// Returns a world by name: finite_world; a name of sample_world_of() or literature_world();
/// "rewired-450x10@0.99": a slip world of 450² cells with 10 % of its successors at random states,
/// with that discount; or "rewired-wet-256x1x10": a wet floor with random successors. Errors:
/// InputError.
MdpWorld mdp_world(std::string_view name);

/// Makes the process. `quick`: an eighth of its side, or 1/64 of its entries, for a test.
template <class Real>
mdp::DecisionProcess<Real> make_mdp_world(const MdpWorld& world, MdpSize size,
                                          std::int32_t threads);

}  // namespace tidewise
