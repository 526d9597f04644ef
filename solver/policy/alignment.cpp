#include "solver/policy/alignment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "solver/error/codes.h"

namespace tidewise {
namespace {

constexpr double tolerance = 1e-3;  // share of a spacing or step
constexpr double action_tolerance = 1e-9;

class Alignment {
 public:
  Alignment(const PolicyFrame& a, const PolicyFrame& b) : a_(a), b_(b) {}

  PolicyAlignment find() const {
    if (a_.projection != b_.projection) {
      refuse("projection", error_text(errors::projections_differ));
    }
    PolicyAlignment alignment;
    alignment.columns = shift("x", "cells", a_.grid.x_first, a_.grid.dx, b_.grid.x_first,
                              b_.grid.dx, std::max(a_.grid.nx, b_.grid.nx));
    alignment.rows = shift("y", "cells", a_.grid.y_first, a_.grid.dy, b_.grid.y_first, b_.grid.dy,
                           std::max(a_.grid.ny, b_.grid.ny));
    alignment.levels =
        shift("time", "steps", a_.time.first + a_.origin - b_.origin, a_.time.step, b_.time.first,
              b_.time.step, std::max(a_.time.level_count, b_.time.level_count));
    alignment.common_columns = common(alignment.columns, a_.grid.nx, b_.grid.nx);
    alignment.common_rows = common(alignment.rows, a_.grid.ny, b_.grid.ny);
    alignment.common_levels =
        common(alignment.levels, a_.time.level_count - 1, b_.time.level_count - 1);
    if (alignment.common_columns.count() < 1 || alignment.common_rows.count() < 1) {
      refuse("x, y", error_text(errors::cells_disjoint));
    }
    for (const Action& action : a_.actions) alignment.action.push_back(find_action(action));
    return alignment;
  }

 private:
  [[noreturn]] void refuse(const char* what, const std::string& why) const {
    throw InputError(fmt::format("{} and {}: {}: {}", a_.name, b_.name, what, why));
  }

  // Number of spacings by which the axis of B begins after that of A.
  std::int32_t shift(const char* axis, const char* unit, double first_a, double step_a,
                     double first_b, double step_b, std::int32_t count) const {
    if (std::abs(step_a - step_b) * count > tolerance * step_b) {
      refuse(axis, error_text(errors::axis_steps_differ, unit, step_a, step_b));
    }
    constexpr double max = 1 << 28;
    const double offset = (first_b - first_a) / step_b;
    if (std::abs(offset) < max && std::abs(offset - std::round(offset)) <= tolerance) {
      return static_cast<std::int32_t>(std::lround(offset));
    }
    refuse(axis, error_text(errors::axes_offset, offset, unit, step_b));
  }

  static IndexRange common(std::int32_t shift, std::int32_t count_a, std::int32_t count_b) {
    return {std::max(0, -shift), std::min(count_b, count_a - shift) - 1};
  }

  // Index in B of a profile of A.
  std::int32_t find_profile(std::int32_t profile) const {
    if (a_.profiles.size() < 2 && b_.profiles.size() < 2) return 0;
    const auto index = static_cast<std::size_t>(profile);
    const std::string name = index < a_.profiles.size() ? a_.profiles[index] : "";
    const auto match = std::find(b_.profiles.begin(), b_.profiles.end(), name);
    if (match == b_.profiles.end()) {
      const bool has_all_of_b =
          !b_.profiles.empty() &&
          std::all_of(b_.profiles.begin(), b_.profiles.end(), [&](const std::string& other) {
            return std::find(a_.profiles.begin(), a_.profiles.end(), other) != a_.profiles.end();
          });
      refuse(
          "profiles",
          error_text(errors::profiles_differ, name.empty() ? "none of them" : name,
                     b_.profiles.empty() ? "none" : fmt::format("{}", fmt::join(b_.profiles, ", ")),
                     has_all_of_b ? "name the other run first"
                                  : "compare runs of one vehicle (vehicle.profiles)"));
    }
    return static_cast<std::int32_t>(match - b_.profiles.begin());
  }

  std::int16_t find_action(const Action& action) const {
    const std::int32_t profile = find_profile(action.profile);
    for (std::size_t n = 0; n < b_.actions.size(); ++n) {
      const Action& other = b_.actions[n];
      if (other.profile != profile) continue;
      const double heading_difference =
          std::remainder(action.heading - other.heading, 2 * std::numbers::pi);
      const bool drifts = action.speed == 0 && other.speed == 0;
      if (std::abs(action.speed - other.speed) <= action_tolerance * std::abs(other.speed) &&
          (drifts || std::abs(heading_difference) <= action_tolerance)) {
        return static_cast<std::int16_t>(n);
      }
    }
    refuse("actions", error_text(errors::actions_differ, action.speed,
                                 action.heading * 180 / std::numbers::pi));
  }

  const PolicyFrame& a_;
  const PolicyFrame& b_;
};

}  // namespace

PolicyAlignment align_policies(const PolicyFrame& a, const PolicyFrame& b) {
  return Alignment(a, b).find();
}

}  // namespace tidewise
