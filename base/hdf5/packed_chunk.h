#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"

namespace tidewise {

/// What HDF5's filters shuffle, deflate (at `level`, 1 … 9) and fletcher32 make of a chunk, byte
/// for byte, for Hdf5File::write_packed_chunk(). HDF5 itself packs within its one lock, one chunk
/// at a time; here any number of threads may pack at once. `bytes`: a whole chunk, edges filled.
/// Errors: RunError when memory runs out.
std::vector<std::uint8_t> pack_chunk(View<const std::uint8_t> bytes, std::size_t element_size,
                                     int level);

/// What the filter fletcher32 makes of a chunk.
void append_checksum(std::vector<std::uint8_t>& chunk);

/// The same as pack_chunk() of elements.
template <class T>
std::vector<std::uint8_t> pack_chunk(View<const T> elements, int level) {
  return pack_chunk(View<const std::uint8_t>{reinterpret_cast<const std::uint8_t*>(elements.data),
                                             elements.size * sizeof(T)},
                    sizeof(T), level);
}

}  // namespace tidewise
