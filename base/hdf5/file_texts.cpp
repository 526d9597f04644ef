#include <hdf5_hl.h>

#include <algorithm>

#include "base/error.h"
#include "base/file/guarded/guarded.h"
#include "base/file/guarded/guarded_reader.h"
#include "base/hdf5/file.h"
#include "base/hdf5/storage.h"

namespace tidewise {
namespace {

constexpr std::uint64_t text_chunk = 1 << 20;  // [B]

/// Type of texts of one length. HDF5 stores texts of variable length in a heap without a checksum,
/// where damaged files crash it.
Hdf5Handle text_type(std::size_t length) {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), length);
  H5Tset_strpad(type.id(), H5T_STR_NULLPAD);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

/// Reads or writes elements [at, at + count) of a one-dimensional dataset.
bool transfer(const Hdf5Handle& dataset, const Hdf5Handle& type, std::uint64_t at,
              std::uint64_t count, std::string& bytes, bool is_write) {
  const Hdf5Handle memory = dataspace({count});
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  const hsize_t from = at;
  const hsize_t size = count;
  H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, &from, nullptr, &size, nullptr);
  return (is_write ? H5Dwrite(dataset.id(), type.id(), memory.id(), space.id(), H5P_DEFAULT,
                              bytes.data())
                   : H5Dread(dataset.id(), type.id(), memory.id(), space.id(), H5P_DEFAULT,
                             bytes.data())) >= 0;
}

}  // namespace

void cut_texts(const std::string& bytes, std::size_t length, std::vector<std::string>& texts) {
  for (std::size_t at = 0; at + length <= bytes.size(); at += length) {
    const std::string text = bytes.substr(at, length);
    texts.push_back(text.substr(0, text.find('\0')));
  }
}

bool read_fixed_attribute(const Hdf5Handle& attribute, const Hdf5Handle& type, std::size_t count,
                          std::vector<std::string>& texts) {
  const std::size_t length = H5Tget_size(type.id());
  std::string bytes(count * length, '\0');
  if (H5Aread(attribute.id(), type.id(), bytes.data()) < 0) return false;
  cut_texts(bytes, length, texts);
  return true;
}

void Hdf5File::write_texts(const std::string& name, const std::string& dimension,
                           const std::vector<std::string>& texts) {
  const auto lock = lock_hdf5();
  std::size_t length = 1;
  for (const auto& text : texts) length = std::max(length, text.size());
  const std::uint64_t texts_per_chunk = std::max<std::uint64_t>(text_chunk / length, 1);
  const Hdf5Handle properties = dataset_properties();
  set_storage(properties, {texts.size()}, length,
              {.chunk = {std::min<std::uint64_t>(texts_per_chunk, texts.size())}, .deflate = 1});
  const Hdf5Handle type = text_type(length);
  const Hdf5Handle space = dataspace({texts.size()});
  const Hdf5Handle dataset(H5Dcreate2(file_.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT,
                                      properties.id(), H5P_DEFAULT),
                           H5Dclose);
  if (!dataset.valid()) fail_writing(name);
  const Hdf5Handle scale = open_dataset(dimension);
  if (H5DSattach_scale(dataset.id(), scale.id(), 0) < 0) fail_writing(name);
  for (std::uint64_t at = 0; at < texts.size(); at += texts_per_chunk) {
    const std::uint64_t count = std::min<std::uint64_t>(texts_per_chunk, texts.size() - at);
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
  const Extents extents = validated_shape(variable);
  const Hdf5Handle dataset = open_dataset(variable);
  const Hdf5Handle type(H5Dget_type(dataset.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_STRING || extents.size() != 1) {
    fail_reading(variable, "does not hold texts");
  }
  if (H5Tis_variable_str(type.id()) > 0) return read_heap_texts(variable, dataset, extents[0]);
  const std::size_t length = H5Tget_size(type.id());
  const std::uint64_t texts_per_chunk = std::max<std::uint64_t>(text_chunk / length, 1);
  std::vector<std::string> texts;
  for (std::uint64_t at = 0; at < extents[0]; at += texts_per_chunk) {
    const std::uint64_t count = std::min(texts_per_chunk, extents[0] - at);
    std::string bytes(count * length, '\0');
    if (!transfer(dataset, type, at, count, bytes, false)) fail_reading(variable, hdf5_damaged);
    cut_texts(bytes, length, texts);
  }
  return texts;
}

std::vector<std::string> Hdf5File::read_heap_texts(const std::string& variable,
                                                   const Hdf5Handle& dataset,
                                                   std::uint64_t count) const {
  const Hdf5Handle stored(H5Dget_type(dataset.id()), H5Tclose);
  const Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5Tget_cset(stored.id()));
  const Hdf5Handle space(H5Dget_space(dataset.id()), H5Sclose);
  std::vector<char*> pointers(count);
  if (H5Dread(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0) {
    fail_reading(variable, hdf5_damaged);
  }
  std::vector<std::string> texts;
  texts.reserve(pointers.size());
  for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  H5Dvlen_reclaim(type.id(), space.id(), H5P_DEFAULT, pointers.data());
  return texts;
}

}  // namespace tidewise
