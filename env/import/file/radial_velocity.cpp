#include "env/import/file/radial_velocity.h"

#include <fmt/format.h>

#include <algorithm>

#include "env/error/codes.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

bool shares_points(const NetcdfFile& file, const std::string& a, const std::string& b) {
  const auto wide_names = [&](const std::string& variable) {
    std::vector<std::string> names;
    for (const auto& dimension : file.dimensions(variable)) {
      if (dimension.size > 1) names.push_back(dimension.name);
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  return wide_names(a) == wide_names(b);
}

/// The evidence that a velocity is radial; empty if there is none.
std::string radial_evidence(const NetcdfFile& file, const std::string& velocity) {
  const auto standard_names = file.texts("standard_name");
  for (std::size_t n = 0; n < standard_names.size(); ++n) {
    const std::string& variable = file.variables()[n];
    const std::string standard_name = lower_case(standard_names[n]);
    const std::string name = lower_case(variable);
    const bool is_radial = contains(standard_name, "radial_sea_water_velocity") ||
                           contains(standard_name, "direction_of_radial_vector") ||
                           name == "rdva" || name == "drva";
    if (!is_radial || !shares_points(file, variable, velocity)) continue;
    return standard_name.empty()
               ? fmt::format("variable {} on the same points", variable)
               : fmt::format("variable {} on the same points is {}", variable, standard_name);
  }
  bool has_bearing = false;
  bool has_range = false;
  for (const auto& dimension : file.dimensions(velocity)) {
    const std::string name = lower_case(dimension.name);
    has_bearing = has_bearing || name == "bear" || name == "bearing" || name == "azimuth";
    has_range = has_range || name == "rnge" || name == "range";
  }
  if (has_bearing && has_range) return "its points lie along bearing and range";
  for (const char* attribute : {"data_type", "FileType", "file_type"}) {
    const std::string text = file.text("", attribute);
    const std::string words = lower_case(text);
    if (contains(words, "radial") && !contains(words, "total")) {
      return fmt::format("the file's {} is \"{}\"", attribute, text);
    }
  }
  return {};
}

}  // namespace

void refuse_radials(const NetcdfFile& file, const std::string& velocity) {
  const std::string evidence = radial_evidence(file, velocity);
  if (evidence.empty()) return;
  file.refuse(velocity, error_text(errors::velocity_is_radial, evidence));
}

}  // namespace tidewise::ingest
