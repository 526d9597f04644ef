#include "base/hdf5/packed_chunk.h"

#include <zlib.h>

#include "base/error.h"
#include "base/hdf5/fletcher32.h"

namespace tidewise {
namespace {

/// First bytes of all elements, then all second bytes, and so on: alike stands next to alike.
std::vector<std::uint8_t> shuffle(View<const std::uint8_t> bytes, std::size_t element_size) {
  const std::size_t count = bytes.size / element_size;
  std::vector<std::uint8_t> shuffled(bytes.size);
  for (std::size_t b = 0; b < element_size; ++b) {
    std::uint8_t* out = shuffled.data() + b * count;
    for (std::size_t n = 0; n < count; ++n) out[n] = bytes[n * element_size + b];
  }
  return shuffled;
}

}  // namespace

std::vector<std::uint8_t> pack_chunk(View<const std::uint8_t> bytes, std::size_t element_size,
                                     int level) {
  const auto shuffled = shuffle(bytes, element_size);
  uLongf size = compressBound(bytes.size);
  std::vector<std::uint8_t> packed(size);
  if (compress2(packed.data(), &size, shuffled.data(), bytes.size, level) != Z_OK) {
    throw RunError("a chunk of a file could not be compressed; free some memory and run again");
  }
  packed.resize(size);
  append_checksum(packed);
  return packed;
}

void append_checksum(std::vector<std::uint8_t>& chunk) {
  const std::uint32_t sum = fletcher32({chunk.data(), chunk.size()});
  for (int shift = 0; shift < 32; shift += 8) {
    chunk.push_back(static_cast<std::uint8_t>(sum >> shift));
  }
}

}  // namespace tidewise
