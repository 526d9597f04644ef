#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "env/file/reader.h"
#include "env/file/writer.h"

namespace tidewise {

/// The contents of an environment file apart from its info and its fields. Planning does not need
/// them; tools that derive an environment from another one copy them.
struct EnvironmentExtras {
  /// long_name or standard_name of a variable. `variable` is its name in files of
  /// EnvironmentWriter.
  struct Description {
    std::string variable;
    std::string attribute;
    std::string text;
  };
  using Attribute = std::pair<std::string, std::variant<std::string, std::vector<double>>>;

  GridMapping grid_mapping;           ///< empty if there is none
  std::vector<double> variance_kept;  ///< (time); empty: not recorded
  std::vector<EnvironmentSeries>
      series;  ///< variables (time) without a role, in alphabetical order
  std::vector<Description> descriptions;
  std::vector<Attribute> attributes;  ///< the file's attributes that EnvironmentInfo does not hold
  std::string calendar;               ///< calendar of the time axis; empty: standard
};

/// Reads all extras. Errors: InputError if the file cannot be read.
EnvironmentExtras read_environment_extras(const EnvironmentReader& reader);

/// Writes the extras to a file with the same number of levels.
void write_environment_extras(EnvironmentWriter& writer, const EnvironmentExtras& extras);

}  // namespace tidewise
