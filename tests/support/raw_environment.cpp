#include "support/raw_environment.h"

#include "base/hdf5_file.h"

namespace tidewise::test {

RawEnvironment::RawEnvironment()
    : axes{{"x", {0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5}},
           {"y", {0.5, 1.5, 2.5, 3.5, 4.5, 5.5}},
           {"time", {0, 1, 2, 3}}},
      dimensions{{"mode", 2}, {"realization", 3}},
      units{{"x", "1"}, {"y", "1"}, {"time", "1"}, {"u_mean", "1"}, {"v_mean", "1"}} {
  const std::vector<std::string> field{"time", "y", "x"};
  const std::vector<std::string> mode{"time", "mode", "y", "x"};
  variables["u_mean"] = {field, std::vector<double>(4 * 6 * 8, 0.25)};
  variables["v_mean"] = {field, std::vector<double>(4 * 6 * 8, 0.0)};
  variables["u_mode"] = {mode, std::vector<double>(4 * 2 * 6 * 8, 0.5)};
  variables["v_mode"] = {mode, std::vector<double>(4 * 2 * 6 * 8, -0.5)};
  variables["coefficient"] = {{"time", "mode", "realization"}, std::vector<double>(4 * 2 * 3, 0.0)};
  for (std::size_t n = 0; n < 24; n += 3) variables["coefficient"].values[n] = 1;
  variables["obstacle_mask"] = {{"y", "x"}, std::vector<double>(6 * 8, 0.0)};
  variables["obstacle_mask"].values[3 * 8 + 5] = 1;
}

void RawEnvironment::write(const std::filesystem::path& path) const {
  Hdf5File file = Hdf5File::create(path);
  for (const auto& [name, values] : axes) file.define_coordinate(name, values);
  for (const auto& [name, size] : dimensions) file.define_dimension(name, size);
  for (const auto& [name, variable] : variables) {
    file.define_variable(name, NumberType::float32, variable.dimensions);
    file.write_all(name, variable.values);
  }
  for (const auto& [name, text] : units) {
    if (file.has(name)) file.set_attribute(name, "units", text);
  }
  for (const auto& name : packed) file.set_attribute(name, "scale_factor", 0.01);
  file.close();
}

}  // namespace tidewise::test
