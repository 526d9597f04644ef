#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/memory/view.h"
#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The rows that may lead to each state, in compressed form. `Row`: std::uint32_t where the
/// process has fewer rows than 2^32, for half the memory, or std::int64_t.
template <class Row>
class PredecessorRows {
 public:
  /// Transitions of probability 0 lead nowhere.
  template <class Real>
  explicit PredecessorRows(const DecisionProcess<Real>& process)
      : begin_(static_cast<std::size_t>(process.state_count) + 2, 0) {
    // begin_[s + 2] counts, then begin_[s + 1] is where the next one of s goes.
    const auto entries = static_cast<std::size_t>(process.entry_count());
    for (std::size_t n = 0; n < entries; ++n) {
      if (process.probability[n] > 0) ++begin_[static_cast<std::size_t>(process.successor[n]) + 2];
    }
    for (std::size_t s = 2; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
    rows_.resize(static_cast<std::size_t>(begin_.back()));
    for (std::int64_t row = 0; row < process.row_count(); ++row) {
      const auto end = static_cast<std::size_t>(process.row_begin[std::size_t(row) + 1]);
      for (auto n = static_cast<std::size_t>(process.row_begin[std::size_t(row)]); n < end; ++n) {
        if (!(process.probability[n] > 0)) continue;
        const auto to = static_cast<std::size_t>(process.successor[n]);
        rows_[static_cast<std::size_t>(begin_[to + 1]++)] = static_cast<Row>(row);
      }
    }
  }

  View<const Row> of(std::int32_t state) const {
    const auto at = static_cast<std::size_t>(state);
    const auto first = static_cast<std::size_t>(begin_[at]);
    return {rows_.data() + first, static_cast<std::size_t>(begin_[at + 1]) - first};
  }

 private:
  std::vector<std::int64_t> begin_;  // (state + 2); the last is not used once all is made
  std::vector<Row> rows_;            // ascending within a state
};

}  // namespace tidewise::mdp
