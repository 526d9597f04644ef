#pragma once

#include <cstdint>
#include <limits>

namespace tidewise {

/// Size for Hdf5File::define_dimension(): the dimension has length 0 until append() extends a
/// variable over it. Such a variable has no other dimension and needs an explicit chunk.
inline constexpr std::uint64_t unlimited_dimension = std::numeric_limits<std::uint64_t>::max();

}  // namespace tidewise
