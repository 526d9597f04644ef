#pragma once

#include <string>

#include "env/import/file/find_velocity.h"
#include "env/import/import_forecast.h"
#include "env/import/source/forecast_source.h"

namespace tidewise::ingest {

/// A component of the velocity, or a scalar, as a user names it: NAME, or FILE:NAME if it is in a
/// separate file.
struct ComponentName {
  std::optional<std::filesystem::path> file;
  std::string name;
};

/// Parses NAME or FILE:NAME. Errors: InputError naming `option`.
ComponentName parse_component(const std::string& option, const std::string& text);

/// All files from which an import reads the velocity: those named, and those of --u and --v.
std::vector<std::filesystem::path> velocity_files(const ImportOptions& options);

/// The source of an import's velocity.
struct VelocityDescription {
  VelocityVariables variables;
  SourceRequest request;
  std::string origin;  ///< title, source and institution of the file, else its name
};

/// The source of an import's scalar field.
struct ScalarDescription {
  ComponentName variable;
  SourceRequest request;
  std::string units;
  std::string long_name;
};

/// Finds the velocity in the files. Errors: InputError, those of find_velocity and velocity_factor.
VelocityDescription describe_velocity(const ImportOptions& options);

/// Finds the scalar in the files. Errors: InputError if the variable is missing.
ScalarDescription describe_scalar(const ImportOptions& options);

}  // namespace tidewise::ingest
