#pragma once

#include <optional>

#include "base/hdf5/file.h"
#include "env/environment_info.h"
#include "env/environment_names.h"
#include "env/level_fields.h"
#include "env/missing_marks.h"

namespace tidewise {

/// Says what is wrong with a level that a LevelValidation has refused.
struct LevelRefusal {
  const Hdf5File& file;  ///< which is asked what it holds where a value says it no more
  const EnvironmentNames& names;
  const EnvironmentInfo& info;
  TimeLevel level;
  std::optional<std::uint64_t> profile = {};  ///< of the file; nothing where it has one velocity

  /// Throws InputError over the first wrong value of the mask, (y, x); returns where all are right.
  template <class T>
  void refuse_mask(View<const T> masked) const;
  /// The same for all fields, the mask first. `fields` are in host memory, judged or not.
  void refuse_fields(const LevelFieldViews& fields, const LevelMarks& marks) const;

 private:
  std::string place_of(std::size_t cell) const;
  std::string name_of(float value, const std::string& variable, const Extents& place) const;
  void refuse_missing(const std::string& variable, const MissingMarks& missing,
                      View<const float> field, View<const std::uint8_t> masked) const;
  void refuse_coefficient(const MissingMarks& missing, View<const float> coefficient) const;
};

}  // namespace tidewise
