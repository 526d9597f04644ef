#pragma once

#include <optional>
#include <string>

namespace tidewise {

class EnvironmentReader;

/// The instant that values of a time axis count from [s since 1970]; nothing for units without a
/// date ("s", "1"). `calendar`: CF's attribute, empty for standard. Errors: InputError, without the
/// file's name, for a date or a calendar that cannot be read.
std::optional<double> time_reference(const std::string& units, const std::string& calendar);

/// The same of an environment; nothing, too, where its calendar or date cannot be read: its times
/// are then numbers alone.
std::optional<double> time_reference(const EnvironmentReader& environment);

}  // namespace tidewise
