#include "env/gyre/environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "env/environment_info.h"
#include "env/error/codes.h"
#include "env/file/extras.h"
#include "env/file/reader.h"
#include "env/file/writer.h"
#include "env/gyre/flow/spin_up.h"
#include "env/gyre/integration.h"
#include "env/gyre/options.h"
#include "env/gyre/restart_folder.h"
#include "env/gyre/scaling.h"
#include "env/gyre/segments.h"
#include "env/gyre/strongest_flow.h"

namespace tidewise::gyre {
namespace {

/// Diagnostics of each level, as variables of the environment file.
class Record {
 public:
  Record();

  void add(const FlowDiagnostics& diagnostics, const Scaling& scaling, double strongest_flow);
  /// Appends the levels of the record in a file. Errors: InputError naming `file` if a variable is
  /// missing.
  void append(const std::vector<EnvironmentSeries>& series, const std::string& file);

  const std::vector<EnvironmentSeries>& series() const { return series_; }
  void write(EnvironmentWriter& writer) const;

  // The greatest values of all levels.
  double strongest_flow() const;  ///< [m/s]
  double energy_residual() const;
  double divergence() const;
  double orthonormality_error() const;

 private:
  std::vector<EnvironmentSeries> series_;
};

// Indices in the list of series.
enum SeriesIndex {
  energy_of_mean,
  energy_of_variance,
  strongest,
  residual,
  divergent,
  orthonormal
};

double greatest(const EnvironmentSeries& series) {
  return series.values.empty() ? 0 : *std::max_element(series.values.begin(), series.values.end());
}

Record::Record()
    : series_{{"energy_of_mean", "m2 s-2", "kinetic energy of the mean flow, basin average", {}},
              {"energy_of_variance",
               "m2 s-2",
               "expected kinetic energy of the departure from the mean flow, basin average",
               {}},
              {"strongest_flow", "m s-1", "strongest flow of any cell and realization", {}},
              {"energy_residual",
               "1",
               "change of energy since the level before, less work of the wind and loss to "
               "viscosity, over that loss",
               {}},
              {"divergence", "1", "greatest divergence over greatest gradient", {}},
              {"orthonormality_error", "1", "greatest error of the modes' inner products", {}}} {}

void Record::add(const FlowDiagnostics& diagnostics, const Scaling& scaling,
                 double strongest_flow) {
  const double energy = scaling.velocity * scaling.velocity;
  series_[energy_of_mean].values.push_back(energy * diagnostics.budget.mean);
  series_[energy_of_variance].values.push_back(energy * diagnostics.budget.variance);
  series_[strongest].values.push_back(strongest_flow);
  series_[residual].values.push_back(diagnostics.energy_residual);
  series_[divergent].values.push_back(diagnostics.divergence);
  series_[orthonormal].values.push_back(diagnostics.orthonormality_error);
}

void Record::append(const std::vector<EnvironmentSeries>& series, const std::string& file) {
  for (EnvironmentSeries& recorded : series_) {
    const auto added =
        std::find_if(series.begin(), series.end(),
                     [&](const EnvironmentSeries& other) { return other.name == recorded.name; });
    if (added == series.end()) {
      throw input_error(errors::record_variable_missing, file, recorded.name);
    }
    recorded.values.insert(recorded.values.end(), added->values.begin(), added->values.end());
  }
}

void Record::write(EnvironmentWriter& writer) const {
  for (const EnvironmentSeries& series : series_) writer.write_series(series);
}

double Record::strongest_flow() const { return greatest(series_[strongest]); }
double Record::energy_residual() const { return greatest(series_[residual]); }
double Record::divergence() const { return greatest(series_[divergent]); }
double Record::orthonormality_error() const { return greatest(series_[orthonormal]); }

/// The info of the environment that results from these options.
EnvironmentInfo info_of(const EnvironmentOptions& options, const Scaling& scaling) {
  EnvironmentInfo info;
  const double dx = options.basin_side / options.nx;
  const double dy = options.basin_side / options.ny;
  info.grid = {options.nx, options.ny, 0.5 * dx, 0.5 * dy, dx, dy};
  info.time = {options.level_count, 0.0, options.level_step};
  info.mode_count = options.mode_count;
  info.realization_count = options.realization_count;
  info.units = Units::metric;
  info.time_units = "s";
  info.obstacles = Obstacles::moving;
  info.has_scalar = true;
  info.scalar_units = "W m-2";
  info.scalar_long_name = "surface downwelling shortwave radiation";
  info.title = "Stochastic wind-driven double gyre";
  info.history = command_of(options);
  info.source =
      "barotropic quasi-geostrophic double gyre, solved by the dynamically orthogonal equations "
      "(Sapsis and Lermusiaux 2009)";
  const DimensionlessNumbers& numbers = options.numbers;
  info.comment = fmt::format(
      "Solved in units of the basin's side L = {:.6g} m, U = {:.4g} m s-1 and T = L/U = {:.4g} "
      "days, "
      "with Re = {:g}, beta = {:g} and wind strength {:g}: a planetary vorticity gradient of "
      "{:.3g} "
      "m-1 s-1 and an eddy viscosity of {:.4g} m2 s-1. U makes the strongest flow at level 0 that "
      "of --speed.",
      scaling.length, scaling.velocity, scaling.time() / 86400, numbers.reynolds, numbers.beta,
      numbers.wind, scaling.coriolis_gradient(numbers), scaling.eddy_viscosity(numbers));
  return info;
}

/// The info of an environment with only the levels `first` … `end` − 1.
EnvironmentInfo info_of_levels(const EnvironmentInfo& info, std::int32_t first, std::int32_t end) {
  EnvironmentInfo part = info;
  part.time.first = info.time.at(TimeLevel(first));
  part.time.level_count = end - first;
  return part;
}

/// Writes attributes that EnvironmentInfo does not hold: the flow's numbers and scales (root), the
/// meaning of modes and coefficients, the radiation's standard name.
void write_description(EnvironmentWriter& writer, const EnvironmentOptions& options,
                       const Scaling& scaling) {
  const DimensionlessNumbers& numbers = options.numbers;
  const auto set = [&](const char* name, double value) {
    writer.set_attribute(name, std::vector<double>{value});
  };
  set("reynolds_number", numbers.reynolds);
  set("beta_number", numbers.beta);
  set("wind_strength", numbers.wind);
  set("length_scale_m", scaling.length);
  set("velocity_scale_m_s", scaling.velocity);
  set("time_scale_s", scaling.time());
  set("planetary_vorticity_gradient_m_s", scaling.coriolis_gradient(numbers));
  set("eddy_viscosity_m2_s", scaling.eddy_viscosity(numbers));
  writer.describe(
      "u_mode", "long_name",
      "modes of the eastward velocity, orthonormal: root mean square speed 1 m s-1 over "
      "the basin");
  writer.describe(
      "v_mode", "long_name",
      "modes of the northward velocity, orthonormal: root mean square speed 1 m s-1 over "
      "the basin");
  writer.describe(
      "coefficient", "long_name",
      "stochastic coefficients of the modes: standard deviation is the root mean square "
      "speed in m s-1 that a mode adds");
  writer.describe("scalar_mean", "standard_name", "surface_downwelling_shortwave_flux_in_air");
}

namespace fs = std::filesystem;

// [L/U] Longest interval of the lead between two checkpoints.
constexpr double max_stretch = 0.0025;

/// The computation of an environment, from rest to the file. It continues from the restart folder.
class Computation {
 public:
  Computation(const fs::path& path, const EnvironmentOptions& options, Restart restart,
              Progress& progress)
      : path_(path),
        options_(options),
        progress_(progress),
        grid_{options.nx, options.ny},
        integration_(grid_, options.numbers),
        folder_(path, named_options(options), restart),
        segments_{options.level_count} {}

  EnvironmentReport make() {
    if (auto checkpoint = folder_.checkpoint(grid_)) {
      current_ = std::move(*checkpoint);
    } else {
      begin();
    }
    lead();
    set_scale();
    solve_levels();
    EnvironmentReport report = assemble();
    folder_.remove();
    return report;
  }

 private:
  void begin() {
    auto mean = folder_.spun_up(grid_);
    if (!mean) {
      mean = spin_up(grid_, options_.numbers, options_.spin_up, progress_, options_.first_eddy);
      folder_.keep_spun_up(*mean);
    }
    progress_.begin("drawing the initial ensemble", options_.uncertainty.perturbation_count,
                    "perturbations");
    draw_ensemble(*mean);
    turn_to_principal_axes(current_.state);
    progress_.advance_to(options_.uncertainty.perturbation_count);
    progress_.end();
    folder_.keep(current_);
  }

  void draw_ensemble(const VelocityField& mean) {
    try {
      current_.state = make_initial_ensemble(mean, options_.uncertainty,
                                             static_cast<std::size_t>(options_.mode_count),
                                             static_cast<std::size_t>(options_.realization_count));
    } catch (const InputError&) {
      folder_.remove();  // invalid options cannot be continued
      throw;
    }
  }

  /// Solves from the initial ensemble to level 0.
  void lead() {
    const auto stretches = static_cast<std::int32_t>(std::ceil(options_.lead / max_stretch));
    if (current_.stretches_done >= stretches) return;
    progress_.begin("leading to level 0", stretches, "stretches");
    progress_.advance_to(current_.stretches_done);
    while (current_.stretches_done < stretches) {
      integration_.advance(current_.state, options_.lead / stretches);
      ++current_.stretches_done;
      folder_.keep(current_);
      progress_.advance_to(current_.stretches_done);
    }
    progress_.end();
  }

  /// Chooses U at level 0, so that the greatest speed of any realization is the requested one.
  void set_scale() {
    scaling_.length = options_.basin_side;
    if (current_.velocity_scale <= 0) {
      const EnvironmentInfo info = info_of(options_, scaling_);
      LevelFields<> fields(info);
      fill_velocity(current_.state, 1, fields);
      current_.velocity_scale = options_.greatest_speed / strongest_flow(fields.view(info));
      folder_.keep(current_);
    }
    scaling_.velocity = current_.velocity_scale;
    info_ = info_of(options_, scaling_);
  }

  void solve_levels() {
    if (current_.levels_done == options_.level_count) return;
    progress_.begin("solving", options_.level_count, "levels");
    progress_.advance_to(current_.levels_done);
    for (std::int32_t n = 0; n < segments_.count(); ++n) {
      if (segments_.end(n) > current_.levels_done) solve_segment(n);
    }
    progress_.end();
  }

  /// Writes and seals the segment before the checkpoint counts it. If the process ends between the
  /// two, the next one writes the segment again, with the same bytes.
  void solve_segment(std::int32_t n) {
    const std::int32_t first = segments_.first(n);
    const EnvironmentInfo info = info_of_levels(info_, first, segments_.end(n));
    EnvironmentWriter writer(folder_.segment(n), info);
    Record record;
    LevelFields<> fields(info);
    for (std::int32_t k = first; k < segments_.end(n); ++k) {
      const FlowDiagnostics diagnostics = advance_to_level(k);
      fill_velocity(current_.state, scaling_.velocity, fields);
      fill_radiation(options_.surroundings, info.grid, TimeLevel(k), fields.scalar);
      fill_obstacles(options_.surroundings, info.grid, TimeLevel(k), fields.masked);
      record.add(diagnostics, scaling_, strongest_flow(fields.view(info)));
      writer.write_level(TimeLevel(k - first), fields);
      progress_.advance_to(k + 1);
    }
    record.write(writer);
    writer.finish();
    folder_.keep_segment(n);
    current_.levels_done = segments_.end(n);
    folder_.keep(current_);
  }

  /// Solves from the previous level to level k; does nothing for level 0.
  FlowDiagnostics advance_to_level(std::int32_t k) {
    if (k == 0) return integration_.validate(current_.state);
    return integration_.advance(current_.state, options_.level_step / scaling_.time());
  }

  EnvironmentReport assemble() {
    EnvironmentWriter writer(path_, info_);
    write_description(writer, options_, scaling_);
    Record record;
    LevelFields<> fields(info_);
    progress_.begin("assembling", options_.level_count, "levels");
    for (std::int32_t n = 0; n < segments_.count(); ++n) {
      const EnvironmentReader reader(folder_.kept_segment(n));
      for (std::int32_t k = segments_.first(n); k < segments_.end(n); ++k) {
        reader.read_level(TimeLevel(k - segments_.first(n)), fields);
        writer.write_level(TimeLevel(k), fields);
        progress_.advance_to(k + 1);
      }
      record.append(read_environment_extras(reader).series, reader.path().string());
    }
    record.write(writer);
    writer.set_attribute("strongest_flow_m_s", std::vector<double>{record.strongest_flow()});
    writer.finish();
    progress_.end();
    return report_of(record);
  }

  EnvironmentReport report_of(const Record& record) const {
    EnvironmentReport report;
    report.velocity_scale = scaling_.velocity;
    report.strongest_flow = record.strongest_flow();
    report.energy_residual = record.energy_residual();
    report.divergence = record.divergence();
    report.orthonormality_error = record.orthonormality_error();
    report.lines = {
        fmt::format("strongest flow {:.3g} m/s at level 0, {:.3g} m/s at any; one cell a step is "
                    "{:.4g} m/s along x",
                    options_.greatest_speed, report.strongest_flow,
                    info_.grid.dx / info_.time.step),
        fmt::format("L = {:.6g} km, U = {:.4g} m/s, L/U = {:.4g} days: beta {:.3g} 1/(m s), eddy "
                    "viscosity {:.4g} m2/s",
                    scaling_.length / 1000, scaling_.velocity, scaling_.time() / 86400,
                    scaling_.coriolis_gradient(options_.numbers),
                    scaling_.eddy_viscosity(options_.numbers)),
        fmt::format("at worst: divergence {:.1e} of the gradients, modes orthonormal to {:.1e}, "
                    "energy budget closed to {:.1e}",
                    report.divergence, report.orthonormality_error, report.energy_residual)};
    const double layer = western_layer(options_.numbers);
    if (std::max(grid_.dx(), grid_.dy()) > layer) {
      report.lines.push_back(
          fmt::format("the grid does not resolve the western boundary layer, {:.2g} L wide, which "
                      "asks for {:.0f} x {:.0f} cells or more",
                      layer, std::ceil(1 / layer), std::ceil(1 / layer)));
    }
    return report;
  }

  const fs::path& path_;
  const EnvironmentOptions& options_;
  Progress& progress_;
  StaggeredGrid grid_;
  Integration integration_;
  RestartFolder folder_;
  Segments segments_;
  Checkpoint current_;
  Scaling scaling_;
  EnvironmentInfo info_;
};

}  // namespace

std::string describe_restart(const fs::path& path, const EnvironmentOptions& options) {
  validate_options(options);
  const auto progress = find_progress(path, named_options(options));
  if (!progress) return {};
  const std::string folder = restart_path(path).string();
  if (progress->levels_done > 0) {
    return fmt::format("{}: goes on from level {} of {}", folder, progress->levels_done,
                       options.level_count);
  }
  return progress->spun_up ? folder + ": goes on from the spun-up flow" : std::string();
}

EnvironmentReport make_environment(const fs::path& path, const EnvironmentOptions& options,
                                   Restart restart, Progress& progress) {
  validate_options(options);
  { const AtomicFile validated(path); }  // refuses a path that cannot be written
  return Computation(path, options, restart, progress).make();
}

}  // namespace tidewise::gyre
