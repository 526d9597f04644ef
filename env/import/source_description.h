#pragma once

#include <string>

#include "env/import/file/find_velocity.h"
#include "env/import/import_forecast.h"
#include "env/import/source/forecast_source.h"

namespace tidewise::ingest {

/// A component of the velocity, or a scalar, as a user names it: NAME, or FILE:NAME where it has a
/// file of its own.
struct ComponentName {
  std::optional<std::filesystem::path> file;
  std::string name;
};

/// Errors: InputError naming `option`.
ComponentName parse_component(const std::string& option, const std::string& text);

/// All files that an import reads the velocity from: those named, and those of --u and --v.
std::vector<std::filesystem::path> velocity_files(const ImportOptions& options);

/// What an import reads its velocity from, and what the first file says of it.
struct VelocityDescription {
  VelocityVariables variables;
  SourceRequest request;
  std::string origin;  ///< title, source and institution of the file, else its name
};

/// What an import reads its scalar field from.
struct ScalarDescription {
  ComponentName variable;
  SourceRequest request;
  std::string units;
  std::string long_name;
};

/// Errors: InputError, those of find_velocity and velocity_factor.
VelocityDescription describe_velocity(const ImportOptions& options);

/// Errors: InputError when the variable is not there.
ScalarDescription describe_scalar(const ImportOptions& options);

}  // namespace tidewise::ingest
