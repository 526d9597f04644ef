#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "base/hdf5/file.h"

namespace tidewise::test {

/// Returns the names of variables that only one of two files has, or whose shapes or values differ.
/// NaN equals NaN.
inline std::vector<std::string> differing_variables(const std::filesystem::path& a,
                                                    const std::filesystem::path& b) {
  const Hdf5File first = Hdf5File::open(a);
  const Hdf5File second = Hdf5File::open(b);
  std::vector<std::string> different;
  for (const std::string& name : first.variables()) {
    if (!second.has(name) || first.shape(name) != second.shape(name)) {
      different.push_back(name);
      continue;
    }
    const auto x = first.read_all<double>(name);
    const auto y = second.read_all<double>(name);
    bool same = true;
    for (std::size_t n = 0; n < x.size(); ++n) {
      same = same && (x[n] == y[n] || (x[n] != x[n] && y[n] != y[n]));
    }
    if (!same) different.push_back(name);
  }
  for (const std::string& name : second.variables()) {
    if (!first.has(name)) different.push_back(name);
  }
  return different;
}

}  // namespace tidewise::test
