#include "base/hdf5/boxes.h"

#include <algorithm>
#include <cstring>

namespace tidewise {
namespace {

// Limit of the chunks that are cached for the next box [B].
constexpr std::uint64_t max_cached = std::uint64_t{64} << 20;

// Contiguous bytes that justify a separate read [B].
constexpr std::uint64_t min_separate_read = 4096;

/// Contiguous bytes of a box in a chunk.
std::uint64_t contiguous_bytes(const Extents& chunk, const Extents& box, std::size_t element_size) {
  std::uint64_t bytes = element_size;
  for (std::size_t axis = chunk.size(); axis-- > 0;) {
    bytes *= std::min(chunk[axis], box[axis]);
    if (box[axis] < chunk[axis]) break;
  }
  return bytes;
}

/// Offset of position `at` in an array [elements].
std::uint64_t offset_of(const Extents& array, const Extents& at) {
  std::uint64_t offset = 0;
  for (std::size_t axis = 0; axis < array.size(); ++axis) offset = offset * array[axis] + at[axis];
  return offset;
}

std::uint64_t product(const Extents& extents) {
  std::uint64_t elements = 1;
  for (const auto extent : extents) elements *= extent;
  return elements;
}

}  // namespace

void put_in_place(const Hdf5Boxes& boxes, std::size_t element_size, const void* values, void* out) {
  const std::uint64_t elements = product(boxes.box);
  const Extents& array = boxes.place.array;
  if (array.empty() || elements == 0) {
    std::memcpy(out, values, elements * element_size);
    return;
  }
  // From axis `first_whole` on, box and array have the same lengths.
  std::size_t first_whole = array.size();
  while (first_whole > 0 && boxes.box[first_whole - 1] == array[first_whole - 1]) --first_whole;
  const std::size_t axes = first_whole == 0 ? 0 : first_whole - 1;  // axes to iterate over
  Extents at(boxes.place.begin);
  const std::uint64_t run_length =
      elements / product({boxes.box.begin(), boxes.box.begin() + axes});
  for (std::uint64_t done = 0; done < elements; done += run_length) {
    std::memcpy(static_cast<char*>(out) + offset_of(array, at) * element_size,
                static_cast<const char*>(values) + done * element_size, run_length * element_size);
    for (std::size_t axis = axes; axis-- > 0;) {
      if (++at[axis] < boxes.place.begin[axis] + boxes.box[axis]) break;
      at[axis] = boxes.place.begin[axis];
    }
  }
}

Hdf5Handle access_for_boxes(const Extents& chunk, const Extents& shape, const Extents& box,
                            std::size_t element_size, ChunkCoding coding) {
  Hdf5Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  if (chunk.empty() || chunk.size() != box.size() || shape.size() != box.size()) return access;
  const bool is_direct = coding == ChunkCoding::plain &&
                         contiguous_bytes(chunk, box, element_size) >= min_separate_read;
  bool whole_chunks = true;
  std::uint64_t overlapped = 1;  // largest number of chunks that a box overlaps
  std::uint64_t chunk_bytes = std::max<std::size_t>(element_size, 1);
  for (std::size_t axis = 0; axis < box.size() && !is_direct; ++axis) {
    if (chunk_bytes > max_cached || overlapped > max_cached) return access;
    const bool is_aligned =
        box[axis] % chunk[axis] == 0 || (box[axis] == shape[axis] && chunk[axis] >= shape[axis]);
    whole_chunks = whole_chunks && is_aligned;
    const std::uint64_t chunks_along_axis = (shape[axis] + chunk[axis] - 1) / chunk[axis];
    overlapped *= std::min(chunks_along_axis, (box[axis] + chunk[axis] - 2) / chunk[axis] + 1);
    chunk_bytes *= chunk[axis];
  }
  if (is_direct || whole_chunks) {
    H5Pset_chunk_cache(access.id(), 0, 0, 1.0);
  } else if (overlapped <= max_cached / chunk_bytes) {
    // Ten slots per chunk, as HDF5's manual advises: chunks with a common slot evict each other.
    H5Pset_chunk_cache(access.id(), 10 * overlapped + 1, overlapped * chunk_bytes, 1.0);
  }
  return access;
}

}  // namespace tidewise
