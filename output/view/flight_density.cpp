#include "output/view/flight_density.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tidewise {
namespace {

constexpr double min_width = 0.75;  // [cells]

/// The four cells around a place and their shares; those beyond the grid are its rim's.
class Around {
 public:
  Around(const Grid& grid, double column, double row) {
    const double x = std::clamp(column, 0.0, grid.nx - 1.0);
    const double y = std::clamp(row, 0.0, grid.ny - 1.0);
    const std::int32_t i = std::min(static_cast<std::int32_t>(x), std::max(grid.nx - 2, 0));
    const std::int32_t j = std::min(static_cast<std::int32_t>(y), std::max(grid.ny - 2, 0));
    const std::int32_t east = std::min(i + 1, grid.nx - 1);
    const std::int32_t north = std::min(j + 1, grid.ny - 1);
    const double a = x - i;
    const double b = y - j;
    cells_ = {at(grid, i, j), at(grid, east, j), at(grid, i, north), at(grid, east, north)};
    shares_ = {(1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b};
  }

  void add(double weight, std::vector<double>& field) const {
    for (std::size_t n = 0; n < 4; ++n) field[cells_[n]] += weight * shares_[n];
  }
  double of(const std::vector<double>& field) const {
    double sum = 0;
    for (std::size_t n = 0; n < 4; ++n) sum += shares_[n] * field[cells_[n]];
    return sum;
  }

 private:
  static std::size_t at(const Grid& grid, std::int32_t i, std::int32_t j) {
    return static_cast<std::size_t>(grid.cell(i, j).value);
  }

  std::array<std::size_t, 4> cells_{};
  std::array<double, 4> shares_{};
};

/// Spreads each row, or each column, by a Gaussian of that width [cells], four of them to each
/// side.
void spread(const Grid& grid, bool along_x, double width, std::vector<double>& field) {
  const auto reach = static_cast<std::int32_t>(std::ceil(4 * width));
  std::vector<double> share;
  for (std::int32_t d = 0; d <= reach; ++d) share.push_back(std::exp(-0.5 * d * d / width / width));
  const std::int32_t length = along_x ? grid.nx : grid.ny;
  const std::int32_t lines = along_x ? grid.ny : grid.nx;
  const auto cell = [&](std::int32_t line, std::int32_t n) {
    return static_cast<std::size_t>((along_x ? grid.cell(n, line) : grid.cell(line, n)).value);
  };
  std::vector<double> whole(static_cast<std::size_t>(length));
  for (std::int32_t line = 0; line < lines; ++line) {
    std::fill(whole.begin(), whole.end(), 0.0);
    for (std::int32_t n = 0; n < length; ++n) {
      const double here = field[cell(line, n)];
      if (here == 0) continue;
      for (std::int32_t m = std::max(n - reach, 0); m <= std::min(n + reach, length - 1); ++m) {
        whole[m] += here * share[std::abs(m - n)];
      }
    }
    for (std::int32_t n = 0; n < length; ++n) field[cell(line, n)] = whole[n];
  }
}

}  // namespace

FlightDensity::FlightDensity(const Grid& grid, const TimeAxis& time, const FlightsView& flights,
                             TimeLevel first)
    : grid_(grid), step_(time.step), flights_(flights), first_(first) {}

std::vector<FlightDensity::Place> FlightDensity::under_way(TimeLevel k) const {
  std::vector<Place> places;
  const std::int32_t since = k.value - first_.value;
  if (since < 0) return places;
  const auto m = static_cast<std::size_t>(since);
  for (std::size_t n = 0; n < flights_.drawn.size(); ++n) {
    const auto flight = static_cast<std::size_t>(flights_.drawn[n]);
    if (m + 1 >= static_cast<std::size_t>(flights_.point_count[n])) continue;  // has ended
    if (flights_.end_time[flight] <= k.value * step_) continue;
    const std::size_t at = n * flights_.max_points + m;
    places.push_back({(flights_.x[at] - grid_.x_first) / grid_.dx,
                      (flights_.y[at] - grid_.y_first) / grid_.dy,
                      flights_.weight.empty() ? 1 : static_cast<double>(flights_.weight[flight])});
  }
  return places;
}

std::vector<float> FlightDensity::at(TimeLevel k) const {
  const auto cells = static_cast<std::size_t>(grid_.cell_count());
  const std::vector<Place> places = under_way(k);
  double total = 0, square = 0, x = 0, y = 0;
  for (const Place& place : places) {
    total += place.weight;
    square += place.weight * place.weight;
    x += place.weight * place.column;
    y += place.weight * place.row;
  }
  if (!(total > 0)) return std::vector<float>(cells, 0);
  double xx = 0, yy = 0;
  for (const Place& place : places) {
    xx += place.weight * std::pow(place.column - x / total, 2);
    yy += place.weight * std::pow(place.row - y / total, 2);
  }
  std::vector<double> density(cells, 0);
  for (const Place& place : places) {
    Around(grid_, place.column, place.row).add(place.weight, density);
  }
  // for this effective number of flights
  const double narrowing = std::pow(total * total / square, -1.0 / 6);
  spread(grid_, true, std::max(min_width, narrowing * std::sqrt(xx / total)), density);
  spread(grid_, false, std::max(min_width, narrowing * std::sqrt(yy / total)), density);
  // The rim goes through the last flight that is needed for the share, the densest first.
  std::vector<std::pair<double, double>> met;  // density, weight
  met.reserve(places.size());
  for (const Place& place : places) {
    met.emplace_back(Around(grid_, place.column, place.row).of(density), place.weight);
  }
  std::sort(met.begin(), met.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  double rim = 0, held = 0;
  for (const auto& [dense, weight] : met) {
    if (held >= share * total * (1 - 1e-12)) break;
    rim = dense;
    held += weight;
  }
  std::vector<float> over_rim(cells);
  for (std::size_t n = 0; n < cells; ++n) over_rim[n] = static_cast<float>(density[n] / rim);
  return over_rim;
}

}  // namespace tidewise
