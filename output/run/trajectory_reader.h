#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/hdf5/checked_dataset.h"
#include "env/grid.h"
#include "solver/fly/trajectory.h"

namespace tidewise {

/// Reads trajectories.nc of a run (docs/plan/outputs.md). Errors: InputError naming file,
/// variable and remedy.
class TrajectoryReader {
 public:
  /// `grid`, `time`: of the flown environment, which limit positions and times.
  TrajectoryReader(const std::filesystem::path& path, const Grid& grid, const TimeAxis& time);

  /// Reads the flown mission (TOML) of a file whose environment is not open yet.
  static std::string read_mission_text(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return file_.file().path(); }
  std::size_t flight_count() const { return flight_count_; }
  /// Columns of the (trajectory, obs) variables.
  std::size_t max_points() const { return max_points_; }
  /// The mission that was flown (TOML).
  const std::string& mission_text() const { return mission_text_; }
  /// Units of `time`: "s", "seconds since 2024-10-28 00:00:00" or "1".
  const std::string& time_units() const { return time_units_; }

  const std::vector<TrajectoryOutcome>& outcome() const { return outcome_; }  ///< (trajectory)
  const std::vector<std::int32_t>& realization() const { return realization_; }
  const std::vector<double>& total_reward() const { return total_reward_; }
  /// The flights' numbers among all flights of the run. (trajectory)
  const std::vector<std::int32_t>& number() const { return number_; }
  /// True if the run had more flights than the file has trajectories; read_ends() has them all.
  bool is_sample() const { return file_.file().has("end_time"); }
  /// How all flights of the run ended. (flight)
  struct Ends {
    std::vector<double> time;  ///< in the units of `time`
    std::vector<double> energy;
    std::vector<std::uint8_t> outcome;
    std::vector<std::int32_t> realization;
  };
  Ends read_ends() const;
  /// Number of points of each flight, at least 1, (trajectory).
  const std::vector<std::size_t>& point_count() const { return point_count_; }

  /// Number of via points, and the time at which each flight passed each of them, (trajectory,
  /// via), in the units of `time`; NaN if it did not.
  std::size_t via_count() const { return via_count_; }
  const std::vector<double>& passed_time() const { return passed_time_; }

  /// True if there are `lon`, `lat` and `bearing`.
  bool is_geographic() const { return is_geographic_; }
  /// x, y, time, heading, speed, energy, harvested, and lon, lat, bearing if is_geographic():
  /// (trajectory, obs), NaN after a flight's last point, and for heading and bearing at it.
  std::vector<double> read(const std::string& variable) const;
  /// Index of the mission's profile from each point on, (trajectory, obs); 255 at a flight's end;
  /// empty if there is one velocity.
  std::vector<std::uint8_t> read_profiles() const;

 private:
  /// Rule of a variable with one value for each flight: (trajectory).
  DatasetRule flight_rule(const char* variable, NumberKind kind, double min, double max) const;
  DatasetRule point_rule(const std::string& variable) const;
  void read_flights();
  void read_passed_times();
  void count_points();

  CheckedFile file_;
  Grid grid_;
  TimeAxis time_;
  std::size_t flight_count_ = 0;
  std::size_t max_points_ = 0;
  std::string mission_text_;
  std::string time_units_;
  bool is_geographic_ = false;
  std::vector<std::int32_t> number_;
  std::vector<TrajectoryOutcome> outcome_;
  std::vector<std::int32_t> realization_;
  std::vector<double> total_reward_;
  std::vector<std::size_t> point_count_;
  std::size_t via_count_ = 0;
  std::vector<double> passed_time_;
};

}  // namespace tidewise
