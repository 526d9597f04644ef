#pragma once

#include <cstdint>
#include <variant>
#include <vector>

namespace tidewise {

/// What computes: one NVIDIA GPU where there is one that this build has code for, else the
/// processor; or one of the two, whatever there is.
enum class BackendChoice { automatic, cpu, cuda };

/// The three ways to the same integers: where each action leads in every realization. `paper` is
/// the published algorithm, which is slow and there to compare with.
enum class Engine { paper, direct, lattice };

/// How the point to which a realization carries the vehicle is given to cells: to the four whose
/// centres surround it, each by its share of area; or whole to the one that holds it, as published.
enum class LandingBy { area, cell };

/// GPUs that share a mission: every one there is, or these; none leaves it to one alone.
struct AllDevices {};
using DeviceChoice = std::variant<AllDevices, std::vector<std::int32_t>>;

}  // namespace tidewise
