#pragma once

#include <cstdint>
#include <vector>

#include "planner/mission/read/toml_document.h"

namespace tidewise {

/// The GPUs that a setting of planner.devices names. Errors: InputError if the setting is not a
/// list of GPUs, if a GPU of it does not exist, and if there is no GPU.
std::vector<std::int32_t> list_devices(const Setting& setting);

}  // namespace tidewise
