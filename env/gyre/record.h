#pragma once

#include <string>
#include <vector>

#include "env/file/writer.h"
#include "env/gyre/integration.h"
#include "env/gyre/scaling.h"

namespace tidewise::gyre {

/// What was found level by level, as variables of the environment file.
class Record {
 public:
  Record();

  void add(const Findings& findings, const Scaling& scaling, double strongest_flow);
  /// The levels of another record follow, as a file gives them. Errors: InputError naming `file`
  /// where one is missing.
  void append(const std::vector<EnvironmentSeries>& series, const std::string& file);

  const std::vector<EnvironmentSeries>& series() const { return series_; }
  void write(EnvironmentWriter& writer) const;

  // Greatest of all levels.
  double strongest_flow() const;  ///< [m/s]
  double energy_residual() const;
  double divergence() const;
  double orthonormality_error() const;

 private:
  std::vector<EnvironmentSeries> series_;
};

}  // namespace tidewise::gyre
