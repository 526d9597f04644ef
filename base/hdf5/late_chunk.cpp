#include "base/hdf5/late_chunk.h"

#include <unistd.h>

#include <cerrno>
#include <cstdint>
#if __has_include(<H5FDdevelop.h>)  // HDF5 1.14
#include <H5FDdevelop.h>
#endif

namespace tidewise {
namespace {

/// HDF5's default file driver, except that it stores the file position of awaited bytes instead of
/// writing them.
struct LateDriver {
  LateDriver();

  H5FD_class_t base{};
  hid_t id = H5I_INVALID_HID;
  const void* awaited = nullptr;
  haddr_t position = HADDR_UNDEF;
};

/// Guarded by the HDF5 lock, like all objects registered with the library.
LateDriver& driver() {
  static LateDriver instance;
  return instance;
}

herr_t write_late(H5FD_t* file, H5FD_mem_t type, hid_t transfer, haddr_t position, std::size_t size,
                  const void* bytes) {
  LateDriver& late = driver();
  if (bytes != late.awaited) return late.base.write(file, type, transfer, position, size, bytes);
  late.position = position;
  return 0;
}

LateDriver::LateDriver() {
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_sec2(access.id());
  // The functions of a driver can only be obtained from one of its files.
  H5FD_t* null_file = H5FDopen("/dev/null", H5F_ACC_RDONLY, access.id(), HADDR_UNDEF);
  if (null_file == nullptr) return;
  base = *null_file->cls;
  H5FDclose(null_file);
  H5FD_class_t derived = base;
  derived.name = "tidewise";
  derived.terminate = nullptr;
  derived.write = write_late;
  id = H5FDregister(&derived);
}

}  // namespace

void defer_chunk_writes(const Hdf5Handle& access) {
  if (driver().id >= 0) H5Pset_driver(access.id(), driver().id, nullptr);
}

LateChunk::LateChunk(const Hdf5Handle& file, const Hdf5Handle& dataset,
                     const std::vector<hsize_t>& start, const void* bytes, std::size_t size)
    : bytes_(bytes), size_(size) {
  LateDriver& late = driver();
  late.awaited = bytes;
  late.position = HADDR_UNDEF;
  constexpr std::uint32_t all_filters_ran = 0;
  const herr_t status =
      H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, all_filters_ran, start.data(), size, bytes);
  late.awaited = nullptr;
  void* descriptor = nullptr;
  if (status < 0 || H5Fget_vfd_handle(file.id(), H5P_DEFAULT, &descriptor) < 0) return;
  descriptor_ = *static_cast<const int*>(descriptor);
  position_ = late.position;
}

bool LateChunk::write() const {
  if (descriptor_ < 0) return false;
  if (position_ == HADDR_UNDEF) return true;
  const char* next = static_cast<const char*>(bytes_);
  const char* const end = next + size_;
  auto offset = static_cast<off_t>(position_);
  while (next < end) {
    const ssize_t written =
        ::pwrite(descriptor_, next, static_cast<std::size_t>(end - next), offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    next += written;
    offset += written;
  }
  return true;
}

}  // namespace tidewise
