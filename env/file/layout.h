#pragma once

#include "base/hdf5/file.h"
#include "env/environment_info.h"
#include "env/environment_names.h"

namespace tidewise {

/// Reads and validates everything in an environment file except its fields: axes, shapes, units,
/// weights, attributes. Errors: InputError naming file, variable and remedy.
EnvironmentInfo read_environment_info(const Hdf5File& file, const EnvironmentNames& names);

}  // namespace tidewise
