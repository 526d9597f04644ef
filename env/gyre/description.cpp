#include "env/gyre/description.h"

#include <fmt/format.h>

#include "env/gyre/options.h"

namespace tidewise::gyre {

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

EnvironmentInfo info_of_levels(const EnvironmentInfo& info, std::int32_t first, std::int32_t end) {
  EnvironmentInfo part = info;
  part.time.first = info.time.at(TimeLevel(first));
  part.time.level_count = end - first;
  return part;
}

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

}  // namespace tidewise::gyre
