#pragma once

#include <optional>
#include <string>

#include "env/import/file/field_layout.h"

namespace tidewise::ingest {

/// By what a coordinate variable may be known, the surest first.
enum class Evidence { standard_name, axis, units, name };

/// The role that this evidence gives to a coordinate variable; nothing if it is silent.
std::optional<Role> role_by(Evidence evidence, const NetcdfFile& file, const std::string& variable);

/// The role that a dimension's or variable's name suggests.
std::optional<Role> role_by_name(const std::string& name);

}  // namespace tidewise::ingest
