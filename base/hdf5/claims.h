#pragma once

#include <cstdint>
#include <string>

#include "base/hdf5/handle.h"

namespace tidewise {

/// Checks the declared storage of a dataset, before any of its values are read. Returns the fault:
/// more values than a file of `file_size` bytes can hold, values in other files, or filters that
/// are not HDF5's own. Empty if there is none.
std::string storage_fault(const Hdf5Handle& dataset, std::uint64_t file_size);

/// Checks the link `name`, which exists. Returns the fault: it points to another file or has an
/// unknown type. Empty if there is none.
std::string link_fault(const Hdf5Handle& file, const std::string& name);

}  // namespace tidewise
