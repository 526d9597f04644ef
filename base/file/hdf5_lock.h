#pragma once

#include <mutex>

namespace tidewise {

/// Held during every call into HDF5: the library is one global state, and its serial build is not
/// promised to be safe when a prefetching thread reads while another writes.
std::unique_lock<std::recursive_mutex> lock_hdf5();

/// For a process that is a copy of one whose thread held the lock while it was copied: nobody holds
/// it here, and nobody could give it back.
void renew_hdf5_lock();

}  // namespace tidewise
