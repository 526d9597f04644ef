#pragma once

#include <string>

#include "base/file/file_kind.h"

namespace tidewise {

/// HDF5 with this attribute of the root, a number: the mark of a form of ours.
FileKind hdf5_kind(std::string name, std::string mark);
/// HDF5 with this variable, for forms that have no mark.
FileKind hdf5_kind_by_variable(std::string name, std::string variable);

}  // namespace tidewise
