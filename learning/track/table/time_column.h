#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "learning/track/table/table.h"

namespace tidewise {

/// Joins a column of dates and one of times of day to one column of times, under the name of the
/// latter; and columns year, month, day, hour, … to one called time. Other tables stay as they are.
void join_dates_and_clocks(TrackTable& table);

/// The column of times. `named`: columns whose names stand for a time, the surest first. `taken`:
/// columns that hold something else. A CSV's column of dates is found under any name, and one of
/// seconds since 1970 if they ascend from row to row. Nothing if there is none. Errors: InputError
/// naming two columns that could be it and differ.
std::optional<std::size_t> find_time_column(const TrackTable& table,
                                            const std::vector<std::size_t>& named,
                                            const std::vector<std::size_t>& taken);

}  // namespace tidewise
