#include "base/hdf5_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/error.h"
#include "base/exact_transfer.h"
#include "base/open_file.h"

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

std::string join(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// The elements of an attribute of `count` strings of any length.
std::optional<std::string> read_free_texts(const Hdf5Handle& attribute, const Hdf5Handle& type,
                                           const Hdf5Handle& space, std::size_t count) {
  const Hdf5Handle memory(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(memory.id(), H5T_VARIABLE);
  H5Tset_cset(memory.id(), H5Tget_cset(type.id()));
  std::vector<char*> pointers(count, nullptr);
  if (H5Aread(attribute.id(), memory.id(), pointers.data()) < 0) return std::nullopt;
  std::vector<std::string> texts;
  for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  const bool nothing = count == 1 && pointers.front() == nullptr;
  H5Dvlen_reclaim(memory.id(), space.id(), H5P_DEFAULT, pointers.data());
  if (nothing) return std::nullopt;
  return join(texts);
}

/// The elements of an attribute of `count` strings of one length.
std::optional<std::string> read_fixed_texts(const Hdf5Handle& attribute, const Hdf5Handle& type,
                                            std::size_t count) {
  const std::size_t length = H5Tget_size(type.id());
  std::string bytes(count * length, '\0');
  if (H5Aread(attribute.id(), type.id(), bytes.data()) < 0) return std::nullopt;
  std::vector<std::string> texts;
  for (std::size_t n = 0; n < count; ++n) {
    const std::string text = bytes.substr(n * length, length);
    texts.push_back(text.substr(0, text.find('\0')));
  }
  return join(texts);
}

void set_fill(const Hdf5Handle& properties, double fill) {
  // HDF5 converts from the memory type given here, so a double serves every number type.
  H5Pset_fill_value(properties.id(), H5T_NATIVE_DOUBLE, &fill);
}

}  // namespace

Hdf5File::Hdf5File(Hdf5Handle file, std::filesystem::path path)
    : file_(std::move(file)), path_(std::move(path)) {}

Hdf5File Hdf5File::open(const std::filesystem::path& path) {
  const auto lock = lock_hdf5();
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) {
    throw InputError(fmt::format("{}: there is no such file; check the path", path.string()));
  }
  if (std::filesystem::is_directory(path, ignored)) {
    throw InputError(
        fmt::format("{}: is a folder, not a file; name the file in it", path.string()));
  }
  require_readable(path);
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!file.valid()) {
    throw InputError(fmt::format(
        "{}: cannot be read as HDF5 (it is another kind of file, cut short, or not readable); make "
        "it anew, or bring a NetCDF forecast in with 'tidewise env import'",
        path.string()));
  }
  return {std::move(file), path};
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
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V18, H5F_LIBVER_V18);
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
  const auto lock = lock_hdf5();
  if (H5Lexists(file_.id(), variable.c_str(), H5P_DEFAULT) <= 0) return false;
  const Hdf5Handle object(H5Oopen(file_.id(), variable.c_str(), H5P_DEFAULT), H5Oclose);
  return object.valid() && H5Iget_type(object.id()) == H5I_DATASET;
}

bool Hdf5File::has_name(const std::string& name) const {
  const auto lock = lock_hdf5();
  return H5Lexists(file_.id(), name.c_str(), H5P_DEFAULT) > 0;
}

std::vector<std::string> Hdf5File::variables() const {
  const auto lock = lock_hdf5();
  std::vector<std::string> links;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
    static_cast<std::vector<std::string>*>(data)->emplace_back(name);
    return 0;
  };
  H5Literate(file_.id(), H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &links);
  std::vector<std::string> names;
  for (auto& link : links) {
    if (has(link)) names.push_back(std::move(link));
  }
  return names;
}

Hdf5Handle Hdf5File::open_dataset(const std::string& variable) const {
  Hdf5Handle dataset(H5Dopen2(file_.id(), variable.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset.valid()) fail_reading(variable, "is not in the file; check its name");
  return dataset;
}

Hdf5Handle Hdf5File::open_object(const std::string& variable) const {
  return {H5Oopen(file_.id(), variable.c_str(), H5P_DEFAULT), H5Oclose};
}

Extents Hdf5File::shape(const std::string& variable) const {
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  std::vector<hsize_t> sizes(static_cast<std::size_t>(std::max(rank, 0)));
  H5Sget_simple_extent_dims(space.id(), sizes.data(), nullptr);
  return {sizes.begin(), sizes.end()};
}

bool Hdf5File::is_floating(const std::string& variable) const {
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  return H5Tget_class(type.id()) == H5T_FLOAT;
}

bool Hdf5File::is_single_precision(const std::string& variable) const {
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
  const auto lock = lock_hdf5();
  read_dataset(variable, open_dataset(variable), start, count, {}, type, out);
}

void Hdf5File::read_dataset(const std::string& variable, const Hdf5Handle& dataset,
                            const Extents& start, const Extents& count, const BoxPlace& place,
                            NumberType type, void* out) const {
  const auto lock = lock_hdf5();
  const Hdf5Handle stored(H5Dget_type(dataset.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(stored.id());
  if (kind != H5T_FLOAT && kind != H5T_INTEGER && kind != H5T_ENUM) {
    fail_reading(variable, "does not hold numbers; store it as float32 or integers");
  }
  const Hdf5Handle memory = dataspace(place.array.empty() ? count : place.array);
  if (!place.array.empty()) {
    const auto from = to_hsize(place.begin);
    const auto size = to_hsize(count);
    H5Sselect_hyperslab(memory.id(), H5S_SELECT_SET, from.data(), nullptr, size.data(), nullptr);
  }
  const Hdf5Handle space = selected_space(variable, dataset, start, count);
  ExactTransfer transfer(stored.id(), native_type(type));
  if (transfer.read(dataset.id(), memory.id(), space.id(), out)) return;
  if (transfer.refused()) {
    fail_reading(variable, "holds " + transfer.complaint() + "; make it anew");
  }
  fail_reading(variable, "cannot be read (the file is cut short or damaged); make it anew");
}

Hdf5Boxes Hdf5File::keep_open(const std::string& variable, const Extents& box,
                              const BoxPlace& place) const {
  const auto lock = lock_hdf5();
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
    if (H5Pget_layout(creation.id()) == H5D_CHUNKED) {
      std::vector<hsize_t> sizes(H5S_MAX_RANK);
      const int rank = H5Pget_chunk(creation.id(), H5S_MAX_RANK, sizes.data());
      chunk.assign(sizes.begin(), sizes.begin() + std::max(rank, 0));
    }
  }
  const Hdf5Handle access = access_for_boxes(chunk, shape(variable), box, element_size, coding);
  Hdf5Handle dataset(H5Dopen2(file_.id(), variable.c_str(), access.id()), H5Dclose);
  if (!dataset.valid()) fail_reading(variable, "is not in the file; check its name");
  return {variable, box, place, std::move(dataset)};
}

std::optional<std::string> Hdf5File::text_attribute(const std::string& variable,
                                                    const std::string& name) const {
  const auto lock = lock_hdf5();
  const Hdf5Handle object = open_object(variable);
  if (!object.valid() || H5Aexists(object.id(), name.c_str()) <= 0) return std::nullopt;
  const Hdf5Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  if (!attribute.valid() || H5Tget_class(type.id()) != H5T_STRING) return std::nullopt;
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const auto points = H5Sget_simple_extent_npoints(space.id());
  if (points < 1) return std::nullopt;
  const auto count = static_cast<std::size_t>(points);
  return H5Tis_variable_str(type.id()) > 0 ? read_free_texts(attribute, type, space, count)
                                           : read_fixed_texts(attribute, type, count);
}

std::optional<double> Hdf5File::number_attribute(const std::string& variable,
                                                 const std::string& name) const {
  const auto values = number_attributes(variable, name);
  return values.empty() ? std::nullopt : std::optional(values.front());
}

std::vector<double> Hdf5File::number_attributes(const std::string& variable,
                                                const std::string& name) const {
  const auto lock = lock_hdf5();
  const Hdf5Handle object = open_object(variable);
  if (!object.valid() || H5Aexists(object.id(), name.c_str()) <= 0) return {};
  const Hdf5Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  const Hdf5Handle type(H5Aget_type(attribute.id()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.id());
  if (!attribute.valid() || (kind != H5T_FLOAT && kind != H5T_INTEGER)) return {};
  const Hdf5Handle space(H5Aget_space(attribute.id()), H5Sclose);
  const auto size = H5Sget_simple_extent_npoints(space.id());
  if (size < 1) return {};
  std::vector<double> values(static_cast<std::size_t>(size));
  if (H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, values.data()) < 0) return {};
  return values;
}

std::vector<std::string> Hdf5File::attribute_names(const std::string& variable) const {
  const auto lock = lock_hdf5();
  const Hdf5Handle object = open_object(variable);
  std::vector<std::string> names;
  const auto take = [](hid_t, const char* name, const H5A_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  hsize_t position = 0;
  if (object.valid()) {
    H5Aiterate2(object.id(), H5_INDEX_NAME, H5_ITER_INC, &position, take, &names);
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
  return read_fixed_texts(attribute, type, 1) == "DIMENSION_SCALE";
}
}  // namespace

/// By what the scales say of their use: what the variable says of its scales lies in HDF5's global
/// heap, where a damaged file crashes the library.
std::vector<std::string> Hdf5File::dimensions(const std::string& variable) const {
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
  if (!storage.chunk.empty()) {
    const auto chunk = to_hsize(storage.chunk);
    H5Pset_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data());
    if (storage.deflate > 0) {
      H5Pset_shuffle(properties.id());
      H5Pset_deflate(properties.id(), static_cast<unsigned>(storage.deflate));
    }
  }
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
  const hsize_t chunk_size = chunk;
  H5Pset_chunk(properties.id(), 1, &chunk_size);
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
Hdf5Handle text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}
}  // namespace

void Hdf5File::write_texts(const std::string& name, const std::string& dimension,
                           const std::vector<std::string>& texts) {
  const auto lock = lock_hdf5();
  const Hdf5Handle properties = dataset_properties();
  const Hdf5Handle type = text_type();
  const Hdf5Handle space = dataspace({texts.size()});
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                      properties.id(), H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.valid()) fail_writing(name);
  const Hdf5Handle scale = open_dataset(dimension);
  std::vector<const char*> pointers;
  for (const auto& text : texts) pointers.push_back(text.c_str());
  if (H5DSattach_scale(dataset.id(), scale.id(), 0) < 0 ||
      H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) {
    fail_writing(name);
  }
}

std::vector<std::string> Hdf5File::read_texts(const std::string& variable) const {
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle stored(H5Dget_type(dataset.id()), H5Tclose);
  if (H5Tis_variable_str(stored.id()) <= 0) fail_reading(variable, "does not hold texts");
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const Hdf5Handle type = text_type();
  std::vector<char*> pointers(shape(variable).at(0));
  if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) {
    fail_reading(variable, "cannot be read (the file is cut short or damaged); make it anew");
  }
  std::vector<std::string> texts;
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
  const Hdf5Handle space = dataspace({size});
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
