#include "output/run/policy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "base/error.h"
#include "base/file/text_file.h"
#include "env/file/profile_words.h"
#include "output/error/codes.h"

namespace tidewise {
namespace {

/// First value and spacing of a stored axis.
struct Axis {
  std::int32_t count;
  double first;
  double step;
};

/// `longest`: greatest length, that of an environment's axis.
Axis read_axis(const CheckedFile& file, const std::string& name, std::uint64_t longest) {
  constexpr double farthest = 1e15;  // [m, s or 1]; beyond it steps are lost to rounding
  const std::uint64_t length = file.length_of(name, 2, longest);
  const auto values = file.read<double>(
      {name, NumberKind::floating, {length}, "(" + name + ")", -farthest, farthest});
  if (!(values.back() > values.front())) {
    file.refuse(error_text(errors::policy_axis_not_growing, name, values.front(), values.back()));
  }
  const auto count = static_cast<std::int32_t>(length);
  const Axis axis{count, values.front(), (values.back() - values.front()) / (count - 1)};
  for (std::int32_t n = 0; n < count; ++n) {
    const double value = values[n];
    if (std::abs(value - (axis.first + n * axis.step)) <= 1e-3 * axis.step) continue;
    file.refuse(
        error_text(errors::policy_axis_not_uniform, name, value, axis.first + n * axis.step));
  }
  return axis;
}

/// True if two axes agree to a thousandth of a spacing along their common length.
bool agree(double first_a, double step_a, double first_b, double step_b, std::int32_t count) {
  const double tolerance = 1e-3 * step_b;
  return std::abs(first_a - first_b) < tolerance && std::abs(step_a - step_b) * count < tolerance;
}

constexpr const char* longitude_name = "lon";
constexpr const char* latitude_name = "lat";

Extents field_shape(const Grid& grid, const TimeAxis& time) {
  return {static_cast<std::uint64_t>(time.level_count), static_cast<std::uint64_t>(grid.ny),
          static_cast<std::uint64_t>(grid.nx)};
}

DatasetRule degrees_rule(const Grid& grid, const char* name, double max) {
  return {name,
          NumberKind::floating,
          {static_cast<std::uint64_t>(grid.ny), static_cast<std::uint64_t>(grid.nx)},
          "(y, x)",
          -max,
          max,
          Gaps::allowed};
}
/// Allows more than a turn in both directions, as axes across 180° need.
DatasetRule longitude_rule(const Grid& grid) { return degrees_rule(grid, longitude_name, 720); }
DatasetRule latitude_rule(const Grid& grid) { return degrees_rule(grid, latitude_name, 90); }

/// Speed at which a step crosses as many cells as make_actions() accepts [m s-1 or 1].
double greatest_speed(const Grid& grid, const TimeAxis& time) {
  constexpr double max_cells = 1024;
  return max_cells * std::max(grid.dx, grid.dy) / time.step;
}

std::string variable_of(const char* name, std::size_t leg) {
  return leg == 0 ? name : fmt::format("{}_leg_{}", name, leg + 1);
}

/// Returns `path`. Errors: InputError for a file that is not HDF5.
const std::filesystem::path& require_hdf5(const std::filesystem::path& path) {
  if (read_beginning(path, 4) == "\x89HDF") return path;
  throw input_error(errors::not_a_run, path.string());
}

}  // namespace

std::string action_variable(std::size_t leg) { return variable_of("action", leg); }
std::string value_variable(std::size_t leg) { return variable_of("value", leg); }

PolicyFile::PolicyFile(const std::filesystem::path& path)
    : file_(Hdf5File::open(require_hdf5(path)), "make the policy again with 'tidewise plan'") {
  if (!file().number_attribute("/", "tidewise_policy")) {
    throw input_error(errors::not_a_policy, path.string());
  }
  if (file().number_attribute("/", from_start_attribute)) extent_ = PolicyExtent::from_start;
  read_layout();
  read_actions();
  read_legs();
  require_positions();
  read_decisions();
  mission_text_ = file().text_attribute("/", "mission").value_or("");
  environment_fingerprint_ = file().text_attribute("/", "environment_fingerprint").value_or("");
}

PolicyFile::PolicyFile(PolicyFile&& other) noexcept
    : file_(std::move(other.file_)),
      grid_(other.grid_),
      time_(other.time_),
      has_positions_(other.has_positions_),
      actions_(std::move(other.actions_)),
      profiles_(std::move(other.profiles_)),
      mission_text_(std::move(other.mission_text_)),
      environment_fingerprint_(std::move(other.environment_fingerprint_)),
      extent_(other.extent_),
      decisions_(other.decisions_) {
  for (std::size_t leg = 1; leg <= other.later_legs_.size(); ++leg) {
    later_legs_.emplace_back(*this, leg);  // legs refer to this object at its new address
  }
}

void PolicyFile::read_layout() {
  constexpr std::uint64_t longest_side = 1 << 15;  // [cells]
  constexpr std::uint64_t max_levels = 1 << 24;
  const Axis x = read_axis(file_, "x", longest_side);
  const Axis y = read_axis(file_, "y", longest_side);
  const Axis time = read_axis(file_, "time", max_levels);
  grid_ = {x.count, y.count, x.first, y.first, x.step, y.step};
  time_ = {time.count, time.first, time.step};
}

DatasetRule PolicyFile::action_rule(std::size_t leg) const {
  return {action_variable(leg), NumberKind::whole, field_shape(grid_, time_),
          "(time, y, x)",       double(no_action), static_cast<double>(actions_.size()) - 1};
}

/// Any finite number is a value: rewards may be as great as 1e30.
DatasetRule PolicyFile::value_rule(std::size_t leg) const {
  constexpr double largest = std::numeric_limits<float>::max();
  return {value_variable(leg),
          NumberKind::floating,
          field_shape(grid_, time_),
          "(time, y, x)",
          -largest,
          largest,
          extent_ == PolicyExtent::from_start ? Gaps::allowed : Gaps::refused};
}

void PolicyFile::read_legs() {
  const double legs = file().number_attribute("/", "legs").value_or(1);
  constexpr double max_legs = 1000;
  if (!(legs >= 1 && legs <= max_legs)) {
    refuse(error_text(errors::policy_legs_invalid, legs));
  }
  for (std::size_t leg = 0; leg < static_cast<std::size_t>(legs); ++leg) {
    if (leg > 0) later_legs_.emplace_back(*this, leg);
    file_.require(action_rule(leg));
    file_.require(value_rule(leg));
  }
}

void PolicyFile::require_positions() {
  const bool has_longitude = file().has(longitude_name);
  if (has_longitude != file().has(latitude_name)) {
    refuse(error_text(errors::policy_degrees_incomplete, longitude_name, latitude_name));
  }
  has_positions_ = has_longitude;
  if (!has_positions_) return;
  file_.require(longitude_rule(grid_));
  file_.require(latitude_rule(grid_));
}

PolicyFile::Positions PolicyFile::read_positions() const {
  Positions positions{file_.read<double>(longitude_rule(grid_)),
                      file_.read<double>(latitude_rule(grid_))};
  bool any_place = false;
  for (std::size_t n = 0; n < positions.longitude.size(); ++n) {
    const bool has_longitude = !std::isnan(positions.longitude[n]);
    any_place = any_place || has_longitude;
    if (has_longitude != std::isnan(positions.latitude[n])) continue;
    const auto nx = static_cast<std::size_t>(grid_.nx);
    refuse(
        error_text(errors::policy_degrees_disagree, longitude_name, latitude_name, n / nx, n % nx));
  }
  if (!any_place) refuse(error_text(errors::policy_degrees_missing, longitude_name, latitude_name));
  return positions;
}

void PolicyFile::read_actions() {
  constexpr std::uint64_t max_actions = 32767;  // stored as int16
  const std::uint64_t count = file_.length_of("heading", 1, max_actions);
  const auto rule = [&](const char* name, NumberKind kind, double min, double max) {
    return DatasetRule{name, kind, {count}, "(action_index)", min, max};
  };
  const double turns = 4 * std::numbers::pi;
  const auto heading = file_.read<double>(rule("heading", NumberKind::floating, -turns, turns));
  const auto speed =
      file_.read<double>(rule("speed", NumberKind::floating, 0, greatest_speed(grid_, time_)));
  const bool has_profiles = file().has("profile");
  std::vector<std::uint8_t> profile(count, 0);
  if (has_profiles) profile = file_.read<std::uint8_t>(rule("profile", NumberKind::whole, 0, 255));
  for (std::size_t a = 0; a < count; ++a) {
    actions_.push_back(make_action(speed[a], heading[a], grid_, time_));
    actions_.back().profile = profile[a];
  }
  if (has_profiles) read_profiles();
}

void PolicyFile::read_profiles() {
  profiles_ = read_profile_words(file(), "profile");
  for (const Action& action : actions_) {
    if (static_cast<std::size_t>(action.profile) < profiles_.size()) continue;
    refuse(error_text(errors::policy_profile_unnamed, profiles_.size(), action.profile));
  }
}

void PolicyFile::read_decisions() {
  const auto every = file().number_attribute("/", decide_every_attribute);
  if (!every) return;
  const double phase = file().number_attribute("/", decides_at_attribute).value_or(-1);
  const double last = last_level().value;
  if (!(*every >= 1 && *every <= last) || !(phase >= 0 && phase <= last)) {
    refuse(error_text(errors::policy_hold_invalid, decide_every_attribute, decides_at_attribute,
                      *every, phase));
  }
  decisions_ = {static_cast<std::int32_t>(*every), TimeLevel(static_cast<std::int32_t>(phase)),
                file().number_attribute("/", all_departures_attribute).has_value()};
}

void PolicyFile::refuse(const std::string& what) const { file_.refuse(what); }

const std::string& PolicyFile::mission_text() const {
  if (mission_text_.empty()) refuse(error_text(errors::policy_without_mission));
  return mission_text_;
}

void PolicyFile::validate() const {
  for (std::size_t leg = 0; leg < leg_count(); ++leg) validate_leg(leg);
}

void PolicyFile::validate_leg(std::size_t leg) const {
  const auto cells = static_cast<std::size_t>(grid_.cell_count());
  std::vector<std::int16_t> action(cells);
  std::vector<float> value(cells);
  bool has_action = false;
  for (TimeLevel k(0); k <= last_level(); ++k.value) {
    read_action_of(leg, k, {action.data(), cells});
    has_action = has_action ||
                 std::any_of(action.begin(), action.end(), [](auto a) { return a != no_action; });
    read_value_of(leg, k, {value.data(), cells});
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (action[cell] == no_action || !std::isnan(value[cell])) continue;
      refuse(error_text(errors::policy_value_missing, value_variable(leg), k.value));
    }
  }
  if (!has_action) refuse(error_text(errors::policy_without_actions, action_variable(leg)));
}

void PolicyFile::require_actions(const std::vector<Action>& actions) const {
  const auto same = [](const Action& a, const Action& b) {
    return a.heading == b.heading && a.speed == b.speed && a.profile == b.profile;
  };
  if (std::equal(actions.begin(), actions.end(), actions_.begin(), actions_.end(), same)) return;
  refuse(error_text(errors::policy_actions_differ, actions.size()));
}

std::string PolicyFile::difference_of_cells(const EnvironmentInfo& info) const {
  const Grid& grid = info.grid;
  if (grid.nx != grid_.nx || grid.ny != grid_.ny) {
    return fmt::format("{} × {} cells in the policy, {} × {} in the environment", grid_.nx,
                       grid_.ny, grid.nx, grid.ny);
  }
  if (!agree(grid_.x_first, grid_.dx, grid.x_first, grid.dx, grid.nx) ||
      !agree(grid_.y_first, grid_.dy, grid.y_first, grid.dy, grid.ny)) {
    return "its cells have other positions";
  }
  if (time_.level_count > info.time.level_count) {
    return fmt::format("{} levels in the policy, only {} in the environment", time_.level_count,
                       info.time.level_count);
  }
  if (!agree(time_.first, time_.step, info.time.first, info.time.step, time_.level_count)) {
    return "its times differ";
  }
  return {};
}

void PolicyFile::require_match(const EnvironmentInfo& info,
                               const std::filesystem::path& environment) const {
  const std::string difference = difference_of_cells(info);
  if (difference.empty()) return;
  throw input_error(errors::policy_of_other_environment, path().string(), environment.string(),
                    difference);
}

void PolicyFile::read_action(TimeLevel k, View<std::int16_t> action) const {
  read_action_of(0, k, action);
}
void PolicyFile::read_value(TimeLevel k, View<float> value) const { read_value_of(0, k, value); }

const PolicySource& PolicyFile::leg(std::size_t n) const {
  if (n == 0) return *this;
  if (n < leg_count()) return later_legs_[n - 1];
  throw input_error(errors::policy_leg_missing, path().string(), leg_count(), n + 1);
}

void PolicyFile::read_action_of(std::size_t leg, TimeLevel k, View<std::int16_t> action) const {
  require_level(k);
  file_.read_slice(action_rule(leg), static_cast<std::uint64_t>(k.value), action);
}

void PolicyFile::read_value_of(std::size_t leg, TimeLevel k, View<float> value) const {
  require_level(k);
  file_.read_slice(value_rule(leg), static_cast<std::uint64_t>(k.value), value);
}

void PolicyFile::require_level(TimeLevel k) const {
  if (k.value >= 0 && k.value < time_.level_count) return;
  throw input_error(errors::policy_level_missing, path().string(), time_.level_count - 1, k.value);
}

void copy_policy(const std::filesystem::path& from, const std::filesystem::path& to,
                 const std::string& mission_text) {
  AtomicFile file(to);
  std::error_code error;
  std::filesystem::copy_file(from, file.temporary_path(), error);
  if (error) {
    throw RunError(fmt::format("{}: {} could not be copied ({}); check the space left on the disk",
                               to.string(), from.string(), error.message()));
  }
  Hdf5File copy = Hdf5File::open_to_change(file.temporary_path());
  copy.set_attribute("/", "mission", mission_text);
  copy.close();
  file.commit();
}

}  // namespace tidewise
