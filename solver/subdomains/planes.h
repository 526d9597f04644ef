#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "env/grid.h"
#include "env/row_window.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// Puts the rows that several bands find together, where bands are threads of one process (between
/// ranks: SubdomainGather): each band's thread brings its own, level after
/// level, and another thread takes the levels that are complete, in the same order. Subdomains may
/// be a few levels apart; who is further ahead waits.
class SubdomainPlanes {
 public:
  /// One whole level.
  struct Level {
    TimeLevel k;
    std::vector<std::int16_t> action;  ///< (y, x)
    std::vector<float> value;          ///< (y, x)
    bool overflow = false;             ///< some band has found a value that is no finite number
  };

  /// `windows`: of all bands, which hold every row once between them.
  SubdomainPlanes(const Grid& grid, const std::vector<RowWindow>& windows);

  /// A band's next level: (own row, x). Waits for room. Dropped after end().
  void bring(std::size_t subdomain, TimeLevel k, View<const std::int16_t> action,
             View<const float> value, bool overflow);
  /// The next whole level, valid until the next call; null after end() where no more is complete.
  const Level* take();
  /// No more levels come, or none are wanted any more. From any thread.
  void end() noexcept;

 private:
  static constexpr std::size_t room = 6;  // levels that a band may be ahead of who takes them

  std::size_t nx_;
  std::vector<RowWindow> windows_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<Level, room> levels_;               ///< in turn
  std::array<std::size_t, room> subdomains_in_;  ///< of each level
  std::vector<std::size_t> brought_;             ///< (band) levels
  std::size_t taken_ = 0;
  std::size_t given_back_ = 0;
  bool ended_ = false;
};

}  // namespace tidewise
