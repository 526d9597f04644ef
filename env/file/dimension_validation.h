#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/environment_names.h"

namespace tidewise {

/// What a dimension of an environment's variables runs along.
enum class DimensionKind { time, mode, realization, y, x, profile };
using DimensionKinds = std::span<const DimensionKind>;

/// Holds variables to the order of dimensions that an environment has. Names decide: a dimension is
/// known by that of the axis which lies along it, the modes' by the name that u_mode and
/// coefficient share, the realizations' by the one that coefficient has beside it. A dimension
/// without a name is known by its length alone, and only where no other of its variable is as long.
///
/// Errors: InputError naming file, variable and remedy.
class DimensionValidation {
 public:
  /// Errors: two axes along one dimension. Variables may be missing.
  DimensionValidation(const Hdf5File& file, const EnvironmentNames& names);

  /// Refuses a variable whose dimensions are others than `directions` of the lengths `expected`, or
  /// stand in another order, or cannot be told apart. `described`: "(time, y, x)".
  void require(const std::string& variable, DimensionKinds directions, const Extents& expected,
               const std::string& described) const;

  /// Whether a variable runs along time alone, by its dimension's name, and is not that dimension.
  bool is_series(const std::string& variable) const;

 private:
  static constexpr std::size_t direction_count = 6;
  struct Dimension {
    std::string name;
    bool is_named;  ///< by the file; else `name` is what the documents call it
  };

  const Dimension& at(DimensionKind direction) const {
    return dimensions_[static_cast<std::size_t>(direction)];
  }
  Dimension& at(DimensionKind direction) {
    return dimensions_[static_cast<std::size_t>(direction)];
  }
  void name_axis(DimensionKind direction, const std::string& axis);
  void require_apart(const std::string& axis, DimensionKind direction,
                     const std::string& other_axis, DimensionKind other) const;
  std::vector<std::string> rest_of(DimensionKind direction, const std::string& variable) const;
  void name_modes();
  void name_realizations();
  void refuse_order(const std::string& variable, DimensionKinds directions,
                    const Extents& expected) const;
  bool is_stranger(DimensionKind direction, const std::string& own) const;
  void refuse_strangers(const std::string& variable, DimensionKinds directions) const;
  void refuse_doubt(const std::string& variable, DimensionKinds directions) const;
  [[noreturn]] void refuse(const std::string& variable, const std::string& why) const;
  std::vector<std::string> names_of(DimensionKinds directions) const;

  const Hdf5File& file_;
  const EnvironmentNames& names_;
  std::array<Dimension, direction_count> dimensions_;  ///< (direction)
};

}  // namespace tidewise
