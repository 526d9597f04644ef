#include "output/run/refined_file.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/file/atomic_file.h"
#include "base/hdf5/file.h"
#include "env/file/grid_mapping.h"
#include "env/file/profile_words.h"
#include "env/units/meridian_convergence.h"
#include "output/run/attributes.h"

namespace tidewise {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

void define(Hdf5File& file, const EnvironmentReader& environment, const Mission& mission,
            std::int32_t levels) {
  const EnvironmentInfo& info = environment.info();
  const Grid& grid = info.grid;
  const bool geographic = info.coordinates == Coordinates::geographic;
  define_axes(file, info, grid, {levels, info.time.first, info.time.step});
  const Hdf5Storage storage{
      .chunk = {1, static_cast<std::uint64_t>(grid.ny), static_cast<std::uint64_t>(grid.nx)},
      .fill = double(nan),
      .deflate = 1};  // most states are not refined
  std::vector<std::string> variables{"heading", "speed", "gain"};
  if (geographic) variables.emplace_back("bearing");
  for (const auto& name : variables) {
    file.define_variable(name, NumberType::float32, {"time", "y", "x"}, storage);
  }
  describe(file, "heading", "radian", "refined heading, counter-clockwise from the x axis");
  describe(file, "speed", speed_units(info), "refined speed through the water");
  describe(file, "gain", value_units(mission.objective, mission.energy, info.units),
           "what the refined action adds to the expected total reward");
  file.set_attribute("gain", "comment",
                     "0 where heading and speed are those of the discrete action");
  if (info.velocities > 1) {
    Hdf5Storage profile_storage = storage;
    profile_storage.fill = no_profile;
    file.define_variable("profile", NumberType::uint8, {"time", "y", "x"}, profile_storage);
    describe(file, "profile", "1",
             "profile that the refined action dives, as the discrete one does");
    write_profile_words(file, "profile", info.profiles);
    variables.emplace_back("profile");
  }
  if (geographic) {
    describe(file, "bearing", "degree", "true bearing of the heading, clockwise from true north");
    write_places(file, grid, environment.read_longitude(), environment.read_latitude(), variables);
    variables.emplace_back("meridian_convergence");
  }
  write_grid_mapping(file, read_grid_mapping(environment.file(), environment.names().u_mean),
                     variables);
}

/// Bearing of a state's heading, in float32; NaN for a vehicle that drifts.
float bearing_of(const RefinedAction& state, double convergence) {
  if (!(state.speed > 0)) return nan;
  const auto bearing = static_cast<float>(true_bearing(double(state.heading), convergence));
  return bearing < 360 ? bearing : 0;
}

}  // namespace

void write_refined_policy(const std::filesystem::path& path, const EnvironmentReader& environment,
                          const Mission& mission, const RefinedPolicy& refined,
                          const PolicyFile& policy) {
  const EnvironmentInfo& info = environment.info();
  AtomicFile atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary_path());
  set_run_attributes(file, info, "Refined policy", policy.mission_text(),
                     "refined the mission of this file");
  file.set_attribute("/", "tidewise_refined_policy", std::int32_t{1});
  define(file, environment, mission, static_cast<std::int32_t>(refined.level.size()));
  std::vector<float> plane(static_cast<std::size_t>(info.grid.cell_count()));
  std::vector<std::uint8_t> profile(plane.size());
  std::vector<std::int16_t> action(plane.size());
  const Extents count{1, static_cast<std::uint64_t>(info.grid.ny),
                      static_cast<std::uint64_t>(info.grid.nx)};
  std::vector<double> convergence;
  if (info.coordinates == Coordinates::geographic) {
    convergence =
        MeridianConvergence(info.grid, environment.read_longitude(), environment.read_latitude())
            .at_cells();
  }
  for (std::size_t k = 0; k < refined.level.size(); ++k) {
    const auto write = [&](const char* name, const auto& value) {
      std::fill(plane.begin(), plane.end(), nan);
      for (const RefinedAction& state : refined.level[k]) plane[state.cell] = value(state);
      file.write(name, {k, 0, 0}, count, plane.data());
    };
    write("heading", [](const RefinedAction& state) { return state.heading; });
    write("speed", [](const RefinedAction& state) { return state.speed; });
    write("gain", [](const RefinedAction& state) { return state.gain; });
    if (info.velocities > 1) {
      policy.read_action(TimeLevel(static_cast<std::int32_t>(k)), action);
      std::fill(profile.begin(), profile.end(), no_profile);
      for (const RefinedAction& state : refined.level[k]) {
        const auto cell = static_cast<std::size_t>(state.cell);
        const auto index = static_cast<std::size_t>(action[cell]);
        profile[cell] = static_cast<std::uint8_t>(policy.actions()[index].profile);
      }
      file.write("profile", {k, 0, 0}, count, profile.data());
    }
    if (convergence.empty()) continue;
    write("bearing",
          [&](const RefinedAction& state) { return bearing_of(state, convergence[state.cell]); });
  }
  file.close();
  atomic.commit();
}

}  // namespace tidewise
