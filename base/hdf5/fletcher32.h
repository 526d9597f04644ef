#pragma once

#include <cstdint>

#include "base/memory/view.h"

namespace tidewise {

/// Fletcher's checksum of 16-bit words, as HDF5's filter fletcher32 computes and stores it.
std::uint32_t fletcher32(View<const std::uint8_t> bytes);

}  // namespace tidewise
