#include "env/resample/resample_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/fineness.h"
#include "env/import/grid/target_grid.h"
#include "env/resample/flow_measure.h"
#include "env/resample/level_mixture.h"

namespace tidewise {
namespace {

constexpr double round_off = 1e-9;

class Planner {
 public:
  Planner(const EnvironmentReader& reader, const ResampleOptions& options)
      : reader_(reader), info_(reader.info()), options_(options) {
    validate();
  }

  ResamplePlan plan() {
    ResamplePlan plan;
    plan.grid = info_.grid;
    plan.held = options_.sample.value_or(held_by_levels(info_.history));
    plan.levels.step = options_.step.value_or(info_.time.step);
    if (options_.spacing) plan.grid = cells_of(*options_.spacing, *options_.spacing);
    if (info_.units == Units::metric) choose(plan);
    lay_levels(plan.levels);
    return plan;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: {}", reader_.path().string(), why));
  }

  double length() const { return (info_.time.level_count - 1) * info_.time.step; }
  const char* second() const { return info_.units == Units::metric ? " s" : ""; }

  void validate() const {
    const bool metric = info_.units == Units::metric;
    if (!metric && !options_.step && !options_.spacing) {
      refuse(error_text(errors::resample_without_units));
    }
    if (options_.vehicle_speed && !(*options_.vehicle_speed > 0 && metric)) {
      refuse(error_text(errors::resample_vehicle_speed_invalid, *options_.vehicle_speed));
    }
    if (options_.variance && !(*options_.variance > 0 && *options_.variance <= 1)) {
      refuse(error_text(errors::resample_variance_invalid, *options_.variance));
    }
    if (options_.step) validate_step(*options_.step);
  }

  bool fills_time(double step) const {
    const double steps = length() / step;
    return std::round(steps) >= 1 && std::abs(steps - std::round(steps)) < 1e-6;
  }

  void validate_step(double step) const {
    const double steps = length() / step;
    if (steps < 1 - 1e-6) {
      refuse(error_text(errors::resample_step_too_long, step, second(), length(), second()));
    }
    if (!fills_time(step)) {
      refuse(error_text(errors::resample_step_does_not_fit, length(), second(), std::floor(steps),
                        step, second()));
    }
    ingest::validate_level_count(steps + 1, step);
  }

  /// Cells from the first one's centre on whose centres lie among the file's.
  Grid cells_of(double dx, double dy) const {
    const Grid& from = info_.grid;
    const auto count = [](double length, double spacing) {
      return std::floor(length / spacing + round_off) + 1;
    };
    const double width = (from.nx - 1) * from.dx;
    const double height = (from.ny - 1) * from.dy;
    ingest::validate_cells(count(width, dx), count(height, dy), dx, width, height);
    Grid grid = from;
    grid.nx = static_cast<std::int32_t>(count(width, dx));
    grid.ny = static_cast<std::int32_t>(count(height, dy));
    grid.dx = dx;
    grid.dy = dy;
    return grid;
  }

  /// As an import does it (import_forecast.cpp), from points as far apart as they once were; never
  /// wider cells, and longer steps for a vehicle alone.
  void choose(ResamplePlan& plan) const {
    const Grid& cells = info_.grid;
    const double own = std::sqrt(cells.dx * cells.dy);
    ingest::FlowFineness flow;
    flow.detail = measure_flow_detail(reader_);
    flow.time_step = info_.time.step;
    flow.source_points = double(cells.nx) * cells.ny * std::pow(own / flow.detail.spacing, 2);
    const auto spacing_of = [&](const ingest::CellChoice& choice) {
      const double spacing = flow.detail.spacing / choice.parts;
      return options_.spacing.value_or(spacing < 0.95 * own ? spacing : own);
    };
    const double speed = options_.vehicle_speed.value_or(0);
    if (ingest::asks_for_step(options_, info_.time.step)) {
      flow.change = measure_flow_change(reader_);
      const auto choice =
          ingest::choose_cells(flow.detail, 0, flow.source_points * info_.time.level_count);
      auto limits =
          speed > 0 ? ingest::limits_for(speed, spacing_of(choice)) : ingest::StepLimits{};
      flow.allowed_step = ingest::choose_step(flow.change, info_.time.step, limits);
      limits.may_join = false;
      if (!fills_time(flow.allowed_step)) {
        flow.allowed_step = ingest::choose_step(flow.change, info_.time.step, limits);
      }
      plan.levels.step = options_.step.value_or(flow.allowed_step);
    }
    const double levels = std::round(length() / plan.levels.step) + 1;
    flow.cells =
        ingest::choose_cells(flow.detail, speed * plan.levels.step, flow.source_points * levels);
    const double spacing = spacing_of(flow.cells);
    if (!options_.spacing && spacing != own) {
      plan.grid = cells_of(spacing * cells.dx / own, spacing * cells.dy / own);
    }
    const ingest::SettledFineness settled{plan.levels.step, levels, spacing};
    const auto tell = [&](const std::string& why) {
      if (!why.empty()) plan.reasons.push_back(why);
    };
    if (spacing != own) tell(ingest::cells_text(options_, flow, settled));
    tell(ingest::step_text(options_, flow, settled));
  }

  void lay_levels(ingest::ImportPlan& plan) const {
    const double steps = std::round(length() / plan.step);
    for (double level = 0; level <= steps; ++level) {
      plan.levels.push_back(info_.time.first + level * plan.step);
    }
    plan.parts_of_step = static_cast<int>(std::max(1.0, std::round(plan.step / info_.time.step)));
  }

  const EnvironmentReader& reader_;
  const EnvironmentInfo& info_;
  const ResampleOptions& options_;
};

}  // namespace

ResamplePlan plan_resampling(const EnvironmentReader& reader, const ResampleOptions& options) {
  return Planner(reader, options).plan();
}

}  // namespace tidewise
