#include "base/hdf5_handle.h"

namespace tidewise {

std::unique_lock<std::recursive_mutex> lock_hdf5() {
  // The one global of the house: it guards the one global that HDF5 is.
  static std::recursive_mutex mutex;
  return std::unique_lock(mutex);
}

Hdf5Handle::~Hdf5Handle() {
  if (id_ < 0) return;
  const auto lock = lock_hdf5();
  close_(id_);
}

}  // namespace tidewise
