#include "env/tools/cut_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/file/extras.h"
#include "env/file/time_reference.h"

namespace tidewise {
namespace {

// [cells or steps] A bound typed with fewer digits than a centre must still include the centre.
constexpr double slack = 1e-6;

/// One axis of the file, with its name in messages.
struct CutAxis {
  const char* noun;  ///< "columns"
  double first;
  double step;
  std::int32_t count;

  double at(std::int32_t n) const { return first + n * step; }
};

class WindowChoice {
 public:
  WindowChoice(const EnvironmentReader& reader, const CutRequest& request)
      : reader_(reader), info_(reader.info()), request_(request) {}

  CutWindow choose() const {
    const Grid& grid = info_.grid;
    const TimeAxis& time = info_.time;
    CutWindow window{{0, grid.nx - 1}, {0, grid.ny - 1}, {0, time.level_count - 1}};
    if (request_.box) choose_box(window);
    if (request_.x) {
      narrow(window.columns, "--bbox", {"columns", grid.x_first, grid.dx, grid.nx}, *request_.x);
    }
    if (request_.y) {
      narrow(window.rows, "--bbox", {"rows", grid.y_first, grid.dy, grid.ny}, *request_.y);
    }
    const CutAxis levels{"levels", time.first, time.step, time.level_count};
    if (request_.first || request_.last) choose_levels(window.levels);
    if (request_.from || request_.to) choose_dates(window.levels, levels);
    return window;
  }

 private:
  [[noreturn]] void refuse(const std::string& option, const std::string& why) const {
    throw InputError(fmt::format("{}: {} {}", reader_.path().string(), option, why));
  }

  /// Narrows `range` to the part between the bounds. Errors: InputError if fewer than two are left.
  void narrow(IndexRange& range, const char* option, const CutAxis& axis,
              const CutRequest::Bounds& bounds) const {
    const auto index = [&](double n) {
      return static_cast<std::int32_t>(std::clamp(n, -1.0, static_cast<double>(axis.count)));
    };
    const double min = (bounds[0] - axis.first) / axis.step;
    const double max = (bounds[1] - axis.first) / axis.step;
    range.first = std::max(range.first, index(std::ceil(min - slack)));
    range.last = std::min(range.last, index(std::floor(max + slack)));
    if (range.count() >= 2) return;
    refuse(option,
           error_text(errors::window_too_narrow, bounds[0], bounds[1], std::max(range.count(), 0),
                      axis.noun, axis.first, axis.at(axis.count - 1), axis.step));
  }

  void choose_box(CutWindow& window) const {
    const auto [west, south, east, north] = *request_.box;
    const std::string option = fmt::format("--bbox {},{},{},{}", west, south, east, north);
    if (info_.coordinates != Coordinates::geographic) {
      refuse(option,
             error_text(errors::window_without_degrees, reader_.names().lon, reader_.names().lat));
    }
    const auto longitude = reader_.read_longitude();
    const auto latitude = reader_.read_latitude();
    const auto eastwards = [](double from, double to) {
      const double turn = std::fmod(to - from, 360.0);
      return turn < 0 ? turn + 360 : turn;
    };
    const double width = std::abs(east - west) >= 360 ? 360 : eastwards(west, east);
    IndexRange columns{info_.grid.nx, -1};
    IndexRange rows{info_.grid.ny, -1};
    for (std::int32_t cell = 0; cell < info_.grid.cell_count(); ++cell) {
      const auto n = static_cast<std::size_t>(cell);
      if (!(latitude[n] >= south && latitude[n] <= north)) continue;
      if (!(eastwards(west, longitude[n]) <= width)) continue;
      const std::int32_t i = info_.grid.column(CellIndex(cell));
      const std::int32_t j = info_.grid.row(CellIndex(cell));
      columns = {std::min(columns.first, i), std::max(columns.last, i)};
      rows = {std::min(rows.first, j), std::max(rows.last, j)};
    }
    if (columns.count() < 2 || rows.count() < 2) {
      const auto [lon_min, lon_max] = std::minmax_element(longitude.begin(), longitude.end());
      const auto [lat_min, lat_max] = std::minmax_element(latitude.begin(), latitude.end());
      refuse(option,
             error_text(errors::window_box_too_small, *lon_min, *lat_min, *lon_max, *lat_max));
    }
    window.columns = columns;
    window.rows = rows;
  }

  void choose_levels(IndexRange& range) const {
    const std::int32_t count = info_.time.level_count;
    const IndexRange requested{request_.first.value_or(0), request_.last.value_or(count - 1)};
    if (requested.first < 0 || requested.last >= count || requested.last <= requested.first) {
      refuse(fmt::format("--from {} --to {}", requested.first, requested.last),
             error_text(errors::window_levels_invalid, count - 1));
    }
    range.first = std::max(range.first, requested.first);
    range.last = std::min(range.last, requested.last);
  }

  void choose_dates(IndexRange& range, const CutAxis& levels) const {
    const char* option = request_.from ? "--from" : "--to";
    std::optional<double> reference;
    try {
      reference = time_reference(info_.time_units, read_environment_extras(reader_).calendar);
    } catch (const InputError& error) {
      throw InputError(fmt::format("{}: variable {}: {}", reader_.path().string(),
                                   reader_.names().time, error.what()));
    }
    if (!reference) {
      refuse(option, error_text(errors::window_without_dates, info_.time_units));
    }
    const CutRequest::Bounds bounds{
        request_.from ? *request_.from - *reference : levels.first,
        request_.to ? *request_.to - *reference : levels.at(levels.count - 1)};
    narrow(range, "--from, --to", levels, bounds);
  }

  const EnvironmentReader& reader_;
  const EnvironmentInfo& info_;
  const CutRequest& request_;
};

}  // namespace

CutWindow choose_window(const EnvironmentReader& reader, const CutRequest& request) {
  return WindowChoice(reader, request).choose();
}

}  // namespace tidewise
