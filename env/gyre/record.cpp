#include "env/gyre/record.h"

#include <algorithm>

#include "base/error.h"
#include "env/error/codes.h"

namespace tidewise::gyre {
namespace {

// Places in the list of series.
enum Place { energy_of_mean, energy_of_variance, strongest, residual, divergent, orthonormal };

double greatest(const EnvironmentSeries& series) {
  return series.values.empty() ? 0 : *std::max_element(series.values.begin(), series.values.end());
}

}  // namespace

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

void Record::add(const Findings& findings, const Scaling& scaling, double strongest_flow) {
  const double energy = scaling.velocity * scaling.velocity;
  series_[energy_of_mean].values.push_back(energy * findings.budget.mean);
  series_[energy_of_variance].values.push_back(energy * findings.budget.variance);
  series_[strongest].values.push_back(strongest_flow);
  series_[residual].values.push_back(findings.energy_residual);
  series_[divergent].values.push_back(findings.divergence);
  series_[orthonormal].values.push_back(findings.orthonormality_error);
}

void Record::append(const std::vector<EnvironmentSeries>& series, const std::string& file) {
  for (EnvironmentSeries& own : series_) {
    const auto more =
        std::find_if(series.begin(), series.end(),
                     [&](const EnvironmentSeries& other) { return other.name == own.name; });
    if (more == series.end()) {
      throw input_error(errors::record_variable_missing, file, own.name);
    }
    own.values.insert(own.values.end(), more->values.begin(), more->values.end());
  }
}

void Record::write(EnvironmentWriter& writer) const {
  for (const EnvironmentSeries& series : series_) writer.write_series(series);
}

double Record::strongest_flow() const { return greatest(series_[strongest]); }
double Record::energy_residual() const { return greatest(series_[residual]); }
double Record::divergence() const { return greatest(series_[divergent]); }
double Record::orthonormality_error() const { return greatest(series_[orthonormal]); }

}  // namespace tidewise::gyre
