#include "bench/mdp/worlds.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "mdp/worlds/literature_worlds.h"

namespace tidewise {

const char* const finite_world = "finite-512";

MdpWorld mdp_world(std::string_view name) {
  if (name == finite_world) {
    constexpr std::int32_t side = 512;
    constexpr double slip = 0.1;
    MdpWorld world{mdp::slip_world(side, side, slip), 100};
    world.grid.discount = 1;
    return world;
  }
  if (const auto sample = mdp::sample_world_of(name)) return {{}, 0, sample};
  try {
    return {mdp::literature_world(name)};
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}, {}, {}", error.what(), finite_world,
                                 fmt::join(mdp::sample_world_kinds(), ", ")));
  }
}

}  // namespace tidewise
