#include "env/resample/resample.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file/same_file.h"
#include "env/error/codes.h"
#include "env/file/extras.h"
#include "env/file/reader.h"
#include "env/file/writer.h"
#include "env/import/fineness.h"
#include "env/import/grid/target_grid.h"
#include "env/import/import_plan.h"
#include "env/import/source/reduced_level.h"
#include "env/resample/flow_measure.h"
#include "env/resample/level_mixture.h"
#include "env/resample/resampled_levels.h"
#include "env/resample/stand_ins.h"
#include "env/tools/ensemble_reduction.h"
#include "env/weights.h"

namespace tidewise {
namespace {

/// The decomposition of a level's stand-ins. It is also that of its realizations, whose
/// coefficients are those of the stand-ins times the stand-ins' weights.
struct ReducedLevel {
  StandIns stand_ins;
  EnsembleReduction reduction;
};

/// Decomposes a level. shares: weights of the realizations, which sum to 1. Errors: those of
/// EnsembleReduction.
ReducedLevel reduce_level(const StackedLevel& level, const std::vector<double>& shares) {
  const std::size_t values = level.mean.size();
  const std::size_t modes = level.modes.size() / values;
  std::vector<double> sizes;
  for (std::size_t m = 0; m < modes; ++m) {
    const double* mode = level.modes.data() + m * values;
    sizes.push_back(std::sqrt(std::inner_product(mode, mode + values, mode, 0.0)));
  }
  StandIns stand_ins = find_stand_ins(level.coefficient, shares, sizes);
  std::vector<double> samples;
  samples.reserve(stand_ins.count * values);
  for (std::size_t n = 0; n < stand_ins.count; ++n) {
    samples.insert(samples.end(), level.mean.begin(), level.mean.end());
    double* sample = samples.data() + n * values;
    for (std::size_t m = 0; m < modes; ++m) {
      const double coefficient = stand_ins.coefficient[m * stand_ins.count + n];
      const double* mode = level.modes.data() + m * values;
      for (std::size_t value = 0; value < values; ++value) {
        sample[value] += coefficient * mode[value];
      }
    }
  }
  const std::size_t count = stand_ins.count;
  return {std::move(stand_ins), EnsembleReduction(std::move(samples), count)};
}

/// The levels and cells of the new environment.
struct ResamplePlan {
  Grid grid;
  ingest::ImportPlan levels;         ///< in the file's own times [s or 1]
  ingest::Sampling sampling;         ///< sampling of the file's levels
  std::vector<std::string> reasons;  ///< reasons of each choice, one line each
};

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
    plan.sampling = options_.sample.value_or(held_by_levels(info_.history));
    plan.levels.step = options_.step.value_or(info_.time.step);
    if (options_.spacing) plan.grid = cells_of(*options_.spacing, *options_.spacing);
    if (info_.units == Units::metric) choose(plan);
    set_levels(plan.levels);
    return plan;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw InputError(fmt::format("{}: {}", reader_.path().string(), why));
  }

  double length() const { return (info_.time.level_count - 1) * info_.time.step; }
  const char* time_unit() const { return info_.units == Units::metric ? " s" : ""; }

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
      refuse(error_text(errors::resample_step_too_long, step, time_unit(), length(), time_unit()));
    }
    if (!fills_time(step)) {
      refuse(error_text(errors::resample_step_does_not_fit, length(), time_unit(),
                        std::floor(steps), step, time_unit()));
    }
    ingest::validate_level_count(steps + 1, step);
  }

  /// Cells of a size, from the file's first cell on, whose centres lie among those of the file.
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

  /// Chooses cells and step as an import does (import_forecast.cpp), from the spacing of the
  /// source's points. Cells never become wider; steps become longer only for a vehicle.
  void choose(ResamplePlan& plan) const {
    const Grid& cells = info_.grid;
    const double cell_size = std::sqrt(cells.dx * cells.dy);
    ingest::FlowFineness flow;
    flow.detail = measure_flow_detail(reader_);
    flow.time_step = info_.time.step;
    flow.source_points = double(cells.nx) * cells.ny * std::pow(cell_size / flow.detail.spacing, 2);
    const auto spacing_of = [&](const ingest::CellChoice& choice) {
      const double spacing = flow.detail.spacing / choice.parts;
      return options_.spacing.value_or(spacing < 0.95 * cell_size ? spacing : cell_size);
    };
    const double speed = options_.vehicle_speed.value_or(0);
    if (ingest::needs_flow_change(options_, info_.time.step)) {
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
    if (!options_.spacing && spacing != cell_size) {
      plan.grid = cells_of(spacing * cells.dx / cell_size, spacing * cells.dy / cell_size);
    }
    const ingest::ChosenFineness chosen{plan.levels.step, levels, spacing};
    const auto add_reason = [&](const std::string& reason) {
      if (!reason.empty()) plan.reasons.push_back(reason);
    };
    if (spacing != cell_size) add_reason(ingest::cells_text(options_, flow, chosen));
    add_reason(ingest::step_text(options_, flow, chosen));
  }

  void set_levels(ingest::ImportPlan& plan) const {
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

/// Chooses options that are not given, from the flow. Errors: those of resample_environment().
ResamplePlan plan_resampling(const EnvironmentReader& reader, const ResampleOptions& options) {
  return Planner(reader, options).plan();
}

/// Weighted sum of values at levels, (time).
double mixed(const std::vector<LevelPart>& parts, const std::vector<double>& values) {
  double sum = 0;
  for (const LevelPart& part : parts) sum += part.weight * values[part.level];
  return sum;
}

class Resampling {
 public:
  Resampling(const EnvironmentReader& reader, const ResampleOptions& options)
      : reader_(reader),
        options_(options),
        plan_(plan_resampling(reader, options)),
        mixture_(reader.info().time, plan_.sampling),
        extras_(read_environment_extras(reader)) {
    const EnvironmentInfo& info = reader.info();
    shares_ = realization_shares(info);
    ingest::validate_size(plan_.levels, plan_.grid, static_cast<std::size_t>(info.mode_count),
                          shares_.size());
  }

  ResampleReport write(const DerivedFile& out, Progress& progress) {
    measure(progress);
    describe(out);
    write_levels(out, progress);
    add_report_lines();
    return std::move(report_);
  }

 private:
  std::size_t level_count() const { return plan_.levels.levels.size(); }
  std::size_t mode_count() const { return static_cast<std::size_t>(report_.info.mode_count); }
  std::size_t file_mode_count() const {
    return static_cast<std::size_t>(reader_.info().mode_count);
  }

  LevelParts parts_of(std::size_t k) const {
    const auto& times = plan_.levels.levels;
    const double next = k + 1 < times.size() ? times[k + 1] : times[k];
    return {mixture_.flow_at(plan_.levels.flow_times(k)), mixture_.state_at(times[k]),
            mixture_.closing(times[k], next)};
  }

  /// First pass: finds the number of modes that mixed levels need.
  void measure(Progress& progress) {
    report_.info.mode_count = reader_.info().mode_count;
    if (reader_.info().has_fixed_modes) return;  // any mixture has the same modes
    ResampledLevels levels(reader_, plan_.grid);
    std::size_t needed = file_mode_count();
    progress.begin("measuring the mixed levels", static_cast<std::int64_t>(level_count()),
                   "levels");
    for (std::size_t k = 0; k < level_count(); ++k) {
      const StackedLevel level = levels.stack(parts_of(k));
      if (level.level_count > 1) {
        const EnsembleReduction reduction = reduce_level(level, shares_).reduction;
        needed =
            std::max(needed, reduction.modes_for(options_.variance.value_or(default_variance)));
        full_rank_ = std::max(full_rank_, reduction.modes_for(1));
        variances_.push_back(reduction.variances());
      }
      progress.advance_to(static_cast<std::int64_t>(k) + 1);
    }
    progress.end();
    report_.info.mode_count = static_cast<std::int32_t>(needed);
  }

  /// Computes the share of variance that the modes keep: of all mixed levels, and of the worst one.
  void measure_kept() {
    double kept = 0;
    double total = 0;
    for (const auto& spectrum : variances_) {
      const auto end =
          spectrum.begin() + static_cast<std::ptrdiff_t>(std::min(mode_count(), spectrum.size()));
      const double total_variance = std::accumulate(spectrum.begin(), spectrum.end(), 0.0);
      const double kept_variance = std::accumulate(spectrum.begin(), end, 0.0);
      if (total_variance > 0) worst_share_ = std::min(worst_share_, kept_variance / total_variance);
      kept += kept_variance;
      total += total_variance;
    }
    if (total > 0) kept_share_ = kept / total;
  }

  std::string comment() const {
    const EnvironmentInfo& info = reader_.info();
    return fmt::format(
        "Resampled from {}: levels {:.6g} apart that were {:.6g}, cells {:.6g} wide that were "
        "{:.6g}. Each level holds the mean flow of its step, linear in time between {} and "
        "bilinear in space over wet cells. If levels are mixed, their modes are stacked and "
        "reduced "
        "again by singular value decomposition.",
        reader_.path().filename().string(), plan_.levels.step, info.time.step, plan_.grid.dx,
        info.grid.dx,
        plan_.sampling == ingest::Sampling::mean ? "the middles of its steps"
                                                 : "its levels' own times");
  }

  /// True if the modes stay fixed in time. With other cells and moving land they do not, because
  /// cells near land take their modes from different cells at each level.
  bool keeps_fixed_modes() const {
    const EnvironmentInfo& info = reader_.info();
    return info.has_fixed_modes && (plan_.grid == info.grid || info.obstacles != Obstacles::moving);
  }

  void describe(const DerivedFile& out) {
    measure_kept();
    const std::int32_t modes = report_.info.mode_count;
    report_.info = reader_.info();
    EnvironmentInfo& info = report_.info;
    info.mode_count = modes;
    info.has_fixed_modes = keeps_fixed_modes();
    info.grid = plan_.grid;
    info.time.level_count = static_cast<std::int32_t>(level_count());
    info.time.step = plan_.levels.step;
    info.history = with_line(info.history, out.command);
    info.comment = with_line(info.comment, comment());
    if (info.variance_kept) *info.variance_kept *= kept_share_;
    ingest::validate_size(plan_.levels, info.grid, mode_count(), shares_.size());
  }

  /// The extras, with series interpolated to the new levels.
  EnvironmentExtras new_extras() const {
    EnvironmentExtras extras = extras_;
    extras.variance_kept.clear();
    for (EnvironmentSeries& series : extras.series) {
      std::vector<double> values;
      for (const double time : plan_.levels.levels) {
        values.push_back(mixed(mixture_.state_at(time), series.values));
      }
      series.values = std::move(values);
    }
    return extras;
  }

  void write_levels(const DerivedFile& out, Progress& progress) {
    const EnvironmentInfo& info = report_.info;
    EnvironmentWriter writer(out.path, info);
    write_environment_extras(writer, new_extras());
    if (info.units == Units::metric) {
      writer.set_attribute(ingest::source_spacing_attribute,
                           std::vector<double>{points_spacing(reader_)});
    }
    ResampledLevels levels(reader_, plan_.grid);
    if (info.coordinates == Coordinates::geographic) {
      writer.write_longitude_latitude(levels.degrees_at_cells(reader_.read_longitude()),
                                      levels.degrees_at_cells(reader_.read_latitude()));
    }
    LevelFields<> fields(info);
    std::vector<double> variance_kept;
    progress.begin("resampling", info.time.level_count, "levels");
    for (std::size_t k = 0; k < level_count(); ++k) {
      const LevelParts parts = parts_of(k);
      const StackedLevel level = levels.stack(parts);
      const double share = fill_flow(level, fields);
      if (!extras_.variance_kept.empty()) {
        variance_kept.push_back(share * mixed(parts.flow, extras_.variance_kept));
      }
      std::copy(level.cells.land.begin(), level.cells.land.end(), fields.dry.begin());
      std::copy(level.masked.begin(), level.masked.end(), fields.masked.begin());
      std::copy(level.scalar.begin(), level.scalar.end(), fields.scalar.begin());
      writer.write_level(TimeLevel(static_cast<std::int32_t>(k)), fields);
      progress.advance_to(static_cast<std::int64_t>(k) + 1);
    }
    progress.end();
    if (!variance_kept.empty()) writer.write_variance_kept(variance_kept);
    writer.finish();
  }

  /// Fills the velocity's fields; returns the share of the variance that the modes keep.
  double fill_flow(const StackedLevel& level, LevelFields<>& fields) {
    for (auto* field : {&fields.u_mode, &fields.v_mode, &fields.coefficient}) {
      std::fill(field->begin(), field->end(), 0.0F);
    }
    if (level.level_count == 1) {
      keep_modes(level, fields);
      if (report_.info.has_fixed_modes && plan_.grid == reader_.info().grid) {
        fields.shared_modes = reader_.shared_modes();  // also for cells that are land at this level
      }
      previous_coefficients_.assign(fields.coefficient.begin(), fields.coefficient.end());
      return 1;
    }
    const auto [stand_ins, reduction] = reduce_level(level, shares_);
    const std::size_t filled = std::min(mode_count(), stand_ins.count);
    ingest::fill_velocity(reduction, level.cells, filled, fields);
    ingest::fill_coefficients(reduction, stand_ins.weight, filled, fields);
    align(fields);
    return reduction.share_kept(filled);
  }

  /// Fills the flow of a single level on other cells. Its modes stay modes, because interpolation
  /// is linear.
  void keep_modes(const StackedLevel& level, LevelFields<>& fields) const {
    const std::size_t values = level.mean.size();
    const std::size_t cells = fields.u_mean.size();
    ingest::spread_over_water(level.mean, level.cells, fields.u_mean.data(), fields.v_mean.data());
    for (std::size_t m = 0; m < file_mode_count(); ++m) {
      const double* mode = level.modes.data() + m * values;
      ingest::spread_over_water({mode, mode + values}, level.cells,
                                fields.u_mode.data() + m * cells, fields.v_mode.data() + m * cells);
    }
    std::transform(level.coefficient.begin(), level.coefficient.end(), fields.coefficient.begin(),
                   [](double value) { return static_cast<float>(value); });
  }

  /// Chooses the modes' signs so that coefficients correlate with those of the previous level.
  void align(LevelFields<>& fields) {
    const std::size_t count = shares_.size();
    const std::size_t cells = fields.u_mean.size();
    for (std::size_t m = 0; m < mode_count() && !previous_coefficients_.empty(); ++m) {
      float* coefficients = fields.coefficient.data() + m * count;
      if (std::inner_product(coefficients, coefficients + count,
                             previous_coefficients_.data() + m * count, 0.0) >= 0)
        continue;
      std::transform(coefficients, coefficients + count, coefficients, std::negate<>());
      for (auto* modes : {&fields.u_mode, &fields.v_mode}) {
        float* mode = modes->data() + m * cells;
        std::transform(mode, mode + cells, mode, std::negate<>());
      }
    }
    previous_coefficients_.assign(fields.coefficient.begin(), fields.coefficient.end());
  }

  static std::string cells_text(const Grid& grid, const char* unit) {
    return fmt::format("{} × {} cells of {}{}", grid.nx, grid.ny,
                       grid.dx == grid.dy ? fmt::format("{:.6g}", grid.dx)
                                          : fmt::format("{:.6g} × {:.6g}", grid.dx, grid.dy),
                       unit);
  }
  static std::string levels_text(const TimeAxis& time, const char* unit) {
    return fmt::format("{} levels of {:.6g}{}", time.level_count, time.step, unit);
  }
  static std::string from_text(const std::string& now, const std::string& before) {
    return now + (now == before ? ", as they were" : ", from " + before);
  }

  void add_report_lines() {
    const EnvironmentInfo& from = reader_.info();
    const EnvironmentInfo& info = report_.info;
    const bool metric = info.units == Units::metric;
    const char* metre = metric ? " m" : "";
    const char* second = metric ? " s" : "";
    auto& lines = report_.lines;
    lines.push_back("grid: " +
                    from_text(cells_text(info.grid, metre), cells_text(from.grid, metre)));
    lines.push_back("time: " +
                    from_text(levels_text(info.time, second), levels_text(from.time, second)));
    lines.insert(lines.end(), plan_.reasons.begin(), plan_.reasons.end());
    lines.push_back(fmt::format("levels: {}; each now holds the mean flow of its step",
                                plan_.sampling == ingest::Sampling::mean
                                    ? "read as the means of their steps"
                                    : "read as the flow of their own times"));
    if (info.realization_count == 1) {
      lines.emplace_back("modes: none are needed for one realization");
    } else if (from.has_fixed_modes) {
      lines.push_back(fmt::format("modes: {}, {}", info.mode_count,
                                  info.has_fixed_modes
                                      ? "fixed in time, as they were"
                                      : "no longer fixed in time, since land moves"));
    } else if (variances_.empty()) {
      lines.push_back(fmt::format("modes: {}, as they were: no levels are mixed", info.mode_count));
    } else {
      lines.push_back(fmt::format(
          "modes: {} keep {:.4g} % of the variance where levels are mixed ({:.4g} % at the worst); "
          "there were {}, and {} would keep all",
          info.mode_count, 100 * kept_share_, 100 * worst_share_, from.mode_count,
          std::max(full_rank_, file_mode_count())));
    }
  }

  const EnvironmentReader& reader_;
  const ResampleOptions& options_;
  ResamplePlan plan_;
  LevelMixture mixture_;
  EnvironmentExtras extras_;
  ResampleReport report_;
  std::vector<double> shares_;                  // weights of the realizations, which sum to 1
  std::vector<std::vector<double>> variances_;  // variances of mixed levels' modes, descending
  std::vector<double> previous_coefficients_;   // of the previous level
  std::size_t full_rank_ = 1;
  double kept_share_ = 1;
  double worst_share_ = 1;
};

}  // namespace

ResampleReport resample_environment(const EnvironmentReader& reader, const ResampleOptions& options,
                                    const DerivedFile& out, Progress& progress) {
  refuse_overwriting("--out", out.path, {reader.path()});
  return Resampling(reader, options).write(out, progress);
}

}  // namespace tidewise
