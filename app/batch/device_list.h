#pragma once

#include <cstdint>
#include <vector>

#include "planner/mission/read/toml_document.h"

namespace tidewise {

/// The GPUs that a setting of planner.devices names. Errors: InputError for what is no list of
/// them, for one that there is no GPU of, and without a GPU.
std::vector<std::int32_t> list_devices(const Setting& setting);

}  // namespace tidewise
