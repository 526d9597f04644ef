#include "mdp/graph/end_components.h"

#include <optional>
#include <utility>

#include "mdp/graph/predecessor_rows.h"
#include "mdp/graph/strong_components.h"

namespace tidewise::mdp {
namespace {

template <class Real>
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
          candidates.data(), candidates.size(), [&](std::int64_t row) { return lives_[row] != 0; },
          groups);
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
  /// Counts the live rows; returns the states with one.
  std::vector<std::int32_t> begin() {
    std::vector<std::int32_t> candidates;
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      std::int32_t& count = live_rows_[state];
      for (auto row = process_.row(state, 0); row < process_.row(state + 1, 0); ++row) {
        if (!process_.is_allowed(row)) lives_[row] = 0;
        count += lives_[row] != 0 ? 1 : 0;
      }
      if (count > 0) candidates.push_back(state);
    }
    return candidates;
  }

  void number(const StateGroups& groups) {
    for (std::int64_t group = 0; group < groups.count(); ++group) {
      for (std::int64_t n = 0; n < groups.size(group); ++n) {
        group_[groups.first(group)[n]] = static_cast<std::int32_t>(group);
      }
    }
    has_changed_.assign(static_cast<std::size_t>(groups.count()), 0);
  }

  void end_rows_that_leave(const StateGroups& groups) {
    for (const std::int32_t state : groups.states) {
      // A state that never had a live row but is reachable.
      if (live_rows_[state] == 0) lost_.push_back(state);
      const auto leaves = [&](std::int32_t to) { return group_[to] != group_[state]; };
      for (auto row = process_.row(state, 0); row < process_.row(state + 1, 0); ++row) {
        if (lives_[row] != 0 && process_.may_lead(row, leaves)) end_row(row);
      }
    }
    while (!lost_.empty()) {
      const std::int32_t state = lost_.back();
      lost_.pop_back();
      if (!predecessors_) predecessors_.emplace(process_);
      predecessors_->for_rows(state, [&](std::int64_t row) { end_row(row); });
    }
  }

  void end_row(std::int64_t row) {
    if (lives_[row] == 0) return;
    lives_[row] = 0;
    const std::int32_t state = process_.state_of(row);
    has_changed_[group_[state]] = 1;
    if (--live_rows_[state] == 0) lost_.push_back(state);
  }

  void keep_or_search_again(const StateGroups& groups, std::int64_t group, EndComponents& found,
                            std::vector<std::int32_t>& candidates) {
    const bool changed = has_changed_[group] != 0;
    bool is_one = false;
    for (std::int64_t n = 0; n < groups.size(group); ++n) {
      const std::int32_t state = groups.first(group)[n];
      if (live_rows_[state] == 0) continue;
      if (changed) {
        strong_.forget(state);
        candidates.push_back(state);
      } else {
        found.of_state[state] = found.count;
        is_one = true;
      }
    }
    found.count += is_one ? 1 : 0;
  }

  const DecisionProcess<Real>& process_;
  std::vector<std::uint8_t> lives_;        // (row): selected, and does not leave its component
  std::vector<std::int32_t> live_rows_;    // (state)
  std::vector<std::int32_t> group_;        // (state): its component in the last search of it
  std::vector<std::uint8_t> has_changed_;  // (group of the last search): a row was removed
  std::vector<std::int32_t> lost_;
  StrongComponents<Real> strong_;
  std::optional<PredecessorRows> predecessors_;  // created when a row is removed
};

}  // namespace

template <class Real>
EndComponents find_end_components(const DecisionProcess<Real>& process,
                                  std::vector<std::uint8_t> counts) {
  return EndComponentSearch<Real>(process, std::move(counts)).find();
}

template EndComponents find_end_components(const DecisionProcess<float>&,
                                           std::vector<std::uint8_t>);
template EndComponents find_end_components(const DecisionProcess<double>&,
                                           std::vector<std::uint8_t>);

}  // namespace tidewise::mdp
