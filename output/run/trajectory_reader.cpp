#include "output/run/trajectory_reader.h"

#include <fmt/core.h>

#include <cmath>

#include "base/error.h"

namespace tidewise {

TrajectoryReader::TrajectoryReader(const std::filesystem::path& path)
    : file_(Hdf5File::open(path)) {
  if (file_.text_attribute("/", "featureType") != "trajectory") {
    refuse("is no file of trajectories that a run left");
  }
  const Extents shape = file_.shape("x");
  if (shape.size() != 2) refuse("variable x: is not over (trajectory, obs)");
  const std::size_t flights = shape[0];
  most_points_ = shape[1];
  mission_text_ = file_.text_attribute("/", "mission").value_or("");
  time_units_ = file_.text_attribute("time", "units").value_or("1");
  is_geographic_ = file_.has("lon") && file_.has("lat") && file_.has("bearing");
  for (const std::uint8_t code : file_.read_all<std::uint8_t>("outcome")) {
    if (code >= words_of<TrajectoryOutcome>.size()) {
      refuse(fmt::format("variable outcome: holds {}, and outcomes are 0 to {}", code,
                         words_of<TrajectoryOutcome>.size() - 1));
    }
    outcome_.push_back(static_cast<TrajectoryOutcome>(code));
  }
  realization_ = file_.read_all<std::int32_t>("realization");
  total_reward_ = file_.read_all<double>("total_reward");
  for (const std::size_t size : {outcome_.size(), realization_.size(), total_reward_.size()}) {
    if (size != flights) refuse("its variables do not have the same number of trajectories");
  }
  if (flights == 0 || most_points_ == 0) refuse("holds no flight");
  if (file_.has("passed_time")) {
    passed_time_ = file_.read_all<double>("passed_time");
    via_count_ = passed_time_.size() / flights;
    if (via_count_ * flights != passed_time_.size()) {
      refuse("variable passed_time: its shape is not that of (trajectory, via)");
    }
  }
  const auto x = read("x");
  const auto y = read("y");
  const auto time = read("time");
  point_count_.reserve(flights);
  for (std::size_t n = 0; n < flights; ++n) {
    const auto is_point = [&](std::size_t m) {
      const std::size_t at = n * most_points_ + m;
      return std::isfinite(x[at]) && std::isfinite(y[at]) && std::isfinite(time[at]);
    };
    std::size_t count = 0;
    while (count < most_points_ && is_point(count)) ++count;
    if (count == 0) refuse(fmt::format("trajectory {} has no point", n));
    point_count_.push_back(count);
  }
}

std::vector<double> TrajectoryReader::read(const std::string& variable) const {
  auto values = file_.read_all<double>(variable);
  if (values.size() != outcome_.size() * most_points_) {
    refuse(fmt::format("variable {}: has another shape than x", variable));
  }
  return values;
}

std::vector<std::uint8_t> TrajectoryReader::read_profiles() const {
  if (!file_.has("profile")) return {};
  auto values = file_.read_all<std::uint8_t>("profile");
  if (values.size() != outcome_.size() * most_points_) {
    refuse("variable profile: has another shape than x");
  }
  return values;
}

void TrajectoryReader::refuse(const std::string& what) const {
  throw InputError(fmt::format("{}: {}; fly anew with 'tidewise plan' or 'tidewise rollout'",
                               path().string(), what));
}

}  // namespace tidewise
