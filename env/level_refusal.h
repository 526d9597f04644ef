#pragma once

#include <filesystem>

#include "env/environment_info.h"
#include "env/environment_names.h"
#include "env/level_fields.h"
#include "env/missing_marks.h"

namespace tidewise {

/// Says what is wrong with a level that a LevelJudge has refused.
struct LevelRefusal {
  const std::filesystem::path& path;
  const EnvironmentNames& names;
  const EnvironmentInfo& info;
  TimeLevel level;

  /// Throws InputError over the first wrong value of the mask, (y, x); returns where all are right.
  void refuse_mask(View<const std::uint8_t> closed) const;
  /// The same for all fields, the mask first. `fields` are in host memory, judged or not.
  void refuse_fields(const LevelFieldViews& fields, const LevelMarks& marks) const;

 private:
  void refuse_missing(const std::string& variable, const MissingMarks& missing,
                      View<const float> field, View<const std::uint8_t> closed) const;
  void refuse_coefficient(const MissingMarks& missing, View<const float> coefficient) const;
};

}  // namespace tidewise
