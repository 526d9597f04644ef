#include "support/ocean/raw_environment.h"

#include <gtest/gtest.h>
#include <hdf5_hl.h>

#include "base/hdf5/file.h"

namespace tidewise::test {
namespace {

Hdf5Handle open_file(const std::filesystem::path& path) {
  return {H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose};
}

Hdf5Handle open_variable(const Hdf5Handle& file, const std::string& variable) {
  return {H5Dopen2(file.id(), variable.c_str(), H5P_DEFAULT), H5Dclose};
}

void attach(const Hdf5Handle& file, const Hdf5Handle& dataset, const std::string& scale,
            unsigned axis) {
  const Hdf5Handle dimension = open_variable(file, scale);
  EXPECT_GE(H5DSattach_scale(dataset.id(), dimension.id(), axis), 0) << scale;
}

}  // namespace

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

void store_as(const std::filesystem::path& path, const std::string& variable, hid_t type,
              const std::vector<double>& values) {
  const auto dimensions = Hdf5File::open(path).dimensions(variable);
  const Hdf5Handle file = open_file(path);
  const Hdf5Handle before = open_variable(file, variable);
  const Hdf5Handle space(H5Dget_space(before.id()), H5Sclose);
  for (unsigned axis = 0; axis < dimensions.size(); ++axis) {
    const Hdf5Handle scale = open_variable(file, dimensions[axis]);
    H5DSdetach_scale(before.id(), scale.id(), axis);
  }
  EXPECT_GE(H5Ldelete(file.id(), variable.c_str(), H5P_DEFAULT), 0);
  const Hdf5Handle after(H5Dcreate2(file.id(), variable.c_str(), type, space.id(), H5P_DEFAULT,
                                    H5P_DEFAULT, H5P_DEFAULT),
                         H5Dclose);
  EXPECT_GE(H5Dwrite(after.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            0);
  for (unsigned axis = 0; axis < dimensions.size(); ++axis) {
    attach(file, after, dimensions[axis], axis);
  }
}

void add_along(const std::filesystem::path& path, const std::string& variable,
               const std::string& scale, const std::vector<double>& values) {
  const Hdf5Handle file = open_file(path);
  const hsize_t size = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle dataset(H5Dcreate2(file.id(), variable.c_str(), H5T_IEEE_F32LE, space.id(),
                                      H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                           H5Dclose);
  EXPECT_GE(H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()),
            0);
  attach(file, dataset, scale, 0);
}

void forget_dimensions(const std::filesystem::path& path, const std::string& variable) {
  const auto dimensions = Hdf5File::open(path).dimensions(variable);
  const Hdf5Handle file = open_file(path);
  const Hdf5Handle dataset = open_variable(file, variable);
  for (unsigned axis = 0; axis < dimensions.size(); ++axis) {
    const Hdf5Handle scale = open_variable(file, dimensions[axis]);
    EXPECT_GE(H5DSdetach_scale(dataset.id(), scale.id(), axis), 0);
  }
}

void add_numbers(const std::filesystem::path& path, const std::string& variable,
                 const std::string& attribute, const std::vector<double>& numbers) {
  Hdf5File file = Hdf5File::open_to_change(path);
  file.set_attribute(variable, attribute, numbers);
  file.close();
}

}  // namespace tidewise::test
