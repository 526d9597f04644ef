#pragma once

#include <optional>

#include "base/hdf5/file.h"
#include "env/environment_info.h"
#include "env/environment_names.h"
#include "env/level_fields.h"
#include "env/missing_marks.h"

namespace tidewise {

/// Finds the first wrong value of a level that a LevelValidation has refused, for the message.
struct LevelRefusal {
  const Hdf5File& file;  ///< read again if a value in memory no longer shows the cause
  const EnvironmentNames& names;
  const EnvironmentInfo& info;
  TimeLevel level;
  std::optional<std::uint64_t> profile = {};  ///< number in the file; nullopt with one velocity

  /// Throws InputError for the first wrong value of the mask, (y, x); returns if all are right.
  template <class T>
  void refuse_mask(View<const T> masked) const;
  /// Throws InputError for the first wrong value of any field, the mask first; returns if all are
  /// right. `fields` are in host memory, validated or not.
  void refuse_fields(const LevelFieldViews& fields, const LevelMarks& marks) const;

 private:
  std::string place_of(std::size_t cell) const;
  std::string name_of(float value, const std::string& variable, const Extents& place) const;
  void refuse_missing(const std::string& variable, const MissingMarks& missing,
                      View<const float> field, View<const std::uint8_t> masked) const;
  void refuse_coefficient(const MissingMarks& missing, View<const float> coefficient) const;
};

}  // namespace tidewise
