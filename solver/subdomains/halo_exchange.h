#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "base/parallel/communicator.h"
#include "env/row_window.h"

namespace tidewise {

/// How a band learns the values next to it, which a step from it can reach, in the host's memory;
/// in a device's: DeviceHaloExchange.
class HaloExchange {
 public:
  virtual ~HaloExchange() = default;
  /// value: v of one level, (known row, x). The band's own rows are right; those of its halo become
  /// what the bands next to it hold. Called by all bands, once a level.
  virtual void exchange(View<float> value) = 0;
};

/// Between the ranks of a communicator: rank r holds the rows of windows[r].
class MessageHaloExchange final : public HaloExchange {
 public:
  /// `communicator` must outlive this object. Requires a window for this rank, and halos that lie
  /// in the bands next to them (divide_rows).
  MessageHaloExchange(Communicator& communicator, const std::vector<RowWindow>& windows,
                      std::int32_t nx);
  void exchange(View<float> value) override;

 private:
  /// Some rows of the value, as its elements.
  struct Rows {
    std::size_t begin, size;
  };
  struct Neighbour {
    int rank;
    Rows wanted;  ///< of this band, by the neighbour
    Rows halo;    ///< of this band's window, held by the neighbour
  };

  Communicator& communicator_;
  std::size_t nx_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace tidewise
