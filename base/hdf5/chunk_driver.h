#pragma once

#include <cstddef>
#include <cstdint>

#include "base/hdf5/handle.h"

namespace tidewise {

/// Has a file that is opened by `access` written by a driver as HDF5's own (sec2), which knows
/// chunk writes. The caller holds the HDF5 lock.
void use_chunk_driver(const Hdf5Handle& access);

/// One chunk that HDF5 gives a place to within its lock, and that is written without it: copying
/// chunks into the system's memory is most of what writing a file takes, and the lock is one for
/// all files.
class ChunkWrite {
 public:
  /// Until end(), what HDF5 writes from `bytes` by this thread has its place noted instead, if a
  /// file of the chunk driver is meant.
  explicit ChunkWrite(const void* bytes);
  ChunkWrite(const ChunkWrite&) = delete;
  ChunkWrite& operator=(const ChunkWrite&) = delete;
  ~ChunkWrite();

  void end();
  /// Writes what was noted; the file must still be open. False where that failed.
  bool write() const;

  /// For the driver: whether a write from there is to be noted by this thread, and was.
  static bool note(const void* bytes, int file, std::uint64_t place, std::size_t size);

 private:
  const void* bytes_;
  int file_ = -1;            // a descriptor; none: nothing was noted
  std::uint64_t place_ = 0;  // in the file [B]
  std::size_t size_ = 0;     // [B]
};

}  // namespace tidewise
