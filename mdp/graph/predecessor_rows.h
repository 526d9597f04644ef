#pragma once

#include <cstdint>
#include <vector>

#include "mdp/process/decision_process.h"

namespace tidewise::mdp {

/// The rows that may lead to each state, in compressed form, with 4-byte numbers if the process has
/// fewer than 2^32 rows. Transitions of probability 0 are ignored.
class PredecessorRows {
 public:
  template <class Real>
  explicit PredecessorRows(const DecisionProcess<Real>& process)
      : begin_(static_cast<std::size_t>(process.state_count) + 2, 0) {
    // begin_[s + 2] counts; afterwards begin_[s + 1] is the place of the next row of s.
    for (std::int64_t n = 0; n < process.entry_count(); ++n) {
      if (process.probability[n] > 0) ++begin_[std::int64_t{process.successor[n]} + 2];
    }
    for (std::size_t s = 2; s < begin_.size(); ++s) begin_[s] += begin_[s - 1];
    if (process.row_count() < (std::int64_t{1} << 32)) {
      list(process, short_rows_);
    } else {
      list(process, rows_);
    }
  }

  /// Calls take(row) for each row, ascending.
  template <class Take>
  void for_rows(std::int32_t state, const Take& take) const {
    const auto take_all = [&](const auto& rows) {
      const std::int64_t end = begin_[state + 1];
      for (auto n = begin_[state]; n < end; ++n) take(static_cast<std::int64_t>(rows[n]));
    };
    short_rows_.empty() ? take_all(rows_) : take_all(short_rows_);
  }

 private:
  template <class Real, class Row>
  void list(const DecisionProcess<Real>& process, std::vector<Row>& rows) {
    rows.resize(static_cast<std::size_t>(begin_.back()));
    for (std::int64_t row = 0; row < process.row_count(); ++row) {
      for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
        if (process.probability[n] > 0) {
          rows[begin_[process.successor[n] + 1]++] = static_cast<Row>(row);
        }
      }
    }
  }

  std::vector<std::int64_t> begin_;  // (state + 2); the last is unused after construction
  std::vector<std::uint32_t> short_rows_;
  std::vector<std::int64_t> rows_;
};

}  // namespace tidewise::mdp
