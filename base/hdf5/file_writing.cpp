#include <fmt/format.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <stdexcept>

#include "base/error.h"
#include "base/file/guarded/guarded.h"
#include "base/hdf5/file.h"
#include "base/hdf5/late_chunk.h"
#include "base/hdf5/packed_chunk.h"
#include "base/hdf5/storage.h"
#include "base/hdf5/unlimited.h"

namespace tidewise {
namespace {

void set_fill(const Hdf5Handle& properties, double fill) {
  // HDF5 converts from this memory type, so a double works for every number type.
  H5Pset_fill_value(properties.id(), H5T_NATIVE_DOUBLE, &fill);
}

/// The dataspace of a one-dimensional dataset that is empty and may grow.
Hdf5Handle growing_space() {
  const hsize_t no_elements = 0;
  const hsize_t unlimited = H5S_UNLIMITED;
  return {H5Screate_simple(1, &no_elements, &unlimited), H5Sclose};
}

/// True if a dataset has one dimension and append() may extend it.
bool is_growing(const Hdf5Handle& dataset) {
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  hsize_t max_extent = 0;
  return H5Sget_simple_extent_ndims(space.id()) == 1 &&
         H5Sget_simple_extent_dims(space.id(), nullptr, &max_extent) == 1 &&
         max_extent == H5S_UNLIMITED;
}

}  // namespace

void Hdf5File::define_dimension(const std::string& name, std::uint64_t size) {
  const auto lock = lock_hdf5();
  const Hdf5Handle properties = dataset_properties();
  const bool grows = size == unlimited_dimension;
  if (grows) set_storage(properties, {1}, sizeof(float), {.chunk = {1 << 16}});
  const Hdf5Handle space = grows ? growing_space() : dataspace({size});
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), H5T_IEEE_F32BE, space.id(),
                                      H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                           H5Dclose);
  // The exact text by which the NetCDF-4 library marks a dimension without a variable.
  const std::string label =
      fmt::format("This is a netCDF dimension but not a netCDF variable.{:>10}", grows ? 0 : size);
  if (!dataset.valid() || H5DSset_scale(dataset.id(), label.c_str()) < 0) fail_writing(name);
}

void Hdf5File::define_coordinate(const std::string& name, const std::vector<double>& values,
                                 NumberType type) {
  const auto lock = lock_hdf5();
  const Hdf5Handle properties = dataset_properties();
  set_storage(properties, {values.size()}, size_of(type), {});
  const Hdf5Handle space = dataspace({values.size()});
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), native_type(type), space.id(),
                                      H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.valid() || H5DSset_scale(dataset.id(), name.c_str()) < 0 ||
      H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail_writing(name);
  }
}

void Hdf5File::define_variable(const std::string& name, NumberType type,
                               const std::vector<std::string>& dimensions,
                               const Hdf5Storage& storage) {
  const auto lock = lock_hdf5();
  Extents extents;
  for (const auto& dimension : dimensions) extents.push_back(shape(dimension).at(0));
  const Hdf5Handle properties = dataset_properties();
  const bool grows = dimensions.size() == 1 && is_growing(open_dataset(dimensions.front()));
  set_storage(properties, grows ? storage.chunk : extents, size_of(type), storage);
  if (storage.fill) set_fill(properties, *storage.fill);
  const Hdf5Handle space = grows ? growing_space() : dataspace(extents);
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), native_type(type), space.id(),
                                      H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.valid()) fail_writing(name);
  for (unsigned axis = 0; axis < dimensions.size(); ++axis) {
    const Hdf5Handle scale = open_dataset(dimensions[axis]);
    if (H5DSattach_scale(dataset.id(), scale.id(), axis) < 0) fail_writing(name);
  }
  if (storage.fill) {
    const Hdf5Handle single = dataspace({1});
    const Hdf5Handle attribute(H5Acreate2(dataset.id(), "_FillValue", native_type(type),
                                          single.id(), H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose);
    if (H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, &*storage.fill) < 0) fail_writing(name);
  }
}

void Hdf5File::define_growing(const std::string& name, NumberType type, std::uint64_t chunk) {
  const auto lock = lock_hdf5();
  const Hdf5Handle properties = dataset_properties();
  set_storage(properties, {chunk}, size_of(type), {.chunk = {chunk}});
  const Hdf5Handle space = growing_space();
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), native_type(type), space.id(),
                                      H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.valid()) fail_writing(name);
}

void Hdf5File::append_values(const std::string& variable, NumberType type, const void* values,
                             std::uint64_t count) {
  if (count == 0) return;
  const auto lock = lock_hdf5();
  const std::uint64_t old_size = shape(variable).at(0);
  const Hdf5Handle dataset = open_dataset(variable);
  const hsize_t new_size = old_size + count;
  if (H5Dset_extent(dataset.id(), &new_size) < 0) fail_writing(variable);
  const std::string dimension = dimensions(variable).at(0);
  if (!dimension.empty() && shape(dimension).at(0) < new_size &&
      H5Dset_extent(open_dataset(dimension).id(), &new_size) < 0) {
    fail_writing(dimension);
  }
  write_box(variable, {old_size}, {count}, type, values);
}

void Hdf5File::write_box(const std::string& variable, const Extents& start, const Extents& count,
                         NumberType type, const void* values) {
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle memory = dataspace(count);
  const Hdf5Handle space = selected_space(variable, dataset, start, count);
  if (H5Dwrite(dataset.id(), native_type(type), memory.id(), space.id(), H5P_DEFAULT, values) < 0) {
    fail_writing(variable);
  }
}

void Hdf5File::require_size(const std::string& variable, const Extents& shape,
                            std::uint64_t size) const {
  std::uint64_t expected = 1;
  for (const auto extent : shape) expected *= extent;
  if (size == expected) return;
  throw std::logic_error(
      fmt::format("{} values for variable {}, which has {}", size, variable, expected));
}

void Hdf5File::write_stored_chunk(const std::string& variable, const Extents& start,
                                  const void* bytes, std::size_t size) {
  const LateChunk chunk = [&] {
    const auto lock = lock_hdf5();
    auto entry =
        std::find_if(datasets_.begin(), datasets_.end(), [&](const OpenDataset& candidate) {
          return candidate.variable == variable && candidate.box.empty();
        });
    if (entry == datasets_.end())
      entry = datasets_.insert(entry, OpenDataset{variable, {}, open_dataset(variable)});
    return LateChunk(file_, entry->dataset, to_hsize(start), bytes, size);
  }();
  if (!chunk.write()) fail_writing(variable);
}

void Hdf5File::write_plain_bytes(const std::string& variable, const Extents& start,
                                 const void* bytes, std::size_t size) {
  const auto* first = static_cast<const std::uint8_t*>(bytes);
  std::vector<std::uint8_t> chunk;
  chunk.reserve(size + sizeof(std::uint32_t));
  chunk.assign(first, first + size);
  append_checksum(chunk);
  write_stored_chunk(variable, start, chunk.data(), chunk.size());
}

}  // namespace tidewise
