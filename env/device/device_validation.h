#pragma once

#include <cstdint>

#include "base/memory/stream.h"
#include "env/file/level_validation.h"

namespace tidewise {

/// Where a judge on the device leaves word; in pinned memory, both 0 before.
struct DeviceVerdict {
  std::uint32_t* level;  ///< becomes 1 where something in this level is refused
  std::uint32_t* any;    ///< the same, shared by many levels
};

/// Puts the judging of a level in device memory on `stream`. Errors: RunError, in a build without
/// CUDA always.
void validate_on_device(const LevelValidation& validate, const DeviceVerdict& verdict,
                        const DeviceStream& stream);
/// The same of what its profiles come to together, behind that of each.
void join_on_device(const JoinProfiles& join, const DeviceVerdict& verdict,
                    const DeviceStream& stream);

}  // namespace tidewise
