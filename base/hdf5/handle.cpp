#include "base/hdf5/handle.h"

namespace tidewise {

herr_t Hdf5Handle::close_now() {
  if (id_ < 0) return 0;
  const auto lock = lock_hdf5();
  return close_(std::exchange(id_, H5I_INVALID_HID));
}

Hdf5Handle::~Hdf5Handle() { close_now(); }

}  // namespace tidewise
