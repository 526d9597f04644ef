#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tidewise::mdp {

/// An array of numbers or one text, as .npy has it. Source: numpy.lib.format, versions 1.0 to 3.0.
class NumpyArray {
 public:
  /// `bytes`: of the whole .npy. `name`: what errors begin with. Errors: InputError for what is no
  /// .npy, of Python's objects, records or complex numbers, or of another size than its shape's.
  NumpyArray(std::vector<std::uint8_t> bytes, std::string name);

  const std::vector<std::uint64_t>& shape() const { return shape_; }
  std::uint64_t size() const { return size_; }
  /// All elements, in C order whatever theirs is. Errors: InputError for texts.
  std::vector<double> numbers() const;
  /// The same as whole numbers. Errors: InputError for floating ones, and those of uint64 above
  /// int64's.
  std::vector<std::int64_t> integers() const;
  /// The only element, which is a text of ASCII, of bytes or of Unicode. Errors: InputError.
  std::string text() const;

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  void read_header();
  template <class T>
  std::vector<T> converted() const;
  template <class T, class Stored>
  std::vector<T> converted_from() const;
  /// Of element n in C order, its place among those stored.
  std::uint64_t place_of(std::uint64_t n) const;

  std::string name_;
  std::vector<std::uint8_t> bytes_;
  std::size_t begin_ = 0;  // of the elements
  char kind_ = 'f';        // numpy's: f i u b S U
  std::uint64_t element_bytes_ = 8;
  bool is_swapped_ = false;  // the most significant byte first
  bool is_fortran_ = false;
  std::vector<std::uint64_t> shape_;
  std::uint64_t size_ = 1;
};

}  // namespace tidewise::mdp
