#include "env/import/source/dive_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.h"
#include "env/error/codes.h"
#include "env/import/depth/level_share.h"
#include "env/units/depths.h"

namespace tidewise::ingest {
namespace {

constexpr double infinite_depth = std::numeric_limits<double>::infinity();

}  // namespace

DiveColumns::DiveColumns(DiveRequest request, DiveLevels levels, std::size_t point_count)
    : request_(std::move(request)),
      point_count_(point_count),
      level_count_(levels.index.size()),
      follows_bottom_(false),
      to_the_end_(levels.to_the_end),
      depth_(std::move(levels.depth)),
      wet_(point_count, 0),
      bottom_(point_count, infinite_depth) {}

DiveColumns::DiveColumns(DiveRequest request, SCoordinate levels, std::vector<double> h)
    : request_(std::move(request)),
      point_count_(h.size()),
      level_count_(levels.s.size()),
      follows_bottom_(true),
      s_(std::move(levels)),
      h_(std::move(h)),
      depth_(point_count_ * level_count_),
      wet_(point_count_, 0),
      bottom_(point_count_) {}

void DiveColumns::count_water(std::size_t level, const std::vector<double>& planes) {
  for (std::size_t point = 0; point < point_count_; ++point) {
    bool is_wet = wet_[point] == level;
    for (std::size_t n = point; is_wet && n < planes.size(); n += point_count_) {
      is_wet = !std::isnan(planes[n]);
    }
    if (is_wet) ++wet_[point];
  }
}

void DiveColumns::compute_ends(const std::vector<double>& surface) {
  for (std::size_t point = 0; point < point_count_; ++point) {
    double& bottom = bottom_[point];
    if (follows_bottom_) {
      const double zeta = surface.empty() || std::isnan(surface[point]) ? 0 : surface[point];
      for (std::size_t k = 0; k < level_count_; ++k) {
        depth_[point * level_count_ + k] = s_.depth(k, h_[point], zeta);
      }
      bottom = h_[point] + zeta;
    } else {
      // The bottom is midway between the last level with water and the first without.
      const std::size_t wet = wet_[point];
      if (wet > 0 && wet < level_count_) bottom = (depth_[wet - 1] + depth_[wet]) / 2;
    }
    if (!external_bottom_.empty()) bottom = external_bottom_[point];
  }
}

bool DiveColumns::has_dive(const Profile& profile, std::size_t point) const {
  return wet_[point] > 0 && bottom_[point] >= request_.shallowest &&
         dive_end_at(point) >= profile.least();
}

void DiveColumns::validate() const {
  for (const Profile& profile : request_.profiles) {
    bool is_too_deep = false;
    for (std::size_t point = 0; point < point_count_ && external_bottom_.empty(); ++point) {
      is_too_deep = is_too_deep || profile.greatest() > reach(point);
    }
    if (is_too_deep) {
      throw input_error(errors::profile_below_levels, depth_.back(), profile.name,
                        profile.greatest());
    }
    double deepest = 0;
    bool has_any_dive = false;
    for (std::size_t point = 0; point < point_count_; ++point) {
      has_any_dive = has_any_dive || has_dive(profile, point);
      if (wet_[point] > 0 && bottom_[point] < infinite_depth)
        deepest = std::max(deepest, bottom_[point]);
    }
    if (has_any_dive) continue;
    throw input_error(errors::profile_without_water, profile.name, brief_depths(profile.depths),
                      deepest, profile.least(), request_.bottom_margin, request_.shallowest);
  }
}

double DiveColumns::reach(std::size_t point) const {
  if (follows_bottom_ || !to_the_end_ || wet_[point] < level_count_) return infinite_depth;
  const double last = depth_[level_count_ - 1];
  return last + (level_count_ > 1 ? (last - depth_[level_count_ - 2]) / 2 : 0);
}

std::vector<std::string> DiveColumns::notes() const {
  std::vector<std::string> lines = s_.notes;
  const auto percent = [](std::size_t part, std::size_t whole) {
    return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
  };
  for (const Profile& profile : request_.profiles) {
    std::size_t water = 0;
    std::size_t open = 0;
    std::size_t complete = 0;
    std::size_t below_levels = 0;
    for (std::size_t point = 0; point < point_count_; ++point) {
      if (wet_[point] == 0) continue;
      ++water;
      if (!has_dive(profile, point)) continue;
      ++open;
      if (dive_end_at(point) >= profile.greatest()) ++complete;
      if (std::min(dive_end_at(point), profile.greatest()) > reach(point)) ++below_levels;
    }
    lines.push_back(fmt::format(
        "profile {}: {}; closed at {:.3g} % of the source's points in the water, and ended above "
        "the bottom at {:.3g} % of the others",
        profile.name, brief_depths(profile.depths), percent(water - open, water),
        percent(open - complete, open)));
    if (below_levels == 0) continue;
    lines.push_back(
        fmt::format("profile {}: at {:.3g} % of the source's points that it dives it goes below "
                    "the last level, {:.6g} m, whose flow is used for the water below; end the "
                    "profile there if that is wrong",
                    profile.name, percent(below_levels, open), depth_.back()));
  }
  return lines;
}

double DiveColumns::share(const Profile& profile, std::size_t point, std::size_t level) const {
  const std::size_t count = follows_bottom_ ? level_count_ : wet_[point];
  if (level >= count) return 0;
  double sum = 0;
  for (const DepthRange& range : profile.ranges) {
    const double deepest = dive_end_at(point);
    sum += range.share * level_share(depths(point), count, level, std::min(range.from, deepest),
                                     std::min(range.to, deepest));
  }
  return sum;
}

void DiveColumns::add(std::size_t level, const std::vector<double>& planes,
                      std::vector<double>& means) const {
  for (std::size_t p = 0; p < profile_count(); ++p) {
    const Profile& profile = request_.profiles[p];
    double* profile_means = means.data() + p * planes.size();
#pragma omp parallel for schedule(static)
    for (std::size_t point = 0; point < point_count_; ++point) {
      if (!has_dive(profile, point)) continue;
      const double weight = share(profile, point, level);
      if (weight == 0) continue;  // values below the bottom are missing
      for (std::size_t n = point; n < planes.size(); n += point_count_) {
        profile_means[n] += weight * planes[n];
      }
    }
  }
}

WaterColumns DiveColumns::columns() const {
  WaterColumns columns{point_count_, level_count_, {}, depth_, wet_, {}};
  columns.dive_end.resize(point_count_, -1);
  for (std::size_t point = 0; point < point_count_; ++point) {
    if (wet_[point] == 0 || bottom_[point] < request_.shallowest) continue;
    columns.dive_end[point] = std::min(dive_end_at(point), request_.greatest());
  }
  return columns;
}

void DiveColumns::mark_missing(std::vector<double>& means) const {
  const std::size_t planes = means.size() / profile_count();
  for (std::size_t p = 0; p < profile_count(); ++p) {
    for (std::size_t point = 0; point < point_count_; ++point) {
      if (has_dive(request_.profiles[p], point)) continue;
      for (std::size_t n = point; n < planes; n += point_count_) {
        means[p * planes + n] = std::numeric_limits<double>::quiet_NaN();
      }
    }
  }
}

}  // namespace tidewise::ingest
