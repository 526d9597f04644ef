#include "base/hdf5/file.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/error_codes.h"
#include "base/file/guarded/guarded.h"
#include "base/file/guarded/guarded_reader.h"
#include "base/file/open_file.h"
#include "base/hdf5/claims.h"
#include "base/hdf5/late_chunk.h"
#include "base/hdf5/storage.h"

namespace tidewise {

Hdf5File::Hdf5File(Hdf5Handle file, std::filesystem::path path)
    : file_(std::move(file)), path_(std::move(path)) {}

bool Hdf5File::is_trusted() const {
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
  // File systems without locks are accepted, because nothing writes the file.
  H5Pset_file_locking(access.id(), false, true);
  // In a fork of a writing process, HDF5 would mistake a file with the same inode number for one
  // that it still holds open. It compares only files of the same driver.
  if (H5Fget_obj_count(static_cast<hid_t>(H5F_OBJ_ALL), H5F_OBJ_FILE) > 0) {
    H5Pset_fapl_stdio(access.id());
  }
  Hdf5Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  if (!file.valid()) {
    throw input_error(errors::not_hdf5, name.string());
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
  // The format of 2016: its chunk indices have checksums, older ones do not.
  H5Pset_libver_bounds(access.id(), H5F_LIBVER_V110, H5F_LIBVER_V110);
  defer_chunk_writes(access);
  Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), H5Fclose);
  if (!file.valid()) {
    refuse_if_too_many_files(path);
    throw RunError(
        fmt::format("{}: could not be created; check space and permissions", path.string()));
  }
  return {std::move(file), path};
}

void Hdf5File::fail_reading(const std::string& variable, const std::string& why) const {
  throw input_error(errors::hdf5_variable_unreadable, path_.string(), variable, why);
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
  // Missing parents of a path are an error in HDF5.
  if (exists < 0 && variable.find('/') == std::string::npos) fail_reading(variable, hdf5_damaged);
  if (exists <= 0) return false;
  const std::string fault = link_fault(file_, variable);
  if (!fault.empty()) fail_reading(variable, fault);
  if (H5Oexists_by_name(file_.id(), variable.c_str(), H5P_DEFAULT) == 0)
    return false;  // a broken link
  const Hdf5Handle object(H5Oopen(file_.id(), variable.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid()) fail_reading(variable, hdf5_damaged);
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
    fail_reading("/", hdf5_damaged);
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
    fail_reading(variable, has(variable) ? hdf5_damaged : "is not in the file; check its name");
  }
  return dataset;
}

Hdf5Handle Hdf5File::open_object(const std::string& variable) const {
  Hdf5Handle object(H5Oopen(file_.id(), variable.c_str(), H5P_DEFAULT), H5Oclose);
  if (!object.valid() && (variable == "/" || has(variable))) fail_reading(variable, hdf5_damaged);
  return object;
}

Extents Hdf5File::validated_shape(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::validated_shape>(variable);
  const auto lock = lock_hdf5();
  Extents extents = shape(variable);
  if (!is_trusted() && validated_.insert(variable).second) {
    hsize_t file_size = 0;
    H5Fget_filesize(file_.id(), &file_size);
    const std::string fault = storage_fault(open_dataset(variable), file_size);
    if (!fault.empty()) fail_reading(variable, fault);
  }
  return extents;
}

Extents Hdf5File::shape(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::shape>(variable);
  const auto lock = lock_hdf5();
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 0) fail_reading(variable, hdf5_damaged);
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

void Hdf5File::close() {
  const auto lock = lock_hdf5();
  datasets_.clear();
  if (file_.valid() && H5Fflush(file_.id(), H5F_SCOPE_GLOBAL) < 0) fail_writing("the last bytes");
  if (file_.close_now() < 0) fail_writing("the last bytes");
}

}  // namespace tidewise
