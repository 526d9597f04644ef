#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "env/file/reader.h"
#include "env/file/writer.h"

namespace tidewise {

/// What an environment file holds beside its info and its fields, none of which planning needs:
/// for files that are made from others and shall lose nothing.
struct EnvironmentExtras {
  /// long_name or standard_name of a variable, which is named as EnvironmentWriter does.
  struct Description {
    std::string variable;
    std::string attribute;
    std::string text;
  };
  using Attribute = std::pair<std::string, std::variant<std::string, std::vector<double>>>;

  GridMapping grid_mapping;               ///< empty: there is none
  std::vector<double> variance_kept;      ///< (time); empty: not recorded
  std::vector<EnvironmentSeries> series;  ///< the other variables (time), in alphabetical order
  std::vector<Description> descriptions;
  std::vector<Attribute> attributes;  ///< of the file, those that EnvironmentInfo does not know
  std::string calendar;               ///< of the time axis; empty: standard
};

/// Errors: InputError where the file cannot be read.
EnvironmentExtras read_environment_extras(const EnvironmentReader& reader);

/// Hands them on to a file of the same number of levels.
void write_environment_extras(EnvironmentWriter& writer, const EnvironmentExtras& extras);

}  // namespace tidewise
