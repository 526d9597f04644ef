#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/view.h"

struct z_stream_s;  // of zlib

namespace tidewise {

/// Search of deflate: all matches, or only runs of one byte. Runs are found more than twice as
/// fast; positions and a few adjacent numbers contain no other matches.
enum class DeflateSearch { matches, runs };

/// Packs chunks for HDF5's filters shuffle, deflate and fletcher32, for
/// Hdf5File::write_packed_chunk(). With DeflateSearch::matches the bytes equal those that HDF5
/// writes. HDF5 itself packs under its lock, one chunk at a time; with a packer per thread, several
/// threads can pack at once. A packer reuses its memory for all chunks.
///
/// Errors: RunError when memory runs out.
class ChunkPacker {
 public:
  /// `level`: compression level, 1 … 9.
  explicit ChunkPacker(int level);
  ChunkPacker(const ChunkPacker&) = delete;
  ChunkPacker& operator=(const ChunkPacker&) = delete;
  ~ChunkPacker();

  /// Packs a whole chunk, with filled edges. The result is valid until the next call.
  const std::vector<std::uint8_t>& pack(View<const std::uint8_t> bytes, std::size_t element_size,
                                        DeflateSearch search);
  /// Packs a chunk of elements.
  template <class T>
  const std::vector<std::uint8_t>& pack(View<const T> elements, DeflateSearch search) {
    return pack(View<const std::uint8_t>{reinterpret_cast<const std::uint8_t*>(elements.data),
                                         elements.size * sizeof(T)},
                sizeof(T), search);
  }

 private:
  int level_;
  std::unique_ptr<z_stream_s> stream_;
  std::vector<std::uint8_t> shuffled_;
  std::vector<std::uint8_t> packed_;
};

/// Appends the checksum of the filter fletcher32.
void append_checksum(std::vector<std::uint8_t>& chunk);

}  // namespace tidewise
