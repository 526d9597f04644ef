#include "base/hdf5/packed_chunk.h"

#include <zlib.h>

#include "base/error.h"
#include "base/hdf5/fletcher32.h"
#include "base/hdf5/noise.h"

namespace tidewise {
namespace {

/// First bytes of all elements, then all second bytes, and so on: alike stands next to alike.
void shuffle(View<const std::uint8_t> bytes, std::size_t element_size,
             std::vector<std::uint8_t>& shuffled) {
  const std::size_t count = bytes.size / element_size;
  shuffled.resize(bytes.size);
  for (std::size_t b = 0; b < element_size; ++b) {
    std::uint8_t* out = shuffled.data() + b * count;
    for (std::size_t n = 0; n < count; ++n) out[n] = bytes[n * element_size + b];
  }
}

// The share of bytes that deflate leaves at best where looking for what came before, or for codes,
// is not worth the time.
constexpr double worth_a_search = 0.985;
constexpr double worth_a_code = 0.94;

/// What zlib itself writes before the stream of a level.
void put_zlib_head(int level, std::vector<std::uint8_t>& packed) {
  const int kind = level < 2 ? 0 : level < 6 ? 1 : level == 6 ? 2 : 3;
  const int head = 0x7800 | kind << 6;
  const int checked = head + 31 - head % 31;
  packed = {static_cast<std::uint8_t>(checked >> 8), static_cast<std::uint8_t>(checked)};
}

void put_adler32(View<const std::uint8_t> bytes, std::vector<std::uint8_t>& packed) {
  const uLong sum = adler32(adler32(0, nullptr, 0), bytes.data, static_cast<uInt>(bytes.size));
  for (int shift = 24; shift >= 0; shift -= 8) {
    packed.push_back(static_cast<std::uint8_t>(sum >> shift));
  }
}

void require_packed(bool packed) {
  if (packed) return;
  throw RunError("a chunk of a file could not be compressed; free some memory and run again");
}

}  // namespace

ChunkPacker::ChunkPacker(int level) : level_(level), stream_(std::make_unique<z_stream_s>()) {
  constexpr int usual_memory = 8;
  require_packed(deflateInit2(stream_.get(), level, Z_DEFLATED, -MAX_WBITS, usual_memory,
                              Z_DEFAULT_STRATEGY) == Z_OK);
}

ChunkPacker::~ChunkPacker() { deflateEnd(stream_.get()); }

const std::vector<std::uint8_t>& ChunkPacker::pack(View<const std::uint8_t> bytes,
                                                   std::size_t element_size, DeflateSearch search) {
  shuffle(bytes, element_size, shuffled_);
  const View<const std::uint8_t> all(shuffled_);
  const std::size_t plane = bytes.size / element_size;
  put_zlib_head(level_, packed_);
  // Planes of noise, such as the last digits of numbers, part what is searched.
  std::size_t searched = 0;
  for (std::size_t begin = 0; begin < all.size; begin += plane) {
    const View<const std::uint8_t> one = all.part(begin, plane);
    if (!is_noise(one, search == DeflateSearch::runs ? worth_a_code : worth_a_search)) continue;
    if (begin > searched) deflate_part(all.part(searched, begin - searched), search, Z_SYNC_FLUSH);
    store_noise(one, packed_);
    searched = begin + plane;
  }
  deflate_part(all.part(searched, all.size - searched), search, Z_FINISH);
  put_adler32(all, packed_);
  append_checksum(packed_);
  return packed_;
}

/// Appends them as blocks that refer to nothing before them.
void ChunkPacker::deflate_part(View<const std::uint8_t> bytes, DeflateSearch search, int flush) {
  z_stream& stream = *stream_;
  const int strategy = search == DeflateSearch::runs ? Z_RLE : Z_DEFAULT_STRATEGY;
  require_packed(deflateReset(&stream) == Z_OK && deflateParams(&stream, level_, strategy) == Z_OK);
  const std::size_t before = packed_.size();
  constexpr std::size_t end_of_flush = 16;
  packed_.resize(before + deflateBound(&stream, bytes.size) + end_of_flush);
  stream.next_in = const_cast<std::uint8_t*>(bytes.data);  // which zlib does not write to
  stream.avail_in = static_cast<uInt>(bytes.size);
  stream.next_out = packed_.data() + before;
  stream.avail_out = static_cast<uInt>(packed_.size() - before);
  const int done = deflate(&stream, flush);
  require_packed(done == (flush == Z_FINISH ? Z_STREAM_END : Z_OK) && stream.avail_out > 0);
  packed_.resize(before + stream.total_out);
}

void append_checksum(std::vector<std::uint8_t>& chunk) {
  const std::uint32_t sum = fletcher32({chunk.data(), chunk.size()});
  for (int shift = 0; shift < 32; shift += 8) {
    chunk.push_back(static_cast<std::uint8_t>(sum >> shift));
  }
}

}  // namespace tidewise
