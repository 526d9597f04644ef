#pragma once

#include "env/file/extras.h"
#include "env/file/reader.h"

namespace tidewise {

/// Of a spacing or a step: as axes are judged when they are read.
inline constexpr double axis_tolerance = 1e-3;

/// An environment and what lies beside its info.
struct MergeCandidate {
  const EnvironmentReader& reader;
  const EnvironmentExtras& extras;
};

/// Refuses two environments that cannot be cycles of one forecast, times apart. Errors: InputError
/// that names both files, the variable and the remedy.
void require_agreement(const MergeCandidate& first, const MergeCandidate& second);

/// "A and B: variable V: WHY; REMEDY", thrown as an InputError.
[[noreturn]] void refuse_merge(const EnvironmentReader& first, const EnvironmentReader& second,
                               const std::string& variable, const std::string& why);

}  // namespace tidewise
