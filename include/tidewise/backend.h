#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace tidewise {

/// Backend that does the computation. `automatic`: an NVIDIA GPU if one is present that this build
/// has code for, else the CPU. `cpu`, `cuda`: this one, or an InputError.
enum class BackendChoice { automatic, cpu, cuda };

/// Implementation of the transition counts: the cells to which each action leads in every
/// realization. All three give the same integers. `paper` is the published algorithm, slow and kept
/// for comparison.
enum class Engine { paper, direct, lattice };

/// Assignment of the end of a step to cells. `area`: bilinear weights, to the four cells whose
/// centres surround it, by share of area. `cell`: to the cell that holds it, as published.
enum class LandingBy { area, cell };

/// All GPUs of this computer, as a DeviceChoice.
struct AllDevices {};
/// GPUs that share a mission: all of them, or those with these numbers. Empty: one GPU,
/// BackendRequest::device.
using DeviceChoice = std::variant<AllDevices, std::vector<std::int32_t>>;

/// The hardware to compute on, with the defaults.
struct BackendRequest {
  /// CPU or GPU.
  BackendChoice backend = BackendChoice::automatic;
  /// CPU threads, ≥ 1; absent: all cores that the process may use.
  std::optional<std::int32_t> threads = {};
  std::int32_t device = 0;                             ///< number of the GPU, from 0
  DeviceChoice devices = std::vector<std::int32_t>{};  ///< takes precedence over `device`
  /// Limit of the GPU memory that a run may use [B]; absent: nine tenths of what is free.
  std::optional<std::int64_t> device_memory = {};
};

}  // namespace tidewise
