#pragma once

#include <hdf5.h>

#include <cstddef>
#include <vector>

#include "base/hdf5/handle.h"

namespace tidewise {

// Chunks whose bytes HDF5 does not write itself: it finds their place in the file under its lock,
// and they are written there after it is let go. For base/hdf5 alone.

/// Has files that are opened with these access properties leave bytes to LateChunk.
void leave_chunks_to_us(const Hdf5Handle& access);

/// A chunk that has its place in its file, but not its bytes.
class LateChunk {
 public:
  /// Under the HDF5 lock. `bytes`: as all filters left them; they stay where they are until
  /// write().
  LateChunk(const Hdf5Handle& file, const Hdf5Handle& dataset, const std::vector<hsize_t>& start,
            const void* bytes, std::size_t size);
  /// Brings the bytes to their place, best after the lock was let go. False where that, or finding
  /// the place, failed.
  bool write() const;

 private:
  const void* bytes_;
  std::size_t size_;
  int descriptor_ = -1;          // of the file; -1 where it took no chunk
  haddr_t place_ = HADDR_UNDEF;  // undefined where HDF5 wrote the bytes itself
};

}  // namespace tidewise
