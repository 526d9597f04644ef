#pragma once

#include <filesystem>

#include "base/hdf5/file.h"

namespace tidewise::test {

/// Sets the units of a non-dimensional environment to metres and seconds, without changing its
/// numbers.
inline void make_metric(const std::filesystem::path& environment) {
  Hdf5File file = Hdf5File::open_to_change(environment);
  for (const char* name : {"x", "y"}) file.set_attribute(name, "units", "m");
  for (const char* name : {"u_mean", "v_mean"}) file.set_attribute(name, "units", "m s-1");
  file.set_attribute("time", "units", "s");
}

}  // namespace tidewise::test
