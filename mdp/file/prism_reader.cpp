#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <tuple>

#include "base/error.h"
#include "mdp/file/prism.h"
#include "mdp/file/prism_tables.h"
#include "mdp/file/target_states.h"
#include "mdp/process/row_writer.h"

namespace tidewise::mdp {
namespace {

/// The rewards of a model as rows are made in order.
class PrismRewards {
 public:
  PrismRewards(const PrismFiles& files, const PrismTransitions& transitions) {
    if (files.state_rewards != nullptr) {
      of_state_ = read_prism_state_rewards(*files.state_rewards, transitions.state_count);
    }
    if (files.transition_rewards != nullptr) {
      file_ = files.transition_rewards->name();
      of_transition_ = read_prism_transition_rewards(*files.transition_rewards, transitions);
    }
  }

  double of_state(std::int32_t state) const {
    return of_state_.empty() ? 0 : of_state_[static_cast<std::size_t>(state)];
  }

  /// Gives the row's transitions, whose successors ascend, their rewards. Errors: InputError for
  /// one of a transition that there is not.
  void give(std::int32_t state, std::int32_t choice, std::vector<Transition>& row) {
    for (; next_ < of_transition_.size(); ++next_) {
      const PrismReward& one = of_transition_[next_];
      if (std::tie(one.state, one.choice) > std::tie(state, choice)) return;
      const auto [first, last] = std::equal_range(
          row.begin(), row.end(), Transition{one.successor, 0, 0},
          [](const Transition& x, const Transition& y) { return x.successor < y.successor; });
      const bool is_of_row = one.state == state && one.choice == choice;
      if (!is_of_row || first == last) refuse(one);
      for (auto transition = first; transition != last; ++transition) {
        transition->reward = one.reward;
      }
    }
  }
  void require_none_left() const {
    if (next_ < of_transition_.size()) refuse(of_transition_[next_]);
  }

 private:
  [[noreturn]] void refuse(const PrismReward& one) const {
    throw InputError(
        fmt::format("{}: line {}: the .tra has no transition from state {} by choice {} to {}",
                    file_, one.line, one.state, one.choice, one.successor));
  }

  std::vector<double> of_state_;
  std::string file_;
  std::vector<PrismReward> of_transition_;
  std::size_t next_ = 0;
};

template <class Real>
DecisionProcess<Real> assemble(const PrismFiles& files, const ReadOptions& options) {
  const PrismTransitions table = read_prism_transitions(*files.transitions);
  const bool has_rewards = needs_rewards(options);
  PrismRewards rewards(has_rewards ? files : PrismFiles{}, table);
  const bool keeps = has_rewards && files.transition_rewards != nullptr &&
                     options.transition_rewards == TransitionRewards::keep;
  const auto states = static_cast<std::int32_t>(table.state_count);
  RowWriter<Real> writer(states, table.action_count, keeps);
  writer.reserve(static_cast<std::int64_t>(table.successor.size()));
  std::vector<Transition> row;
  std::int64_t rows_made = 0;
  for (std::size_t c = 0; c + 1 < table.choices.size(); ++c) {
    const PrismTransitions::Choice& choice = table.choices[c];
    row.clear();
    const std::int64_t at = std::int64_t{choice.state} * table.action_count + choice.choice;
    for (; rows_made < at; ++rows_made) std::ignore = writer.add_row(row);
    for (auto n = choice.first_transition; n < table.choices[c + 1].first_transition; ++n) {
      row.push_back({table.successor[std::size_t(n)], table.probability[std::size_t(n)], 0});
    }
    std::stable_sort(row.begin(), row.end(), [](const Transition& x, const Transition& y) {
      return x.successor < y.successor;
    });
    rewards.give(choice.state, choice.choice, row);
    const std::string fault = writer.add_row(row, rewards.of_state(choice.state));
    ++rows_made;
    if (!fault.empty()) {
      throw InputError(fmt::format("{}: line {}: state {}, choice {}: {}",
                                   files.transitions->name(), choice.line, choice.state,
                                   choice.choice, fault));
    }
  }
  rewards.require_none_left();
  DecisionProcess<Real> process = writer.finish();
  if (!table.action_names.empty()) {
    process.action_names.resize(static_cast<std::size_t>(process.row_count()));
    for (const auto& choice : table.choices) {
      if (choice.action < 0) continue;
      process.action_names[static_cast<std::size_t>(process.row(choice.state, choice.choice))] =
          table.action_names[static_cast<std::size_t>(choice.action)];
    }
  }
  return process;
}

}  // namespace

template <class Real>
void take_prism_labels(ByteStream& labels, DecisionProcess<Real>& process) {
  process.labels = read_prism_labels(labels, process.state_count);
  for (const StateLabel& label : process.labels) {
    if (label.name == "init" && !label.states.empty()) process.initial_state = label.states.front();
  }
}

template <class Real>
DecisionProcess<Real> read_prism_process(const PrismFiles& files, const ReadOptions& options) {
  const std::string& name = files.transitions->name();
  if (!options.target.empty() && files.labels == nullptr) {
    throw InputError(fmt::format("{}: the target '{}' needs the labels of a .lab file beside it",
                                 name, options.target));
  }
  DecisionProcess<Real> process = assemble<Real>(files, options);
  if (files.labels != nullptr) take_prism_labels(*files.labels, process);
  end_in_target(options, files.labels != nullptr ? files.labels->name() : name, process);
  apply_discount(options, process);
  return process;
}

template <class Real>
DecisionProcess<Real> read_prism_process(const std::filesystem::path& path,
                                         const ReadOptions& options, Progress& progress) {
  std::vector<std::unique_ptr<ByteStream>> open;
  const auto beside = [&](const char* ending) -> ByteStream* {
    std::filesystem::path companion = path;
    companion.replace_extension(ending);
    std::error_code ignored;
    if (!std::filesystem::exists(companion, ignored)) return nullptr;
    return open.emplace_back(std::make_unique<ByteStream>(companion, progress)).get();
  };
  ByteStream transitions(path, progress);
  const PrismFiles files{&transitions, beside(".srew"), beside(".trew"), beside(".lab")};
  return read_prism_process<Real>(files, options);
}

template void take_prism_labels(ByteStream&, DecisionProcess<float>&);
template void take_prism_labels(ByteStream&, DecisionProcess<double>&);
template DecisionProcess<float> read_prism_process(const PrismFiles&, const ReadOptions&);
template DecisionProcess<double> read_prism_process(const PrismFiles&, const ReadOptions&);
template DecisionProcess<float> read_prism_process(const std::filesystem::path&, const ReadOptions&,
                                                   Progress&);
template DecisionProcess<double> read_prism_process(const std::filesystem::path&,
                                                    const ReadOptions&, Progress&);

}  // namespace tidewise::mdp
