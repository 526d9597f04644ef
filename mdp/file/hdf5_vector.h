#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/hdf5/file.h"

namespace tidewise::mdp {

/// The length of a variable of one dimension, one of `lengths` where any is given, and no more than
/// its file can hold even where it is packed: damaged files claim what would take all memory.
/// Errors: InputError naming file and variable.
std::uint64_t judged_length(const Hdf5File& file, const std::string& variable,
                            std::initializer_list<std::uint64_t> lengths = {});

/// The whole variable, once its length is judged; some million elements at a time, or a chunk where
/// those are longer: what is on its way takes memory twice.
template <class T>
std::vector<T> read_vector(const Hdf5File& file, const std::string& variable,
                           std::initializer_list<std::uint64_t> lengths = {}) {
  const std::uint64_t length = judged_length(file, variable, lengths);
  constexpr std::uint64_t piece = 1 << 20;
  const Extents chunk = file.chunk(variable);
  const std::uint64_t side = chunk.empty() ? 1 : chunk.front();
  const std::uint64_t at_once = std::max(side, piece / side * side);
  if (length <= at_once) return file.read_all<T>(variable);
  std::vector<T> values(length);
  const Hdf5Boxes boxes = file.keep_open(variable, {at_once});
  std::uint64_t at = 0;
  for (; length - at >= at_once; at += at_once) file.read(boxes, {at}, values.data() + at);
  if (at < length) file.read(variable, {at}, {length - at}, values.data() + at);
  return values;
}

/// Writes a variable over `dimension`, which is defined, a million elements at a time, with what it
/// is for readers. Nothing where `values` is empty.
template <class Values>
void write_vector(Hdf5File& file, const std::string& variable, const std::string& dimension,
                  const Values& values, const std::string& long_name, int deflate = 0) {
  if (values.empty()) return;
  constexpr std::uint64_t chunk = 1 << 20;
  const auto size = static_cast<std::uint64_t>(values.size());
  file.define_variable(variable, number_type<typename Values::value_type>(), {dimension},
                       {.chunk = {std::min(size, chunk)}, .deflate = deflate});
  file.set_attribute(variable, "units", "1");
  file.set_attribute(variable, "long_name", long_name);
  for (std::uint64_t at = 0; at < size; at += chunk) {
    file.write(variable, {at}, {std::min(chunk, size - at)}, values.data() + at);
  }
}

/// Writes a variable of texts over `dimension`, with what it is for readers. Nothing where there
/// are none.
void write_names(Hdf5File& file, const std::string& variable, const std::string& dimension,
                 const std::vector<std::string>& names, const char* long_name);

}  // namespace tidewise::mdp
