#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tidewise {

/// The GPUs that --devices names: "all", or numbers with commas between them. Errors: InputError
/// for anything else, for a number twice, for one that there is no GPU of, and without a GPU.
std::vector<std::int32_t> parse_device_list(const std::string& text);

}  // namespace tidewise
