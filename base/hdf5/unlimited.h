#pragma once

#include <cstdint>
#include <limits>

namespace tidewise {

/// Size for Hdf5File::define_dimension(): 0 until append() extends a variable over the dimension.
/// Variables over it have no other dimension and need an explicit chunk.
inline constexpr std::uint64_t unlimited_dimension = std::numeric_limits<std::uint64_t>::max();

}  // namespace tidewise
