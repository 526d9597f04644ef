#include "env/import/cell_size.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "env/import/grid/target_grid.h"

namespace tidewise::ingest {
namespace {

constexpr int max_parts = 4;                // 16 times the source's points
constexpr double max_cells = 2e8;           // of all levels; a policy then has about a gigabyte
constexpr double min_cells_per_step = 1.4;  // 1.5, minus the rounding of spacings to two digits

}  // namespace

double FlowDetail::interpolation_error(double cells) const {
  return speed > 0 ? kink / speed / std::sqrt(90 * std::pow(spacing / cells, 3)) : 0;
}

void DetailGatherer::add(const double* field, std::size_t rows, std::size_t columns,
                         std::size_t stride, std::size_t first_row, std::size_t first_column) {
  for (std::size_t j = first_row; j < rows; j += stride) {
    for (std::size_t i = first_column; i < columns; i += stride) {
      const double* point = field + j * columns + i;
      if (std::isnan(*point)) continue;
      squares_ += *point * *point;
      ++points_;
      if (i >= stride && i + stride < columns) add_kink(point, stride);
      if (j >= stride && j + stride < rows) add_kink(point, stride * columns);
    }
  }
}

void DetailGatherer::add_kink(const double* point, std::size_t offset) {
  const double kink = *(point - offset) - 2 * *point + *(point + offset);
  if (std::isnan(kink)) return;
  kink_squares_ += kink * kink;
  ++kinks_;
}

FlowDetail DetailGatherer::detail(double spacing) const {
  // The factors sum both components, and the second differences along both axes.
  const double speed = points_ > 0 ? std::sqrt(2 * squares_ / double(points_)) : 0;
  const double kink = kinks_ > 0 ? std::sqrt(4 * kink_squares_ / double(kinks_)) : 0;
  return {kink, speed, spacing};
}

FlowDetail measure_flow_detail(ForecastSource& source, double first, double last) {
  const SourceGrid& grid = source.grid();
  const std::size_t columns = grid.points ? grid.points->columns : grid.longitude.size();
  const std::size_t rows = grid.size() / columns;
  std::vector<std::size_t> times_inside;
  for (std::size_t n = 0; n < source.times().size(); ++n) {
    if (source.times()[n] >= first && source.times()[n] <= last) times_inside.push_back(n);
  }
  DetailGatherer gatherer;
  if (times_inside.empty()) return gatherer.detail(own_spacing(grid));
  for (const std::size_t n :
       std::set<std::size_t>{0, times_inside.size() / 2, times_inside.size() - 1}) {
    const std::vector<double> fields = source.read(times_inside[n]);
    for (std::size_t field = 0; field < 2 * source.member_count(); ++field) {
      const double* values = fields.data() + field * grid.size();
      if (!grid.staggered) {
        gatherer.add(values, rows, columns);
        continue;
      }
      const bool is_u = field < source.member_count();  // each at its own points
      gatherer.add(values, rows, columns, 2, is_u ? 1 : 0, is_u ? 0 : 1);
    }
  }
  return gatherer.detail(own_spacing(grid));
}

CellChoice choose_cells(const FlowDetail& detail, double distance, double cells) {
  CellChoice choice;
  choice.wanted = detail.allows(detail.spacing) ? 1 : 2;
  if (distance > 0) {
    const auto needed = std::ceil(min_cells_per_step * detail.spacing / distance);
    choice.slow = needed > max_parts;
    choice.wanted = std::max(choice.wanted, static_cast<int>(std::min<double>(needed, max_parts)));
  }
  choice.parts = choice.wanted;
  while (choice.parts > 1 && cells * choice.parts * choice.parts > max_cells) --choice.parts;
  return choice;
}

}  // namespace tidewise::ingest
