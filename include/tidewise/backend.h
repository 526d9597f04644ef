#pragma once

#include <cstdint>
#include <optional>
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

/// What is to be computed on. What stands here are the defaults.
struct BackendRequest {
  BackendChoice backend = BackendChoice::automatic;
  std::optional<std::int32_t> threads = {};  ///< absent: all cores that the process may use
  std::int32_t device = 0;                   ///< which GPU
  DeviceChoice devices = std::vector<std::int32_t>{};  ///< prevails over `device`
  /// The most that a run may take of the GPU's memory [B]; absent: nine tenths of what is free.
  std::optional<std::int64_t> device_memory = {};
};

}  // namespace tidewise
