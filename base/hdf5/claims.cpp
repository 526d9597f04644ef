#include "base/hdf5/claims.h"

#include <fmt/format.h>

#include <vector>

namespace tidewise {
namespace {

constexpr std::uint64_t max_per_byte = 1100;       // largest compression ratio of deflate
constexpr std::uint64_t always_allowed = 1 << 20;  // [B]

bool can_hold(std::uint64_t stored, std::uint64_t claimed) {
  return claimed <= always_allowed || claimed / max_per_byte <= stored;
}

std::string filter_fault(const Hdf5Handle& creation) {
  const int count = H5Pget_nfilters(creation.id());
  for (int n = 0; n < count; ++n) {
    unsigned flags = 0;
    std::size_t no_values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation.id(), static_cast<unsigned>(n), &flags,
                                               &no_values, nullptr, 0, nullptr, nullptr);
    if (filter > 0 && filter < H5Z_FILTER_RESERVED && H5Zfilter_avail(filter) > 0) continue;
    return fmt::format(
        "is packed by filter {}, which is not one of HDF5's own; repack the file with "
        "deflate (h5repack -f GZIP=1)",
        static_cast<int>(filter));
  }
  return {};
}

}  // namespace

std::string storage_fault(const Hdf5Handle& dataset, std::uint64_t file_size) {
  const Hdf5Handle creation(H5Dget_create_plist(dataset.id()), H5Pclose);
  const H5D_layout_t layout = H5Pget_layout(creation.id());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(creation.id()) > 0) {
    return "has its values in other files; copy them into this one (h5repack)";
  }
  if (std::string fault = filter_fault(creation); !fault.empty()) return fault;
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  const auto element_size = static_cast<std::uint64_t>(H5Tget_size(type.id()));
  const auto points = H5Sget_simple_extent_npoints(space.id());
  if (layout < 0 || points < 0 || element_size == 0) return "is damaged; make it again";
  const auto size = static_cast<std::uint64_t>(points);
  const std::uint64_t stored = H5Dget_storage_size(dataset.id());
  const std::string size_fault =
      fmt::format("declares {} elements, more than the file can hold; make it again", size);
  if (size > UINT64_MAX / element_size || stored > file_size ||
      !can_hold(stored, size * element_size)) {
    return size_fault;
  }
  if (layout != H5D_CHUNKED) return {};
  std::vector<hsize_t> sides(H5S_MAX_RANK);
  const int rank = H5Pget_chunk(creation.id(), H5S_MAX_RANK, sides.data());
  std::uint64_t chunk_size = element_size;
  for (int axis = 0; axis < rank; ++axis) {
    if (sides[static_cast<std::size_t>(axis)] > UINT32_MAX / chunk_size) return size_fault;
    chunk_size *= sides[static_cast<std::size_t>(axis)];
  }
  return can_hold(file_size, chunk_size) ? std::string() : size_fault;
}

std::string link_fault(const Hdf5Handle& file, const std::string& name) {
  H5L_info_t info{};
  if (H5Lget_info(file.id(), name.c_str(), &info, H5P_DEFAULT) < 0) {
    return "cannot be found (the file is damaged); make it again";
  }
  if (info.type == H5L_TYPE_HARD || info.type == H5L_TYPE_SOFT) return {};
  return "is a link to another file; copy its target into this one (h5copy)";
}

}  // namespace tidewise
