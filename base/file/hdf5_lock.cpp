#include "base/file/hdf5_lock.h"

#include <hdf5.h>

#include <new>

namespace tidewise {
namespace {

std::recursive_mutex& hdf5_mutex() {
  // A global: it guards the one global that HDF5 is.
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

void renew_hdf5_lock() { new (&hdf5_mutex()) std::recursive_mutex; }

std::unique_lock<std::recursive_mutex> lock_hdf5() {
  std::unique_lock lock(hdf5_mutex());
  // HDF5's handler at exit crashes over a file that a full disk kept from closing; every file here
  // is closed by its owner. It must be waived before the library's first call.
  static const herr_t exit_handler_waived = H5dont_atexit();
  // Errors become one line of our own. The library's printing is switched off thread by thread.
  thread_local const herr_t printing_off = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  (void)exit_handler_waived;
  (void)printing_off;
  return lock;
}

}  // namespace tidewise
