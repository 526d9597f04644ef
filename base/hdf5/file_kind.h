#pragma once

#include <string>

#include "base/file/file_kind.h"

namespace tidewise {

/// HDF5 files with the numeric attribute `mark` in the root, which marks a format of this program.
FileKind hdf5_kind(std::string name, std::string mark);
/// HDF5 files with the variable `variable`, for formats without a mark.
FileKind hdf5_kind_by_variable(std::string name, std::string variable);

}  // namespace tidewise
