#pragma once

#include <map>
#include <vector>

#include "env/import/source/forecast_source.h"

namespace tidewise::ingest {

/// A forecast's fields at any time, linear between its own times. Fields that were read are kept
/// until forget_before(), so that lagged members share them.
class FieldSampler {
 public:
  /// `source` must outlive the sampler.
  explicit FieldSampler(ForecastSource& source) : source_(source) {}

  /// Sets `result`, (variable, member, row, column), to those at `seconds` since 1970; NaN where a
  /// neighbour in time is missing. Before the first time the first field is used, after the last
  /// time the last one.
  void sample(double seconds, std::vector<double>& result);

  /// Drops fields that are not needed for times from `seconds` on.
  void forget_before(double seconds);

 private:
  const std::vector<double>& fields_at(std::size_t time);

  ForecastSource& source_;
  std::map<std::size_t, std::vector<double>> fields_;  // by index of time
};

}  // namespace tidewise::ingest
