#pragma once

#include <cstdint>

namespace tidewise {

/// Number of histogram sizes. Lists have one more class, for cells that are counted directly.
inline constexpr std::int32_t frame_classes = 3;

/// Number of bins that a histogram holds.
struct FrameLimits {
  std::int32_t columns = 0;
  std::int32_t rows = 0;
};

/// The cells of a level by the size of histogram that they probably need: the size that sufficed in
/// the level after it, whose clouds are similar. A wrong guess only costs time.
struct DeviceCellLists {
  std::int32_t* cell[frame_classes + 1];  ///< cells of each class, in any order
  std::int32_t* count;                    ///< (class)
  std::uint8_t* class_of;                 ///< (y, x): the guessed class
  const std::int32_t* fits;               ///< DeviceLevelFacts::fits
  FrameLimits limits[frame_classes];      ///< columns = 0 for a class that is not used
};

/// The first used class from `frame_class` on; the last list is always used.
__device__ inline std::int32_t used_class(const DeviceCellLists& lists, std::int32_t frame_class) {
  while (frame_class < frame_classes && lists.limits[frame_class].columns == 0) ++frame_class;
  return frame_class;
}

/// Class of the smallest histogram for a box, with some margin, because the next level differs.
__device__ inline std::uint8_t expected_class(const DeviceCellLists& lists, std::int32_t columns,
                                              std::int32_t rows) {
  std::int32_t n = 0;
  while (n < frame_classes && (columns + columns / 16 > lists.limits[n].columns ||
                               rows + rows / 16 > lists.limits[n].rows)) {
    ++n;
  }
  return static_cast<std::uint8_t>(n);
}

}  // namespace tidewise
