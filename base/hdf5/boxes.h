#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hdf5/handle.h"

namespace tidewise {

/// Sizes or positions along the dimensions of a variable, slowest first.
using Extents = std::vector<std::uint64_t>;

/// Where boxes go that are parts of larger arrays in memory.
struct BoxPlace {
  Extents array = {};  ///< the array's shape; empty: a box is all of it
  Extents begin = {};  ///< where in it a box begins
};

/// A variable that Hdf5File::keep_open keeps open, to read boxes of one shape from it again and
/// again.
struct Hdf5Boxes {
  std::string variable = {};
  Extents box = {};  ///< the shape of what one call reads
  BoxPlace place = {};
  std::uint64_t number = 0;  ///< by which the process that reads the file knows it
};

/// Brings a box's values, side by side, to their place. `element_size` [B].
void put_in_place(const Hdf5Boxes& boxes, std::size_t element_size, const void* values, void* out);

/// How chunks lie in a file.
enum class ChunkCoding { plain, packed };

/// How to open a dataset whose chunks have the given shape (empty: it has none) to read boxes from
/// it: without a cache where boxes hold whole chunks, or long stretches of plain ones, which then
/// go straight to the reader's memory; else with one for all chunks that a box touches, as long as
/// it stays small, so that the next box need not read and unpack them again. `element_size` [B].
Hdf5Handle access_for_boxes(const Extents& chunk, const Extents& shape, const Extents& box,
                            std::size_t element_size, ChunkCoding coding);

}  // namespace tidewise
