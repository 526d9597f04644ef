#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/progress.h"
#include "bench/size.h"
#include "solver/policy/policy.h"
#include "solver/step/mission.h"

namespace tidewise {

/// `count` missions in one environment with different objectives, energy models and targets; a
/// hundred have a hundred targets with a radius of up to 3 cells. All end at level `last`.
std::vector<Mission> various_missions(const Grid& grid, TimeLevel last, std::int32_t count);

/// The mission with `count` via points, with a radius of 3 cells, evenly spaced between the
/// southern border and its target.
Mission by_via_points(const Grid& grid, Mission mission, std::int32_t count);

/// Reads every number of a level once and stores only a checksum of all levels, which depends on
/// their order.
class ChecksumSink final : public PolicySink {
 public:
  void accept(std::size_t leg, TimeLevel k, View<const std::int16_t> action,
              View<const float> value) override;
  std::uint64_t sum() const { return sum_; }

 private:
  std::uint64_t sum_ = 0;
};

/// A double gyre in a file in the system's temporary folder, which is removed with this object.
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
