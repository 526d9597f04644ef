#include "env/file/dimension_validation.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "env/error/codes.h"

namespace tidewise {

DimensionValidation::DimensionValidation(const Hdf5File& file, const EnvironmentNames& names)
    : file_(file),
      names_(names),
      dimensions_{{{"time", false},
                   {"mode", false},
                   {"realization", false},
                   {"y", false},
                   {"x", false},
                   {"profile", false}}} {
  name_axis(DimensionKind::time, names.time);
  name_axis(DimensionKind::y, names.y);
  name_axis(DimensionKind::x, names.x);
  require_distinct(names.time, DimensionKind::time, names.y, DimensionKind::y);
  require_distinct(names.time, DimensionKind::time, names.x, DimensionKind::x);
  require_distinct(names.y, DimensionKind::y, names.x, DimensionKind::x);
  name_axis(DimensionKind::profile, "profile");
  name_modes();
  name_realizations();
}

/// If the axis has a dimension without a name, the dimension gets the name of the axis.
void DimensionValidation::name_axis(DimensionKind kind, const std::string& axis) {
  at(kind).name = axis;
  if (!file_.has(axis)) return;
  const auto dimensions = file_.dimensions(axis);
  if (dimensions.size() == 1 && !dimensions.front().empty()) at(kind) = {dimensions.front(), true};
}

void DimensionValidation::require_distinct(const std::string& axis, DimensionKind kind,
                                           const std::string& other_axis,
                                           DimensionKind other) const {
  if (at(kind).name != at(other).name) return;
  refuse(other_axis, error_text(errors::axes_share_dimension, at(other).name, axis));
}

/// The names of a variable's dimensions that are not those of another kind.
std::vector<std::string> DimensionValidation::unassigned_of(DimensionKind kind,
                                                            const std::string& variable) const {
  if (!file_.has(variable)) return {};
  std::vector<std::string> unassigned = file_.dimensions(variable);
  std::erase_if(unassigned, [&](const std::string& name) {
    return name.empty() ||
           std::any_of(dimensions_.begin(), dimensions_.end(), [&](const Dimension& known) {
             return &known != &at(kind) && known.name == name;
           });
  });
  return unassigned;
}

/// The mode dimension is the one that modes and coefficients share.
void DimensionValidation::name_modes() {
  const auto of_modes = unassigned_of(DimensionKind::mode, names_.u_mode);
  const auto of_coefficients = unassigned_of(DimensionKind::mode, names_.coefficient);
  const bool is_shared =
      of_modes.size() == 1 && std::find(of_coefficients.begin(), of_coefficients.end(),
                                        of_modes.front()) != of_coefficients.end();
  if (is_shared) at(DimensionKind::mode) = {of_modes.front(), true};
}

/// The realization dimension is the other one of the coefficients.
void DimensionValidation::name_realizations() {
  const auto unassigned = unassigned_of(DimensionKind::realization, names_.coefficient);
  if (unassigned.size() == 1) at(DimensionKind::realization) = {unassigned.front(), true};
}

void DimensionValidation::refuse(const std::string& variable, const std::string& why) const {
  throw InputError(fmt::format("{}: variable {}: {}", file_.path().string(), variable, why));
}

std::vector<std::string> DimensionValidation::names_of(DimensionKinds kinds) const {
  std::vector<std::string> names;
  for (const DimensionKind kind : kinds) names.push_back(at(kind).name);
  return names;
}

void DimensionValidation::refuse_order(const std::string& variable, DimensionKinds kinds,
                                       const Extents& expected) const {
  const auto names = file_.dimensions(variable);
  const auto needed = names_of(kinds);
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (names[n] == needed[n]) continue;
    if (std::find(needed.begin(), needed.end(), names[n]) == needed.end()) continue;
    std::vector<std::string> all;
    for (const Dimension& dimension : dimensions_) {
      if (dimension.name != "profile" || dimension.is_named) all.push_back(dimension.name);
    }
    refuse(variable, error_text(errors::dimensions_out_of_order, fmt::join(names, ", "),
                                fmt::join(file_.shape(variable), ", "), fmt::join(needed, ", "),
                                fmt::join(expected, ", "), fmt::join(all, "\", \"")));
  }
}

/// True if `name` is not empty and cannot be that of a dimension of this kind. A kind that the file
/// does not name may have any name except that of another kind.
bool DimensionValidation::is_foreign(DimensionKind kind, const std::string& name) const {
  if (name.empty() || name == at(kind).name) return false;
  return at(kind).is_named ||
         std::any_of(dimensions_.begin(), dimensions_.end(),
                     [&](const Dimension& known) { return known.is_named && known.name == name; });
}

void DimensionValidation::refuse_foreign(const std::string& variable, DimensionKinds kinds) const {
  const auto names = file_.dimensions(variable);
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (!is_foreign(kinds[n], names[n])) continue;
    const std::string& needed = at(kinds[n]).name;
    refuse(variable, error_text(errors::dimension_foreign, names[n], needed, variable, names[n],
                                needed, needed));
  }
}

void DimensionValidation::refuse_ambiguous(const std::string& variable,
                                           DimensionKinds kinds) const {
  const auto names = file_.dimensions(variable);
  const auto shape = file_.shape(variable);
  const auto is_identified = [&](std::size_t n) { return names[n] == at(kinds[n]).name; };
  for (std::size_t a = 0; a < names.size(); ++a) {
    for (std::size_t b = a + 1; b < names.size(); ++b) {
      if (shape[a] != shape[b] || is_identified(a) || is_identified(b)) continue;
      const std::string& first = at(kinds[a]).name;
      refuse(variable, error_text(errors::dimensions_unnamed, fmt::join(shape, ", "), first,
                                  at(kinds[b]).name, first, variable, a, first));
    }
  }
}

void DimensionValidation::require(const std::string& variable, DimensionKinds kinds,
                                  const Extents& expected, const std::string& described) const {
  const auto shape = file_.shape(variable);
  if (shape.size() == expected.size()) refuse_order(variable, kinds, expected);
  if (shape != expected) {
    refuse(variable, error_text(errors::shape_differs, fmt::join(shape, ", "),
                                fmt::join(expected, ", "), described));
  }
  refuse_foreign(variable, kinds);
  refuse_ambiguous(variable, kinds);
}

bool DimensionValidation::is_series(const std::string& variable) const {
  const std::string& time = at(DimensionKind::time).name;
  return variable != time && file_.dimensions(variable) == std::vector<std::string>{time};
}

}  // namespace tidewise
