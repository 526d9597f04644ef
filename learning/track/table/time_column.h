#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "learning/track/table/table.h"

namespace tidewise {

/// Joins a column of dates and one of times of day to one column of times, with the name of the
/// latter; and columns year, month, day, hour, … to one named time. Other tables do not change.
void join_dates_and_clocks(TrackTable& table);

/// The column of times. `named`: columns whose names mean a time, the most likely first. `taken`:
/// columns that hold something else. A CSV's column of dates is found under any name, and so is one
/// of seconds since 1970 that ascend from row to row. nullopt if there is none. Errors: InputError
/// naming two columns that could both hold the times and differ.
std::optional<std::size_t> find_time_column(const TrackTable& table,
                                            const std::vector<std::size_t>& named,
                                            const std::vector<std::size_t>& taken);

}  // namespace tidewise
