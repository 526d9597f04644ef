#pragma once

#include <string>

#include "base/file/file_kind.h"

namespace tidewise {

/// HDF5 with this numeric attribute of the root, the mark of a format of this program.
FileKind hdf5_kind(std::string name, std::string mark);
/// HDF5 with this variable, for formats without a mark.
FileKind hdf5_kind_by_variable(std::string name, std::string variable);

}  // namespace tidewise
