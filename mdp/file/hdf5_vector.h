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

/// The whole variable, once its length is judged.
template <class T>
std::vector<T> read_vector(const Hdf5File& file, const std::string& variable,
                           std::initializer_list<std::uint64_t> lengths = {}) {
  judged_length(file, variable, lengths);
  return file.read_all<T>(variable);
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
