#include "output/view/flight_density.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace tidewise {
namespace {

constexpr double min_width = 0.75;  // [cells]

/// The four cells around a position and their weights; positions outside the grid move to its rim.
class BilinearCells {
 public:
  BilinearCells(const Grid& grid, double column, double row) {
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
  double interpolate(const std::vector<double>& field) const {
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

/// Smooths each row, or each column, by a Gaussian of this standard deviation [cells], cut off at
/// four deviations.
void spread(const Grid& grid, bool along_x, double width, std::vector<double>& field) {
  const auto reach = static_cast<std::int32_t>(std::ceil(4 * width));
  std::vector<double> share;
  for (std::int32_t d = 0; d <= reach; ++d) share.push_back(std::exp(-0.5 * d * d / width / width));
  const std::int32_t length = along_x ? grid.nx : grid.ny;
  const std::int32_t lines = along_x ? grid.ny : grid.nx;
  const auto cell = [&](std::int32_t line, std::int32_t n) {
    return static_cast<std::size_t>((along_x ? grid.cell(n, line) : grid.cell(line, n)).value);
  };
  std::vector<double> smoothed(static_cast<std::size_t>(length));
  for (std::int32_t line = 0; line < lines; ++line) {
    std::fill(smoothed.begin(), smoothed.end(), 0.0);
    for (std::int32_t n = 0; n < length; ++n) {
      const double value = field[cell(line, n)];
      if (value == 0) continue;
      for (std::int32_t m = std::max(n - reach, 0); m <= std::min(n + reach, length - 1); ++m) {
        smoothed[m] += value * share[std::abs(m - n)];
      }
    }
    for (std::int32_t n = 0; n < length; ++n) field[cell(line, n)] = smoothed[n];
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
    BilinearCells(grid_, place.column, place.row).add(place.weight, density);
  }
  // total² / square is the effective number of flights.
  const double narrowing = std::pow(total * total / square, -1.0 / 6);
  spread(grid_, true, std::max(min_width, narrowing * std::sqrt(xx / total)), density);
  spread(grid_, false, std::max(min_width, narrowing * std::sqrt(yy / total)), density);
  // Flights are added by falling density until they have the share; the last one defines the rim.
  std::vector<std::pair<double, double>> flight_densities;  // density, weight
  flight_densities.reserve(places.size());
  for (const Place& place : places) {
    flight_densities.emplace_back(
        BilinearCells(grid_, place.column, place.row).interpolate(density), place.weight);
  }
  std::sort(flight_densities.begin(), flight_densities.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  double rim = 0, inside = 0;
  for (const auto& [dense, weight] : flight_densities) {
    if (inside >= share * total * (1 - 1e-12)) break;
    rim = dense;
    inside += weight;
  }
  std::vector<float> over_rim(cells);
  for (std::size_t n = 0; n < cells; ++n) over_rim[n] = static_cast<float>(density[n] / rim);
  return over_rim;
}

}  // namespace tidewise
