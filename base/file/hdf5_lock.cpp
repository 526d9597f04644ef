#include "base/file/hdf5_lock.h"

#include <hdf5.h>

#include <new>

namespace tidewise {
namespace {

std::recursive_mutex& hdf5_mutex() {
  // A global, because HDF5's state is global.
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

void renew_hdf5_lock() { new (&hdf5_mutex()) std::recursive_mutex; }

std::unique_lock<std::recursive_mutex> lock_hdf5() {
  std::unique_lock lock(hdf5_mutex());
  // HDF5's exit handler crashes on a file that could not be closed because the disk was full; all
  // files here are closed by their owners. It must be disabled before the library's first call.
  static const herr_t exit_handler_waived = H5dont_atexit();
  // Tidewise reports errors in one line, so HDF5's own printing is switched off for each thread.
  thread_local const herr_t printing_off = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  (void)exit_handler_waived;
  (void)printing_off;
  return lock;
}

}  // namespace tidewise
