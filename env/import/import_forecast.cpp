#include "env/import/import_forecast.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "env/areas/polygon_interior.h"
#include "env/error/codes.h"
#include "env/file/writer.h"
#include "env/import/added_error.h"
#include "env/import/grid/target_grid.h"
#include "env/import/import_plan.h"
#include "env/import/import_report.h"
#include "env/import/obstacle_mask.h"
#include "env/import/past_errors.h"
#include "env/import/realization_draws.h"
#include "env/import/source/ensemble_levels.h"
#include "env/import/source/field_sampler.h"
#include "env/import/source/reduced_level.h"
#include "env/import/source/regridder.h"
#include "env/import/source/stacked_reduction.h"
#include "env/import/source_description.h"
#include "env/mask.h"
#include "env/units/calendar_time.h"

namespace tidewise::ingest {
namespace {

/// Validity of a field with one time: at that time, or at all levels.
enum class Validity { at_its_time, steady };

/// The ensemble mean of a scalar field on the environment's cells, at a level's own time. Members
/// made by lagging are not included.
class ScalarLevels {
 public:
  /// `source` has only this variable, and must outlive this object. `name`: for messages. `fill`:
  /// value in water where the field is missing; without it a missing value is refused. Errors:
  /// InputError if the field's times do not cover `levels` [s since 1970]; a steady field of one
  /// time covers all.
  ScalarLevels(ForecastSource& source, std::string name, const TargetGrid& target,
               const std::vector<double>& levels, std::optional<double> fill, Validity validity);

  /// The field at `seconds`, (y, x); NaN on `land`. Errors: InputError if a value in water is
  /// missing.
  std::vector<float> at(double seconds, const std::vector<std::uint8_t>& land);

 private:
  std::vector<double> mean_over_members(double seconds);

  ForecastSource& source_;
  std::string name_;
  const TargetGrid& target_;
  std::optional<double> fill_;
  FieldSampler sampler_;
  Regridder regridder_;
  std::vector<double> fields_;  // (member, row, column)
};

ScalarLevels::ScalarLevels(ForecastSource& source, std::string name, const TargetGrid& target,
                           const std::vector<double>& levels, std::optional<double> fill,
                           Validity validity)
    : source_(source),
      name_(std::move(name)),
      target_(target),
      fill_(fill),
      sampler_(source),
      regridder_(source.grid(), target.longitude, target.latitude, CoastRule::any_point) {
  const auto& times = source.times();
  if (validity == Validity::steady && times.size() == 1) return;
  if (source.covers(levels.front(), levels.back())) return;
  throw input_error(errors::scalar_times_differ, name_, format_iso_time(times.front()),
                    format_iso_time(times.back()), format_iso_time(levels.front()),
                    format_iso_time(levels.back()));
}

/// Mean over the members, (row, column); NaN where any member is missing.
std::vector<double> ScalarLevels::mean_over_members(double seconds) {
  sampler_.forget_before(seconds);
  sampler_.sample(seconds, fields_);
  const std::size_t points = source_.grid().size();
  std::vector<double> mean(points, 0.0);
  for (std::size_t n = 0; n < fields_.size(); ++n) mean[n % points] += fields_[n];
  for (double& value : mean) value /= static_cast<double>(source_.member_count());
  return mean;
}

std::vector<float> ScalarLevels::at(double seconds, const std::vector<std::uint8_t>& land) {
  const auto mean = mean_over_members(seconds);
  std::vector<std::uint8_t> dry(mean.size());
  for (std::size_t n = 0; n < mean.size(); ++n) dry[n] = std::isnan(mean[n]) ? 1 : 0;
  regridder_.set_dry(dry);
  std::vector<float> values(land.size(), std::numeric_limits<float>::quiet_NaN());
  for (std::size_t cell = 0; cell < land.size(); ++cell) {
    if (land[cell] != 0) continue;
    if (regridder_.land()[cell] == 0) {
      values[cell] = static_cast<float>(regridder_.value_at(cell, mean.data()));
    } else if (fill_) {
      values[cell] = static_cast<float>(*fill_);
    } else {
      throw input_error(errors::scalar_value_missing, name_, target_.longitude[cell],
                        target_.latitude[cell], format_iso_time(seconds));
    }
  }
  return values;
}

using Mask = std::vector<std::uint8_t>;

/// One import, from options to file. Functions are in the order in which import() calls them.
class Importer {
 public:
  Importer(const ImportOptions& options, Progress& progress)
      : options_(options),
        progress_(progress),
        velocity_(describe_velocity(options)),
        source_(velocity_.request),
        plan_(plan_import(options, source_, source_.time_step())),
        plane_(middle_of(source_.grid())) {
    findings_.members_by = source_.members_by();
    findings_.time_step = source_.time_step();
    findings_.source_points = static_cast<double>(source_.grid().step_count());
    findings_.u = velocity_.variables.u;
    findings_.v = velocity_.variables.v;
    findings_.how_chosen = velocity_.variables.how;
    findings_.source_text = velocity_.origin;
    findings_.greatest_stretch =
        validate_extent(source_.grid(), plane_, velocity_files(options).front().string());
    findings_.detail = measure_flow_detail(source_, plan_.levels.front(), plan_.levels.back());
    choose_plan_step();
    if (plan_.has_fixed_modes) error_.emplace(options);
    target_ = make_target_grid(source_.grid(), plane_, choose_spacing());
    validate_size(plan_, target_.grid, min_mode_count(), realization_count());
    if (options.obstacles) {
      const auto polygons = read_geojson_polygons(*options.obstacles);
      obstacles_ = ObstacleMask(polygons, target_, plane_, plan_.levels);
      findings_.obstacles = polygons.size();
      findings_.obstacles_used = obstacles_.count_used();
      std::vector<Polygon> rings;
      rings.reserve(polygons.size());
      for (const GeojsonPolygon& polygon : polygons) rings.push_back(polygon.rings);
      findings_.obstacles_across_180 = describe_across_180(rings);
    }
    if (!options.scalar.empty()) open_scalar();
    if (!options.past.empty()) {
      past_.emplace(options, source_, plan_, target_, plane_, progress);
      plan_.member_count = past_->realization_count();
    }
  }

  ImportReport import() {
    measure();
    describe();
    write();
    auto lines = report_lines(report_, options_, plan_, findings_);
    const auto& notes = source_.notes();
    lines.insert(lines.end(), notes.begin(), notes.end());
    const bool states_depth = std::any_of(
        notes.begin(), notes.end(), [](const auto& note) { return note.starts_with("depth: "); });
    if (!states_depth && velocity_.variables.along_x != "x_wind") {
      lines.emplace_back(
          "depth: the files give none; the velocity is treated as that of the surface");
    }
    if (parse_component("--scalar", options_.scalar).file) {
      for (const auto& note : scalar_source_->notes()) lines.push_back("scalar: " + note);
    }
    report_.lines = std::move(lines);
    return std::move(report_);
  }

 private:
  /// Sets the step [s] to that of the options, else to the longest that flow and vehicle allow.
  void choose_plan_step() {
    const auto& speed = options_.vehicle_speed;
    if (options_.steady || !needs_flow_change(options_, plan_.step)) return;
    findings_.change =
        measure_flow_change(source_, plane_, plan_.levels.front(), plan_.levels.back());
    const double cells = options_.spacing.value_or(own_spacing(
        source_.grid(), choose_cells(findings_.detail, 0, cells_at_own_spacing()).parts));
    findings_.allowed_step = choose_step(findings_.change, source_.time_step(),
                                         speed ? limits_for(*speed, cells) : StepLimits{});
    if (!options_.step && findings_.allowed_step != plan_.step) {
      plan_ = plan_import(options_, source_, findings_.allowed_step);
    }
  }

  /// The number of cells of all levels at the source's own spacing.
  double cells_at_own_spacing() const {
    return findings_.source_points * static_cast<double>(plan_.levels.size());
  }

  /// Returns the size of cells [m]: that of the options, else the one that flow and vehicle need.
  double choose_spacing() {
    findings_.cells = choose_cells(
        findings_.detail, options_.vehicle_speed.value_or(0) * plan_.step, cells_at_own_spacing());
    return options_.spacing.value_or(own_spacing(source_.grid(), findings_.cells.parts));
  }

  void open_scalar() {
    if (options_.scalar == velocity_.variables.u || options_.scalar == velocity_.variables.v) {
      throw input_error(errors::scalar_is_velocity, options_.scalar);
    }
    const ScalarDescription scalar = describe_scalar(options_);
    report_.info.has_scalar = true;
    report_.info.scalar_units = scalar.units;
    report_.info.scalar_long_name = scalar.long_name;
    scalar_source_ = std::make_unique<ForecastSource>(scalar.request);
    scalar_ = std::make_unique<ScalarLevels>(
        *scalar_source_, scalar.variable.name, target_, plan_.levels, options_.scalar_fill,
        options_.steady ? Validity::steady : Validity::at_its_time);
  }

  /// The mask of land, of cells outside the source's area, and of obstacles.
  Mask masked_at(std::size_t level, const Mask& land, const Mask& outside) const {
    Mask masked = land;
    for (std::size_t cell = 0; cell < masked.size(); ++cell) {
      if (outside[cell] != 0) masked[cell] = beyond_forecast;
    }
    obstacles_.burn(level, masked);
    return masked;
  }

  /// Reads the members of a level, (profile). Adds the errors of earlier forecasts if there are
  /// any.
  std::vector<LevelEnsemble> read_level(EnsembleLevels& levels, std::size_t level) const {
    std::vector<LevelEnsemble> profiles = levels.mean_of(plan_.flow_times(level));
    if (past_) past_->add_to(level, profiles);
    return profiles;
  }

  /// First pass: measures the spectrum of every level, and finds out if the mask moves.
  void measure() {
    EnsembleLevels levels(source_, target_, plane_, plan_.lags);
    std::vector<Mask> first;  // (profile)
    progress_.begin("measuring the ensemble", level_count(), "levels");
    for (std::size_t k = 0; k < plan_.levels.size(); ++k) {
      std::vector<LevelEnsemble> profiles = read_level(levels, k);
      if (k == 0 && past_) findings_.past_error = past_->description(profiles);
      if (k == 0) first.resize(profiles.size());
      for (std::size_t p = 0; p < profiles.size(); ++p) {
        const Mask masked = masked_at(k, profiles[p].land, levels.outside());
        if (k == 0 && p == 0) measure_mask(profiles[p].land, levels.outside(), masked);
        if (k == 0) first[p] = masked;
        if (masked != first[p]) mask_ = Obstacles::moving;
      }
      if (error_) {
        error_->add_level(target_.grid, plan_.step, plan_.levels.size(), profiles,
                          levels.outside());
      }
      const StackedReduction reduction(profiles);
      spectra_.push_back(reduction.variances());
      modes_needed_ = std::max(modes_needed_,
                               reduction.modes_for(options_.variance.value_or(default_variance)));
      findings_.full_rank = std::max(findings_.full_rank, reduction.reduction().modes_for(1));
      progress_.advance_to(static_cast<std::int64_t>(k) + 1);
    }
    progress_.end();
    if (!error_) return;
    error_->choose_model(target_.grid, plan_.step);
    findings_.error = error_->description();
  }

  void measure_mask(const Mask& land, const Mask& outside, const Mask& masked) {
    const auto share = [&](const Mask& mask) {
      const auto open = std::count(mask.begin(), mask.end(), std::uint8_t{0});
      return 1 - static_cast<double>(open) / static_cast<double>(mask.size());
    };
    findings_.outside_share = share(outside);
    findings_.land_share = share(land) - findings_.outside_share;
    findings_.obstacle_share = share(masked) - share(land);
  }

  /// A lower bound of the number of modes before the ensemble is measured.
  std::size_t min_mode_count() const {
    return options_.modes && !options_.variance ? static_cast<std::size_t>(*options_.modes) : 1;
  }

  std::size_t realization_count() const {
    if (error_) return error_->realization_count();
    return options_.realizations ? static_cast<std::size_t>(*options_.realizations)
                                 : plan_.member_count;
  }

  std::size_t choose_mode_count() const {
    if (error_) return error_->mode_count();
    if (!options_.modes) return modes_needed_;
    const auto requested = static_cast<std::size_t>(*options_.modes);
    return options_.variance ? std::min(requested, modes_needed_) : requested;
  }

  /// The share of all variance that the modes keep; all profiles have the same weight.
  void measure_variance_kept() {
    if (error_) {
      report_.info.variance_kept = error_->share_kept();
      report_.variance_kept.assign(plan_.levels.size(), error_->share_kept());
      return;
    }
    const std::size_t profiles = spectra_.front().size();
    std::vector<double> kept_by_profile(profiles, 0.0);
    std::vector<double> total_by_profile(profiles, 0.0);
    for (const auto& spectrum : spectra_) {
      double level_share = 0;
      for (std::size_t p = 0; p < profiles; ++p) {
        const auto& variance = spectrum[p];
        const double total = std::accumulate(variance.begin(), variance.end(), 0.0);
        const double kept =
            std::accumulate(variance.begin(), variance.begin() + report_.info.mode_count, 0.0);
        level_share += total > 0 ? kept / total : 1;
        kept_by_profile[p] += kept;
        total_by_profile[p] += total;
      }
      report_.variance_kept.push_back(level_share / static_cast<double>(profiles));
    }
    double sum = 0;
    for (std::size_t p = 0; p < profiles; ++p) {
      report_.profile_kept.push_back(
          total_by_profile[p] > 0 ? kept_by_profile[p] / total_by_profile[p] : 1);
      sum += report_.profile_kept.back();
    }
    report_.info.variance_kept = sum / static_cast<double>(profiles);
  }

  ForecastUncertainty uncertainty() const {
    if (error_) return error_->uncertainty();
    if (past_) return ForecastUncertainty::error_model;
    if (plan_.lags.size() > 1) return ForecastUncertainty::lagged;
    return plan_.member_count > 1 ? ForecastUncertainty::ensemble : ForecastUncertainty::none;
  }

  void describe() {
    EnvironmentInfo& info = report_.info;
    info.grid = target_.grid;
    info.time = {level_count(), 0, plan_.step};
    info.mode_count = static_cast<std::int32_t>(choose_mode_count());
    info.realization_count = static_cast<std::int32_t>(realization_count());
    validate_size(plan_, info.grid, mode_count(), realization_count());
    info.uncertainty = uncertainty();
    info.has_fixed_modes = error_.has_value();
    info.units = Units::metric;
    info.obstacles = mask_;
    for (const Profile& profile : options_.dives.profiles) {
      info.profiles.push_back({profile.name, profile.depths});
    }
    info.coordinates = Coordinates::geographic;
    info.time_units = "seconds since " + format_iso_time(plan_.levels.front());
    info.projection = plane_.proj_string();
    info.title =
        "Reduced-order forecast from " + velocity_files(options_).front().filename().string();
    info.history = history_of(options_);
    info.source = findings_.source_text;
    info.comment = comment_of(report_, options_, plan_, findings_);
    measure_variance_kept();
  }

  /// Second pass: reduces every level and writes it.
  void write() {
    const EnvironmentInfo& info = report_.info;
    const std::vector<double> leads = lead_times();
    EnvironmentWriter writer(options_.out, info);
    writer.write_longitude_latitude(target_.longitude, target_.latitude);
    writer.write_grid_mapping(plane_.grid_mapping());
    writer.write_variance_kept(report_.variance_kept);
    writer.set_attribute(source_spacing_attribute, std::vector<double>{findings_.detail.spacing});
    writer.set_velocity_standard_names(velocity_.variables.along_x, velocity_.variables.along_y);
    if (options_.realizations && !error_ && !past_) {
      weights_ = draw_member_weights(static_cast<std::size_t>(*options_.realizations),
                                     plan_.member_count, options_.seed);
    }
    EnsembleLevels levels(source_, target_, plane_, plan_.lags);
    std::vector<LevelFields<>> fields;  // (profile)
    for (std::size_t p = 0; p < levels.profile_count(); ++p) fields.emplace_back(info);
    if (error_) {
      for (LevelFields<>& profile_fields : fields) error_->fill_modes(profile_fields);
      const std::vector<double> scales = error_->scale_range(leads);
      if (!scales.empty()) writer.set_attribute(error_scale_range_attribute, scales);
    }
    std::vector<double> previous_directions;  // of the modes of the previous level
    progress_.begin("reducing and writing", level_count(), "levels");
    for (std::size_t k = 0; k < plan_.levels.size(); ++k) {
      std::vector<LevelEnsemble> profiles = read_level(levels, k);
      StackedReduction reduction(profiles);
      if (error_) {
        reduction.fill_velocity(profiles, 0, fields);
        error_->fill_next(leads[k], fields.front());
      } else {
        reduction.align(previous_directions);
        previous_directions = reduction.reduction().directions();
        reduction.fill_velocity(profiles, mode_count(), fields);
        fill_coefficients(reduction.reduction(), weights_, mode_count(), fields.front());
      }
      if (scalar_) fill_scalar(k, profiles, fields.front());
      for (std::size_t p = 0; p < profiles.size(); ++p) {
        fill_mask(k, profiles[p], levels.outside(), fields[p]);
        writer.write_level(TimeLevel(static_cast<std::int32_t>(k)), fields[p], p);
      }
      progress_.advance_to(static_cast<std::int64_t>(k) + 1);
    }
    progress_.end();
    writer.finish();
  }

  /// Lead times of the levels [s], from the source's first time.
  std::vector<double> lead_times() const {
    std::vector<double> leads = plan_.levels;
    for (double& lead : leads) lead -= source_.times().front();
    return leads;
  }

  /// Fills the scalar in the water of any profile.
  void fill_scalar(std::size_t k, const std::vector<LevelEnsemble>& profiles,
                   LevelFields<>& fields) {
    Mask land = profiles.front().land;
    for (const LevelEnsemble& profile : profiles) {
      for (std::size_t cell = 0; cell < land.size(); ++cell) land[cell] &= profile.land[cell];
    }
    const auto values = scalar_->at(plan_.levels[k], land);
    std::copy(values.begin(), values.end(), fields.scalar.begin());
  }

  void fill_mask(std::size_t k, const LevelEnsemble& level, const Mask& outside,
                 LevelFields<>& fields) const {
    const Mask masked = masked_at(k, level.land, outside);
    std::copy(masked.begin(), masked.end(), fields.masked.begin());
    std::copy(level.land.begin(), level.land.end(), fields.dry.begin());
  }

  std::int32_t level_count() const { return static_cast<std::int32_t>(plan_.levels.size()); }
  std::size_t mode_count() const { return static_cast<std::size_t>(report_.info.mode_count); }

  const ImportOptions& options_;
  Progress& progress_;
  ImportReport report_;
  ImportFindings findings_;
  VelocityDescription velocity_;
  ForecastSource source_;
  ImportPlan plan_;
  LocalPlane plane_;
  TargetGrid target_;
  ObstacleMask obstacles_;
  std::optional<AddedError> error_;
  std::optional<PastErrors> past_;
  std::unique_ptr<ForecastSource> scalar_source_;
  std::unique_ptr<ScalarLevels> scalar_;
  Obstacles mask_ = Obstacles::fixed;
  std::size_t modes_needed_ = 1;
  std::vector<std::vector<std::vector<double>>> spectra_;  // (time, profile, mode)
  std::vector<double> weights_;  // (realization, member); empty: the members
};

}  // namespace

ImportReport import_forecast(const ImportOptions& options, Progress& progress) {
  validate_options(options);
  return Importer(options, progress).import();
}

}  // namespace tidewise::ingest
