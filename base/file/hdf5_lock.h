#pragma once

#include <mutex>

namespace tidewise {

/// A lock for every call into HDF5: the library has global state, and its serial build is not
/// thread-safe when one thread reads while another writes.
std::unique_lock<std::recursive_mutex> lock_hdf5();

/// Makes a new lock in a forked process: if a thread of the parent held the lock, no thread here
/// could release it.
void renew_hdf5_lock();

}  // namespace tidewise
