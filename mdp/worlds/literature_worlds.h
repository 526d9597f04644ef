#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mdp/worlds/gridworld.h"

namespace tidewise::mdp {

/// Worlds of benchmarks in the literature: slip worlds "G1" to "G6" with ε 0.1, and wet floors
/// "wet-64x1" to "wet-1024x4" (side × successors of an action). Errors: InputError with their
/// names.
GridworldOptions literature_world(std::string_view name);

/// The names G1 to G6.
std::vector<std::string> slip_world_names();
/// The names of the twelve wet floors, small ones first.
std::vector<std::string> wet_floor_names();

}  // namespace tidewise::mdp
