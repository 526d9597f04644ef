#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "base/hdf5/file.h"

namespace tidewise::mdp {

/// The length of a one-dimensional variable. Checks that it is one of `lengths`, if any are given,
/// and that the file can hold it even when packed, because damaged files may declare lengths that
/// would take all memory. Errors: InputError with file and variable.
std::uint64_t validated_length(const Hdf5File& file, const std::string& variable,
                               std::initializer_list<std::uint64_t> lengths = {});

/// Reads the whole variable after checking its length, in pieces of about a million elements, or of
/// a chunk if that is longer, because data in transit take memory twice.
template <class T>
std::vector<T> read_vector(const Hdf5File& file, const std::string& variable,
                           std::initializer_list<std::uint64_t> lengths = {}) {
  const std::uint64_t length = validated_length(file, variable, lengths);
  constexpr std::uint64_t target_size = 1 << 20;
  const Extents chunk = file.chunk(variable);
  const std::uint64_t chunk_size = chunk.empty() ? 1 : chunk.front();
  const std::uint64_t piece_size = std::max(chunk_size, target_size / chunk_size * chunk_size);
  if (length <= piece_size) return file.read_all<T>(variable);
  std::vector<T> values(length);
  const Hdf5Boxes boxes = file.keep_open(variable, {piece_size});
  std::uint64_t at = 0;
  for (; length - at >= piece_size; at += piece_size) file.read(boxes, {at}, values.data() + at);
  if (at < length) file.read(variable, {at}, {length - at}, values.data() + at);
  return values;
}

/// Writes a variable over the existing `dimension` with its description, a million elements at a
/// time. Does nothing if `values` is empty.
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

/// Writes a variable of texts over `dimension` with its description. Does nothing if there are
/// none.
void write_names(Hdf5File& file, const std::string& variable, const std::string& dimension,
                 const std::vector<std::string>& names, const char* long_name);

}  // namespace tidewise::mdp
