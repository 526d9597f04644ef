#pragma once

#include <cstdint>
#include <string>

#include "base/hdf5/handle.h"

namespace tidewise {

/// What is wrong with where and how a dataset says that its values lie, judged before any is read:
/// more of them than a file of `file_size` bytes can hold, in other files, packed by filters that
/// are not HDF5's own. Empty if nothing is.
std::string fault_of_storage(const Hdf5Handle& dataset, std::uint64_t file_size);

/// What is wrong with the link `name`, which exists: it leads to another file, or nobody knows
/// where. Empty if nothing is.
std::string fault_of_link(const Hdf5Handle& file, const std::string& name);

}  // namespace tidewise
