#pragma once

#include <hdf5.h>

#include <cstddef>
#include <vector>

#include "base/hdf5/handle.h"

namespace tidewise {

// Chunks whose bytes HDF5 does not write itself: it assigns their position in the file under its
// lock, and LateChunk writes them after the lock is released. Only for base/hdf5.

/// Makes files that are opened with these access properties leave the writing of chunks to
/// LateChunk.
void defer_chunk_writes(const Hdf5Handle& access);

/// A chunk that has a position in its file, but whose bytes are not written yet.
class LateChunk {
 public:
  /// Requires the HDF5 lock. `bytes`: the output of all filters; they must stay valid until
  /// write().
  LateChunk(const Hdf5Handle& file, const Hdf5Handle& dataset, const std::vector<hsize_t>& start,
            const void* bytes, std::size_t size);
  /// Writes the bytes to their position; call it after the lock was released. False if writing
  /// failed, or if the constructor got no position.
  bool write() const;

 private:
  const void* bytes_;
  std::size_t size_;
  int descriptor_ = -1;             // descriptor of the file; -1 if the constructor failed
  haddr_t position_ = HADDR_UNDEF;  // undefined if HDF5 wrote the bytes itself
};

}  // namespace tidewise
