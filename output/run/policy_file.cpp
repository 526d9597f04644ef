#include "output/run/policy_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/file/open_file.h"
#include "env/file/profile_words.h"

namespace tidewise {
namespace {

/// First value and spacing of a stored axis.
struct Axis {
  std::int32_t count;
  double first;
  double step;
};

Axis read_axis(const Hdf5File& file, const std::string& name) {
  const auto values = file.read_all<double>(name);
  if (values.size() < 2 || !(values.back() > values.front())) {
    throw InputError(fmt::format(
        "{}: variable {}: is no axis of two or more growing values; make the policy anew with "
        "'tidewise plan'",
        file.path().string(), name));
  }
  const auto count = static_cast<std::int32_t>(values.size());
  const Axis axis{count, values.front(), (values.back() - values.front()) / (count - 1)};
  for (std::int32_t n = 0; n < count; ++n) {
    const double value = values[static_cast<std::size_t>(n)];
    if (std::abs(value - (axis.first + n * axis.step)) <= 1e-3 * axis.step) continue;
    throw InputError(
        fmt::format("{}: variable {}: holds {} where equal steps lead to {}; make the policy anew "
                    "with 'tidewise plan'",
                    file.path().string(), name, value, axis.first + n * axis.step));
  }
  return axis;
}

/// Whether two axes agree to a thousandth of a spacing along their common length.
bool agree(double first_a, double step_a, double first_b, double step_b, std::int32_t count) {
  const double tolerance = 1e-3 * step_b;
  return std::abs(first_a - first_b) < tolerance && std::abs(step_a - step_b) * count < tolerance;
}

std::string variable_of(const char* name, std::size_t leg) {
  return leg == 0 ? name : fmt::format("{}_leg_{}", name, leg + 1);
}

/// The path of a file that begins as HDF5 does.
const std::filesystem::path& require_hdf5(const std::filesystem::path& path) {
  require_readable(path);
  constexpr std::string_view signature = "\x89HDF";
  std::string beginning(signature.size(), '\0');
  std::ifstream(path, std::ios::binary)
      .read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  if (beginning == signature) return path;
  throw InputError(fmt::format(
      "{}: is no run, nor the policy.h5 of one; name the folder that 'tidewise plan' made",
      path.string()));
}

}  // namespace

std::string action_variable(std::size_t leg) { return variable_of("action", leg); }
std::string value_variable(std::size_t leg) { return variable_of("value", leg); }

PolicyFile::PolicyFile(const std::filesystem::path& path)
    : file_(Hdf5File::open(require_hdf5(path))) {
  if (!file_.number_attribute("/", "tidewise_policy")) {
    throw InputError(fmt::format(
        "{}: is not a policy (the attribute tidewise_policy is missing); give the policy.h5 that "
        "'tidewise plan' leaves",
        path.string()));
  }
  read_layout();
  read_actions();
  read_decisions();
  mission_text_ = file_.text_attribute("/", "mission").value_or("");
  environment_fingerprint_ = file_.text_attribute("/", "environment_fingerprint").value_or("");
  if (file_.number_attribute("/", from_start_attribute)) extent_ = PolicyExtent::from_start;
}

PolicyFile::PolicyFile(PolicyFile&& other) noexcept
    : file_(std::move(other.file_)),
      grid_(other.grid_),
      time_(other.time_),
      actions_(std::move(other.actions_)),
      profiles_(std::move(other.profiles_)),
      mission_text_(std::move(other.mission_text_)),
      environment_fingerprint_(std::move(other.environment_fingerprint_)),
      extent_(other.extent_),
      decisions_(other.decisions_) {
  for (std::size_t leg = 1; leg <= other.later_legs_.size(); ++leg) {
    later_legs_.emplace_back(*this, leg);  // of this file, wherever it has gone
  }
}

void PolicyFile::read_layout() {
  const Axis x = read_axis(file_, "x");
  const Axis y = read_axis(file_, "y");
  const Axis time = read_axis(file_, "time");
  grid_ = {x.count, y.count, x.first, y.first, x.step, y.step};
  time_ = {time.count, time.first, time.step};
  const Extents expected{static_cast<std::uint64_t>(time.count),
                         static_cast<std::uint64_t>(y.count), static_cast<std::uint64_t>(x.count)};
  const double legs = file_.number_attribute("/", "legs").value_or(1);
  constexpr double most_legs = 1000;
  if (!(legs >= 1 && legs <= most_legs)) {
    refuse(fmt::format("attribute legs: is {}, which is no number of legs", legs));
  }
  for (std::size_t leg = 0; leg < static_cast<std::size_t>(legs); ++leg) {
    if (leg > 0) later_legs_.emplace_back(*this, leg);
    for (const std::string& name : {action_variable(leg), value_variable(leg)}) {
      if (file_.shape(name) == expected) continue;
      refuse(fmt::format("variable {}: its shape is not that of (time, y, x)", name));
    }
  }
}

void PolicyFile::read_actions() {
  const auto heading = file_.read_all<double>("heading");
  const auto speed = file_.read_all<double>("speed");
  if (heading.size() != speed.size()) {
    refuse(fmt::format("variable speed: holds {} values where heading holds {}", speed.size(),
                       heading.size()));
  }
  const bool dives = file_.has("profile");
  const auto profile =
      dives ? file_.read_all<double>("profile") : std::vector<double>(heading.size(), 0);
  if (profile.size() != heading.size()) {
    refuse(fmt::format("variable profile: holds {} values where heading holds {}", profile.size(),
                       heading.size()));
  }
  for (std::size_t a = 0; a < heading.size(); ++a) {
    if (!std::isfinite(heading[a]) || !(speed[a] >= 0 && std::isfinite(speed[a]))) {
      refuse(fmt::format(
          "variables heading and speed: action {} is {} at {}, which is no heading and speed", a,
          heading[a], speed[a]));
    }
    actions_.push_back(make_action(speed[a], heading[a], grid_, time_));
    if (!(profile[a] >= 0 && profile[a] < 256)) {
      refuse(
          fmt::format("variable profile: action {} dives {}, which is no profile", a, profile[a]));
    }
    actions_.back().profile = static_cast<std::int32_t>(profile[a]);
  }
  if (dives) read_profiles();
}

void PolicyFile::read_profiles() {
  profiles_ = read_profile_words(file_, "profile");
  for (const Action& action : actions_) {
    if (static_cast<std::size_t>(action.profile) < profiles_.size()) continue;
    refuse(fmt::format("variable profile: flag_meanings names {} profiles, and an action dives {}",
                       profiles_.size(), action.profile));
  }
}

void PolicyFile::read_decisions() {
  const auto every = file_.number_attribute("/", decide_every_attribute);
  if (!every) return;
  const double at = file_.number_attribute("/", decides_at_attribute).value_or(-1);
  const double last = last_level().value;
  if (!(*every >= 1 && *every <= last) || !(at >= 0 && at <= last)) {
    refuse(fmt::format("attributes {} and {}: are {} and {}, which name no levels that decide",
                       decide_every_attribute, decides_at_attribute, *every, at));
  }
  decisions_ = {static_cast<std::int32_t>(*every), TimeLevel(static_cast<std::int32_t>(at)),
                file_.number_attribute("/", all_departures_attribute).has_value()};
}

void PolicyFile::refuse(const std::string& what) const {
  throw InputError(
      fmt::format("{}: {}; make the policy anew with 'tidewise plan'", path().string(), what));
}

const std::string& PolicyFile::mission_text() const {
  if (mission_text_.empty()) refuse("does not say what mission it was made for");
  return mission_text_;
}

void PolicyFile::validate() const {
  for (std::size_t leg = 0; leg < leg_count(); ++leg) validate_leg(leg);
}

void PolicyFile::validate_leg(std::size_t leg) const {
  const auto cells = static_cast<std::size_t>(grid_.cell_count());
  std::vector<std::int16_t> action(cells);
  std::vector<float> value(cells);
  bool acts = false;
  for (TimeLevel k(0); k <= last_level(); ++k.value) {
    read_action_of(leg, k, {action.data(), cells});
    acts = acts || std::any_of(action.begin(), action.end(), [](auto a) { return a != no_action; });
    read_value_of(leg, k, {value.data(), cells});
    const auto refused = [&](const float& v) {
      const bool outside = extent_ == PolicyExtent::from_start && std::isnan(v) &&
                           action[static_cast<std::size_t>(&v - value.data())] == no_action;
      return !std::isfinite(v) && !outside;
    };
    const auto wrong = std::find_if(value.begin(), value.end(), refused);
    if (wrong == value.end()) continue;
    refuse(fmt::format("variable {}: holds {} at level {}, where every state has a finite one",
                       value_variable(leg), *wrong, k.value));
  }
  if (!acts) refuse(fmt::format("variable {}: takes none in any state", action_variable(leg)));
}

void PolicyFile::require_actions(const std::vector<Action>& actions) const {
  const auto same = [](const Action& a, const Action& b) {
    return a.heading == b.heading && a.speed == b.speed && a.profile == b.profile;
  };
  if (std::equal(actions.begin(), actions.end(), actions_.begin(), actions_.end(), same)) return;
  refuse(
      fmt::format("variables heading and speed: are not those of its mission's vehicle, which has "
                  "{} actions",
                  actions.size()));
}

std::string PolicyFile::difference_of_cells(const EnvironmentInfo& info) const {
  const Grid& grid = info.grid;
  if (grid.nx != grid_.nx || grid.ny != grid_.ny) {
    return fmt::format("{} × {} cells here, {} × {} there", grid_.nx, grid_.ny, grid.nx, grid.ny);
  }
  if (!agree(grid_.x_first, grid_.dx, grid.x_first, grid.dx, grid.nx) ||
      !agree(grid_.y_first, grid_.dy, grid.y_first, grid.dy, grid.ny)) {
    return "its cells lie elsewhere";
  }
  if (time_.level_count > info.time.level_count) {
    return fmt::format("{} levels here, only {} there", time_.level_count, info.time.level_count);
  }
  if (!agree(time_.first, time_.step, info.time.first, info.time.step, time_.level_count)) {
    return "its times are others";
  }
  return {};
}

void PolicyFile::require_match(const EnvironmentInfo& info,
                               const std::filesystem::path& environment) const {
  const std::string difference = difference_of_cells(info);
  if (difference.empty()) return;
  throw InputError(fmt::format(
      "{}: was not made on the environment {} ({}); name that environment, or plan anew",
      path().string(), environment.string(), difference));
}

void PolicyFile::read_action(TimeLevel k, View<std::int16_t> action) const {
  read_action_of(0, k, action);
}
void PolicyFile::read_value(TimeLevel k, View<float> value) const { read_value_of(0, k, value); }

const PolicySource& PolicyFile::leg(std::size_t n) const {
  if (n == 0) return *this;
  if (n < leg_count()) return later_legs_[n - 1];
  throw InputError(
      fmt::format("{}: its mission has {} leg(s), and leg {} is asked for; choose one of "
                  "those",
                  path().string(), leg_count(), n + 1));
}

void PolicyFile::read_action_of(std::size_t leg, TimeLevel k, View<std::int16_t> action) const {
  require_level(k);
  const auto level = static_cast<std::uint64_t>(k.value);
  file_.read(action_variable(leg), {level, 0, 0},
             {1, static_cast<std::uint64_t>(grid_.ny), static_cast<std::uint64_t>(grid_.nx)},
             action.data);
  const auto count = static_cast<std::int32_t>(actions_.size());
  for (const std::int16_t a : action) {
    if (a >= no_action && a < count) continue;
    refuse(fmt::format("variable {}: holds {} at level {}, and actions are 0 to {} or -1",
                       action_variable(leg), a, k.value, count - 1));
  }
}

void PolicyFile::read_value_of(std::size_t leg, TimeLevel k, View<float> value) const {
  require_level(k);
  const auto level = static_cast<std::uint64_t>(k.value);
  file_.read(value_variable(leg), {level, 0, 0},
             {1, static_cast<std::uint64_t>(grid_.ny), static_cast<std::uint64_t>(grid_.nx)},
             value.data);
}

void PolicyFile::require_level(TimeLevel k) const {
  if (k.value >= 0 && k.value < time_.level_count) return;
  throw InputError(
      fmt::format("{}: holds levels 0 to {} and level {} is asked for; choose one of "
                  "those, or plan with a longer horizon",
                  path().string(), time_.level_count - 1, k.value));
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
