#pragma once

#include <hdf5.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tidewise::test {

/// Contents of a small environment file, which tests make invalid; write() does not validate them.
/// The initial contents are valid: 8 × 6 cells of size 1, 4 levels, 2 modes, 3 realizations,
/// non-dimensional, the cell of column 5, row 3 closed, no scalar field.
struct RawEnvironment {
  struct Variable {
    std::vector<std::string> dimensions;
    std::vector<double> values;
  };

  RawEnvironment();
  void write(const std::filesystem::path& path) const;

  std::map<std::string, std::vector<double>> axes;  ///< x, y, time
  std::map<std::string, std::size_t> dimensions;    ///< mode, realization
  std::map<std::string, Variable> variables;        ///< by name
  std::map<std::string, std::string> units;         ///< by variable
  std::set<std::string> packed;                     ///< variables that get a scale_factor
};

// Functions that make a file invalid.

/// Replaces a variable by one of another HDF5 type, with the same shape and dimensions.
void store_as(const std::filesystem::path& path, const std::string& variable, hid_t type,
              const std::vector<double>& values);
/// Adds a variable of `values` along the dimension `scale`, whose length may differ.
void add_along(const std::filesystem::path& path, const std::string& variable,
               const std::string& scale, const std::vector<double>& values);
/// Removes the names of a variable's dimensions.
void forget_dimensions(const std::filesystem::path& path, const std::string& variable);
void add_numbers(const std::filesystem::path& path, const std::string& variable,
                 const std::string& attribute, const std::vector<double>& numbers);

}  // namespace tidewise::test
