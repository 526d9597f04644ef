#pragma once

#include <hdf5.h>

#include <cstddef>
#include <vector>

#include "base/hdf5/handle.h"

namespace tidewise {

// Chunks whose bytes HDF5 does not write itself: it finds their place in the file under its lock,
// and they are written after the lock is released. Only for base/hdf5.

/// Makes files that are opened with these access properties leave bytes to LateChunk.
void defer_chunk_writes(const Hdf5Handle& access);

/// A chunk that has a place in its file, but whose bytes are not written yet.
class LateChunk {
 public:
  /// Requires the HDF5 lock. `bytes`: the output of all filters; they must stay valid until
  /// write().
  LateChunk(const Hdf5Handle& file, const Hdf5Handle& dataset, const std::vector<hsize_t>& start,
            const void* bytes, std::size_t size);
  /// Writes the bytes to their place; call it after the lock was released. False if that failed, or
  /// finding the place.
  bool write() const;

 private:
  const void* bytes_;
  std::size_t size_;
  int descriptor_ = -1;          // descriptor of the file; -1 if no chunk was taken
  haddr_t place_ = HADDR_UNDEF;  // undefined if HDF5 wrote the bytes itself
};

}  // namespace tidewise
