#pragma once

#include <cstdint>

#include "base/memory/stream.h"
#include "env/file/level_validation.h"

namespace tidewise {

/// Flags that the device's validation sets; in pinned memory, initially 0.
struct ValidationFlags {
  std::uint32_t* level;  ///< becomes 1 if a value of this level is refused
  std::uint32_t* any;    ///< becomes 1 if a value of any level is refused
};

/// Enqueues the validation of a level in device memory on `stream`. Errors: RunError if the device
/// fails, and always in a build without CUDA.
void validate_on_device(const LevelValidation& validate, const ValidationFlags& flags,
                        const DeviceStream& stream);
/// Enqueues the merging of a level's profiles, after the validation of each. Errors: those of
/// validate_on_device().
void join_on_device(const JoinProfiles& join, const ValidationFlags& flags,
                    const DeviceStream& stream);

}  // namespace tidewise
