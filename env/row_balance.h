#pragma once

#include <cstdint>
#include <vector>

#include "env/row_window.h"

namespace tidewise {

/// Subdomains like those of divide_rows(), with bands of about equal total cost. cost: (row), ≥ 0.
/// Requires enough rows for `parts` bands of `halo` rows each.
std::vector<RowWindow> balance_rows(const std::vector<double>& cost, std::int32_t parts,
                                    std::int32_t halo);

/// The cost of each row, (row), if all rows of a band cost the same. cost_of_subdomain: total cost
/// of each band, (band), > 0.
std::vector<double> spread_costs(const std::vector<RowWindow>& subdomains,
                                 const std::vector<double>& cost_of_subdomain);

}  // namespace tidewise
