#pragma once

#include <optional>
#include <string>

namespace tidewise {

class EnvironmentReader;

/// The instant that values of a time axis count from [s since 1970]; nullopt for units without a
/// date ("s", "1"). `calendar`: CF's attribute, empty for standard. Errors: InputError, without the
/// file's name, for a date or a calendar that cannot be read.
std::optional<double> time_reference(const std::string& units, const std::string& calendar);

/// The reference of an environment's time axis; also nullopt if its calendar or date cannot be
/// read, so that its times are plain numbers.
std::optional<double> time_reference(const EnvironmentReader& environment);

}  // namespace tidewise
