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
  require_apart(names.time, DimensionKind::time, names.y, DimensionKind::y);
  require_apart(names.time, DimensionKind::time, names.x, DimensionKind::x);
  require_apart(names.y, DimensionKind::y, names.x, DimensionKind::x);
  name_axis(DimensionKind::profile, "profile");
  name_modes();
  name_realizations();
}

/// An axis whose dimension has no name lies along a dimension of its own name.
void DimensionValidation::name_axis(DimensionKind direction, const std::string& axis) {
  at(direction).name = axis;
  if (!file_.has(axis)) return;
  const auto own = file_.dimensions(axis);
  if (own.size() == 1 && !own.front().empty()) at(direction) = {own.front(), true};
}

void DimensionValidation::require_apart(const std::string& axis, DimensionKind direction,
                                        const std::string& other_axis, DimensionKind other) const {
  if (at(direction).name != at(other).name) return;
  refuse(other_axis, error_text(errors::axes_share_dimension, at(other).name, axis));
}

/// The names of a variable's dimensions that no other direction has.
std::vector<std::string> DimensionValidation::rest_of(DimensionKind direction,
                                                      const std::string& variable) const {
  if (!file_.has(variable)) return {};
  std::vector<std::string> rest = file_.dimensions(variable);
  std::erase_if(rest, [&](const std::string& own) {
    return own.empty() ||
           std::any_of(dimensions_.begin(), dimensions_.end(), [&](const Dimension& known) {
             return &known != &at(direction) && known.name == own;
           });
  });
  return rest;
}

/// The mode dimension is the one that modes and coefficients share.
void DimensionValidation::name_modes() {
  const auto rest = rest_of(DimensionKind::mode, names_.u_mode);
  const auto own = rest_of(DimensionKind::mode, names_.coefficient);
  const bool is_shared =
      rest.size() == 1 && std::find(own.begin(), own.end(), rest.front()) != own.end();
  if (is_shared) at(DimensionKind::mode) = {rest.front(), true};
}

/// The realization dimension is the other one of the coefficients.
void DimensionValidation::name_realizations() {
  const auto rest = rest_of(DimensionKind::realization, names_.coefficient);
  if (rest.size() == 1) at(DimensionKind::realization) = {rest.front(), true};
}

void DimensionValidation::refuse(const std::string& variable, const std::string& why) const {
  throw InputError(fmt::format("{}: variable {}: {}", file_.path().string(), variable, why));
}

std::vector<std::string> DimensionValidation::names_of(DimensionKinds directions) const {
  std::vector<std::string> names;
  for (const DimensionKind direction : directions) names.push_back(at(direction).name);
  return names;
}

void DimensionValidation::refuse_order(const std::string& variable, DimensionKinds directions,
                                       const Extents& expected) const {
  const auto own = file_.dimensions(variable);
  const auto wanted = names_of(directions);
  for (std::size_t n = 0; n < own.size(); ++n) {
    if (own[n] == wanted[n]) continue;
    if (std::find(wanted.begin(), wanted.end(), own[n]) == wanted.end()) continue;
    std::vector<std::string> all;
    for (const Dimension& dimension : dimensions_) {
      if (dimension.name != "profile" || dimension.is_named) all.push_back(dimension.name);
    }
    refuse(variable, error_text(errors::dimensions_out_of_order, fmt::join(own, ", "),
                                fmt::join(file_.shape(variable), ", "), fmt::join(wanted, ", "),
                                fmt::join(expected, ", "), fmt::join(all, "\", \"")));
  }
}

/// True if a dimension has a name that is not this direction's. A direction that the file does not
/// name may have any name except that of another direction.
bool DimensionValidation::is_stranger(DimensionKind direction, const std::string& own) const {
  if (own.empty() || own == at(direction).name) return false;
  return at(direction).is_named ||
         std::any_of(dimensions_.begin(), dimensions_.end(),
                     [&](const Dimension& known) { return known.is_named && known.name == own; });
}

void DimensionValidation::refuse_strangers(const std::string& variable,
                                           DimensionKinds directions) const {
  const auto own = file_.dimensions(variable);
  for (std::size_t n = 0; n < own.size(); ++n) {
    if (!is_stranger(directions[n], own[n])) continue;
    const std::string& wanted = at(directions[n]).name;
    refuse(variable,
           error_text(errors::dimension_foreign, own[n], wanted, variable, own[n], wanted, wanted));
  }
}

void DimensionValidation::refuse_doubt(const std::string& variable,
                                       DimensionKinds directions) const {
  const auto own = file_.dimensions(variable);
  const auto shape = file_.shape(variable);
  const auto is_identified = [&](std::size_t n) { return own[n] == at(directions[n]).name; };
  for (std::size_t a = 0; a < own.size(); ++a) {
    for (std::size_t b = a + 1; b < own.size(); ++b) {
      if (shape[a] != shape[b] || is_identified(a) || is_identified(b)) continue;
      const std::string& first = at(directions[a]).name;
      refuse(variable, error_text(errors::dimensions_unnamed, fmt::join(shape, ", "), first,
                                  at(directions[b]).name, first, variable, a, first));
    }
  }
}

void DimensionValidation::require(const std::string& variable, DimensionKinds directions,
                                  const Extents& expected, const std::string& described) const {
  const auto shape = file_.shape(variable);
  if (shape.size() == expected.size()) refuse_order(variable, directions, expected);
  if (shape != expected) {
    refuse(variable, error_text(errors::shape_differs, fmt::join(shape, ", "),
                                fmt::join(expected, ", "), described));
  }
  refuse_strangers(variable, directions);
  refuse_doubt(variable, directions);
}

bool DimensionValidation::is_series(const std::string& variable) const {
  const std::string& time = at(DimensionKind::time).name;
  return variable != time && file_.dimensions(variable) == std::vector<std::string>{time};
}

}  // namespace tidewise
