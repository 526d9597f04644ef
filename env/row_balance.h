#pragma once

#include <cstdint>
#include <vector>

#include "env/row_window.h"

namespace tidewise {

/// Subdomains as of divide_rows(), whose rows cost about the same in every band. cost: (row), ≥ 0.
/// Requires that as many bands of as many rows as the halo has are there.
std::vector<RowWindow> balance_rows(const std::vector<double>& cost, std::int32_t parts,
                                    std::int32_t halo);

/// What rows cost if those of one band all cost the same, from what each band has cost in all:
/// (row). cost_of_band: (band), > 0.
std::vector<double> spread_costs(const std::vector<RowWindow>& subdomains,
                                 const std::vector<double>& cost_of_subdomain);

}  // namespace tidewise
