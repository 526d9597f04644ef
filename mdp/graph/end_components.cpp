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
  EndComponentSearch(const DecisionProcess<Real>& process, std::vector<std::uint8_t> is_live)
      : process_(process),
        is_live_(std::move(is_live)),
        live_rows_(static_cast<std::size_t>(process.state_count), 0),
        group_(live_rows_.size(), -1),
        strong_(process) {}

  EndComponents find() {
    EndComponents components;
    components.of_state.assign(live_rows_.size(), -1);
    std::vector<std::int32_t> candidates = count_live_rows();
    while (!candidates.empty()) {
      StateGroups groups;
      strong_.find(
          candidates.data(), candidates.size(),
          [&](std::int64_t row) { return is_live_[row] != 0; }, groups);
      number(groups);
      remove_leaving_rows(groups);
      candidates.clear();
      for (std::int64_t group = 0; group < groups.count(); ++group) {
        keep_or_search_again(groups, group, components, candidates);
      }
    }
    return components;
  }

 private:
  /// Counts the live rows; returns the states with one.
  std::vector<std::int32_t> count_live_rows() {
    std::vector<std::int32_t> candidates;
    for (std::int32_t state = 0; state < process_.state_count; ++state) {
      std::int32_t& count = live_rows_[state];
      for (auto row = process_.row(state, 0); row < process_.row(state + 1, 0); ++row) {
        if (!process_.is_allowed(row)) is_live_[row] = 0;
        count += is_live_[row] != 0 ? 1 : 0;
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

  void remove_leaving_rows(const StateGroups& groups) {
    for (const std::int32_t state : groups.states) {
      // This state never had a live row, but is reachable.
      if (live_rows_[state] == 0) dead_states_.push_back(state);
      const auto leaves = [&](std::int32_t to) { return group_[to] != group_[state]; };
      for (auto row = process_.row(state, 0); row < process_.row(state + 1, 0); ++row) {
        if (is_live_[row] != 0 && process_.may_lead(row, leaves)) remove_row(row);
      }
    }
    while (!dead_states_.empty()) {
      const std::int32_t state = dead_states_.back();
      dead_states_.pop_back();
      if (!predecessors_) predecessors_.emplace(process_);
      predecessors_->for_rows(state, [&](std::int64_t row) { remove_row(row); });
    }
  }

  void remove_row(std::int64_t row) {
    if (is_live_[row] == 0) return;
    is_live_[row] = 0;
    const std::int32_t state = process_.state_of(row);
    has_changed_[group_[state]] = 1;
    if (--live_rows_[state] == 0) dead_states_.push_back(state);
  }

  void keep_or_search_again(const StateGroups& groups, std::int64_t group,
                            EndComponents& components, std::vector<std::int32_t>& candidates) {
    const bool changed = has_changed_[group] != 0;
    bool is_component = false;
    for (std::int64_t n = 0; n < groups.size(group); ++n) {
      const std::int32_t state = groups.first(group)[n];
      if (live_rows_[state] == 0) continue;
      if (changed) {
        strong_.forget(state);
        candidates.push_back(state);
      } else {
        components.of_state[state] = components.count;
        is_component = true;
      }
    }
    components.count += is_component ? 1 : 0;
  }

  const DecisionProcess<Real>& process_;
  std::vector<std::uint8_t> is_live_;      // (row): selected, and does not leave its component
  std::vector<std::int32_t> live_rows_;    // (state)
  std::vector<std::int32_t> group_;        // (state): its group in the last search that included it
  std::vector<std::uint8_t> has_changed_;  // (group of the last search): a row was removed
  std::vector<std::int32_t> dead_states_;
  StrongComponents<Real> strong_;
  std::optional<PredecessorRows> predecessors_;  // created when a row is removed
};

}  // namespace

template <class Real>
EndComponents find_end_components(const DecisionProcess<Real>& process,
                                  std::vector<std::uint8_t> selected) {
  return EndComponentSearch<Real>(process, std::move(selected)).find();
}

template EndComponents find_end_components(const DecisionProcess<float>&,
                                           std::vector<std::uint8_t>);
template EndComponents find_end_components(const DecisionProcess<double>&,
                                           std::vector<std::uint8_t>);

}  // namespace tidewise::mdp
