#pragma once

#include <hdf5.h>

#include <array>
#include <cstddef>
#include <string>

#include "base/hdf5/handle.h"

namespace tidewise {

/// Reads values whose type in the file may differ from the reader's. When it reads into integers,
/// it refuses values that are not integers or out of range, because HDF5 would convert -1, 0.9 and
/// NaN to 0, and 1000 to 255. When it reads into floating point, it converts all values; too large
/// ones become infinity. Requires the HDF5 lock.
class ExactTransfer {
 public:
  /// Converts from the type `stored` to `memory`. Both must outlive the object.
  ExactTransfer(hid_t stored, hid_t memory);
  ExactTransfer(const ExactTransfer&) = delete;
  ExactTransfer& operator=(const ExactTransfer&) = delete;

  /// Reads, as H5Dread does, the selection `file_space` of `dataset` into the selection
  /// `memory_space` of `out`. False if that fails, and at the first refused value.
  bool read(hid_t dataset, hid_t memory_space, hid_t file_space, void* out);
  /// True if a value was refused.
  bool refused() const { return refused_; }
  /// Description of the refused value: "-1 where a whole number from 0 to 255 is due".
  std::string describe_refused() const;

 private:
  static H5T_conv_ret_t refuse(H5T_conv_except_t exception, hid_t source, hid_t memory, void* value,
                               void* result, void* transfer);
  bool read_by_doubles(hid_t dataset, hid_t memory_space, hid_t file_space, void* out);

  static constexpr std::size_t largest_value = 32;  // [B]

  hid_t source_;  ///< type of the values that become integers: as stored, or double
  hid_t memory_;
  Hdf5Handle properties_;
  bool refused_ = false;
  std::array<std::byte, largest_value> value_{};  ///< a value of type source_
};

}  // namespace tidewise
