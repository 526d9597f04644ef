#pragma once

#include <cstdint>
#include <vector>

#include "base/communicator.h"
#include "base/view.h"
#include "env/row_window.h"

namespace tidewise {

/// How a band learns the values next to it, which a step from it can reach.
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
  /// A band next to this one: what it wants to know, and where what it knows goes.
  struct Neighbour {
    int rank;
    std::size_t send_begin, send_size;  ///< in values of (known row, x)
    std::size_t receive_begin, receive_size;
  };
  void add(int rank, std::int32_t send_row, std::int32_t send_rows, std::int32_t receive_row,
           std::int32_t receive_rows);

  Communicator& communicator_;
  std::size_t nx_;
  std::vector<Neighbour> neighbours_;
};

}  // namespace tidewise
