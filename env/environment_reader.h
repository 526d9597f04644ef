#pragma once

#include <cmath>
#include <filesystem>
#include <vector>

#include "base/hdf5_file.h"
#include "env/environment_info.h"
#include "env/environment_names.h"
#include "env/level_fields.h"

namespace tidewise {

/// An environment file (design section 4), read level by level. Opening judges everything but the
/// fields; read_level judges those. Errors: InputError naming file, variable and mend.
class EnvironmentReader {
 public:
  explicit EnvironmentReader(const std::filesystem::path& path, EnvironmentNames names = {});

  const EnvironmentInfo& info() const { return info_; }
  const std::filesystem::path& path() const { return file_.path(); }
  const EnvironmentNames& names() const { return names_; }

  /// Fills `fields` (made of info()) with level k. Missing is what is not finite, or equals its
  /// variable's _FillValue or missing_value. A closed cell where any of the velocity's fields is
  /// missing is `dry`, and all of them read 0 there; a missing scalar in a closed cell reads 0.
  /// Anything missing elsewhere is refused.
  void read_level(TimeLevel k, LevelFields<>& fields) const;

  /// The closed cells of level k alone, (y, x).
  std::vector<std::uint8_t> read_closed(TimeLevel k) const;

  /// Longitude and latitude of the cell centres [degrees], (y, x). Requires
  /// Coordinates::geographic.
  std::vector<double> read_longitude() const;
  std::vector<double> read_latitude() const;

 private:
  /// What stands for "missing" in a variable; NaN, which equals nothing, where none is declared.
  struct MissingMarks {
    float fill_value;
    float missing_value;
    bool operator()(float value) const {
      return !std::isfinite(value) || value == fill_value || value == missing_value;
    }
  };

  MissingMarks find_marks(const std::string& variable) const;
  /// Marks the closed cells where a field of (mode, y, x) or (y, x) is missing; refuses it in the
  /// water.
  void mark_dry(const std::string& variable, const MissingMarks& missing, TimeLevel k,
                View<const float> field, View<const std::uint8_t> closed,
                View<std::uint8_t> dry) const;
  void judge_scalar(TimeLevel k, View<float> scalar, View<const std::uint8_t> closed) const;
  void judge_coefficients(TimeLevel k, View<const float> coefficient) const;
  [[noreturn]] void refuse_missing(const std::string& variable, float value, TimeLevel k,
                                   std::size_t cell) const;
  void read_mask(TimeLevel k, View<std::uint8_t> closed) const;

  Hdf5File file_;
  EnvironmentNames names_;
  EnvironmentInfo info_;
  MissingMarks u_mean_, v_mean_, u_mode_, v_mode_, coefficient_, scalar_;
};

}  // namespace tidewise
