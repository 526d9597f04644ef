#pragma once

#include <cstdint>
#include <string_view>

#include "solver/mdp/gridworld.h"

namespace tidewise {

/// A world that `tidewise bench mdp` measures, and how long it goes on.
struct MdpWorld {
  GridworldOptions grid;
  std::int64_t steps = 0;  ///< 0: for ever, with a discount
};

/// The slip world of 512² cells, 100 steps without discount.
extern const char* const finite_world;

/// That one, or as literature_world() knows it. Errors: InputError.
MdpWorld mdp_world(std::string_view name);

}  // namespace tidewise
