#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/hdf5/file.h"
#include "env/environment_names.h"

namespace tidewise {

/// The meaning of a dimension of an environment's variables.
enum class DimensionKind { time, mode, realization, y, x, profile };
/// Dimensions of a variable, slowest first.
using DimensionKinds = std::span<const DimensionKind>;

/// Checks that variables have the dimensions of an environment, in the right order. Dimensions are
/// identified by name: the time and space dimensions by their axis variables, the mode dimension by
/// the name that u_mode and coefficient share, the realization dimension by the other name of
/// coefficient. A dimension without a name is identified by its length, and only if no other
/// dimension of its variable has the same length.
///
/// Errors: InputError naming file, variable and remedy.
class DimensionValidation {
 public:
  /// Identifies the dimensions. Variables may be missing. Errors: two axes along one dimension.
  DimensionValidation(const Hdf5File& file, const EnvironmentNames& names);

  /// Refuses a variable whose dimensions are not `kinds` of the lengths `expected`, are in another
  /// order, or cannot be distinguished. `described`: the needed dimensions as messages print them,
  /// such as "(time, y, x)".
  void require(const std::string& variable, DimensionKinds kinds, const Extents& expected,
               const std::string& described) const;

  /// True if time is a variable's only dimension, by its name, and it is not the time axis itself.
  bool is_series(const std::string& variable) const;

 private:
  static constexpr std::size_t kind_count = 6;
  struct Dimension {
    std::string name;
    bool is_named;  ///< false: the file has no name for it, and `name` is that of the documentation
  };

  const Dimension& at(DimensionKind kind) const {
    return dimensions_[static_cast<std::size_t>(kind)];
  }
  Dimension& at(DimensionKind kind) { return dimensions_[static_cast<std::size_t>(kind)]; }
  void name_axis(DimensionKind kind, const std::string& axis);
  void require_distinct(const std::string& axis, DimensionKind kind, const std::string& other_axis,
                        DimensionKind other) const;
  std::vector<std::string> unassigned_of(DimensionKind kind, const std::string& variable) const;
  void name_modes();
  void name_realizations();
  void refuse_order(const std::string& variable, DimensionKinds kinds,
                    const Extents& expected) const;
  bool is_foreign(DimensionKind kind, const std::string& name) const;
  void refuse_foreign(const std::string& variable, DimensionKinds kinds) const;
  void refuse_ambiguous(const std::string& variable, DimensionKinds kinds) const;
  [[noreturn]] void refuse(const std::string& variable, const std::string& why) const;
  std::vector<std::string> names_of(DimensionKinds kinds) const;

  const Hdf5File& file_;
  const EnvironmentNames& names_;
  std::array<Dimension, kind_count> dimensions_;  ///< (kind)
};

}  // namespace tidewise
