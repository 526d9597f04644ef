#include "env/import/file/member_labels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "env/import/file/coordinate_role.h"
#include "env/import/file/wide_coordinates.h"
#include "env/units/text.h"

namespace tidewise::ingest {
namespace {

// Attributes of a variable or a file that label its member; the last three are from CMIP6 and
// CORDEX.
constexpr std::array member_attributes{"realization",     "realisation",
                                       "ensemble_member", "member",
                                       "member_id",       "ensemble",
                                       "number",          "realization_index",
                                       "variant_label",   "driving_model_ensemble_member"};

std::string as_label(double value) { return fmt::format("{:.10g}", value); }

/// The text or the number of an attribute of the variable, else of the file; empty if there is
/// none.
std::string attribute_of(const NetcdfFile& file, const std::string& variable,
                         const std::string& name) {
  for (const std::string& owner : {variable, std::string()}) {
    std::string text = file.text(owner, name);
    if (!text.empty()) return text;
    const auto numbers = file.numbers(owner, name);
    if (numbers.size() == 1) return as_label(numbers[0]);
  }
  return {};
}

bool is_single_value(const NetcdfFile& file, const std::string& variable) {
  return file.has(variable) && wide_dimensions(file, variable).empty();
}

std::vector<std::string> labels_along(const NetcdfFile& file, const std::string& coordinate,
                                      std::size_t size) {
  std::vector<std::string> labels;
  for (const double value : file.read_all(coordinate)) {
    if (!std::isfinite(value)) return {};
    labels.push_back(as_label(value));
  }
  const std::set<std::string> distinct(labels.begin(), labels.end());
  if (labels.size() != size || distinct.size() != size) return {};
  return labels;
}

/// The variable with one value that labels the file's member; empty if there is none.
std::string label_variable(const NetcdfFile& file, const std::string& requested) {
  if (!requested.empty()) return is_single_value(file, requested) ? requested : std::string();
  const auto standard_names = file.texts("standard_name");
  for (const bool by_name : {false, true}) {
    for (std::size_t n = 0; n < standard_names.size(); ++n) {
      const std::string& variable = file.variables()[n];
      const bool is_label = by_name ? role_by_name(variable) == Role::member
                                    : lower_case(standard_names[n]) == "realization";
      if (is_label && is_single_value(file, variable)) return variable;
    }
  }
  return {};
}

std::optional<double> number_of(const std::string& label) {
  double value = 0;
  const auto [end, error] = std::from_chars(label.data(), label.data() + label.size(), value);
  if (error != std::errc() || end != label.data() + label.size()) return std::nullopt;
  return value;
}

}  // namespace

MemberLabels read_member_labels(const NetcdfFile& file, const FieldLayout& layout,
                                const SourceNames& names) {
  const auto& place = layout.place(Role::member);
  if (place && !place->coordinate.empty()) {
    return {labels_along(file, place->coordinate, place->size), "dimension " + place->dimension};
  }
  if (place && place->size > 1) return {{}, "dimension " + place->dimension};
  const std::string variable = label_variable(file, names.member);
  if (!variable.empty()) return {labels_along(file, variable, 1), "variable " + variable};
  const auto from_attribute = [&](const std::string& name) {
    const std::string label = attribute_of(file, layout.variable, name);
    return label.empty() ? MemberLabels{} : MemberLabels{{label}, "attribute " + name};
  };
  if (!names.member.empty()) return from_attribute(names.member);
  for (const char* name : member_attributes) {
    MemberLabels member_labels = from_attribute(name);
    if (!member_labels.labels.empty()) return member_labels;
  }
  return {};
}

bool is_single_label(const NetcdfFile& file, const std::string& variable, const std::string& name) {
  return is_single_value(file, name) || !attribute_of(file, variable, name).empty();
}

void sort_labels(std::vector<std::string>& labels) {
  const bool numbered = std::all_of(labels.begin(), labels.end(),
                                    [](const auto& label) { return number_of(label).has_value(); });
  std::sort(labels.begin(), labels.end(), [&](const std::string& a, const std::string& b) {
    if (numbered) return *number_of(a) < *number_of(b);
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
}

std::string list_labels(const std::vector<std::string>& labels) {
  constexpr std::size_t max = 6;
  if (labels.size() <= max) return fmt::format("{}", fmt::join(labels, ", "));
  return fmt::format("{} … {}", labels.front(), labels.back());
}

}  // namespace tidewise::ingest
