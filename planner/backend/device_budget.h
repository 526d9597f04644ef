#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "env/environment_info.h"

namespace tidewise {

/// How a run divides the device memory that it may take [B].
struct DeviceBudget {
  std::size_t levels = 0;   ///< for levels of the environment, kept from one pass to the next
  std::size_t scratch = 0;  ///< for the pass at work: solving, evaluating or flying
  // Parts of the scratch, which the passes take one after the other.
  std::size_t evaluation = 0;  ///< for evaluate_policies_on_device()
  std::size_t flight_log = 0;  ///< for the points of fly_policies_on_device()
};

/// The rule, and its only place. Work comes first: a quarter of the memory is scratch, but no less
/// than the cells need and no more than brings speed. Levels get the rest: four at least (two at
/// work, two on their way), and what all of them take at most; what they leave is scratch again.
/// `memory`: what the run may take; `place`: what set it, for messages. Errors: InputError that
/// names the least that works.
DeviceBudget divide_device_memory(const EnvironmentInfo& info, std::size_t memory,
                                  std::string_view place);

/// Device memory that one level takes, without modes that levels share [B].
std::size_t device_level_bytes(const EnvironmentInfo& info);
/// Device memory that some levels take together, with the modes that they share [B].
std::size_t device_levels_bytes(const EnvironmentInfo& info, std::size_t levels);
/// The least that divide_device_memory() accepts [B].
std::size_t least_device_memory(const EnvironmentInfo& info);

/// Whether that many flights find room on the device beside the log of their points; else they are
/// flown on the CPU, which gives the same.
bool flights_fit(const DeviceBudget& budget, std::size_t flights);

}  // namespace tidewise
