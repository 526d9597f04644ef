#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "env/environment_info.h"

namespace tidewise {

/// Division of the device memory that a run may use [B].
struct DeviceBudget {
  std::size_t levels = 0;   ///< for levels of the environment, kept from one pass to the next
  std::size_t scratch = 0;  ///< for the pass at work: solving, evaluating or flying
  // Parts of the scratch, which the passes take one after the other.
  std::size_t evaluation = 0;  ///< for evaluate_policies_on_device()
  std::size_t flight_log = 0;  ///< for the points of fly_policies_on_device()
};

/// Divides the memory of a run. A quarter is scratch, but at least what the cells need and at most
/// what still brings speed. Levels get the rest: at least four (two in use, two being read) and at
/// most all of them; what they leave is scratch again. `memory`: that the run may take; `place`:
/// the option or key that set it, for messages. Errors: InputError that names the minimum.
DeviceBudget divide_device_memory(const EnvironmentInfo& info, std::size_t memory,
                                  std::string_view place);

/// Device memory that one level takes, without modes that levels share [B].
std::size_t device_level_bytes(const EnvironmentInfo& info);
/// Device memory that some levels take together, with the modes that they share [B].
std::size_t device_levels_bytes(const EnvironmentInfo& info, std::size_t levels);
/// The least that divide_device_memory() accepts [B].
std::size_t min_device_memory(const EnvironmentInfo& info);

/// True if `flights` flights and the log of their points fit on the device. If not, the CPU flies
/// them, with the same results.
bool flights_fit(const DeviceBudget& budget, std::size_t flights);

}  // namespace tidewise
