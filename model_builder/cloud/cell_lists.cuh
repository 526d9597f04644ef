#pragma once

#include <cstdint>

namespace tidewise {

/// How many sizes of histogram there are, and the list of cells after the last, which are counted
/// directly.
inline constexpr std::int32_t frame_classes = 3;

/// Bins that a histogram holds.
struct FrameLimits {
  std::int32_t columns = 0;
  std::int32_t rows = 0;
};

/// The cells of a level by the size of histogram that they are expected to need: that of the level
/// after, whose clouds are much alike. A wrong guess costs time alone.
struct DeviceCellLists {
  std::int32_t* cell[frame_classes + 1];  ///< of each class: cells, in any order
  std::int32_t* count;                    ///< (class)
  std::uint8_t* class_of;                 ///< (y, x): the guess
  const std::int32_t* fits;               ///< DeviceLevelFacts::fits
  FrameLimits limits[frame_classes];      ///< columns = 0 where a class is not used
};

/// The first class from `frame_class` on that is used; the last list always is.
__device__ inline std::int32_t used_class(const DeviceCellLists& lists, std::int32_t frame_class) {
  while (frame_class < frame_classes && lists.limits[frame_class].columns == 0) ++frame_class;
  return frame_class;
}

/// The least size of histogram that holds a box, and some more: the next level's is another.
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
