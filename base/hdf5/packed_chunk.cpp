#include "base/hdf5/packed_chunk.h"

#include <zlib.h>

#include "base/error.h"
#include "base/hdf5/fletcher32.h"

namespace tidewise {
namespace {

/// Reorders the bytes: the first bytes of all elements, then all second bytes, and so on, so that
/// similar bytes are adjacent.
void shuffle(View<const std::uint8_t> bytes, std::size_t element_size,
             std::vector<std::uint8_t>& shuffled) {
  const std::size_t count = bytes.size / element_size;
  shuffled.resize(bytes.size);
  for (std::size_t b = 0; b < element_size; ++b) {
    std::uint8_t* out = shuffled.data() + b * count;
    for (std::size_t n = 0; n < count; ++n) out[n] = bytes[n * element_size + b];
  }
}

void require_packed(bool succeeded) {
  if (succeeded) return;
  throw RunError("a chunk of a file could not be compressed; free some memory and run again");
}

}  // namespace

ChunkPacker::ChunkPacker(int level) : level_(level), stream_(std::make_unique<z_stream_s>()) {
  require_packed(deflateInit(stream_.get(), level) == Z_OK);
}

ChunkPacker::~ChunkPacker() { deflateEnd(stream_.get()); }

const std::vector<std::uint8_t>& ChunkPacker::pack(View<const std::uint8_t> bytes,
                                                   std::size_t element_size, DeflateSearch search) {
  shuffle(bytes, element_size, shuffled_);
  z_stream& stream = *stream_;
  const int strategy = search == DeflateSearch::runs ? Z_RLE : Z_DEFAULT_STRATEGY;
  require_packed(deflateReset(&stream) == Z_OK && deflateParams(&stream, level_, strategy) == Z_OK);
  packed_.resize(deflateBound(&stream, shuffled_.size()));
  stream.next_in = shuffled_.data();
  stream.avail_in = static_cast<uInt>(shuffled_.size());
  stream.next_out = packed_.data();
  stream.avail_out = static_cast<uInt>(packed_.size());
  require_packed(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed_.resize(stream.total_out);
  append_checksum(packed_);
  return packed_;
}

void append_checksum(std::vector<std::uint8_t>& chunk) {
  const std::uint32_t sum = fletcher32({chunk.data(), chunk.size()});
  for (int shift = 0; shift < 32; shift += 8) {
    chunk.push_back(static_cast<std::uint8_t>(sum >> shift));
  }
}

}  // namespace tidewise
