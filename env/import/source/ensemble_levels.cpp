#include "env/import/source/ensemble_levels.h"

#include <cmath>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/units/calendar_time.h"

namespace tidewise::ingest {
namespace {

/// Rotates a vector from east and north to x and y of the plane. `north`: direction of true north.
PlanePoint on_plane(double east_speed, double north_speed, PlanePoint north) {
  return {east_speed * north.y + north_speed * north.x,
          -east_speed * north.x + north_speed * north.y};
}

/// Makes cells that are land in `other` land.
void keep_water(LevelEnsemble& level, const LevelEnsemble& other) {
  if (level.water == other.water) return;
  std::vector<std::size_t> kept_indices;  // indices among the level's water
  for (std::size_t n = 0; n < level.water.size(); ++n) {
    if (other.land[level.water[n]] == 0) kept_indices.push_back(n);
  }
  std::vector<double> samples;
  for (std::size_t field = 0; field < 2 * level.member_count; ++field) {
    for (const std::size_t n : kept_indices) {
      samples.push_back(level.samples[field * level.water.size() + n]);
    }
  }
  level.samples = std::move(samples);
  std::erase_if(level.water, [&](std::size_t cell) { return other.land[cell] != 0; });
  for (std::size_t cell = 0; cell < level.land.size(); ++cell) {
    if (other.land[cell] != 0) level.land[cell] = 1;
  }
}

}  // namespace

EnsembleLevels::EnsembleLevels(ForecastSource& source, const TargetGrid& target,
                               const LocalPlane& plane, std::vector<double> lags)
    : source_(source),
      target_(target),
      lags_(std::move(lags)),
      sampler_(source),
      regridders_(source.profile_count(), Regridder(source.grid(), target.longitude,
                                                    target.latitude, CoastRule::nearest_point)),
      lagged_(lags_.size()) {
  const auto& points = source.grid().points;
  if (!points) return;
  source_north_.resize(points->size());
  for (std::size_t n = 0; n < points->size(); ++n) {
    if (points->has_place(n)) source_north_[n] = plane.north_at(points->place(n));
  }
}

void EnsembleLevels::rotate_to_plane() {
  const std::size_t points = source_north_.size();
  const std::size_t members = source_.member_count();
  for (auto& fields : lagged_) {
    for (std::size_t begin = 0; begin < fields.size(); begin += profile_size()) {
#pragma omp parallel for schedule(static)
      for (std::size_t n = 0; n < members * points; ++n) {
        double& first = fields[begin + n];
        double& second = fields[begin + members * points + n];
        const PlanePoint rotated = on_plane(first, second, source_north_[n % points]);
        first = rotated.x;
        second = rotated.y;
      }
    }
  }
}

/// The dry points of a profile, 1 = dry. A point is dry if any member lacks a component, so that
/// all members have the same water.
std::vector<std::uint8_t> EnsembleLevels::dry_points(std::size_t profile) const {
  const std::size_t points = source_.grid().size();
  std::vector<std::uint8_t> dry(points, 0);
  for (const auto& fields : lagged_) {
    const double* values = fields.data() + profile * profile_size();
    for (std::size_t n = 0; n < profile_size(); ++n) {
      if (std::isnan(values[n])) dry[n % points] = 1;
    }
  }
  return dry;
}

std::vector<LevelEnsemble> EnsembleLevels::at(double seconds) {
  sampler_.forget_before(seconds + lags_.front());
  for (std::size_t lag = 0; lag < lags_.size(); ++lag) {
    sampler_.sample(seconds + lags_[lag], lagged_[lag]);
  }
  for (std::size_t p = 0; p < profile_count(); ++p) regridders_[p].set_dry(dry_points(p));
  if (!source_north_.empty()) rotate_to_plane();
  std::vector<LevelEnsemble> levels;
  for (std::size_t p = 0; p < profile_count(); ++p) levels.push_back(on_cells(p, seconds));
  return levels;
}

LevelEnsemble EnsembleLevels::on_cells(std::size_t profile, double seconds) {
  const Regridder& regridder = regridders_[profile];
  LevelEnsemble level;
  level.land = regridder.land();
  level.member_count = member_count();
  for (std::size_t cell = 0; cell < level.land.size(); ++cell) {
    if (level.land[cell] == 0) level.water.push_back(cell);
  }
  if (level.water.empty()) {
    throw input_error(errors::no_water_at_time, format_iso_time(seconds));
  }
  const std::size_t points = source_.grid().size();
  const std::size_t water = level.water.size();
  const std::size_t source_members = source_.member_count();
  level.samples.resize(level.member_count * 2 * water);
#pragma omp parallel for schedule(static)
  for (std::size_t member = 0; member < level.member_count; ++member) {
    const auto& fields = lagged_[member / source_members];
    const double* eastward =
        fields.data() + profile * profile_size() + member % source_members * points;
    const double* northward = eastward + source_members * points;
    double* u = level.samples.data() + member * 2 * water;
    double* v = u + water;
    for (std::size_t n = 0; n < water; ++n) {
      const std::size_t cell = level.water[n];
      const double first = regridder.value_at(cell, eastward);
      const double second = regridder.value_at(cell, northward);
      const PlanePoint velocity = source_north_.empty()
                                      ? on_plane(first, second, target_.north[cell])
                                      : PlanePoint{first, second};
      u[n] = velocity.x;
      v[n] = velocity.y;
    }
  }
  return level;
}

std::vector<LevelEnsemble> EnsembleLevels::mean_of(const std::vector<double>& times) {
  std::vector<LevelEnsemble> means = at(times.front());
  if (times.size() == 1) return means;
  for (std::size_t n = 1; n < times.size(); ++n) {
    std::vector<LevelEnsemble> levels = at(times[n]);
    for (std::size_t p = 0; p < means.size(); ++p) {
      LevelEnsemble& mean = means[p];
      keep_water(mean, levels[p]);
      keep_water(levels[p], mean);
      for (std::size_t value = 0; value < mean.samples.size(); ++value) {
        mean.samples[value] += levels[p].samples[value];
      }
    }
  }
  for (LevelEnsemble& mean : means) {
    if (mean.water.empty()) {
      throw input_error(errors::no_water_during_level, format_iso_time(times.front()),
                        format_iso_time(times.back()));
    }
    for (double& value : mean.samples) value /= static_cast<double>(times.size());
  }
  return means;
}

}  // namespace tidewise::ingest
