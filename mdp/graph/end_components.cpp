#include "mdp/graph/end_components.h"

#include <optional>
#include <utility>

#include "mdp/graph/predecessor_rows.h"
#include "mdp/graph/process_ends.h"
#include "mdp/graph/strong_components.h"

namespace tidewise::mdp {
namespace {

template <class Row, class Real>
class EndComponentSearch {
 public:
  EndComponentSearch(const DecisionProcess<Real>& process, std::vector<std::uint8_t> lives)
      : process_(process),
        lives_(std::move(lives)),
        live_rows_(static_cast<std::size_t>(process.state_count), 0),
        group_(live_rows_.size(), -1),
        strong_(process) {}

  EndComponents find() {
    EndComponents found;
    found.of_state.assign(live_rows_.size(), -1);
    std::vector<std::int32_t> candidates = begin();
    while (!candidates.empty()) {
      StateGroups groups;
      strong_.find(
          candidates.data(), candidates.size(),
          [&](std::int64_t row) { return lives_[std::size_t(row)] != 0; }, groups);
      number(groups);
      end_rows_that_leave(groups);
      candidates.clear();
      for (std::int64_t group = 0; group < groups.count(); ++group) {
        keep_or_search_again(groups, group, found, candidates);
      }
    }
    return found;
  }

 private:
  /// Counts the rows that live; the states that have one.
  std::vector<std::int32_t> begin() {
    std::vector<std::int32_t> candidates;
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      std::int32_t& count = live_rows_[static_cast<std::size_t>(state)];
      for (std::int32_t action = 0; action < process_.action_count; ++action) {
        const std::int64_t row = process_.row(state, action);
        std::uint8_t& lives = lives_[static_cast<std::size_t>(row)];
        if (!process_.is_allowed(row)) lives = 0;
        count += lives != 0 ? 1 : 0;
      }
      if (count > 0) candidates.push_back(state);
    }
    return candidates;
  }

  void number(const StateGroups& groups) {
    for (std::int64_t group = 0; group < groups.count(); ++group) {
      for (std::int64_t n = 0; n < groups.size(group); ++n) {
        group_[static_cast<std::size_t>(groups.first(group)[n])] = static_cast<std::int32_t>(group);
      }
    }
    has_changed_.assign(static_cast<std::size_t>(groups.count()), 0);
  }

  void end_rows_that_leave(const StateGroups& groups) {
    for (const std::int32_t state : groups.states) {
      // One that never had a row that lives, and is led to.
      if (live_rows_[std::size_t(state)] == 0) lost_.push_back(state);
      for (std::int32_t action = 0; action < process_.action_count; ++action) {
        const std::int64_t row = process_.row(state, action);
        if (lives_[std::size_t(row)] != 0 && leaves(row, group_of(state))) end_row(row);
      }
    }
    while (!lost_.empty()) {
      const std::int32_t state = lost_.back();
      lost_.pop_back();
      if (!predecessors_) predecessors_.emplace(process_);
      for (const Row row : predecessors_->of(state)) end_row(static_cast<std::int64_t>(row));
    }
  }

  bool leaves(std::int64_t row, std::int32_t group) const {
    for (auto n = process_.row_begin[std::size_t(row)];
         n < process_.row_begin[std::size_t(row) + 1]; ++n) {
      const auto entry = static_cast<std::size_t>(n);
      if (process_.probability[entry] > 0 && group_of(process_.successor[entry]) != group) {
        return true;
      }
    }
    return false;
  }

  void end_row(std::int64_t row) {
    if (lives_[static_cast<std::size_t>(row)] == 0) return;
    lives_[static_cast<std::size_t>(row)] = 0;
    const auto state = static_cast<std::int32_t>(row / process_.action_count);
    has_changed_[static_cast<std::size_t>(group_of(state))] = 1;
    if (--live_rows_[static_cast<std::size_t>(state)] == 0) lost_.push_back(state);
  }

  void keep_or_search_again(const StateGroups& groups, std::int64_t group, EndComponents& found,
                            std::vector<std::int32_t>& candidates) {
    const bool changed = has_changed_[static_cast<std::size_t>(group)] != 0;
    bool is_one = false;
    for (std::int64_t n = 0; n < groups.size(group); ++n) {
      const std::int32_t state = groups.first(group)[n];
      if (live_rows_[static_cast<std::size_t>(state)] == 0) continue;
      if (changed) {
        strong_.forget(state);
        candidates.push_back(state);
      } else {
        found.of_state[static_cast<std::size_t>(state)] = found.count;
        is_one = true;
      }
    }
    found.count += is_one ? 1 : 0;
  }

  std::int32_t group_of(std::int32_t state) const {
    return group_[static_cast<std::size_t>(state)];
  }

  const DecisionProcess<Real>& process_;
  std::vector<std::uint8_t> lives_;        // (row): counts, and does not lead out of its component
  std::vector<std::int32_t> live_rows_;    // (state)
  std::vector<std::int32_t> group_;        // (state): its component in the last search of it
  std::vector<std::uint8_t> has_changed_;  // (group of the last search): a row of it has gone
  std::vector<std::int32_t> lost_;
  StrongComponents<Real> strong_;
  std::optional<PredecessorRows<Row>> predecessors_;  // made where a row goes
};

}  // namespace

template <class Real>
EndComponents find_end_components(const DecisionProcess<Real>& process,
                                  std::vector<std::uint8_t> counts) {
  if (rows_are_few(process)) {
    return EndComponentSearch<std::uint32_t, Real>(process, std::move(counts)).find();
  }
  return EndComponentSearch<std::int64_t, Real>(process, std::move(counts)).find();
}

template EndComponents find_end_components(const DecisionProcess<float>&,
                                           std::vector<std::uint8_t>);
template EndComponents find_end_components(const DecisionProcess<double>&,
                                           std::vector<std::uint8_t>);

}  // namespace tidewise::mdp
