#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mdp/worlds/gridworld.h"

namespace tidewise::mdp {

/// The worlds of the literature's measurements: slip worlds "G1" to "G6" with ε 0.1, and wet floors
/// "wet-64x1" to "wet-1024x4" (side × successors of an action). Errors: InputError that lists them.
GridworldOptions literature_world(std::string_view name);

/// G1 to G6.
std::vector<std::string> slip_world_names();
/// The twelve wet floors, small ones first.
std::vector<std::string> wet_floor_names();

}  // namespace tidewise::mdp
