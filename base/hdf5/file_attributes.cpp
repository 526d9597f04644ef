#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/error.h"
#include "base/file/guarded/guarded.h"
#include "base/file/guarded/guarded_reader.h"
#include "base/hdf5/file.h"
#include "base/hdf5/storage.h"

namespace tidewise {
namespace {

std::string join(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Reads an attribute of `count` strings of variable length; empty if its only string is null.
/// False if they cannot be read.
bool read_heap_attribute(const Hdf5Handle& attribute, const Hdf5Handle& type,
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

bool write_numbers(const Hdf5Handle& object, const std::string& name, hid_t type,
                   std::uint64_t size, const void* values) {
  // One number becomes a scalar: h5py then returns a number, and NetCDF treats both alike.
  const Hdf5Handle space = dataspace(size == 1 ? Extents{} : Extents{size});
  if (H5Aexists(object.id(), name.c_str()) > 0) H5Adelete(object.id(), name.c_str());
  const Hdf5Handle attribute(
      H5Acreate2(object.id(), name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  return H5Awrite(attribute.id(), type, values) >= 0;
}

}  // namespace

Hdf5Handle Hdf5File::open_attribute(const std::string& variable, const std::string& name) const {
  const Hdf5Handle object = open_object(variable);
  if (!object.valid()) return {};
  const htri_t exists = H5Aexists(object.id(), name.c_str());
  if (exists == 0) return {};
  Hdf5Handle attribute(H5Aopen(object.id(), name.c_str(), H5P_DEFAULT), H5Aclose);
  if (exists < 0 || !attribute.valid()) {
    fail_reading(variable, fmt::format("its attribute {} {}", name, hdf5_damaged));
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
  const bool is_read = H5Tis_variable_str(type.id()) > 0
                           ? read_heap_attribute(attribute, type, space, count, texts)
                           : read_fixed_attribute(attribute, type, count, texts);
  if (!is_read) fail_reading(variable, fmt::format("its attribute {} {}", name, hdf5_damaged));
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
    fail_reading(variable, fmt::format("its attribute {} {}", name, hdf5_damaged));
  }
  return values;
}

std::vector<std::string> Hdf5File::attribute_names(const std::string& variable) const {
  if (guard_) return guard_->call<&Hdf5File::attribute_names>(variable);
  const auto lock = lock_hdf5();
  const Hdf5Handle object = open_object(variable);
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* all) -> herr_t {
    static_cast<std::vector<std::string>*>(all)->emplace_back(name);
    return 0;
  };
  hsize_t position = 0;
  if (object.valid() &&
      H5Aiterate2(object.id(), H5_INDEX_NAME, H5_ITER_INC, &position, collect, &names) < 0) {
    fail_reading(variable, hdf5_damaged);
  }
  return names;
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

}  // namespace tidewise
