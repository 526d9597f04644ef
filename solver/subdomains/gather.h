#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/parallel/communicator.h"
#include "env/row_window.h"
#include "solver/policy/policy.h"

namespace tidewise {

/// Brings the bands of each level together in rank 0, which alone has a sink for them.
class SubdomainGather {
 public:
  /// `communicator` must outlive this object. windows: (rank), of the ranks that have a band.
  SubdomainGather(Communicator& communicator, std::vector<RowWindow> windows, std::int32_t nx);

  /// By all ranks, with what each has solved of a level, in the order of levels: its own rows;
  /// rank 0 waits for the others'. action, value: (row of the band, x).
  void bring(View<const std::int16_t> action, View<const float> value);
  /// Rank 0, then: hands the level, which is k, to `sink`.
  void hand_over(std::size_t leg, TimeLevel k, PolicySink& sink) const;

 private:
  /// Puts a rank's rows into a plane.
  template <class T>
  void place(int rank, View<const std::byte> rows, std::vector<T>& plane) const;

  Communicator& communicator_;
  std::vector<RowWindow> windows_;
  std::size_t nx_;
  std::vector<std::int16_t> action_;  ///< (y, x), at rank 0
  std::vector<float> value_;          ///< (y, x), at rank 0
};

}  // namespace tidewise
