#pragma once

#include <filesystem>
#include <string>

namespace tidewise::test {

/// Faults of a dataset in a file that HDF5 can read.
enum class Damage {
  one_dimension_more,
  one_dimension_less,  ///< all its values along one dimension
  shorter,             ///< by one along the first dimension
  transposed,
  other_type,  ///< integers instead of floating point, or the reverse
  text,
  value  ///< one of its values, in the middle
};

/// "shorter", …: for messages.
std::string to_string(Damage damage);

/// Puts a damaged dataset of float64, int32 or text in the place of `name`. `value`: of
/// Damage::value. False where the damage changes nothing: a vector that is transposed.
bool damage_dataset(const std::filesystem::path& file, const std::string& name, Damage damage,
                    double value = 0);

}  // namespace tidewise::test
