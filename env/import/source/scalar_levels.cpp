#include "env/import/source/scalar_levels.h"

#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/calendar_time.h"

namespace tidewise::ingest {

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

/// (row, column); NaN where any member is missing.
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

}  // namespace tidewise::ingest
