#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/memory/view.h"

struct z_stream_s;  // zlib's

namespace tidewise {

/// What deflate looks for: whatever came before, or runs of one byte alone. Those are found more
/// than twice as fast, and are all there is to find in positions and in few numbers side by side.
enum class DeflateSearch { matches, runs };

/// Makes of chunks what HDF5's filters shuffle, deflate and fletcher32 read, for
/// Hdf5File::write_packed_chunk(). With DeflateSearch::matches they are, byte for byte, what HDF5
/// writes. HDF5 itself packs within its one lock, one chunk at a time; here any number of threads
/// may pack at once, each with a packer of its own, whose memory serves all its chunks.
///
/// Errors: RunError when memory runs out.
class ChunkPacker {
 public:
  /// `level`: 1 … 9.
  explicit ChunkPacker(int level);
  ChunkPacker(const ChunkPacker&) = delete;
  ChunkPacker& operator=(const ChunkPacker&) = delete;
  ~ChunkPacker();

  /// `bytes`: a whole chunk, edges filled. What is returned stays until the next call.
  const std::vector<std::uint8_t>& pack(View<const std::uint8_t> bytes, std::size_t element_size,
                                        DeflateSearch search);
  /// The same of elements.
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

/// What the filter fletcher32 makes of a chunk.
void append_checksum(std::vector<std::uint8_t>& chunk);

}  // namespace tidewise
