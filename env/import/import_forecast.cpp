#include "env/import/import_forecast.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "base/error.h"
#include "env/environment_writer.h"
#include "env/import/calendar_time.h"
#include "env/import/ensemble_levels.h"
#include "env/import/ensemble_reduction.h"
#include "env/import/find_velocity.h"
#include "env/import/import_plan.h"
#include "env/import/import_report.h"
#include "env/import/obstacle_mask.h"
#include "env/import/realization_draws.h"
#include "env/import/scalar_levels.h"

namespace tidewise {
namespace {

constexpr double default_variance = 0.99;
constexpr double greatest_velocity = 150;  // [m/s] a strong hurricane's wind is 90
constexpr double greatest_stretch = 0.1;   // of lengths on the plane, beyond which it is no map

using Mask = std::vector<std::uint8_t>;

SourceRequest velocity_request(const ImportOptions& options, ImportFindings& findings,
                               std::string& medium) {
  const NetcdfFile first(options.files.front());
  const auto velocity = find_velocity(first, options.names);
  findings.u = velocity.u;
  findings.v = velocity.v;
  findings.found_by = velocity.found_by;
  medium = velocity.medium;
  for (const char* name : {"title", "source", "institution"}) {
    const std::string text = first.text("", name);
    if (!text.empty()) findings.source_text += (findings.source_text.empty() ? "" : "; ") + text;
  }
  return {options.files,
          {{velocity.u, velocity_factor(first, velocity.u), greatest_velocity},
           {velocity.v, velocity_factor(first, velocity.v), greatest_velocity}},
          options.names,
          options.depth,
          options.box};
}

/// How far lengths on the plane are off at the corners, where they are worst.
double stretch_of(const SourceGrid& source, const LocalPlane& plane) {
  double worst = 0;
  for (const double longitude : {source.west, source.east}) {
    for (const double latitude : {source.south, source.north}) {
      worst = std::max(worst, std::abs(plane.length_scale({longitude, latitude}) - 1));
    }
  }
  return worst;
}

double judged_stretch(const SourceGrid& source, const LocalPlane& plane, const std::string& file) {
  const double stretch = stretch_of(source, plane);
  if (source.east - source.west <= 180 && stretch <= greatest_stretch) return stretch;
  throw InputError(fmt::format(
      "{}: {:.4g} by {:.4g} degrees are too wide for one plane (its lengths "
      "would be off by more than {:.0f} %); choose a part with --bbox",
      file, source.east - source.west, source.north - source.south, 100 * greatest_stretch));
}

float to_float(double value) { return static_cast<float>(value); }

/// One import, from options to file. Steps are in the order of import().
class Importer {
 public:
  Importer(const ImportOptions& options, Progress& progress)
      : options_(options),
        progress_(progress),
        source_(velocity_request(options, findings_, medium_)),
        plan_(plan_import(options, source_)),
        plane_(middle_of(source_.grid())) {
    findings_.member_dimension = source_.member_dimension();
    findings_.time_step = source_.time_step();
    findings_.greatest_stretch =
        judged_stretch(source_.grid(), plane_, options.files.front().string());
    target_ = make_target_grid(source_.grid(), plane_,
                               options.spacing.value_or(own_spacing(source_.grid())));
    if (options.obstacles) {
      const auto polygons = read_obstacles(*options.obstacles);
      obstacles_ = ObstacleMask(polygons, target_, plane_, plan_.levels);
      findings_.obstacles = polygons.size();
      findings_.obstacles_used = obstacles_.count_used();
    }
    if (!options.scalar.empty()) open_scalar();
  }

  ImportReport import() {
    measure();
    describe();
    write();
    auto lines = report_lines(report_, options_, plan_, findings_);
    lines.insert(lines.end(), source_.notes().begin(), source_.notes().end());
    report_.lines = std::move(lines);
    return std::move(report_);
  }

 private:
  void open_scalar() {
    SourceRequest request{
        options_.files, {{options_.scalar}}, options_.names, options_.depth, options_.box};
    if (options_.scalar_file) {
      // Another file has its own names and may have no depth.
      request = {{*options_.scalar_file}, {{options_.scalar}}, {}, {}, options_.box};
    }
    const NetcdfFile first(request.files.front());
    report_.info.has_scalar = true;
    const std::string units = first.text(options_.scalar, "units");
    const std::string long_name = first.text(options_.scalar, "long_name");
    report_.info.scalar_units = units.empty() ? "1" : units;
    report_.info.scalar_long_name = long_name.empty() ? options_.scalar : long_name;
    scalar_source_ = std::make_unique<ForecastSource>(std::move(request));
    scalar_ = std::make_unique<ScalarLevels>(*scalar_source_, options_.scalar, target_,
                                             plan_.levels, options_.scalar_fill);
  }

  /// Land, outside and obstacles together.
  Mask closed_at(std::size_t level, const Mask& land) const {
    Mask closed = land;
    obstacles_.burn(level, closed);
    return closed;
  }

  /// First pass: the spectrum of every level, and whether the mask moves.
  void measure() {
    EnsembleLevels levels(source_, target_, plan_.lags);
    Mask first;
    progress_.begin("measuring the ensemble", level_count(), "levels");
    for (std::size_t k = 0; k < plan_.levels.size(); ++k) {
      LevelEnsemble level = levels.at(plan_.levels[k]);
      const Mask closed = closed_at(k, level.land);
      if (k == 0) measure_mask(level.land, levels.outside(), closed);
      if (k == 0) first = closed;
      if (closed != first) mask_ = Obstacles::moving;
      const EnsembleReduction reduction(std::move(level.samples), level.member_count);
      spectra_.push_back(reduction.variances());
      modes_needed_ = std::max(modes_needed_,
                               reduction.modes_for(options_.variance.value_or(default_variance)));
      findings_.full_rank = std::max(findings_.full_rank, reduction.modes_for(1));
      progress_.advance_to(static_cast<std::int64_t>(k) + 1);
    }
    progress_.end();
  }

  void measure_mask(const Mask& land, const Mask& outside, const Mask& closed) {
    const auto share = [&](const Mask& mask) {
      return std::accumulate(mask.begin(), mask.end(), 0.0) / static_cast<double>(mask.size());
    };
    findings_.outside_share = share(outside);
    findings_.land_share = share(land) - findings_.outside_share;
    findings_.obstacle_share = share(closed) - share(land);
  }

  std::size_t choose_mode_count() const {
    if (!options_.modes) return modes_needed_;
    const auto asked = static_cast<std::size_t>(*options_.modes);
    return options_.variance ? std::min(asked, modes_needed_) : asked;
  }

  void measure_variance_kept() {
    double kept = 0;
    double total = 0;
    for (const auto& spectrum : spectra_) {
      const double all = std::accumulate(spectrum.begin(), spectrum.end(), 0.0);
      const double own =
          std::accumulate(spectrum.begin(), spectrum.begin() + report_.info.mode_count, 0.0);
      report_.variance_kept.push_back(all > 0 ? own / all : 1);
      kept += own;
      total += all;
    }
    report_.info.variance_kept = total > 0 ? kept / total : 1;
  }

  void describe() {
    EnvironmentInfo& info = report_.info;
    info.grid = target_.grid;
    info.time = {level_count(), 0, plan_.step};
    info.mode_count = static_cast<std::int32_t>(choose_mode_count());
    info.realization_count =
        options_.realizations.value_or(static_cast<std::int32_t>(plan_.member_count));
    info.units = Units::metric;
    info.obstacles = mask_;
    info.coordinates = Coordinates::geographic;
    info.time_units = "seconds since " + format_iso_time(plan_.levels.front());
    info.projection = plane_.proj_string();
    info.title = "Reduced-order forecast from " + options_.files.front().filename().string();
    info.history = history_of(options_);
    // The forecast's own words on where it comes from, else its name.
    info.source = findings_.source_text.empty() ? options_.files.front().filename().string()
                                                : findings_.source_text;
    info.comment = comment_of(options_, plan_, findings_);
    measure_variance_kept();
  }

  /// Second pass: reduces every level and writes it.
  void write() {
    const EnvironmentInfo& info = report_.info;
    EnvironmentWriter writer(options_.out, info);
    writer.write_longitude_latitude(target_.longitude, target_.latitude);
    writer.write_grid_mapping(plane_.grid_mapping());
    writer.write_variance_kept(report_.variance_kept);
    writer.set_velocity_standard_names(medium_,
                                       medium_ == "x_wind" ? "y_wind" : "sea_water_y_velocity");
    if (options_.realizations) {
      weights_ = draw_member_weights(static_cast<std::size_t>(*options_.realizations),
                                     plan_.member_count, options_.seed);
    }
    EnsembleLevels levels(source_, target_, plan_.lags);
    LevelFields<> fields(info);
    std::unique_ptr<EnsembleReduction> before;
    progress_.begin("reducing and writing", level_count(), "levels");
    for (std::size_t k = 0; k < plan_.levels.size(); ++k) {
      LevelEnsemble level = levels.at(plan_.levels[k]);
      auto reduction =
          std::make_unique<EnsembleReduction>(std::move(level.samples), level.member_count);
      reduction->align(before.get());
      fill_mask(k, level, fields);
      fill_velocity(*reduction, level, fields);
      fill_coefficients(*reduction, fields);
      if (scalar_) {
        const auto values = scalar_->at(plan_.levels[k], level.land);
        std::copy(values.begin(), values.end(), fields.scalar.begin());
      }
      writer.write_level(TimeLevel(static_cast<std::int32_t>(k)), fields);
      before = std::move(reduction);
      progress_.advance_to(static_cast<std::int64_t>(k) + 1);
    }
    progress_.end();
    writer.finish();
  }

  void fill_mask(std::size_t k, const LevelEnsemble& level, LevelFields<>& fields) const {
    const Mask closed = closed_at(k, level.land);
    std::copy(closed.begin(), closed.end(), fields.closed.begin());
    std::copy(level.land.begin(), level.land.end(), fields.dry.begin());
  }

  /// `values`: (component, water cell). u and v: (y, x), 0 on land.
  static void spread(const std::vector<double>& values, const LevelEnsemble& level, float* u,
                     float* v) {
    const std::size_t cells = level.land.size();
    const std::size_t water = level.water.size();
    std::fill(u, u + cells, 0.0F);
    std::fill(v, v + cells, 0.0F);
    for (std::size_t n = 0; n < water; ++n) {
      u[level.water[n]] = to_float(values[n]);
      v[level.water[n]] = to_float(values[water + n]);
    }
  }

  void fill_velocity(const EnsembleReduction& reduction, const LevelEnsemble& level,
                     LevelFields<>& fields) const {
    const std::size_t cells = level.land.size();
    spread(reduction.mean(), level, fields.u_mean.data(), fields.v_mean.data());
    for (std::size_t m = 0; m < mode_count(); ++m) {
      spread(reduction.mode(m), level, fields.u_mode.data() + m * cells,
             fields.v_mode.data() + m * cells);
    }
  }

  /// The members' own coefficients, or those of the drawn mixtures of members.
  void fill_coefficients(const EnsembleReduction& reduction, LevelFields<>& fields) const {
    float* out = fields.coefficient.data();
    for (std::size_t m = 0; m < mode_count(); ++m) {
      const auto own = reduction.coefficients(m);
      if (weights_.empty()) {
        out = std::transform(own.begin(), own.end(), out, to_float);
        continue;
      }
      for (auto weight = weights_.begin(); weight != weights_.end();
           weight += static_cast<std::ptrdiff_t>(own.size())) {
        *out++ = to_float(std::inner_product(own.begin(), own.end(), weight, 0.0));
      }
    }
  }

  std::int32_t level_count() const { return static_cast<std::int32_t>(plan_.levels.size()); }
  std::size_t mode_count() const { return static_cast<std::size_t>(report_.info.mode_count); }

  const ImportOptions& options_;
  Progress& progress_;
  ImportReport report_;
  ImportFindings findings_;
  std::string medium_;  // standard_name of the velocity along x
  ForecastSource source_;
  ImportPlan plan_;
  LocalPlane plane_;
  TargetGrid target_;
  ObstacleMask obstacles_;
  std::unique_ptr<ForecastSource> scalar_source_;
  std::unique_ptr<ScalarLevels> scalar_;
  Obstacles mask_ = Obstacles::fixed;
  std::size_t modes_needed_ = 1;
  std::vector<std::vector<double>> spectra_;  // (time, mode)
  std::vector<double> weights_;               // (realization, member); empty: the members
};

}  // namespace

ImportReport import_forecast(const ImportOptions& options, Progress& progress) {
  judge_options(options);
  return Importer(options, progress).import();
}

}  // namespace tidewise
