#pragma once

#include <optional>

#include "base/hdf5/file.h"
#include "env/environment_info.h"
#include "env/environment_names.h"
#include "env/level_fields.h"
#include "env/missing_marks.h"

namespace tidewise {

/// Finds the first invalid value of a level that a LevelValidation has refused, for the message.
struct LevelRefusal {
  const Hdf5File& file;  ///< read again if the value in memory does not show the cause
  const EnvironmentNames& names;
  const EnvironmentInfo& info;
  TimeLevel level;
  std::optional<std::uint64_t> profile = {};  ///< number in the file; nullopt with one velocity

  /// Throws InputError for the first invalid value of the mask, (y, x); returns if all are valid.
  template <class T>
  void refuse_mask(View<const T> masked) const;
  /// Throws InputError for the first invalid value of any field, the mask first; returns if all are
  /// valid. `fields` are in host memory, validated or not.
  void refuse_fields(const LevelFieldViews& fields, const LevelMarks& marks) const;

 private:
  std::string location_of(std::size_t cell) const;
  std::string describe_missing(float value, const std::string& variable,
                               const Extents& position) const;
  void refuse_missing(const std::string& variable, const MissingMarks& is_missing,
                      View<const float> field, View<const std::uint8_t> masked) const;
  void refuse_coefficient(const MissingMarks& is_missing, View<const float> coefficient) const;
};

}  // namespace tidewise
