#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/file/guarded/guarded_message.h"
#include "base/hdf5/boxes.h"
#include "base/hdf5/handle.h"
#include "base/memory/view.h"

namespace tidewise {

enum class NumberType { uint8, int16, int32, int64, uint16, uint32, float32, float64 };

template <class T>
constexpr NumberType number_type();
template <>
constexpr NumberType number_type<std::uint8_t>() {
  return NumberType::uint8;
}
template <>
constexpr NumberType number_type<std::int16_t>() {
  return NumberType::int16;
}
template <>
constexpr NumberType number_type<std::int32_t>() {
  return NumberType::int32;
}
template <>
constexpr NumberType number_type<std::int64_t>() {
  return NumberType::int64;
}
template <>
constexpr NumberType number_type<std::uint16_t>() {
  return NumberType::uint16;
}
template <>
constexpr NumberType number_type<std::uint32_t>() {
  return NumberType::uint32;
}
template <>
constexpr NumberType number_type<float>() {
  return NumberType::float32;
}
template <>
constexpr NumberType number_type<double>() {
  return NumberType::float64;
}

template <class Object>
class Guarded;

/// How a variable is stored; always with a checksum of each chunk.
struct Hdf5Storage {
  Extents chunk = {};               ///< shape of a chunk; empty: one, or as few as HDF5 can do with
  std::optional<double> fill = {};  ///< _FillValue, written as an attribute too
  int deflate = 0;                  ///< 0: none … 9
};

/// An HDF5 file in the NetCDF-4 manner: named dimensions are dimension scales, variables are
/// datasets attached to them, attributes are CF attributes. The same calls give the same bytes:
/// no time stamps are stored.
///
/// What is opened for reading is not trusted: a process of its own reads it
/// (base/file/guarded/guarded.h), and a damaged file ends there. Each question begins by handing
/// itself over to that process. Files of one's own making are written, and looked at, here, and
/// every such call holds the HDF5 lock, but not while the bytes of a whole chunk go to their place.
///
/// Errors: InputError naming file and variable when reading fails, RunError when writing does.
class Hdf5File {
 public:
  static Hdf5File open(const std::filesystem::path& path);
  /// Opens for reading within this process. `name`: what messages call the file. For Guarded.
  static std::shared_ptr<Hdf5File> open_unguarded(const std::filesystem::path& path,
                                                  const std::filesystem::path& name);
  /// A file that is there, to be written to as well. Errors: RunError.
  static Hdf5File open_to_change(const std::filesystem::path& path);
  /// A new file in place of any old one.
  static Hdf5File create(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

  // Reading
  bool has(const std::string& variable) const;
  /// Whether anything bears this name: a dataset, a group, or a link that leads nowhere.
  bool has_name(const std::string& name) const;
  /// Names of the datasets in the root group, in alphabetical order.
  std::vector<std::string> variables() const;
  Extents shape(const std::string& variable) const;
  /// The shape of a variable's chunks; empty where it has none.
  Extents chunk(const std::string& variable) const;
  /// Names of a variable's dimensions, outermost first: those of the dimension scales in the root
  /// group, "" for one without. A dimension scale of one dimension is its own.
  std::vector<std::string> dimensions(const std::string& variable) const;
  /// True for a dataset of numbers stored as floating point, false for integers.
  bool is_floating(const std::string& variable) const;
  /// True for a dataset stored as floating point of four bytes or fewer.
  bool is_single_precision(const std::string& variable) const;
  /// The box [start, start + count) of a variable, converted to T. Where T is a type of whole
  /// numbers, a value that is none, or beyond its range, is refused (exact_transfer.h).
  template <class T>
  void read(const std::string& variable, const Extents& start, const Extents& count, T* out) const {
    read_box(variable, start, count, number_type<T>(), out);
  }
  /// `variable` kept open for boxes of the shape `box`, which saves what opening costs at every
  /// read. The file stays open as long as any of its variables.
  Hdf5Boxes keep_open(const std::string& variable, const Extents& box,
                      const BoxPlace& place = {}) const;
  /// The box that begins at `start`, converted to T, to its place in `out`; what else `out` holds
  /// stays.
  template <class T>
  void read(const Hdf5Boxes& boxes, const Extents& start, T* out) const {
    read_kept(boxes, start, number_type<T>(), out);
  }
  /// The whole variable, converted to T.
  template <class T>
  std::vector<T> read_all(const std::string& variable) const {
    const Extents whole = judged_shape(variable);
    std::uint64_t size = 1;
    for (const auto extent : whole) size *= extent;
    std::vector<T> values(size);
    read_box(variable, Extents(whole.size(), 0), whole, number_type<T>(), values.data());
    return values;
  }
  /// The texts of a one-dimensional variable of strings.
  std::vector<std::string> read_texts(const std::string& variable) const;
  /// A text attribute of a variable, or of the file when `variable` is "/"; nothing if absent.
  /// The elements of an array of strings are joined with ", ".
  std::optional<std::string> text_attribute(const std::string& variable,
                                            const std::string& name) const;
  /// A numeric attribute (its first element); nothing if absent or not a number.
  std::optional<double> number_attribute(const std::string& variable,
                                         const std::string& name) const;
  /// All elements of a numeric attribute; none if absent or not of numbers.
  std::vector<double> number_attributes(const std::string& variable, const std::string& name) const;
  /// Names of the attributes of a variable, or of the file when `variable` is "/", in alphabetical
  /// order.
  std::vector<std::string> attribute_names(const std::string& variable) const;

  // Writing
  /// A dimension without a coordinate variable; `size`: unlimited_dimension for one that grows.
  void define_dimension(const std::string& name, std::uint64_t size);
  /// A dimension with the coordinate variable of the same name.
  void define_coordinate(const std::string& name, const std::vector<double>& values,
                         NumberType type = NumberType::float64);
  /// A variable over dimensions defined before. A scalar has none.
  void define_variable(const std::string& name, NumberType type,
                       const std::vector<std::string>& dimensions, const Hdf5Storage& storage = {});
  /// A one-dimensional variable of unknown length without a dimension scale; append() extends it.
  void define_growing(const std::string& name, NumberType type, std::uint64_t chunk);
  template <class T>
  void append(const std::string& variable, const T* values, std::uint64_t count) {
    append_values(variable, number_type<T>(), values, count);
  }
  template <class T>
  void write(const std::string& variable, const Extents& start, const Extents& count,
             const T* values) {
    write_box(variable, start, count, number_type<T>(), values);
  }
  template <class T>
  void write_all(const std::string& variable, const std::vector<T>& values) {
    const Extents whole = shape(variable);
    require_size(variable, whole, values.size());
    write_box(variable, Extents(whole.size(), 0), whole, number_type<T>(), values.data());
  }
  /// A one-dimensional variable of strings (UTF-8), each as long as the longest, with its content.
  void write_texts(const std::string& name, const std::string& dimension,
                   const std::vector<std::string>& texts);
  /// Writes one whole chunk, with its first element at `start`, of a variable that is stored with
  /// deflate; `packed` is what ChunkPacker made of it.
  void write_packed_chunk(const std::string& variable, const Extents& start,
                          const std::vector<std::uint8_t>& packed) {
    write_stored_chunk(variable, start, packed.data(), packed.size());
  }
  /// The same of a variable of T that is stored without deflate: less time under the lock than by
  /// write(), since the checksum is taken, and the bytes are written, outside.
  template <class T>
  void write_plain_chunk(const std::string& variable, const Extents& start, View<const T> values) {
    write_plain_bytes(variable, start, values.data, values.size * sizeof(T));
  }
  void set_attribute(const std::string& variable, const std::string& name, std::string_view text);
  void set_attribute(const std::string& variable, const std::string& name, double value);
  void set_attribute(const std::string& variable, const std::string& name, std::int32_t value);
  /// An attribute of small integers, such as CF's flag_values of a byte variable.
  void set_attribute(const std::string& variable, const std::string& name,
                     const std::vector<std::uint8_t>& values);
  void set_attribute(const std::string& variable, const std::string& name,
                     const std::vector<double>& values);
  /// Closes the file; errors that were held back until then are thrown.
  void close();

 private:
  Hdf5File(Hdf5Handle file, std::filesystem::path path);
  struct Kept {
    std::string variable;
    Extents box;
    Hdf5Handle dataset;
  };
  /// Whether it is open for writing, and what it claims is what was written.
  bool is_ours() const;
  /// The shape of a variable whose values can be all there.
  Extents judged_shape(const std::string& variable) const;
  Hdf5Handle open_dataset(const std::string& variable) const;
  Hdf5Handle open_object(const std::string& variable) const;
  Hdf5Handle open_attribute(const std::string& variable, const std::string& name) const;
  /// The part [start, start + count) of a dataset's space; a scalar has only its whole.
  Hdf5Handle selected_space(const std::string& variable, const Hdf5Handle& dataset,
                            const Extents& start, const Extents& count) const;
  void read_box(const std::string& variable, const Extents& start, const Extents& count,
                NumberType type, void* out) const;
  void read_kept(const Hdf5Boxes& boxes, const Extents& start, NumberType type, void* out) const;
  void read_dataset(const std::string& variable, const Hdf5Handle& dataset, const Extents& start,
                    const Extents& count, NumberType type, void* out) const;
  /// Of what is to be written; another is a fault of the caller, who would hand over other memory.
  void require_size(const std::string& variable, const Extents& shape, std::uint64_t size) const;
  // What the guarded process does of the two above.
  std::uint64_t keep(const std::string& variable, const Extents& box) const;
  void share_box(const std::string& variable, const Extents& start, const Extents& count,
                 NumberType type, const SharedBytes& out) const;
  void share_kept(std::uint64_t number, const Extents& start, NumberType type,
                  const SharedBytes& out) const;
  void write_box(const std::string& variable, const Extents& start, const Extents& count,
                 NumberType type, const void* values);
  void write_stored_chunk(const std::string& variable, const Extents& start, const void* bytes,
                          std::size_t size);
  void write_plain_bytes(const std::string& variable, const Extents& start, const void* bytes,
                         std::size_t size);
  std::vector<std::string> read_free_texts(const std::string& variable, const Hdf5Handle& dataset,
                                           std::uint64_t count) const;
  void append_values(const std::string& variable, NumberType type, const void* values,
                     std::uint64_t count);
  [[noreturn]] void fail_reading(const std::string& variable, const std::string& why) const;
  [[noreturn]] void fail_writing(const std::string& what) const;

  Hdf5Handle file_;  // of a file that is written, or within the guarded process
  std::filesystem::path path_;
  std::shared_ptr<Guarded<Hdf5File>> guard_;  // of a file that is read
  mutable std::vector<Kept> kept_;            // by Hdf5Boxes::number, or of no box to be written
  mutable std::set<std::string> validated_;   // variables that judged_shape() has passed
};

}  // namespace tidewise
