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

/// Types of numbers in variables and attributes.
enum class NumberType { uint8, int16, int32, int64, uint16, uint32, float32, float64 };

/// The NumberType of T.
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

/// Storage of a variable. Each chunk always has a checksum.
struct Hdf5Storage {
  Extents chunk = {};  ///< shape of a chunk; empty: one chunk, or as few as HDF5 allows
  std::optional<double> fill = {};  ///< _FillValue, also written as an attribute
  int deflate = 0;                  ///< compression level, 0 (none) to 9
};

/// An HDF5 file in the NetCDF-4 format: named dimensions are dimension scales, variables are
/// datasets attached to them, attributes follow CF. The same calls produce the same bytes: no time
/// stamps are stored.
///
/// A file opened for reading is not trusted: a separate process reads it
/// (base/file/guarded/guarded.h), and each reading function runs in that process. Files that this
/// process creates are written and read here. Every such call holds the HDF5 lock, except while the
/// bytes of a whole chunk are written.
///
/// Errors: InputError with file and variable when reading fails, RunError when writing fails.
class Hdf5File {
 public:
  /// Opens a file for reading.
  static Hdf5File open(const std::filesystem::path& path);
  /// Opens for reading in this process. `name`: the file in messages. Guarded calls it.
  static std::shared_ptr<Hdf5File> open_unguarded(const std::filesystem::path& path,
                                                  const std::filesystem::path& name);
  /// Opens an existing file for reading and writing. Errors: RunError.
  static Hdf5File open_to_change(const std::filesystem::path& path);
  /// Creates a file, and replaces an existing one.
  static Hdf5File create(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

  // Reading
  /// True if the dataset exists.
  bool has(const std::string& variable) const;
  /// True if the name exists: a dataset, a group, or a link, even a broken one.
  bool has_name(const std::string& name) const;
  /// Names of the datasets in the root group, in alphabetical order.
  std::vector<std::string> variables() const;
  /// The shape of a variable; empty for a scalar.
  Extents shape(const std::string& variable) const;
  /// The shape of a variable's chunks; empty if it has none.
  Extents chunk(const std::string& variable) const;
  /// Names of a variable's dimensions, outermost first: those of the dimension scales in the root
  /// group, "" for a dimension without one. A one-dimensional dimension scale is its own dimension.
  std::vector<std::string> dimensions(const std::string& variable) const;
  /// True if the numbers of a dataset are stored as floating point, false for integers.
  bool is_floating(const std::string& variable) const;
  /// True if they are stored as floating point of four bytes or fewer.
  bool is_single_precision(const std::string& variable) const;
  /// Reads the box [start, start + count) of a variable, converted to T. For integer T, values that
  /// are not integers or out of range are errors (exact_transfer.h).
  template <class T>
  void read(const std::string& variable, const Extents& start, const Extents& count, T* out) const {
    read_box(variable, start, count, number_type<T>(), out);
  }
  /// Keeps `variable` open for boxes of the shape `box`, which saves opening it for every read. The
  /// file stays open while any of its variables is.
  Hdf5Boxes keep_open(const std::string& variable, const Extents& box,
                      const BoxPlace& place = {}) const;
  /// Reads the box that begins at `start`, converted to T, into its place in `out`. Leaves the rest
  /// of `out` unchanged.
  template <class T>
  void read(const Hdf5Boxes& boxes, const Extents& start, T* out) const {
    read_open_box(boxes, start, number_type<T>(), out);
  }
  /// The whole variable, converted to T.
  template <class T>
  std::vector<T> read_all(const std::string& variable) const {
    const Extents whole = validated_shape(variable);
    std::uint64_t size = 1;
    for (const auto extent : whole) size *= extent;
    std::vector<T> values(size);
    read_box(variable, Extents(whole.size(), 0), whole, number_type<T>(), values.data());
    return values;
  }
  /// The texts of a one-dimensional variable of strings.
  std::vector<std::string> read_texts(const std::string& variable) const;
  /// A text attribute of a variable, or of the file if `variable` is "/"; nullopt if absent.
  /// Elements of an array of strings are joined with ", ".
  std::optional<std::string> text_attribute(const std::string& variable,
                                            const std::string& name) const;
  /// A numeric attribute (its first element); nullopt if absent or not a number.
  std::optional<double> number_attribute(const std::string& variable,
                                         const std::string& name) const;
  /// All elements of a numeric attribute; empty if absent or not numeric.
  std::vector<double> number_attributes(const std::string& variable, const std::string& name) const;
  /// Names of the attributes of a variable, or of the file if `variable` is "/", in alphabetical
  /// order.
  std::vector<std::string> attribute_names(const std::string& variable) const;

  // Writing
  /// Defines a dimension without a coordinate variable; `size`: unlimited_dimension if it grows.
  void define_dimension(const std::string& name, std::uint64_t size);
  /// Defines a dimension with a coordinate variable of the same name.
  void define_coordinate(const std::string& name, const std::vector<double>& values,
                         NumberType type = NumberType::float64);
  /// Defines a variable over existing dimensions; a scalar has none.
  void define_variable(const std::string& name, NumberType type,
                       const std::vector<std::string>& dimensions, const Hdf5Storage& storage = {});
  /// Defines a one-dimensional variable that append() extends, without a dimension scale.
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
  /// Writes a one-dimensional variable of strings (UTF-8), each stored with the length of the
  /// longest.
  void write_texts(const std::string& name, const std::string& dimension,
                   const std::vector<std::string>& texts);
  /// Writes a whole chunk, whose first element is at `start`, of a variable with deflate; `packed`
  /// is the result of ChunkPacker.
  void write_packed_chunk(const std::string& variable, const Extents& start,
                          const std::vector<std::uint8_t>& packed) {
    write_stored_chunk(variable, start, packed.data(), packed.size());
  }
  /// Writes a whole chunk of a variable of T without deflate. Holds the lock for less time than
  /// write(), because checksum and output are outside of it.
  template <class T>
  void write_plain_chunk(const std::string& variable, const Extents& start, View<const T> values) {
    write_plain_bytes(variable, start, values.data, values.size * sizeof(T));
  }
  void set_attribute(const std::string& variable, const std::string& name, std::string_view text);
  void set_attribute(const std::string& variable, const std::string& name, double value);
  void set_attribute(const std::string& variable, const std::string& name, std::int32_t value);
  /// Sets an attribute of small integers, such as CF's flag_values of a byte variable.
  void set_attribute(const std::string& variable, const std::string& name,
                     const std::vector<std::uint8_t>& values);
  void set_attribute(const std::string& variable, const std::string& name,
                     const std::vector<double>& values);
  /// Closes the file. Errors: RunError, also of earlier writes.
  void close();

 private:
  Hdf5File(Hdf5Handle file, std::filesystem::path path);
  struct OpenDataset {
    std::string variable;
    Extents box;
    Hdf5Handle dataset;
  };
  /// True if this process writes the file, so that its contents are trusted.
  bool is_trusted() const;
  /// The shape of a variable, after checking that the file can hold all its values.
  Extents validated_shape(const std::string& variable) const;
  Hdf5Handle open_dataset(const std::string& variable) const;
  Hdf5Handle open_object(const std::string& variable) const;
  Hdf5Handle open_attribute(const std::string& variable, const std::string& name) const;
  /// Selects the part [start, start + count) of a dataset's space; everything for a scalar.
  Hdf5Handle selected_space(const std::string& variable, const Hdf5Handle& dataset,
                            const Extents& start, const Extents& count) const;
  void read_box(const std::string& variable, const Extents& start, const Extents& count,
                NumberType type, void* out) const;
  void read_open_box(const Hdf5Boxes& boxes, const Extents& start, NumberType type,
                     void* out) const;
  void read_dataset(const std::string& variable, const Hdf5Handle& dataset, const Extents& start,
                    const Extents& count, NumberType type, void* out) const;
  /// Checks the number of values to write. A wrong number is a bug of the caller, and would read
  /// memory beyond the values.
  void require_size(const std::string& variable, const Extents& shape, std::uint64_t size) const;
  // Implementations in the guarded process of keep_open(), read_box() and read_open_box().
  std::uint64_t open_for_boxes(const std::string& variable, const Extents& box) const;
  void share_box(const std::string& variable, const Extents& start, const Extents& count,
                 NumberType type, const SharedBytes& out) const;
  void share_open_box(std::uint64_t number, const Extents& start, NumberType type,
                      const SharedBytes& out) const;
  void write_box(const std::string& variable, const Extents& start, const Extents& count,
                 NumberType type, const void* values);
  void write_stored_chunk(const std::string& variable, const Extents& start, const void* bytes,
                          std::size_t size);
  void write_plain_bytes(const std::string& variable, const Extents& start, const void* bytes,
                         std::size_t size);
  std::vector<std::string> read_heap_texts(const std::string& variable, const Hdf5Handle& dataset,
                                           std::uint64_t count) const;
  void append_values(const std::string& variable, NumberType type, const void* values,
                     std::uint64_t count);
  [[noreturn]] void fail_reading(const std::string& variable, const std::string& why) const;
  [[noreturn]] void fail_writing(const std::string& what) const;

  Hdf5Handle file_;  // set for a file that is written, and in the guarded process
  std::filesystem::path path_;
  std::shared_ptr<Guarded<Hdf5File>> guard_;   // set for a file that is read
  mutable std::vector<OpenDataset> datasets_;  // by Hdf5Boxes::number; without a box for writing
  mutable std::set<std::string> validated_;    // variables that passed validated_shape()
};

}  // namespace tidewise
