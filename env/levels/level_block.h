#pragma once

#include <cstddef>

#include "env/environment_info.h"
#include "env/level_fields.h"

namespace tidewise {

/// The layout of one level's fields in one block of memory, so that a single copy moves all of
/// them to the device. Shared modes (SharedModes) are not part of it.
class LevelBlock {
 public:
  explicit LevelBlock(const EnvironmentInfo& info);

  /// Size of the whole block [B].
  std::size_t size() const { return size_; }
  /// Size of its first part [B], which is read from a file: all fields but `dry`.
  std::size_t read_size() const { return dry_; }
  /// The fields of a block that begins at `memory`, which is aligned to 64 bytes at least.
  LevelFieldViews fields(std::byte* memory) const;

 private:
  std::size_t cell_count_;         ///< velocities · cells
  std::size_t mode_value_count_;   ///< velocities · modes · cells, or 0 with shared modes
  std::size_t coefficient_count_;  ///< modes · realizations
  std::size_t scalar_count_;       ///< cells, or 0 without a scalar field
  std::size_t mask_count_;         ///< cells
  std::size_t own_mask_count_;     ///< velocities · cells, or 0 with one velocity
  // Offsets of the fields [B].
  std::size_t u_mean_, v_mean_, u_mode_, v_mode_, coefficient_, scalar_, masked_, own_masks_, dry_,
      size_;
};

}  // namespace tidewise
