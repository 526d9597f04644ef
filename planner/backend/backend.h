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

/// The processor or GPUs of a run.
struct Backend {
  BackendKind kind = BackendKind::cpu;
  std::string name;      ///< "cpu" or "cuda"
  std::string device;    ///< the model of the processor or GPUs
  std::int32_t threads;  ///< number of host threads, ≥ 1
  std::string reason;    ///< reason of an automatic choice; else empty
  /// GPU memory that the run may take [B]; 0 on the CPU.
  std::size_t device_memory = 0;
  /// A GPU of the run.
  struct Device {
    int number = 0;
    std::size_t memory = 0;  ///< as device_memory [B]
  };
  std::vector<Device> devices = {};  ///< the current one first; empty on the CPU
};

/// Maps a member of a BackendRequest to its name in messages, such as "threads" to "--threads".
using NameOfMember = std::function<std::string(std::string_view member)>;

/// Starts the GPUs that take_backend() will use. That takes tenths of a second: call it in a
/// separate thread. Reports no errors, because take_backend() does.
void start_gpus(const BackendRequest& request);

/// Chooses the backend of a request, with `threads` host threads. A GPU is started and becomes
/// current for the calling thread; of several GPUs the first. `auto` chooses a GPU if there is one
/// with code in this build, else the CPU. Errors: InputError with the reason if CUDA is requested
/// and not usable, if a device number does not exist, or if more memory is requested than is free.
Backend take_backend(const BackendRequest& request, std::int32_t threads,
                     const NameOfMember& name_of);

/// Chooses the backend of a mission's request. The default number of threads is the number of cores
/// that the process may use. Errors: also InputError for several GPUs if this build or the
/// mission's engine cannot share a mission between them.
Backend take_backend(const RunRequest& request);

}  // namespace tidewise
