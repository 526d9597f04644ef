#pragma once

#include "env/environment_info.h"
#include "env/file/writer.h"
#include "env/gyre/environment.h"
#include "env/gyre/scaling.h"

namespace tidewise::gyre {

/// All but the fields of the environment that these options make.
EnvironmentInfo info_of(const EnvironmentOptions& options, const Scaling& scaling);

/// Levels `first` … `end` − 1 of an environment by themselves.
EnvironmentInfo info_of_levels(const EnvironmentInfo& info, std::int32_t first, std::int32_t end);

/// Attributes that EnvironmentInfo has no place for: the flow's numbers and scales (root), what
/// modes and coefficients mean, the radiation's standard name.
void write_description(EnvironmentWriter& writer, const EnvironmentOptions& options,
                       const Scaling& scaling);

}  // namespace tidewise::gyre
