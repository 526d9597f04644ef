#include "env/row_balance.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace tidewise {

std::vector<RowWindow> balance_rows(const std::vector<double>& cost, std::int32_t parts,
                                    std::int32_t halo) {
  const auto ny = static_cast<std::int32_t>(cost.size());
  std::vector<RowWindow> subdomains = divide_rows(ny, parts, halo);
  const double total = std::accumulate(cost.begin(), cost.end(), 0.0);
  if (!(total > 0)) return subdomains;
  const std::int32_t min_rows = std::max(halo, 1);
  double so_far = 0;
  std::int32_t row = 0;
  for (std::int32_t part = 0; part < parts; ++part) {
    RowWindow& subdomain = subdomains[part];
    subdomain.begin = row;
    const std::int32_t parts_left = parts - part - 1;
    const std::int32_t end = ny - parts_left * min_rows;  // min_rows for each band to the north
    const double cost_limit = total * (part + 1) / parts;
    // A row belongs to the band whose share of the cost includes the middle of the row's cost.
    while (row < end && (row < subdomain.begin + min_rows || parts_left == 0 ||
                         so_far + cost[row] / 2 < cost_limit)) {
      so_far += cost[row];
      ++row;
    }
    subdomain.end = row;
    subdomain.known_begin = std::max(subdomain.begin - halo, 0);
    subdomain.known_end = std::min(subdomain.end + halo, ny);
  }
  return subdomains;
}

std::vector<double> spread_costs(const std::vector<RowWindow>& subdomains,
                                 const std::vector<double>& cost_of_subdomain) {
  if (subdomains.size() != cost_of_subdomain.size())
    throw std::invalid_argument("a cost for each band");
  std::vector<double> cost;
  for (std::size_t subdomain = 0; subdomain < subdomains.size(); ++subdomain) {
    cost.insert(cost.end(), static_cast<std::size_t>(subdomains[subdomain].size()),
                cost_of_subdomain[subdomain] / subdomains[subdomain].size());
  }
  return cost;
}

}  // namespace tidewise
