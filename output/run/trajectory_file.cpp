#include "output/run/trajectory_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/file/atomic_file.h"
#include "base/hdf5/file.h"
#include "base/hdf5/packed_chunk.h"
#include "base/parallel/first_error.h"
#include "env/file/grid_mapping.h"
#include "env/file/profile_words.h"
#include "env/units/meridian_convergence.h"
#include "output/run/attributes.h"
#include "solver/flight/bilinear.h"

namespace tidewise {
namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t flights_per_slab = 256;

/// The codes of all ends of flights.
std::vector<std::uint8_t> outcome_codes() {
  std::vector<std::uint8_t> codes(words_of<TrajectoryOutcome>.size());
  std::iota(codes.begin(), codes.end(), std::uint8_t{0});
  return codes;
}

/// Longitude or latitude at any point, interpolated between cell centres; beyond the outermost
/// centres that of the nearest point between them.
class GeographicField {
 public:
  GeographicField(const Grid& grid, std::vector<double> degrees)
      : grid_(grid), degrees_(std::move(degrees)), closed_(degrees_.size(), 0) {}

  double at(double x, double y) const {
    const auto stencil = bilinear_stencil(grid_, closed_, x, y);
    const double base = degrees_[stencil.cell[0]];
    // Differences from one corner on the shorter path: 179 and -179 are 2 degrees apart.
    const double offset = interpolate(
        stencil, [&](std::size_t cell) { return std::remainder(degrees_[cell] - base, 360.0); });
    return base + offset;
  }

 private:
  Grid grid_;
  std::vector<double> degrees_;       // (y, x)
  std::vector<std::uint8_t> closed_;  // zeros, since every centre counts
};

/// One (trajectory, obs) variable: its name and its value at a flight's points.
struct PointVariable {
  std::string name;
  NumberType type;
  DeflateSearch search;
  std::function<void(const Trajectory& flight, View<double> values)> fill;
};

/// Applies `value` to each point.
template <class Value>
auto of_points(Value value) {
  return [value = std::move(value)](const Trajectory& flight, View<double> values) {
    for (std::size_t m = 0; m < values.size; ++m) values[m] = value(flight.points[m]);
  };
}

RolloutResult flights_of(const RolloutResult& all, const std::vector<std::size_t>& numbers) {
  RolloutResult flights{all.mode, all.departure, {}};
  for (const std::size_t n : numbers) flights.trajectories.push_back(all.trajectories[n]);
  return flights;
}

class TrajectoryWriter {
 public:
  /// `numbers`: the flights' numbers among all.
  TrajectoryWriter(const EnvironmentReader& environment, const Mission& mission,
                   const RolloutResult& rollout, std::vector<std::size_t> numbers,
                   std::int32_t threads)
      : environment_(environment),
        mission_(mission),
        info_(environment.info()),
        rollout_(rollout),
        numbers_(std::move(numbers)),
        threads_(threads),
        slab_(std::clamp<std::uint64_t>(rollout.trajectories.size(), 1, flights_per_slab)) {
    for (const Trajectory& trajectory : rollout.trajectories) {
      max_points_ = std::max(max_points_, trajectory.points.size());
    }
    choose_variables();
  }

  void write(Hdf5File& file) {
    define(file);
    write_points(file);
    write_flights(file);
  }

  /// Writes how each of all flights ended.
  void write_ends(Hdf5File& file, const std::vector<Trajectory>& all) const {
    file.define_dimension("flight", all.size());
    const auto write = [&](const char* name, NumberType type, const std::string& units,
                           const char* words, auto value) {
      std::vector<decltype(value(all.front()))> values;
      values.reserve(all.size());
      for (const Trajectory& flight : all) values.push_back(value(flight));
      file.define_variable(name, type, {"flight"});
      describe(file, name, units, words);
      file.write_all(name, values);
    };
    const std::string length = info_.units == Units::metric ? "m" : "1";
    const NumberType wide = NumberType::float64;
    write("end_time", wide, info_.time_units, "time at which the flight ended",
          [this](const Trajectory& flight) {
            return info_.time.first +
                   (rollout_.departure.value + flight.steps_to(flight.points.size() - 1)) *
                       info_.time.step;
          });
    write("end_x", wide, length, "x at which the flight ended",
          [](const Trajectory& flight) { return flight.points.back().x; });
    write("end_y", wide, length, "y at which the flight ended",
          [](const Trajectory& flight) { return flight.points.back().y; });
    write("end_energy", NumberType::float32, energy_units(mission_.energy, info_.units),
          "energy spent by the flight",
          [](const Trajectory& flight) { return static_cast<float>(flight.points.back().energy); });
    write("end_harvested", NumberType::float32, energy_units(mission_.energy, info_.units),
          "harvested by the flight, as harvested", [](const Trajectory& flight) {
            return static_cast<float>(flight.points.back().harvested);
          });
    write("end_steps", NumberType::int32, "", "steps of the flight; the last one counts whole",
          [](const Trajectory& flight) { return flight.whole_steps(); });
    write("end_outcome", NumberType::uint8, "", "how the flight ended, as outcome",
          [](const Trajectory& flight) { return static_cast<std::uint8_t>(flight.outcome); });
    write("end_realization", NumberType::int32, "", "realization, as realization",
          [](const Trajectory& flight) { return flight.realization; });
    write("end_total_reward", wide, value_units(mission_.objective, mission_.energy, info_.units),
          "rewards of the flight, as total_reward",
          [](const Trajectory& flight) { return flight.total_reward; });
  }

 private:
  void choose_variables() {
    using Point = TrajectoryPoint;
    const NumberType wide = NumberType::float64;
    const NumberType narrow = NumberType::float32;
    const DeflateSearch matches = DeflateSearch::matches;
    const DeflateSearch runs = DeflateSearch::runs;
    variables_ = {
        {"x", wide, runs, of_points([](const Point& p) { return p.x; })},
        {"y", wide, runs, of_points([](const Point& p) { return p.y; })},
        {"time", wide, matches,
         [this](const Trajectory& flight, View<double> values) { fill_times(flight, values); }},
        {"heading", narrow, runs, of_points([](const Point& p) { return p.heading; })},
        {"speed", narrow, runs, of_points([](const Point& p) { return p.speed; })},
        {"energy", narrow, matches, of_points([](const Point& p) { return p.energy; })},
        {"harvested", narrow, matches, of_points([](const Point& p) { return p.harvested; })},
    };
    if (info_.coordinates != Coordinates::geographic) return;
    const auto add = [&](const char* name, std::vector<double> degrees) {
      variables_.push_back({name, wide, runs,
                            of_points([field = GeographicField(info_.grid, std::move(degrees))](
                                          const Point& p) { return field.at(p.x, p.y); })});
    };
    const auto longitude = environment_.read_longitude();
    const auto latitude = environment_.read_latitude();
    add("lon", longitude);
    add("lat", latitude);
    variables_.push_back(
        {"bearing", narrow, runs,
         of_points([convergence = MeridianConvergence(info_.grid, longitude, latitude)](
                       const Point& p) { return bearing_at(convergence, p); })});
  }

  void fill_times(const Trajectory& flight, View<double> values) const {
    for (std::size_t m = 0; m < values.size; ++m) {
      values[m] =
          info_.time.first + (rollout_.departure.value + flight.steps_to(m)) * info_.time.step;
    }
  }

  /// Bearing at a point; NaN at the end, like the heading, and for a drifting vehicle.
  static double bearing_at(const MeridianConvergence& convergence, const TrajectoryPoint& p) {
    if (!(p.speed > 0)) return missing;
    const auto bearing = static_cast<float>(true_bearing(p.heading, convergence.at(p.x, p.y)));
    return bearing < 360 ? bearing : 0;
  }

  void define(Hdf5File& file) const {
    const std::vector<double> number(numbers_.begin(), numbers_.end());
    file.define_coordinate("trajectory", number, NumberType::int32);
    describe(file, "trajectory", "", "number of the flight");
    file.set_attribute("trajectory", "cf_role", "trajectory_id");
    file.define_dimension("obs", max_points_);
    const Extents chunk{slab_, max_points_};
    for (const PointVariable& variable : variables_) {
      file.define_variable(variable.name, variable.type, {"trajectory", "obs"},
                           {.chunk = chunk, .fill = missing, .deflate = deflate_level});
    }
    describe_points(file);
    if (info_.velocities > 1) define_profiles(file);
    file.define_variable("outcome", NumberType::uint8, {"trajectory"});
    file.define_variable("realization", NumberType::int32, {"trajectory"});
    file.define_variable("total_reward", NumberType::float64, {"trajectory"});
    if (!mission_.via.empty()) {
      file.define_dimension("via", mission_.via.size());
      file.define_variable("passed_time", NumberType::float64, {"trajectory", "via"},
                           {.fill = missing});
    }
    describe_flights(file);
  }

  void describe_points(Hdf5File& file) const {
    const bool geographic = info_.coordinates == Coordinates::geographic;
    describe_coordinates(file, info_);
    describe(file, "heading", "radian",
             "heading of the action taken here, counter-clockwise from the x axis");
    describe(file, "speed", speed_units(info_),
             "speed of the action taken here, through the water");
    const std::string energy = energy_units(mission_.energy, info_.units);
    describe(file, "energy", energy, "energy spent since departure");
    if (mission_.kept) {
      const bool follows = mission_.objective == Objective::follow;
      describe(file, "harvested", value_units(mission_.objective, mission_.energy, info_.units),
               follows ? "minus distance from what is followed, times how long, since departure"
                       : "time within the target since departure");
    } else {
      describe(file, "harvested", energy, "energy harvested since departure");
    }
    if (info_.units == Units::metric) {
      file.set_attribute("speed", "standard_name", "platform_speed_wrt_sea_water");
    }
    std::vector<std::string> data{"heading", "speed", "energy", "harvested"};
    if (geographic) {
      describe_longitude_latitude(file);
      describe(file, "bearing", "degree",
               "true bearing of the heading, clockwise from true north; not while drifting");
      file.set_attribute("bearing", "standard_name", "platform_orientation");
      data.emplace_back("bearing");
    }
    for (const auto& name : data) {
      file.set_attribute(name, "coordinates", geographic ? "time lat lon" : "time y x");
    }
    write_grid_mapping(file, read_grid_mapping(environment_.file(), environment_.names().u_mean),
                       data);
  }

  void define_profiles(Hdf5File& file) const {
    file.define_variable(
        "profile", NumberType::uint8, {"trajectory", "obs"},
        {.chunk = Extents{std::max<std::uint64_t>(rollout_.trajectories.size(), 1), max_points_},
         .fill = no_profile,
         .deflate = deflate_level});
    describe(file, "profile", "1", "profile that is dived from here on");
    write_profile_words(file, "profile", info_.profiles);
  }

  /// The profile dived from each point, (trajectory, obs).
  std::vector<std::uint8_t> profiles() const {
    std::vector<std::uint8_t> all(rollout_.trajectories.size() * max_points_, no_profile);
    for (std::size_t n = 0; n < rollout_.trajectories.size(); ++n) {
      const std::vector<std::uint8_t>& flight_profiles = rollout_.trajectories[n].profiles;
      std::copy(flight_profiles.begin(), flight_profiles.end(),
                all.begin() + static_cast<std::ptrdiff_t>(n * max_points_));
    }
    return all;
  }

  void describe_flights(Hdf5File& file) const {
    describe(file, "outcome", "", "how the flight ended");
    file.set_attribute("outcome", "flag_values", outcome_codes());
    file.set_attribute("outcome", "flag_meanings",
                       fmt::format("{}", fmt::join(words_of<TrajectoryOutcome>, " ")));
    describe(file, "realization", "",
             rollout_.mode == RolloutMode::continuous
                 ? "realization carried through the flight"
                 : "number of the flight, whose realization was drawn again at each step");
    describe(file, "total_reward", value_units(mission_.objective, mission_.energy, info_.units),
             "rewards of the flight, arrival or failure included");
    if (!mission_.via.empty()) {
      describe(file, "passed_time", info_.time_units,
               "when each place to pass (mission.via) was passed; NaN where it was not");
    }
  }

  /// Writes the variables in slabs of flights, to avoid a second copy of all. All threads pack, and
  /// slabs are written in their order, so that the bytes do not depend on the number of threads.
  void write_points(Hdf5File& file) const {
    const std::uint64_t slabs = (rollout_.trajectories.size() + slab_ - 1) / slab_;
    FirstError error;
#pragma omp parallel num_threads(threads_)
    {
      std::optional<Packing> packing;
      error.run([&] { packing.emplace(); });
#pragma omp for ordered schedule(dynamic, 1)
      for (std::uint64_t n = 0; n < slabs * variables_.size(); ++n) {
        const PointVariable& variable = variables_[n / slabs];
        const std::uint64_t first = n % slabs * slab_;
        const std::vector<std::uint8_t>* packed = nullptr;
        error.run([&] { packed = &pack_slab(variable, first, packing.value()); });
#pragma omp ordered
        error.run([&] { file.write_packed_chunk(variable.name, {first, 0}, *packed); });
      }
    }
    error.rethrow();
  }

  /// Buffers of one packing thread.
  struct Packing {
    ChunkPacker packer{deflate_level};
    std::vector<double> flight_values;
    std::vector<double> wide;
    std::vector<float> narrow;
  };

  /// Packs the slab of flights from `first` on into a chunk.
  const std::vector<std::uint8_t>& pack_slab(const PointVariable& variable, std::uint64_t first,
                                             Packing& packing) const {
    return variable.type == NumberType::float64
               ? pack_slab(variable, first, packing.wide, packing)
               : pack_slab(variable, first, packing.narrow, packing);
  }

  /// The same for a type of number, with NaN after each flight's end.
  template <class T>
  const std::vector<std::uint8_t>& pack_slab(const PointVariable& variable, std::uint64_t first,
                                             std::vector<T>& slab, Packing& packing) const {
    std::vector<double>& values = packing.flight_values;
    const auto& flights = rollout_.trajectories;
    slab.assign(slab_ * max_points_, std::numeric_limits<T>::quiet_NaN());
    for (std::uint64_t n = 0; n < slab_ && first + n < flights.size(); ++n) {
      const Trajectory& flight = flights[first + n];
      values.resize(flight.points.size());
      variable.fill(flight, values);
      std::transform(values.begin(), values.end(), slab.begin() + n * max_points_,
                     [](double value) { return static_cast<T>(value); });
    }
    return packing.packer.pack(View<const T>(slab), variable.search);
  }

  void write_flights(Hdf5File& file) const {
    std::vector<std::uint8_t> outcome;
    std::vector<std::int32_t> realization;
    std::vector<double> total_reward;
    for (const Trajectory& trajectory : rollout_.trajectories) {
      outcome.push_back(static_cast<std::uint8_t>(trajectory.outcome));
      realization.push_back(trajectory.realization);
      total_reward.push_back(trajectory.total_reward);
    }
    if (info_.velocities > 1) file.write_all("profile", profiles());
    file.write_all("outcome", outcome);
    file.write_all("realization", realization);
    file.write_all("total_reward", total_reward);
    if (!mission_.via.empty()) file.write_all("passed_time", passed_times());
  }

  /// The time at which each via point was passed, (trajectory, via).
  std::vector<double> passed_times() const {
    std::vector<double> times;
    for (const Trajectory& flight : rollout_.trajectories) {
      for (std::size_t n = 0; n < mission_.via.size(); ++n) {
        times.push_back(
            n < flight.passed.size()
                ? std::max(departure_time(info_.time, mission_),
                           info_.time.at(TimeLevel(rollout_.departure.value + flight.passed[n])))
                : missing);
      }
    }
    return times;
  }

  const EnvironmentReader& environment_;
  const Mission& mission_;
  const EnvironmentInfo& info_;
  const RolloutResult& rollout_;
  std::vector<std::size_t> numbers_;
  std::int32_t threads_;
  std::uint64_t slab_;  // flights per chunk
  std::size_t max_points_ = 1;
  std::vector<PointVariable> variables_;
};

}  // namespace

void write_trajectories(const std::filesystem::path& path, const EnvironmentReader& environment,
                        const Mission& mission, const RolloutResult& rollout,
                        const std::string& mission_text, std::int32_t threads,
                        const std::string& planned_on, const std::string& steered_by,
                        std::size_t max_tracks) {
  AtomicFile atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary_path());
  set_run_attributes(file, environment.info(), "Trajectories", mission_text,
                     "flew the mission of this file");
  if (!planned_on.empty()) file.set_attribute("/", "planned_on", planned_on);
  file.set_attribute("/", "featureType", "trajectory");
  const std::string mode(to_string(rollout.mode));
  file.set_attribute("/", "rollout_mode", steered_by.empty() ? mode : steered_by);
  file.set_attribute("/", "objective", to_string(mission.objective));
  file.set_attribute("/", "target_x", mission.target_x);
  file.set_attribute("/", "target_y", mission.target_y);
  const bool is_whole = rollout.trajectories.size() <= max_tracks;
  const auto numbers = tracked_flights(rollout.trajectories.size(), max_tracks);
  const RolloutResult sample = is_whole ? RolloutResult{} : flights_of(rollout, numbers);
  TrajectoryWriter writer(environment, mission, is_whole ? rollout : sample, numbers, threads);
  writer.write(file);
  if (!is_whole) writer.write_ends(file, rollout.trajectories);
  file.close();
  atomic.commit();
}

}  // namespace tidewise
