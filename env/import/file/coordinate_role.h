#pragma once

#include <optional>
#include <string>

#include "env/import/file/field_layout.h"

namespace tidewise::ingest {

/// Evidence for the role of a coordinate variable, the strongest first.
enum class Evidence { standard_name, axis, units, name };

/// The role of a coordinate variable by this evidence; nullopt without evidence.
std::optional<Role> role_by(Evidence evidence, const NetcdfFile& file, const std::string& variable);

/// The role that the name of a dimension or variable suggests; nullopt if it suggests none.
std::optional<Role> role_by_name(const std::string& name);

}  // namespace tidewise::ingest
