#include "base/hdf5/file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "base/error.h"
#include "base/file/guarded.h"
#include "base/file/guarded_reader.h"
#include "base/file/open_file.h"
#include "base/hdf5/claims.h"
#include "base/hdf5/exact_transfer.h"
#include "base/hdf5/fletcher32.h"
#include "base/hdf5/packed_chunk.h"

namespace tidewise {
namespace {

hid_t native_type(NumberType type) {
  switch (type) {
    case NumberType::uint8:
      return H5T_NATIVE_UINT8;
    case NumberType::int16:
      return H5T_NATIVE_INT16;
    case NumberType::int32:
      return H5T_NATIVE_INT32;
    case NumberType::int64:
      return H5T_NATIVE_INT64;
    case NumberType::uint16:
      return H5T_NATIVE_UINT16;
    case NumberType::uint32:
      return H5T_NATIVE_UINT32;
    case NumberType::float32:
      return H5T_NATIVE_FLOAT;
    case NumberType::float64:
      return H5T_NATIVE_DOUBLE;
  }
  return H5I_INVALID_HID;
}

/// [B]
std::size_t size_of(NumberType type) {
  switch (type) {
    case NumberType::uint8:
      return 1;
    case NumberType::int16:
    case NumberType::uint16:
      return 2;
    case NumberType::int32:
    case NumberType::uint32:
    case NumberType::float32:
      return 4;
    case NumberType::int64:
    case NumberType::float64:
      return 8;
  }
  return 0;
}

/// [B]
std::uint64_t size_of(const Extents& box, NumberType type) {
  return std::accumulate(box.begin(), box.end(), std::uint64_t{size_of(type)}, std::multiplies<>());
}

std::vector<hsize_t> to_hsize(const Extents& extents) { return {extents.begin(), extents.end()}; }

Hdf5Handle dataspace(const Extents& extents) {
  if (extents.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const auto sizes = to_hsize(extents);
  return {H5Screate_simple(static_cast<int>(sizes.size()), sizes.data(), nullptr), H5Sclose};
}

/// Creation order as NetCDF-4 asks for, and no time stamps: equal content, equal bytes.
Hdf5Handle dataset_properties() {
  Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_attr_creation_order(properties.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(properties.id(), false);
  return properties;
}

/// All of a variable in chunks as large as is useful: whole rows of up to 16 MB.
Extents usual_chunk(const Extents& extents, std::size_t element_size) {
  constexpr std::uint64_t largest = 16 << 20;  // [B]
  Extents chunk(extents);
  std::uint64_t size = element_size;
  for (std::size_t axis = chunk.size(); axis-- > 0;) {
    chunk[axis] = std::clamp<std::uint64_t>(largest / size, 1, chunk[axis]);
    size *= chunk[axis];
  }
  return chunk;
}

/// Chunks with a checksum each, unless there is nothing to store or one value alone.
void set_storage(const Hdf5Handle& properties, const Extents& extents, std::size_t element_size,
                 const Hdf5Storage& storage) {
  const Extents& chunk = storage.chunk.empty() ? usual_chunk(extents, element_size) : storage.chunk;
  if (chunk.empty() || std::find(extents.begin(), extents.end(), 0U) != extents.end()) return;
  const auto sides = to_hsize(chunk);
  H5Pset_chunk(properties.id(), static_cast<int>(sides.size()), sides.data());
  if (storage.deflate > 0) {
    H5Pset_shuffle(properties.id());
    H5Pset_deflate(properties.id(), static_cast<unsigned>(storage.deflate));
  }
  H5Pset_fletcher32(properties.id());
}

std::string join(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The elements of an attribute of `count` strings of any length; none where its only one is
/// absent. False where they cannot be read.
bool read_free_attribute(const Hdf5Handle& attribute, const Hdf5Handle& type,
                         const Hdf5Handle& space, std::size_t count,
                         std::vector<std::string>& texts) {
  const Hdf5Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(memory.id(), H5T_VARIABLE);
  H5Tset_cset(memory.id(), H5Tget_cset(type.id()));
  std::vector<char*> pointers(count, nullptr);
  if (H5Aread(attribute.id(), memory.id(), pointers.data()) < 0) return false;
  for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  if (count == 1 && pointers.front() == nullptr) texts.clear();
  H5Dvlen_reclaim(memory.id(), space.id(), H5P_DEFAULT, pointers.data());
  return true;
}

/// Texts of one length that lie side by side.
void cut_texts(const std::string& bytes, std::size_t length, std::vector<std::string>& texts) {
  for (std::size_t at = 0; at + length <= bytes.size(); at += length) {
    const std::string text = bytes.substr(at, length);
    texts.push_back(text.substr(0, text.find('\0')));
  }
}

/// The elements of an attribute of `count` strings of one length. False where they cannot be read.
bool read_fixed_attribute(const Hdf5Handle& attribute, const Hdf5Handle& type, std::size_t count,
                          std::vector<std::string>& texts) {
  const std::size_t length = H5Tget_size(type.id());
  std::string bytes(count * length, '\0');
  if (H5Aread(attribute.id(), type.id(), bytes.data()) < 0) return false;
  cut_texts(bytes, length, texts);
  return true;
}

constexpr const char* damaged = "cannot be read (the file is cut short or damaged); make it anew";

void set_fill(const Hdf5Handle& properties, double fill) {
  // HDF5 converts from the memory type given here, so a double serves every number type.
  H5Pset_fill_value(properties.id(), H5T_NATIVE_DOUBLE, &fill);
}

}  // namespace

Hdf5File::Hdf5File(Hdf5Handle file, std::filesystem::path path)
    : file_(std::move(file)), path_(std::move(path)) {}

bool Hdf5File::is_ours() const {
  unsigned intent = H5F_ACC_RDONLY;
  return H5Fget_intent(file_.id(), &intent) >= 0 && (intent & H5F_ACC_RDWR) != 0;
}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
  Hdf5File file(Hdf5Handle(), path);
  file.guard_ = std::make_shared<Guarded<Hdf5File>>(path);
  return file;
}

std::shared_ptr<Hdf5File> Hdf5File::open_unguarded(const std::filesystem::path& path,
                                                   const std::filesystem::path& name) {
  const auto lock = lock_hdf5();
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // File systems without locks are no reason to refuse a file that nobody writes.
  H5Pset_file_locking(access.id(), false, true);
  // In a copy of a process that was writing, HDF5 would take a file of the same number on the disk
  // for the one that it still holds open. It compares files of one driver only.
  if (H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_FILE) > 0) {
    H5Pset_fapl_stdio(access.id());
  }
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!file.valid()) {
    throw InputError(fmt::format(
        "{}: cannot be read as HDF5 (it is another kind of file, cut short, or damaged); make "
        "it anew, or bring a NetCDF forecast in with 'tidewise env import'",
        name.string()));
  }
  open_nothing_more();
  return std::shared_ptr<Hdf5File>(new Hdf5File(std::move(file), name));
}

Hdf5File Hdf5File::open_to_change(const std::filesystem::path& path) {
  const auto lock = lock_hdf5();
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) {
    throw RunError(fmt::format("{}: cannot be opened to be changed; check space and permissions",
                               path.string()));
  }
  return {std::move(file), path};
}

Hdf5File Hdf5File::create(const std::filesystem::path& path) {
  const auto lock = lock_hdf5();
  const Hdf5Handle creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
  H5Pset_link_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(creation.id(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_obj_track_times(creation.id(), false);
  const Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  // The format of 2016: the indices of its chunks have checksums, which older ones lack.
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose);
  if (!file.valid()) {
    refuse_if_too_many_files(path);
    throw RunError(
        fmt::format("{}: could not be created; check space and permissions", path.string()));
  }
  return {std::move(file), path};
}

void Hdf5File::fail_reading(const std::string& variable, const std::string& why) const {
  throw InputError(fmt::format("{}: variable {}: {}", path_.string(), variable, why));
}

void Hdf5File::fail_writing(const std::string& what) const {
  throw RunError(
      fmt::format("{}: writing {} failed; check the space left on the disk, and in memory",
                  path_.string(), what));
}

bool Hdf5File::has(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::has>(variable);
  const auto lock = lock_hdf5();
  const htri_t exists = H5Lexists(file_.id(), variable.c_str(), H5P_DEFAULT);
  // The folders of a path that is not there are an error to HDF5.
  if (exists < 0 && variable.find('/') == std::string::npos) fail_reading(variable, damaged);
  if (exists <= 0) return false;
  const std::string fault = fault_of_link(file_, variable);
  if (!fault.empty()) fail_reading(variable, fault);
  if (H5Oexists_by_name(file_.id(), variable.c_str(), H5P_DEFAULT) == 0)
    return false;  // leads nowhere
  const Hdf5Handle object(H5Oopen(file_.id(), variable.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid()) fail_reading(variable, damaged);
  return H5Iget_type(object.id()) == H5I_DATASET;
}

bool Hdf5File::has_name(const std::string& name) const {
  if (guard_) return guard_->call<&Hdf5File::has_name>(name);
  const auto lock = lock_hdf5();
  return H5Lexists(file_.id(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Hdf5File::variables() const {
  if (guard_) return guard_->call<&Hdf5File::variables>();
  const auto lock = lock_hdf5();
  std::vector<std::string> links;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  if (H5Literate(file_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &links) < 0) {
    fail_reading("/", damaged);
  }
  std::vector<std::string> names;
  for (auto& link : links) {
    if (has(link)) names.push_back(std::move(link));
  }
  return names;
}

Hdf5Handle Hdf5File::open_dataset(const std::string& variable) const {
  Hdf5Handle dataset(H5Dopen2(file_.id(), variable.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) {
    fail_reading(variable, has(variable) ? damaged : "is not in the file; check its name");
  }
  return dataset;
}

Hdf5Handle Hdf5File::open_object(const std::string& variable) const {
  Hdf5Handle object(H5Oopen(file_.id(), variable.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid() && (variable == "/" || has(variable))) fail_reading(variable, damaged);
  return object;
}

Extents Hdf5File::judged_shape(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::judged_shape>(variable);
  const auto lock = lock_hdf5();
  Extents whole = shape(variable);
  if (!is_ours() && validated_.insert(variable).second) {
    hsize_t file_size = 0;
    H5Fget_filesize(file_.id(), &file_size);
    const std::string fault = fault_of_storage(open_dataset(variable), file_size);
    if (!fault.empty()) fail_reading(variable, fault);
  }
  return whole;
}

namespace {

/// By how a dataset was made.
Extents chunk_of(const Hdf5Handle& creation) {
  if (H5Pget_layout(creation.id()) != H5D_CHUNKED) return {};
  std::vector<hsize_t> sizes(H5S_MAX_RANK);
  const int rank = H5Pget_chunk(creation.id(), H5S_MAX_RANK, sizes.data());
  return {sizes.begin(), sizes.begin() + std::max(rank, 0)};
}

}  // namespace

Extents Hdf5File::shape(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::shape>(variable);
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 0) fail_reading(variable, damaged);
  std::vector<hsize_t> sizes(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.id(), sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

Extents Hdf5File::chunk(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::chunk>(variable);
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  return chunk_of(Hdf5Handle(H5Dget_create_plist(dataset.id()), H5Pclose));
}

bool Hdf5File::is_floating(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::is_floating>(variable);
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  return H5Tget_class(type.id()) == H5T_FLOAT;
}

bool Hdf5File::is_single_precision(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::is_single_precision>(variable);
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  return H5Tget_class(type.id()) == H5T_FLOAT && H5Tget_size(type.id()) <= sizeof(float);
}

Hdf5Handle Hdf5File::selected_space(const std::string& variable, const Hdf5Handle& dataset,
                                    const Extents& start, const Extents& count) const {
  Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 0 || static_cast<std::size_t>(rank) != start.size() || start.size() != count.size()) {
    fail_reading(variable, fmt::format("has {} dimensions where {} were asked for; check the order "
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
    const void* found = guard_->memory(size);
    guard_->call<&Hdf5File::share_box>(variable, start, count, type, SharedBytes{size});
    if (size > 0) std::memcpy(out, found, size);
    return;
  }
  const auto lock = lock_hdf5();
  judged_shape(variable);
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
    fail_reading(variable, "holds " + transfer.complaint() + "; make it anew");
  }
  fail_reading(variable, damaged);
}

Hdf5Boxes Hdf5File::keep_open(const std::string& variable, const Extents& box,
                              const BoxPlace& place) const {
  return {variable, box, place,
          guard_ ? guard_->call<&Hdf5File::keep>(variable, box) : keep(variable, box)};
}

std::uint64_t Hdf5File::keep(const std::string& variable, const Extents& box) const {
  const auto lock = lock_hdf5();
  const Extents whole = judged_shape(variable);
  Extents chunk;
  std::size_t element_size = 0;
  ChunkCoding coding = ChunkCoding::packed;
  {
    // Closed again before the opening that counts: one that joins it would share its cache.
    const Hdf5Handle dataset = open_dataset(variable);
    const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
    element_size = H5Tget_size(type.id());
    const Hdf5Handle creation(H5Dget_create_plist(dataset.id()), H5Pclose);
    if (H5Pget_nfilters(creation.id()) == 0) coding = ChunkCoding::plain;
    chunk = chunk_of(creation);
  }
  const Hdf5Handle access = access_for_boxes(chunk, whole, box, element_size, coding);
  Hdf5Handle dataset(H5Dopen2(file_.id(), variable.c_str(), access.id()), H5Dclose);
  if (!dataset.valid()) fail_reading(variable, "is not in the file; check its name");
  kept_.push_back({variable, box, std::move(dataset)});
  return kept_.size() - 1;
}

void Hdf5File::read_kept(const Hdf5Boxes& boxes, const Extents& start, NumberType type,
                         void* out) const {
  const std::uint64_t size = size_of(boxes.box, type) + sizeof(std::uint32_t);  // and a checksum
  if (!guard_) {
    std::vector<char> found(size);
    share_kept(boxes.number, start, type, {size, found.data()});
    return put_in_place(boxes, size_of(type), found.data(), out);
  }
  const auto held = guard_->lock();
  const void* found = guard_->memory(size);
  guard_->call<&Hdf5File::share_kept>(boxes.number, start, type, SharedBytes{size});
  put_in_place(boxes, size_of(type), found, out);
}

namespace {

/// Whether `box` at `start` is one whole chunk of a dataset of `type` that is stored with a
/// checksum and nothing else, `size` [B] without it.
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
  hsize_t found = 0;
  const auto at = to_hsize(start);
  return H5Tequal(stored.id(), type) > 0 &&
         H5Dget_chunk_storage_size(dataset.id(), at.data(), &found) >= 0 &&
         found == size + sizeof(std::uint32_t);
}

/// Reads such a chunk to `out`, which has room for the checksum too, in a third of the time that
/// HDF5 takes for it. False where it is not what was written.
bool read_plain_chunk(const Hdf5Handle& dataset, const Extents& start, std::uint64_t size,
                      void* out) {
  std::uint32_t filters_left_out = 0;
  const auto at = to_hsize(start);
  if (H5Dread_chunk(dataset.id(), H5P_DEFAULT, at.data(), &filters_left_out, out) < 0) return false;
  const auto* bytes = static_cast<const std::uint8_t*>(out);
  std::uint32_t sum = 0;
  for (int n = 3; n >= 0; --n) sum = (sum << 8) | bytes[size + static_cast<std::uint64_t>(n)];
  return filters_left_out == 0 && sum == fletcher32({bytes, size});
}

}  // namespace

void Hdf5File::share_kept(std::uint64_t number, const Extents& start, NumberType type,
                          const SharedBytes& out) const {
  const auto lock = lock_hdf5();
  if (number >= kept_.size()) {  // the reader that kept it has ended, and the file is read here
    throw RunError(
        fmt::format("{}: the process that read it has ended; run again without the tool "
                    "that ended it",
                    path_.string()));
  }
  const Kept& kept = kept_[number];
  const std::uint64_t size = size_of(kept.box, type);
  if (is_plain_chunk(kept.dataset, start, kept.box, native_type(type), size)) {
    if (read_plain_chunk(kept.dataset, start, size, out.data)) return;
    fail_reading(kept.variable, damaged);
  }
  read_dataset(kept.variable, kept.dataset, start, kept.box, type, out.data);
}

Hdf5Handle Hdf5File::open_attribute(const std::string& variable, const std::string& name) const {
  const Hdf5Handle object = open_object(variable);
  if (!object.valid()) return {};
  const htri_t exists = H5Aexists(object.id(), name.c_str());
  if (exists == 0) return {};
  Hdf5Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (exists < 0 || !attribute.valid()) {
    fail_reading(variable, fmt::format("its attribute {} {}", name, damaged));
  }
  return attribute;
}

std::optional<std::string> Hdf5File::text_attribute(const std::string& variable,
                                                    const std::string& name) const {
  if (guard_) return guard_->call<&Hdf5File::text_attribute>(variable, name);
  const auto lock = lock_hdf5();
  const Hdf5Handle attribute = open_attribute(variable, name);
  if (!attribute.valid()) return std::nullopt;
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_STRING) return std::nullopt;
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const auto points = H5Sget_simple_extent_npoints(space.id());
  if (points < 1) return std::nullopt;
  const auto count = static_cast<std::size_t>(points);
  std::vector<std::string> texts;
  const bool found = H5Tis_variable_str(type.id()) > 0
                         ? read_free_attribute(attribute, type, space, count, texts)
                         : read_fixed_attribute(attribute, type, count, texts);
  if (!found) fail_reading(variable, fmt::format("its attribute {} {}", name, damaged));
  if (texts.empty()) return std::nullopt;
  return join(texts);
}

std::optional<double> Hdf5File::number_attribute(const std::string& variable,
                                                 const std::string& name) const {
  const auto values = number_attributes(variable, name);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

std::vector<double> Hdf5File::number_attributes(const std::string& variable,
                                                const std::string& name) const {
  if (guard_) return guard_->call<&Hdf5File::number_attributes>(variable, name);
  const auto lock = lock_hdf5();
  const Hdf5Handle attribute = open_attribute(variable, name);
  if (!attribute.valid()) return {};
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  if (kind != H5T_FLOAT && kind != H5T_INTEGER) return {};
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const auto size = H5Sget_simple_extent_npoints(space.id());
  if (size < 1) return {};
  std::vector<double> values(static_cast<std::size_t>(size));
  if (H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, values.data()) < 0) {
    fail_reading(variable, fmt::format("its attribute {} {}", name, damaged));
  }
  return values;
}

std::vector<std::string> Hdf5File::attribute_names(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::attribute_names>(variable);
  const auto lock = lock_hdf5();
  const Hdf5Handle object = open_object(variable);
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5A_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  hsize_t position = 0;
  if (object.valid() &&
      H5Aiterate2(object.id(), H5_INDEX_NAME, H5_ITER_INC, &position, take, &names) < 0) {
    fail_reading(variable, damaged);
  }
  return names;
}

namespace {
/// Where a dimension scale is used: an element of its attribute REFERENCE_LIST.
struct ScaleUse {
  hobj_ref_t dataset;
  std::int32_t dimension;
};

/// The type of such an element in memory, where the file's is one; else an invalid handle.
Hdf5Handle scale_use_type(const Hdf5Handle& stored) {
  if (H5Tget_class(stored.id()) != H5T_COMPOUND) return {};
  const int dataset = H5Tget_member_index(stored.id(), "dataset");
  const int dimension = H5Tget_member_index(stored.id(), "dimension");
  if (dataset < 0 || dimension < 0) return {};
  const Hdf5Handle reference(H5Tget_member_type(stored.id(), static_cast<unsigned>(dataset)),
                             H5Tclose);
  if (H5Tequal(reference.id(), H5T_STD_REF_OBJ) <= 0 ||
      H5Tget_member_class(stored.id(), static_cast<unsigned>(dimension)) != H5T_INTEGER) {
    return {};
  }
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(ScaleUse)), H5Tclose);
  H5Tinsert(type.id(), "dataset", HOFFSET(ScaleUse, dataset), H5T_STD_REF_OBJ);
  H5Tinsert(type.id(), "dimension", HOFFSET(ScaleUse, dimension), H5T_NATIVE_INT32);
  return type;
}

/// Nothing for what is no scale, or used nowhere.
std::vector<ScaleUse> uses_of(const Hdf5Handle& scale) {
  constexpr hssize_t most = 1 << 20;
  if (H5Aexists(scale.id(), "REFERENCE_LIST") <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(scale.id(), "REFERENCE_LIST", H5P_DEFAULT), H5Aclose);
  const Hdf5Handle stored(H5Aget_type(attribute.id()), H5Tclose);
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const Hdf5Handle type = scale_use_type(stored);
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  if (!type.valid() || count < 1 || count > most) return {};
  std::vector<ScaleUse> uses(static_cast<std::size_t>(count));
  if (H5Aread(attribute.id(), type.id(), uses.data()) < 0) return {};
  return uses;
}

bool is_scale(const Hdf5Handle& dataset) {
  if (H5Aexists(dataset.id(), "CLASS") <= 0) return false;
  const Hdf5Handle attribute(H5Aopen(dataset.id(), "CLASS", H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) != 0 ||
      H5Sget_simple_extent_npoints(space.id()) != 1) {
    return false;
  }
  std::vector<std::string> texts;
  return read_fixed_attribute(attribute, type, 1, texts) && texts.size() == 1 &&
         texts.front() == "DIMENSION_SCALE";
}
}  // namespace

/// By what the scales say of their use: what the variable says of its scales lies in HDF5's global
/// heap, where a damaged file crashes the library.
std::vector<std::string> Hdf5File::dimensions(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::dimensions>(variable);
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  std::vector<std::string> names(shape(variable).size());
  if (is_scale(dataset)) {  // which is attached to none
    if (names.size() == 1) names.front() = variable;
    return names;
  }
  hobj_ref_t own{};
  if (H5Rcreate(&own, file_.id(), variable.c_str(), H5R_OBJECT, H5I_INVALID_HID) < 0) return names;
  for (const std::string& scale : variables()) {
    for (const ScaleUse& use : uses_of(open_object(scale))) {
      const auto axis = static_cast<std::size_t>(use.dimension);
      const bool is_own = std::memcmp(&use.dataset, &own, sizeof own) == 0;
      if (is_own && axis < names.size() && names[axis].empty()) names[axis] = scale;
    }
  }
  return names;
}

void Hdf5File::define_dimension(const std::string& name, std::uint64_t size) {
  const auto lock = lock_hdf5();
  const Hdf5Handle properties = dataset_properties();
  const Hdf5Handle space = dataspace({size});
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), H5T_IEEE_F32BE, space.id(),
                                      H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                           H5Dclose);
  // The very words by which the NetCDF-4 library knows a dimension that is no variable.
  const std::string label =
      fmt::format("This is a netCDF dimension but not a netCDF variable.{:>10}", size);
  if (!dataset.valid() || H5DSset_scale(dataset.id(), label.c_str()) < 0) fail_writing(name);
}

void Hdf5File::define_coordinate(const std::string& name, const std::vector<double>& values,
                                 NumberType type) {
  const auto lock = lock_hdf5();
  const Hdf5Handle properties = dataset_properties();
  set_storage(properties, {values.size()}, size_of(type), {});
  const Hdf5Handle space = dataspace({values.size()});
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), native_type(type), space.id(),
                                      H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.valid() || H5DSset_scale(dataset.id(), name.c_str()) < 0 ||
      H5Dwrite(dataset.id(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail_writing(name);
  }
}

void Hdf5File::define_variable(const std::string& name, NumberType type,
                               const std::vector<std::string>& dimensions,
                               const Hdf5Storage& storage) {
  const auto lock = lock_hdf5();
  Extents extents;
  for (const auto& dimension : dimensions) extents.push_back(shape(dimension).at(0));
  const Hdf5Handle properties = dataset_properties();
  set_storage(properties, extents, size_of(type), storage);
  if (storage.fill) set_fill(properties, *storage.fill);
  const Hdf5Handle space = dataspace(extents);
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), native_type(type), space.id(),
                                      H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.valid()) fail_writing(name);
  for (unsigned axis = 0; axis < dimensions.size(); ++axis) {
    const Hdf5Handle scale = open_dataset(dimensions[axis]);
    if (H5DSattach_scale(dataset.id(), scale.id(), axis) < 0) fail_writing(name);
  }
  if (storage.fill) {
    const Hdf5Handle one = dataspace({1});
    const Hdf5Handle attribute(H5Acreate2(dataset.id(), "_FillValue", native_type(type), one.id(),
                                          H5P_DEFAULT, H5P_DEFAULT),
                               H5Aclose);
    if (H5Awrite(attribute.id(), H5T_NATIVE_DOUBLE, &*storage.fill) < 0) fail_writing(name);
  }
}

void Hdf5File::define_growing(const std::string& name, NumberType type, std::uint64_t chunk) {
  const auto lock = lock_hdf5();
  const Hdf5Handle properties = dataset_properties();
  set_storage(properties, {chunk}, size_of(type), {.chunk = {chunk}});
  const hsize_t none = 0;
  const hsize_t unlimited = H5S_UNLIMITED;
  const Hdf5Handle space(H5Screate_simple(1, &none, &unlimited), H5Sclose);
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), native_type(type), space.id(),
                                      H5P_DEFAULT, properties.id(), H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.valid()) fail_writing(name);
}

void Hdf5File::append_values(const std::string& variable, NumberType type, const void* values,
                             std::uint64_t count) {
  if (count == 0) return;
  const auto lock = lock_hdf5();
  const std::uint64_t before = shape(variable).at(0);
  const Hdf5Handle dataset = open_dataset(variable);
  const hsize_t after = before + count;
  if (H5Dset_extent(dataset.id(), &after) < 0) fail_writing(variable);
  write_box(variable, {before}, {count}, type, values);
}

void Hdf5File::write_box(const std::string& variable, const Extents& start, const Extents& count,
                         NumberType type, const void* values) {
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle memory = dataspace(count);
  const Hdf5Handle space = selected_space(variable, dataset, start, count);
  if (H5Dwrite(dataset.id(), native_type(type), memory.id(), space.id(), H5P_DEFAULT, values) < 0) {
    fail_writing(variable);
  }
}

namespace {

constexpr std::uint64_t text_chunk = 1 << 20;  // [B]

/// Texts of one length. HDF5 keeps those of any length in a heap of its own, which has no checksum
/// and which damaged files crash it by.
Hdf5Handle text_type(std::size_t length) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), length);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

/// Reads or writes elements [at, at + count) of a dataset of one dimension.
bool transfer(const Hdf5Handle& dataset, const Hdf5Handle& type, std::uint64_t at,
              std::uint64_t count, std::string& bytes, bool writes) {
  const Hdf5Handle memory = dataspace({count});
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const hsize_t from = at;
  const hsize_t size = count;
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &from, nullptr, &size, nullptr);
  return (writes ? H5Dwrite(dataset.id(), type.id(), memory.id(), space.id(), H5P_DEFAULT,
                            bytes.data())
                 : H5Dread(dataset.id(), type.id(), memory.id(), space.id(), H5P_DEFAULT,
                           bytes.data())) >= 0;
}

}  // namespace

void Hdf5File::write_texts(const std::string& name, const std::string& dimension,
                           const std::vector<std::string>& texts) {
  const auto lock = lock_hdf5();
  std::size_t length = 1;
  for (const auto& text : texts) length = std::max(length, text.size());
  const std::uint64_t some = std::max<std::uint64_t>(text_chunk / length, 1);
  const Hdf5Handle properties = dataset_properties();
  set_storage(properties, {texts.size()}, length,
              {.chunk = {std::min<std::uint64_t>(some, texts.size())}, .deflate = 1});
  const Hdf5Handle type = text_type(length);
  const Hdf5Handle space = dataspace({texts.size()});
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                      properties.id(), H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.valid()) fail_writing(name);
  const Hdf5Handle scale = open_dataset(dimension);
  if (H5DSattach_scale(dataset.id(), scale.id(), 0) < 0) fail_writing(name);
  for (std::uint64_t at = 0; at < texts.size(); at += some) {
    const std::uint64_t count = std::min<std::uint64_t>(some, texts.size() - at);
    std::string bytes;
    for (std::uint64_t n = 0; n < count; ++n) {
      bytes += texts[at + n];
      bytes.resize((n + 1) * length, '\0');
    }
    if (!transfer(dataset, type, at, count, bytes, true)) fail_writing(name);
  }
}

std::vector<std::string> Hdf5File::read_texts(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::read_texts>(variable);
  const auto lock = lock_hdf5();
  const Extents whole = judged_shape(variable);
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_STRING || whole.size() != 1) {
    fail_reading(variable, "does not hold texts");
  }
  if (H5Tis_variable_str(type.id()) > 0) return read_free_texts(variable, dataset, whole[0]);
  const std::size_t length = H5Tget_size(type.id());
  const std::uint64_t some = std::max<std::uint64_t>(text_chunk / length, 1);
  std::vector<std::string> texts;
  for (std::uint64_t at = 0; at < whole[0]; at += some) {
    const std::uint64_t count = std::min(some, whole[0] - at);
    std::string bytes(count * length, '\0');
    if (!transfer(dataset, type, at, count, bytes, false)) fail_reading(variable, damaged);
    cut_texts(bytes, length, texts);
  }
  return texts;
}

std::vector<std::string> Hdf5File::read_free_texts(const std::string& variable,
                                                   const Hdf5Handle& dataset,
                                                   std::uint64_t count) const {
  const Hdf5Handle stored(H5Dget_type(dataset.id()), H5Tclose);
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5Tget_cset(stored.id()));
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  std::vector<char*> pointers(count);
  if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) {
    fail_reading(variable, damaged);
  }
  std::vector<std::string> texts;
  texts.reserve(pointers.size());
  for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
  return texts;
}

void Hdf5File::require_size(const std::string& variable, const Extents& shape,
                            std::uint64_t size) const {
  std::uint64_t whole = 1;
  for (const auto extent : shape) whole *= extent;
  if (size == whole) return;
  throw std::logic_error(
      fmt::format("{} values for variable {}, which has {}", size, variable, whole));
}

void Hdf5File::write_stored_chunk(const std::string& variable, const Extents& start,
                                  const void* bytes, std::size_t size) {
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  const auto offset = to_hsize(start);
  constexpr std::uint32_t all_filters_ran = 0;
  if (H5Dwrite_chunk(dataset.id(), H5P_DEFAULT, all_filters_ran, offset.data(), size, bytes) < 0) {
    fail_writing(variable);
  }
}

void Hdf5File::write_plain_bytes(const std::string& variable, const Extents& start,
                                 const void* bytes, std::size_t size) {
  const auto* first = static_cast<const std::uint8_t*>(bytes);
  std::vector<std::uint8_t> chunk;
  chunk.reserve(size + sizeof(std::uint32_t));
  chunk.assign(first, first + size);
  append_checksum(chunk);
  write_stored_chunk(variable, start, chunk.data(), chunk.size());
}

void Hdf5File::set_attribute(const std::string& variable, const std::string& name,
                             std::string_view text) {
  const auto lock = lock_hdf5();
  const Hdf5Handle object = open_object(variable);
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<std::size_t>(text.size(), 1));
  H5Tset_strpad(type.id(), H5T_STR_NULLTERM);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  if (H5Aexists(object.id(), name.c_str()) > 0) H5Adelete(object.id(), name.c_str());
  const Hdf5Handle attribute(
      H5Acreate2(object.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT),
      H5Aclose);
  const std::string bytes = text.empty() ? std::string(1, '\0') : std::string(text);
  if (H5Awrite(attribute.id(), type.id(), bytes.data()) < 0) fail_writing(name);
}

namespace {
bool write_numbers(const Hdf5Handle& object, const std::string& name, hid_t type,
                   std::uint64_t size, const void* values) {
  // One number is a scalar: h5py then gives a number, and NetCDF knows no difference.
  const Hdf5Handle space = dataspace(size == 1 ? Extents{} : Extents{size});
  if (H5Aexists(object.id(), name.c_str()) > 0) H5Adelete(object.id(), name.c_str());
  const Hdf5Handle attribute(
      H5Acreate2(object.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return H5Awrite(attribute.id(), type, values) >= 0;
}
}  // namespace

void Hdf5File::set_attribute(const std::string& variable, const std::string& name, double value) {
  const auto lock = lock_hdf5();
  if (!write_numbers(open_object(variable), name, H5T_NATIVE_DOUBLE, 1, &value)) fail_writing(name);
}

void Hdf5File::set_attribute(const std::string& variable, const std::string& name,
                             std::int32_t value) {
  const auto lock = lock_hdf5();
  if (!write_numbers(open_object(variable), name, H5T_NATIVE_INT32, 1, &value)) fail_writing(name);
}

void Hdf5File::set_attribute(const std::string& variable, const std::string& name,
                             const std::vector<std::uint8_t>& values) {
  const auto lock = lock_hdf5();
  if (!write_numbers(open_object(variable), name, H5T_NATIVE_UINT8, values.size(), values.data())) {
    fail_writing(name);
  }
}

void Hdf5File::set_attribute(const std::string& variable, const std::string& name,
                             const std::vector<double>& values) {
  const auto lock = lock_hdf5();
  if (!write_numbers(open_object(variable), name, H5T_NATIVE_DOUBLE, values.size(),
                     values.data())) {
    fail_writing(name);
  }
}

void Hdf5File::close() {
  const auto lock = lock_hdf5();
  if (file_.valid() && H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) fail_writing("the last bytes");
  if (file_.close_now() < 0) fail_writing("the last bytes");
}

}  // namespace tidewise
