#pragma once

#include <filesystem>
#include <string>

namespace tidewise::test {

/// Kinds of damage to a dataset, after which HDF5 can still read the file.
enum class Damage {
  one_dimension_more,
  one_dimension_less,  ///< all its values along one dimension
  shorter,             ///< by one along the first dimension
  transposed,
  other_type,  ///< integers instead of floating point, or the reverse
  text,
  value  ///< another value in the middle
};

/// Returns the name of a kind of damage for messages, such as "shorter".
std::string to_string(Damage damage);

/// Replaces the dataset `name` by a damaged one of float64, int32 or text. `value`: the new value
/// for Damage::value. Returns false if the damage changes nothing, as when a vector is transposed.
bool damage_dataset(const std::filesystem::path& file, const std::string& name, Damage damage,
                    double value = 0);

}  // namespace tidewise::test
