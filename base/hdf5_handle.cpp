#include "base/hdf5_handle.h"

namespace tidewise {

std::unique_lock<std::recursive_mutex> lock_hdf5() {
  // The one global of the house: it guards the one global that HDF5 is.
  static std::recursive_mutex mutex;
  return std::unique_lock(mutex);
}

herr_t Hdf5Handle::close_now() {
  if (id_ < 0) return 0;
  const auto lock = lock_hdf5();
  return close_(std::exchange(id_, H5I_INVALID_HID));
}

Hdf5Handle::~Hdf5Handle() { close_now(); }

}  // namespace tidewise
