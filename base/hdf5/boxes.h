#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/hdf5/handle.h"

namespace tidewise {

/// Sizes or positions along the dimensions of a variable, slowest dimension first.
using Extents = std::vector<std::uint64_t>;

/// Position of a box within a larger array in memory.
struct BoxPlace {
  Extents array = {};  ///< the array's shape; empty: the box is the whole array
  Extents begin = {};  ///< first element of the box in the array
};

/// A variable that Hdf5File::keep_open keeps open to read many boxes of one shape.
struct Hdf5Boxes {
  std::string variable = {};
  Extents box = {};  ///< the shape that one call reads
  BoxPlace place = {};
  std::uint64_t number = 0;  ///< handle in the process that reads the file
};

/// Copies the contiguous values of a box to their place. `element_size` [B].
void put_in_place(const Hdf5Boxes& boxes, std::size_t element_size, const void* values, void* out);

/// Storage of the chunks in a file: plain values, or packed by a filter.
enum class ChunkCoding { plain, packed };

/// Access properties for reading boxes from a dataset whose chunks have the given shape (empty: not
/// chunked). No cache if boxes hold whole chunks, or long runs of plain ones, which are then read
/// directly into the caller's memory. Otherwise a cache for all chunks that a box touches, if it
/// stays small, so that the next box does not read and unpack them again. `element_size` [B].
Hdf5Handle access_for_boxes(const Extents& chunk, const Extents& shape, const Extents& box,
                            std::size_t element_size, ChunkCoding coding);

}  // namespace tidewise
