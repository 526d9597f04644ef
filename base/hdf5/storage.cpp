#include "base/hdf5/storage.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace tidewise {
namespace {

/// Shape of the chunks by default: whole rows of up to 16 MB.
Extents default_chunk(const Extents& extents, std::size_t element_size) {
  constexpr std::uint64_t largest = 16 << 20;  // [B]
  Extents chunk(extents);
  std::uint64_t size = element_size;
  for (std::size_t axis = chunk.size(); axis-- > 0;) {
    chunk[axis] = std::clamp<std::uint64_t>(largest / size, 1, chunk[axis]);
    size *= chunk[axis];
  }
  return chunk;
}

}  // namespace

hid_t native_type(NumberType type) {
  switch (type) {
    case NumberType::uint8:
      return H5T_NATIVE_UINT8;
    case NumberType::int16:
      return H5T_NATIVE_INT16;
    case NumberType::int32:
      return H5T_NATIVE_INT32;
    case NumberType::int64:
      return H5T_NATIVE_INT64;
    case NumberType::uint16:
      return H5T_NATIVE_UINT16;
    case NumberType::uint32:
      return H5T_NATIVE_UINT32;
    case NumberType::float32:
      return H5T_NATIVE_FLOAT;
    case NumberType::float64:
      return H5T_NATIVE_DOUBLE;
  }
  return H5I_INVALID_HID;
}

std::size_t size_of(NumberType type) {
  switch (type) {
    case NumberType::uint8:
      return 1;
    case NumberType::int16:
    case NumberType::uint16:
      return 2;
    case NumberType::int32:
    case NumberType::uint32:
    case NumberType::float32:
      return 4;
    case NumberType::int64:
    case NumberType::float64:
      return 8;
  }
  return 0;
}

std::uint64_t size_of(const Extents& box, NumberType type) {
  return std::accumulate(box.begin(), box.end(), std::uint64_t{size_of(type)}, std::multiplies<>());
}

std::vector<hsize_t> to_hsize(const Extents& extents) { return {extents.begin(), extents.end()}; }

Hdf5Handle dataspace(const Extents& extents) {
  if (extents.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const auto sizes = to_hsize(extents);
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose};
}

Extents chunk_of(const Hdf5Handle& creation) {
  if (H5Pget_layout(creation.id()) != H5D_CHUNKED) return {};
  std::vector<hsize_t> sizes(H5S_MAX_RANK);
  const int rank = H5Pget_chunk(creation.id(), H5S_MAX_RANK, sizes.data());
  return {sizes.begin(), sizes.begin() + std::max(rank, 0)};
}

Hdf5Handle dataset_properties() {
  Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_attr_creation_order(properties.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(properties.id(), false);
  return properties;
}

void set_storage(const Hdf5Handle& properties, const Extents& extents, std::size_t element_size,
                 const Hdf5Storage& storage) {
  const Extents& chunk =
      storage.chunk.empty() ? default_chunk(extents, element_size) : storage.chunk;
  if (chunk.empty() || std::find(extents.begin(), extents.end(), 0U) != extents.end()) return;
  const auto sides = to_hsize(chunk);
  H5Pset_chunk(properties.id(), static_cast<int>(sides.size()), sides.data());
  if (storage.deflate > 0) {
    H5Pset_shuffle(properties.id());
    H5Pset_deflate(properties.id(), static_cast<unsigned>(storage.deflate));
  }
  H5Pset_fletcher32(properties.id());
}

}  // namespace tidewise
