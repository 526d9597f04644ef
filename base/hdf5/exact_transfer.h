#pragma once

#include <hdf5.h>

#include <array>
#include <cstddef>
#include <string>

#include "base/hdf5/handle.h"

namespace tidewise {

/// Reads values of a file whose type may be another than the reader's: into whole numbers none that
/// is no such number or lies beyond their range, for HDF5 by itself makes 0 of -1, 0.9 and NaN, and
/// 255 of 1000. Into floating point all come; what is beyond becomes infinity. Used under the HDF5
/// lock.
class ExactTransfer {
 public:
  /// From values of the type `stored` to `memory`. Both outlive the object.
  ExactTransfer(hid_t stored, hid_t memory);
  ExactTransfer(const ExactTransfer&) = delete;
  ExactTransfer& operator=(const ExactTransfer&) = delete;

  /// As H5Dread: what `file_space` selects of `dataset`, to where `memory_space` selects in `out`.
  /// False where that failed, and at the first value that does not fit.
  bool read(hid_t dataset, hid_t memory_space, hid_t file_space, void* out);
  /// Whether there was one.
  bool refused() const { return refused_; }
  /// "-1 where a whole number from 0 to 255 is due".
  std::string complaint() const;

 private:
  static H5T_conv_ret_t refuse(H5T_conv_except_t exception, hid_t source, hid_t memory, void* value,
                               void* result, void* transfer);
  bool read_by_doubles(hid_t dataset, hid_t memory_space, hid_t file_space, void* out);

  static constexpr std::size_t largest_value = 32;  // [B]

  hid_t source_;  ///< what becomes whole numbers: as stored, or doubles
  hid_t memory_;
  Hdf5Handle properties_;
  bool refused_ = false;
  std::array<std::byte, largest_value> value_{};  ///< of the type source_
};

}  // namespace tidewise
