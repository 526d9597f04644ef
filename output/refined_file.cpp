#include "output/refined_file.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "base/atomic_file.h"
#include "base/hdf5_file.h"
#include "output/run_attributes.h"

namespace tidewise {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

void define(Hdf5File& file, const EnvironmentInfo& info, std::int32_t levels) {
  const Grid& grid = info.grid;
  file.define_coordinate("time", axis_values(info.time.first, info.time.step, levels));
  file.define_coordinate("y", axis_values(grid.y_first, grid.dy, grid.ny));
  file.define_coordinate("x", axis_values(grid.x_first, grid.dx, grid.nx));
  describe_coordinates(file, info);
  file.set_attribute("time", "axis", "T");
  file.set_attribute("y", "axis", "Y");
  file.set_attribute("x", "axis", "X");
  const Hdf5Storage storage{
      .chunk = {1, static_cast<std::uint64_t>(grid.ny), static_cast<std::uint64_t>(grid.nx)},
      .fill = double(nan),
      .deflate = 1};  // most states are not refined
  for (const char* name : {"heading", "speed", "gain"}) {
    file.define_variable(name, NumberType::float32, {"time", "y", "x"}, storage);
  }
  describe(file, "heading", "radian", "refined heading, counter-clockwise from the x axis");
  describe(file, "speed", speed_units(info), "refined speed through the water");
  describe(file, "gain", "", "what the refined action adds to the expected total reward");
  file.set_attribute("gain", "comment",
                     "0 where heading and speed are those of the discrete action");
}

}  // namespace

void write_refined_policy(const std::filesystem::path& path, const EnvironmentInfo& info,
                          const RefinedPolicy& refined, const std::string& mission_text) {
  AtomicFile atomic(path);
  Hdf5File file = Hdf5File::create(atomic.temporary_path());
  set_run_attributes(file, info, "Refined policy", mission_text);
  file.set_attribute("/", "tidewise_refined_policy", std::int32_t{1});
  define(file, info, static_cast<std::int32_t>(refined.level.size()));
  std::vector<float> plane(static_cast<std::size_t>(info.grid.cell_count()));
  const Extents count{1, static_cast<std::uint64_t>(info.grid.ny),
                      static_cast<std::uint64_t>(info.grid.nx)};
  for (std::size_t k = 0; k < refined.level.size(); ++k) {
    const auto write = [&](const char* name, float RefinedAction::*what) {
      std::fill(plane.begin(), plane.end(), nan);
      for (const RefinedAction& one : refined.level[k]) {
        plane[static_cast<std::size_t>(one.cell)] = one.*what;
      }
      file.write(name, {k, 0, 0}, count, plane.data());
    };
    write("heading", &RefinedAction::heading);
    write("speed", &RefinedAction::speed);
    write("gain", &RefinedAction::gain);
  }
  file.close();
  atomic.commit();
}

}  // namespace tidewise
