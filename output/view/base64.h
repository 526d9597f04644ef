#pragma once

#include <cstdint>
#include <string>

#include "base/memory/view.h"

namespace tidewise {

/// RFC 4648's base64, with the signs + and /, padded with =.
std::string to_base64(View<const std::uint8_t> bytes);

}  // namespace tidewise
