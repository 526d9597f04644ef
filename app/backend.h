#pragma once

#include <cstdint>
#include <string>

#include "app/mission_file.h"

namespace tidewise {

/// What a run computes on.
struct Backend {
  std::string name;      ///< "cpu"
  std::string device;    ///< the processor, as it calls itself
  std::int32_t threads;  ///< ≥ 1
  std::string reason;    ///< why this one, where the choice was automatic; else empty
};

/// The backend that a mission's choice leads to, with all cores that the process may use where it
/// says no number of threads. Errors: InputError where CUDA is asked for: this version plans on the
/// CPU.
Backend take_backend(const MissionFile& mission);

}  // namespace tidewise
