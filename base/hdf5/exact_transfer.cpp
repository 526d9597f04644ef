#include "base/hdf5/exact_transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

namespace tidewise {

ExactTransfer::ExactTransfer(hid_t stored, hid_t memory) : source_(stored), memory_(memory) {
  if (H5Tget_class(memory) != H5T_INTEGER || H5Tequal(stored, memory) > 0) return;
  properties_ = Hdf5Handle(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_type_conv_cb(properties_.id(), refuse, this);
  const bool is_foreign = H5Tget_class(stored) == H5T_FLOAT &&
                          H5Tequal(stored, H5T_NATIVE_FLOAT) <= 0 &&
                          H5Tequal(stored, H5T_NATIVE_DOUBLE) <= 0;
  if (is_foreign) source_ = H5T_NATIVE_DOUBLE;
}

H5T_conv_ret_t ExactTransfer::refuse(H5T_conv_except_t /*exception*/, hid_t source,
                                     hid_t /*memory*/, void* value, void* /*result*/,
                                     void* transfer) {
  auto& self = *static_cast<ExactTransfer*>(transfer);
  self.refused_ = true;
  std::memcpy(self.value_.data(), value, std::min(H5Tget_size(source), self.value_.size()));
  return H5T_CONV_ABORT;
}

bool ExactTransfer::read(hid_t dataset, hid_t memory_space, hid_t file_space, void* out) {
  if (!properties_.valid()) {
    return H5Dread(dataset, memory_, memory_space, file_space, H5P_DEFAULT, out) >= 0;
  }
  if (source_ == H5T_NATIVE_DOUBLE) {
    return read_by_doubles(dataset, memory_space, file_space, out);
  }
  return H5Dread(dataset, memory_, memory_space, file_space, properties_.id(), out) >= 0;
}

/// HDF5 calls the conversion handler for native floating point, but not reliably for other formats,
/// such as the other byte order.
bool ExactTransfer::read_by_doubles(hid_t dataset, hid_t memory_space, hid_t file_space,
                                    void* out) {
  const auto count = H5Sget_select_npoints(file_space);
  if (count <= 0) return count == 0;
  std::vector<double> values(static_cast<std::size_t>(count));
  const auto size = static_cast<hsize_t>(count);
  const Hdf5Handle line(H5Screate_simple(1, &size, nullptr), H5Sclose);
  if (H5Dread(dataset, H5T_NATIVE_DOUBLE, line.id(), file_space, H5P_DEFAULT, values.data()) < 0 ||
      H5Tconvert(H5T_NATIVE_DOUBLE, memory_, values.size(), values.data(), nullptr,
                 properties_.id()) < 0) {
    return false;
  }
  std::pair<const void*, std::size_t> converted{values.data(),
                                                values.size() * H5Tget_size(memory_)};
  const auto provide = [](const void** bytes, std::size_t* used, void* data) -> herr_t {
    std::tie(*bytes, *used) = *static_cast<decltype(converted)*>(data);
    return 0;
  };
  return H5Dscatter(provide, &converted, memory_, memory_space, out) >= 0;
}

std::string ExactTransfer::describe_refused() const {
  // Members of an enumeration are printed as numbers.
  const Hdf5Handle number(
      H5Tget_class(source_) == H5T_ENUM ? H5Tget_super(source_) : H5Tcopy(source_), H5Tclose);
  auto bytes = value_;
  H5Tconvert(number.id(), H5T_NATIVE_DOUBLE, 1, bytes.data(), nullptr, H5P_DEFAULT);
  double value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  const bool with_sign = H5Tget_sign(memory_) != H5T_SGN_NONE;
  const double limit =
      std::exp2(8.0 * static_cast<double>(H5Tget_size(memory_)) - (with_sign ? 1 : 0));
  return fmt::format("{:.10g} where a whole number from {:.0f} to {:.0f} is due", value,
                     with_sign ? -limit : 0.0, limit - 1);
}

}  // namespace tidewise
