#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "base/file/guarded/guarded.h"
#include "base/file/guarded/guarded_reader.h"
#include "base/hdf5/exact_transfer.h"
#include "base/hdf5/file.h"
#include "base/hdf5/fletcher32.h"
#include "base/hdf5/storage.h"

namespace tidewise {
namespace {

/// True if `box` at `start` is one whole chunk of a dataset of `type` that is stored with a
/// checksum and without other filters, `size` [B] without the checksum.
bool is_plain_chunk(const Hdf5Handle& dataset, const Extents& start, const Extents& box, hid_t type,
                    std::uint64_t size) {
  const Hdf5Handle creation(H5Dget_create_plist(dataset.id()), H5Pclose);
  if (H5Pget_layout(creation.id()) != H5D_CHUNKED || H5Pget_nfilters(creation.id()) != 1) {
    return false;
  }
  unsigned flags = 0;
  std::size_t no_values = 0;
  if (H5Pget_filter2(creation.id(), 0, &flags, &no_values, nullptr, 0, nullptr, nullptr) !=
      H5Z_FILTER_FLETCHER32) {
    return false;
  }
  const Extents sides = chunk_of(creation);
  if (sides.size() != box.size()) return false;
  for (std::size_t axis = 0; axis < box.size(); ++axis) {
    if (box[axis] != sides[axis] || start[axis] % sides[axis] != 0) return false;
  }
  const Hdf5Handle stored(H5Dget_type(dataset.id()), H5Tclose);
  hsize_t stored_size = 0;
  const auto at = to_hsize(start);
  return H5Tequal(stored.id(), type) > 0 &&
         H5Dget_chunk_storage_size(dataset.id(), at.data(), &stored_size) >= 0 &&
         stored_size == size + sizeof(std::uint32_t);
}

/// Reads a chunk that passed is_plain_chunk() to `out`, which has room for the checksum. Takes a
/// third of H5Dread's time. False if the checksum is wrong.
bool read_plain_chunk(const Hdf5Handle& dataset, const Extents& start, std::uint64_t size,
                      void* out) {
  std::uint32_t skipped_filters = 0;
  const auto chunk_start = to_hsize(start);
  if (H5Dread_chunk(dataset.id(), H5P_DEFAULT, chunk_start.data(), &skipped_filters, out) < 0)
    return false;
  const auto* bytes = static_cast<const std::uint8_t*>(out);
  std::uint32_t checksum = 0;
  for (int n = 3; n >= 0; --n)
    checksum = (checksum << 8) | bytes[size + static_cast<std::uint64_t>(n)];
  return skipped_filters == 0 && checksum == fletcher32({bytes, size});
}

}  // namespace

Hdf5Handle Hdf5File::selected_space(const std::string& variable, const Hdf5Handle& dataset,
                                    const Extents& start, const Extents& count) const {
  Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 0 || static_cast<std::size_t>(rank) != start.size() || start.size() != count.size()) {
    fail_reading(variable, fmt::format("has {} dimensions where {} are expected; check the order "
                                       "of its dimensions",
                                       rank, start.size()));
  }
  if (rank > 0) {
    const auto from = to_hsize(start);
    const auto size = to_hsize(count);
    H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr);
  }
  return space;
}

void Hdf5File::read_box(const std::string& variable, const Extents& start, const Extents& count,
                        NumberType type, void* out) const {
  if (guard_) {
    const auto held = guard_->lock();
    const std::uint64_t size = size_of(count, type);
    const void* shared = guard_->memory(size);
    guard_->call<&Hdf5File::share_box>(variable, start, count, type, SharedBytes{size});
    if (size > 0) std::memcpy(out, shared, size);
    return;
  }
  const auto lock = lock_hdf5();
  validated_shape(variable);
  read_dataset(variable, open_dataset(variable), start, count, type, out);
}

void Hdf5File::share_box(const std::string& variable, const Extents& start, const Extents& count,
                         NumberType type, const SharedBytes& out) const {
  read_box(variable, start, count, type, out.data);
}

void Hdf5File::read_dataset(const std::string& variable, const Hdf5Handle& dataset,
                            const Extents& start, const Extents& count, NumberType type,
                            void* out) const {
  const auto lock = lock_hdf5();
  const Hdf5Handle stored(H5Dget_type(dataset.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(stored.id());
  if (kind != H5T_FLOAT && kind != H5T_INTEGER && kind != H5T_ENUM) {
    fail_reading(variable, "does not hold numbers; store it as float32 or integers");
  }
  const Hdf5Handle memory = dataspace(count);
  const Hdf5Handle space = selected_space(variable, dataset, start, count);
  ExactTransfer transfer(stored.id(), native_type(type));
  if (transfer.read(dataset.id(), memory.id(), space.id(), out)) return;
  if (transfer.refused()) {
    fail_reading(variable, "holds " + transfer.describe_refused() + "; make it again");
  }
  fail_reading(variable, hdf5_damaged);
}

Hdf5Boxes Hdf5File::keep_open(const std::string& variable, const Extents& box,
                              const BoxPlace& place) const {
  return {variable, box, place,
          guard_ ? guard_->call<&Hdf5File::open_for_boxes>(variable, box)
                 : open_for_boxes(variable, box)};
}

std::uint64_t Hdf5File::open_for_boxes(const std::string& variable, const Extents& box) const {
  const auto lock = lock_hdf5();
  const Extents extents = validated_shape(variable);
  Extents chunk;
  std::size_t element_size = 0;
  ChunkCoding coding = ChunkCoding::packed;
  {
    // Closed before the next opening, which would otherwise share this dataset's cache.
    const Hdf5Handle dataset = open_dataset(variable);
    const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
    element_size = H5Tget_size(type.id());
    const Hdf5Handle creation(H5Dget_create_plist(dataset.id()), H5Pclose);
    if (H5Pget_nfilters(creation.id()) == 0) coding = ChunkCoding::plain;
    chunk = chunk_of(creation);
  }
  const Hdf5Handle access = access_for_boxes(chunk, extents, box, element_size, coding);
  Hdf5Handle dataset(H5Dopen2(file_.id(), variable.c_str(), access.id()), H5Dclose);
  if (!dataset.valid()) fail_reading(variable, "is not in the file; check its name");
  datasets_.push_back({variable, box, std::move(dataset)});
  return datasets_.size() - 1;
}

void Hdf5File::read_open_box(const Hdf5Boxes& boxes, const Extents& start, NumberType type,
                             void* out) const {
  const std::uint64_t size = size_of(boxes.box, type) + sizeof(std::uint32_t);  // checksum
  if (!guard_) {
    std::vector<char> values(size);
    share_open_box(boxes.number, start, type, {size, values.data()});
    return put_in_place(boxes, size_of(type), values.data(), out);
  }
  const auto reader = guard_->take_free();
  const std::uint64_t number = reader.process.number_of(boxes.number, [&] {
    return reader.process.call<&Hdf5File::open_for_boxes>(boxes.variable, boxes.box);
  });
  const void* shared = reader.process.memory(size);
  reader.process.call<&Hdf5File::share_open_box>(number, start, type, SharedBytes{size});
  put_in_place(boxes, size_of(type), shared, out);
}

void Hdf5File::share_open_box(std::uint64_t number, const Extents& start, NumberType type,
                              const SharedBytes& out) const {
  const auto lock = lock_hdf5();
  if (number >= datasets_.size()) {  // the reader has ended; the file is read in this process now
    throw RunError(
        fmt::format("{}: the process that read it has ended; run again without the tool "
                    "that ended it",
                    path_.string()));
  }
  const OpenDataset& entry = datasets_[number];
  const std::uint64_t size = size_of(entry.box, type);
  if (is_plain_chunk(entry.dataset, start, entry.box, native_type(type), size)) {
    if (read_plain_chunk(entry.dataset, start, size, out.data)) return;
    fail_reading(entry.variable, hdf5_damaged);
  }
  read_dataset(entry.variable, entry.dataset, start, entry.box, type, out.data);
}

}  // namespace tidewise
