#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "mdp/worlds/gridworld.h"
#include "mdp/worlds/sample_worlds.h"

namespace tidewise {

enum class MdpSize { whole, quick };

/// A world that `tidewise research bench mdp` measures, and how long it goes on.
struct MdpWorld {
  mdp::GridworldOptions grid;
  std::int64_t steps = 0;                       ///< 0: for ever, with a discount
  std::optional<mdp::SampleWorld> sample = {};  ///< in place of the grid: a world of another kind
};

/// The slip world of 512² cells, 100 steps without discount.
extern const char* const finite_world;

/// That one, or as sample_world_of() or literature_world() know it, or "rewired-450x10@0.99": a
/// slip world of 450² cells of whose successors 10 % lead anywhere, with that discount; or
/// "rewired-wet-256x1x10": the same of a wet floor. Errors: InputError.
MdpWorld mdp_world(std::string_view name);

/// `quick`: an eighth of its side, or as few entries, to see that all works.
template <class Real>
mdp::DecisionProcess<Real> make_mdp_world(const MdpWorld& world, MdpSize size,
                                          std::int32_t threads);

}  // namespace tidewise
