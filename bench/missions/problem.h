#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/progress.h"
#include "bench/size.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// `count` missions on one environment that differ in objective, in what motion costs and
/// harvesting brings, and in the target: a hundred have a hundred targets of up to 3 cells' radius.
/// All end at level `last`.
std::vector<Mission> various_missions(const Grid& grid, TimeLevel last, std::int32_t count);

/// The mission by `count` via points, 3 cells in radius, that lie evenly between the southern
/// border and its target.
Mission by_via_points(const Grid& grid, Mission mission, std::int32_t count);

/// Reads every number of a level once and keeps none: a checksum of all levels, in any order of
/// arrival but one.
class ChecksumSink final : public PolicySink {
 public:
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

/// A double gyre in a file of its own in the system's temporary folder, removed with this object.
class TemporaryGyre {
 public:
  TemporaryGyre(const BenchmarkSize& size, Progress& progress);
  TemporaryGyre(const TemporaryGyre&) = delete;
  TemporaryGyre& operator=(const TemporaryGyre&) = delete;
  ~TemporaryGyre();

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tidewise
