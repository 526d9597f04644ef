#pragma once

#include <string>

#include "env/import/find_velocity.h"
#include "env/import/forecast_source.h"
#include "env/import/import_forecast.h"

namespace tidewise {

/// What an import reads its velocity from, and what the first file says of it.
struct VelocityDescription {
  VelocityVariables variables;
  SourceRequest request;
  std::string origin;  ///< title, source and institution of the file, else its name
};

/// What an import reads its scalar field from.
struct ScalarDescription {
  SourceRequest request;
  std::string units;
  std::string long_name;
};

/// Errors: InputError, those of find_velocity and velocity_factor.
VelocityDescription describe_velocity(const ImportOptions& options);

/// Errors: InputError when the variable is not there.
ScalarDescription describe_scalar(const ImportOptions& options);

}  // namespace tidewise
