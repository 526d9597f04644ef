#include "support/damaged_dataset.h"

#include <hdf5.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "base/hdf5/handle.h"

namespace tidewise::test {
namespace {

struct Stored {
  std::vector<hsize_t> shape;
  std::vector<double> values;
  bool floating = true;
};

Stored read(hid_t file, const std::string& name) {
  const Hdf5Handle dataset(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) throw std::runtime_error(name + ": no such dataset to damage");
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  Stored stored;
  stored.shape.resize(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.id())));
  H5Sget_simple_extent_dims(space.id(), stored.shape.data(), nullptr);
  stored.values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())));
  H5Dread(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored.values.data());
  stored.floating = H5Tget_class(type.id()) == H5T_FLOAT;
  return stored;
}

void write(hid_t file, const std::string& name, const Stored& stored, bool as_text) {
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const Hdf5Handle text(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(text.id(), 8);
  const hid_t type = as_text ? text.id() : stored.floating ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT32;
  const Hdf5Handle space(
      H5Screate_simple(static_cast<int>(stored.shape.size()), stored.shape.data(), nullptr),
      H5Sclose);
  const Hdf5Handle dataset(
      H5Dcreate2(file, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  if (!dataset.valid()) throw std::runtime_error(name + ": cannot be damaged");
  std::vector<double> values = stored.values;
  values.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space.id())), 1.0);
  const std::string letters(8 * values.size(), 'a');
  const void* bytes = as_text ? static_cast<const void*>(letters.data()) : values.data();
  H5Dwrite(dataset.id(), as_text ? type : H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
}

}  // namespace

std::string to_string(Damage damage) {
  constexpr const char* names[] = {"one dimension more",
                                   "one dimension less",
                                   "shorter",
                                   "transposed",
                                   "other type",
                                   "text",
                                   "value"};
  return names[static_cast<std::size_t>(damage)];
}

bool damage_dataset(const std::filesystem::path& path, const std::string& name, Damage damage,
                    double value) {
  const Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  Stored stored = read(file.id(), name);
  auto& shape = stored.shape;
  switch (damage) {
    case Damage::one_dimension_more:
      shape.push_back(1);
      break;
    case Damage::one_dimension_less:
      if (shape.size() < 2) return false;
      shape = {std::accumulate(shape.begin(), shape.end(), hsize_t{1}, std::multiplies<>())};
      break;
    case Damage::shorter:
      --shape[0];
      break;
    case Damage::transposed:
      if (shape.size() < 2) return false;
      std::reverse(shape.begin(), shape.end());
      if (shape == read(file.id(), name).shape) return false;
      break;
    case Damage::other_type:
      stored.floating = !stored.floating;
      break;
    case Damage::text:
      break;
    case Damage::value:
      stored.values[stored.values.size() / 2] = value;
      break;
  }
  write(file.id(), name, stored, damage == Damage::text);
  return true;
}

}  // namespace tidewise::test
