#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "planner/mission/request.h"

namespace tidewise {

enum class BackendKind { cpu, cuda };

/// What a run computes on.
struct Backend {
  BackendKind kind = BackendKind::cpu;
  std::string name;      ///< "cpu" or "cuda"
  std::string device;    ///< the processor or GPU, as it calls itself
  std::int32_t threads;  ///< ≥ 1, of the host
  std::string reason;    ///< why this one, where the choice was automatic; else empty
  /// What the run may take of the GPU's memory [B]; 0 on the CPU.
  std::size_t device_memory = 0;
  /// All GPUs that share a mission, the one that is current first; empty on the CPU.
  struct Device {
    int number = 0;
    std::size_t memory = 0;  ///< as device_memory [B]
  };
  std::vector<Device> devices = {};
};

/// What messages call a member of a BackendRequest, such as "--threads" for "threads".
using NameOfMember = std::function<std::string(std::string_view member)>;

/// Starts the GPUs that take_backend() will, which takes tenths of a second, for a thread beside
/// those that have other work until then. What keeps one from it is for that to say.
void start_gpus(const BackendRequest& request);

/// The backend that a request leads to, with so many threads. A GPU is started and current for this
/// thread from then on, and of several the first of them. `auto` takes it where there is one that
/// this build has code for, else the CPU. Errors: InputError that says why no GPU can be taken
/// where CUDA is asked for, for a GPU whose number there is none of, and for more of their memory
/// than is free.
Backend take_backend(const BackendRequest& request, std::int32_t threads,
                     const NameOfMember& name_of);

/// The same of a mission's request, with all cores that the process may use where it says no number
/// of threads. Errors: also InputError for several GPUs where this build, or the mission's engine,
/// cannot let them share it.
Backend take_backend(const RunRequest& request);

}  // namespace tidewise
