#include "output/run/trajectory_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "env/file/profile_words.h"
#include "output/error/codes.h"

namespace tidewise {
namespace {

constexpr double max_number = std::numeric_limits<float>::max();
constexpr double max_cells_per_step = 1024;  // as make_actions() accepts
constexpr auto outcomes = static_cast<double>(words_of<TrajectoryOutcome>.size());
constexpr double max_realizations = 1e7;  // their environment would fill a disk
constexpr double max_flights = 1e9;

CheckedFile open_flights(const std::filesystem::path& path) {
  CheckedFile file(Hdf5File::open(path), "fly again with 'tidewise plan' or 'tidewise rollout'");
  if (file.file().text_attribute("/", "featureType") == "trajectory") return file;
  file.refuse(error_text(errors::not_trajectories));
}

std::string mission_text_of(const CheckedFile& file) {
  return file.file().text_attribute("/", "mission").value_or("");
}

struct Range {
  double min, max;
};

/// Range of positions. A flight that leaves the grid ends there, at most the grid's width and a
/// step beyond it.
Range position_range(double first, double spacing, std::int32_t count) {
  const double margin = (count + max_cells_per_step) * spacing;
  return {first - margin, first + count * spacing + margin};
}

}  // namespace

TrajectoryReader::TrajectoryReader(const std::filesystem::path& path, const Grid& grid,
                                   const TimeAxis& time)
    : file_(open_flights(path)), grid_(grid), time_(time) {
  const Hdf5File& file = file_.file();
  const Extents shape = file.shape("x");
  const auto levels = static_cast<std::uint64_t>(time.level_count);
  if (shape.size() != 2 || shape[0] == 0 || shape[1] == 0 || shape[1] > levels) {
    file_.refuse(error_text(errors::trajectory_shape, fmt::join(shape, ", "), levels));
  }
  flight_count_ = shape[0];
  max_points_ = shape[1];
  mission_text_ = mission_text_of(file_);
  time_units_ = file.text_attribute("time", "units").value_or("1");
  is_geographic_ = file.has("lon") && file.has("lat") && file.has("bearing");
  read_flights();
  read_passed_times();
  count_points();
}

std::string TrajectoryReader::read_mission_text(const std::filesystem::path& path) {
  return mission_text_of(open_flights(path));
}

DatasetRule TrajectoryReader::flight_rule(const char* variable, NumberKind kind, double min,
                                          double max) const {
  return {variable, kind, {flight_count_}, "(trajectory)", min, max};
}

void TrajectoryReader::read_flights() {
  number_ =
      file_.read<std::int32_t>(flight_rule("trajectory", NumberKind::whole, 0, max_flights - 1));
  for (const std::uint8_t code :
       file_.read<std::uint8_t>(flight_rule("outcome", NumberKind::whole, 0, outcomes - 1))) {
    outcome_.push_back(static_cast<TrajectoryOutcome>(code));
  }
  realization_ = file_.read<std::int32_t>(
      flight_rule("realization", NumberKind::whole, 0, max_realizations - 1));
  total_reward_ = file_.read<double>(
      flight_rule("total_reward", NumberKind::floating, -max_number, max_number));
}

TrajectoryReader::Ends TrajectoryReader::read_ends() const {
  Ends ends;
  if (!is_sample()) {
    const auto time = read("time");
    const auto energy = read("energy");
    for (std::size_t n = 0; n < flight_count_; ++n) {
      const std::size_t end = n * max_points_ + point_count_[n] - 1;
      ends.time.push_back(time[end]);
      ends.energy.push_back(energy[end]);
      ends.outcome.push_back(static_cast<std::uint8_t>(outcome_[n]));
    }
    ends.realization = realization_;
    return ends;
  }
  const Extents shape = file_.file().shape("end_time");
  const std::uint64_t flights = shape.size() == 1 ? shape[0] : 0;
  const auto rule = [&](const char* variable, NumberKind kind, double min, double max) {
    return DatasetRule{variable, kind, {flights}, "(flight)", min, max};
  };
  const DatasetRule times = point_rule("time");
  ends.time = file_.read<double>(rule("end_time", NumberKind::floating, times.min, times.max));
  ends.energy =
      file_.read<double>(rule("end_energy", NumberKind::floating, -max_number, max_number));
  ends.outcome = file_.read<std::uint8_t>(rule("end_outcome", NumberKind::whole, 0, outcomes - 1));
  ends.realization =
      file_.read<std::int32_t>(rule("end_realization", NumberKind::whole, 0, max_realizations - 1));
  for (const std::int32_t number : number_) {
    if (static_cast<std::uint64_t>(number) < flights) continue;
    file_.refuse(error_text(errors::trajectory_number_outside, number, flights));
  }
  return ends;
}

void TrajectoryReader::read_passed_times() {
  if (!file_.file().has("passed_time")) return;
  const Extents shape = file_.file().shape("passed_time");
  constexpr std::uint64_t max_places = 1000;
  via_count_ = shape.size() == 2 && shape[1] <= max_places ? shape[1] : 1;
  DatasetRule rule = point_rule("time");
  rule.name = "passed_time";
  rule.shape = {flight_count_, via_count_};
  rule.dimensions = "(trajectory, via)";
  passed_time_ = file_.read<double>(rule);
}

DatasetRule TrajectoryReader::point_rule(const std::string& variable) const {
  const Range x = position_range(grid_.x_first, grid_.dx, grid_.nx);
  const Range y = position_range(grid_.y_first, grid_.dy, grid_.ny);
  const double turns = 4 * std::numbers::pi;
  const double speed = max_cells_per_step * std::max(grid_.dx, grid_.dy) / time_.step;
  const std::array<std::pair<const char*, Range>, 10> ranges{
      {{"x", x},
       {"y", y},
       {"time", {time_.first - time_.step, time_.at(TimeLevel(time_.level_count))}},
       {"heading", {-turns, turns}},
       {"speed", {0, speed}},
       {"energy", {-max_number, max_number}},
       {"harvested", {-max_number, max_number}},
       {"lon", {-720, 720}},
       {"lat", {-90, 90}},
       {"bearing", {0, 360}}}};
  for (const auto& [name, range] : ranges) {
    if (variable != name) continue;
    return {variable,
            NumberKind::floating,
            {flight_count_, max_points_},
            "(trajectory, obs)",
            range.min,
            range.max,
            Gaps::allowed};
  }
  file_.refuse(error_text(errors::trajectory_variable_shape, variable));
}

/// Counts the points of each flight, after which x, y and time must all be NaN.
void TrajectoryReader::count_points() {
  const auto x = file_.read<double>(point_rule("x"));
  const auto y = file_.read<double>(point_rule("y"));
  const auto time = file_.read<double>(point_rule("time"));
  point_count_.reserve(flight_count_);
  for (std::size_t n = 0; n < flight_count_; ++n) {
    std::size_t count = 0;
    for (std::size_t m = 0; m < max_points_; ++m) {
      const std::size_t index = n * max_points_ + m;
      const bool has_x = !std::isnan(x[index]);
      const bool has_y = !std::isnan(y[index]);
      const bool has_time = !std::isnan(time[index]);
      if (!has_x && !has_y && !has_time) continue;
      if (has_x && has_y && has_time && count == m) {
        ++count;
        continue;
      }
      file_.refuse(error_text(errors::trajectory_coordinates_disagree, m, n));
    }
    if (count == 0) file_.refuse(error_text(errors::trajectory_empty, n));
    point_count_.push_back(count);
  }
}

std::vector<double> TrajectoryReader::read(const std::string& variable) const {
  auto values = file_.read<double>(point_rule(variable));
  // A vehicle that drifts has no bearing, and cells may have no longitude and latitude.
  if (variable == "bearing" || variable == "lon" || variable == "lat") return values;
  const bool lacks_last = variable == "heading" || variable == "speed";
  for (std::size_t n = 0; n < flight_count_; ++n) {
    const std::size_t count = point_count_[n] - (lacks_last ? 1 : 0);
    for (std::size_t m = 0; m < count; ++m) {
      if (!std::isnan(values[n * max_points_ + m])) continue;
      file_.refuse(error_text(errors::trajectory_value_missing, variable, m, n, point_count_[n]));
    }
  }
  return values;
}

std::vector<std::uint8_t> TrajectoryReader::read_profiles() const {
  if (!file_.file().has("profile")) return {};
  auto values = file_.read<std::uint8_t>({"profile",
                                          NumberKind::whole,
                                          {flight_count_, max_points_},
                                          "(trajectory, obs)",
                                          0,
                                          no_profile});
  const std::size_t count = read_profile_words(file_.file(), "profile").size();
  for (const std::uint8_t value : values) {
    if (value < count || value == no_profile) continue;
    file_.refuse(error_text(errors::trajectory_profile_unnamed, value, count));
  }
  return values;
}

}  // namespace tidewise
