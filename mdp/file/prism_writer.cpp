#include <fmt/format.h>

#include <string_view>

#include "base/error.h"
#include "base/file/file_set.h"
#include "mdp/file/prism.h"
#include "mdp/file/transition_rewards.h"
#include "mdp/text/text_output.h"

namespace tidewise::mdp {
namespace {

template <class Real>
void require_no_values(const std::filesystem::path& path, const DecisionProcess<Real>& process) {
  for (std::size_t s = 0; s < process.initial_value.size(); ++s) {
    if (process.initial_value[s] == 0 || !process.is_terminal(static_cast<std::int32_t>(s)))
      continue;
    throw InputError(
        fmt::format("{}: terminal state {} is worth {}, and PRISM's form has no place "
                    "for that; write .h5 or .json",
                    path.string(), s, process.initial_value[s]));
  }
}

/// A word that names an action, or nothing.
template <class Real>
std::string_view action_name(const DecisionProcess<Real>& process, std::int64_t row) {
  const auto names = static_cast<std::int64_t>(process.action_names.size());
  if (names == 0) return {};
  const std::int64_t at = names == process.row_count() ? row : row % process.action_count;
  const std::string& name = process.action_names[static_cast<std::size_t>(at)];
  const bool is_word = name.find_first_of(" \t\r\n\f\v#") == std::string::npos;
  return is_word ? std::string_view(name) : std::string_view();
}

/// act(state, choice, row, entry) for all entries; choices are numbered without gaps.
template <class Real, class Act>
void for_each_transition(const DecisionProcess<Real>& process, const Act& act) {
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    for (auto n = process.row_begin[std::size_t(row)]; n < process.row_begin[std::size_t(row) + 1];
         ++n) {
      act(row / process.action_count, row % process.action_count, row, n);
    }
  }
}

template <class Real>
std::int64_t choice_count(const DecisionProcess<Real>& process) {
  std::int64_t choices = 0;
  for (std::int64_t row = 0; row < process.row_count(); ++row) choices += process.is_allowed(row);
  return choices;
}

template <class Real>
void write_transitions(TextOutput& text, const DecisionProcess<Real>& process) {
  text.put("{} {} {}\n", process.state_count, choice_count(process), process.entry_count());
  for_each_transition(process, [&](auto state, auto choice, auto row, auto n) {
    const std::string_view name = action_name(process, row);
    text.put("{} {} {} {}{}{}\n", state, choice, process.successor[std::size_t(n)],
             process.probability[std::size_t(n)], name.empty() ? "" : " ", name);
  });
  text.close();
}

template <class Real>
void write_transition_rewards(TextOutput& text, const DecisionProcess<Real>& process) {
  const auto for_each_reward = [&](const auto& act) {
    for_each_transition(process, [&](auto state, auto choice, auto row, auto n) {
      const Real reward = RowRewards<Real>(process, row).of(n);
      if (reward != 0) act(state, choice, n, reward);
    });
  };
  std::int64_t rewards = 0;
  for_each_reward([&](auto, auto, auto, Real) { ++rewards; });
  text.put("{} {} {}\n", process.state_count, choice_count(process), rewards);
  for_each_reward([&](auto state, auto choice, auto n, Real reward) {
    text.put("{} {} {} {}\n", state, choice, process.successor[std::size_t(n)], reward);
  });
  text.close();
}

template <class Real>
void write_prism_labels(TextOutput& text, const std::filesystem::path& path,
                        const DecisionProcess<Real>& process) {
  std::vector<StateLabel> labels = {{"init", {process.initial_state}}};
  for (const StateLabel& label : process.labels) {
    const bool is_word =
        !label.name.empty() && label.name.find_first_of(" \t\r\n\f\v#\"") == std::string::npos;
    if (!is_word) {
      throw InputError(
          fmt::format("{}: a label is no single word, which PRISM's form needs; write "
                      ".h5 or .json",
                      path.string()));
    }
    if (label.name != "init") labels.push_back(label);
  }
  std::vector<std::vector<std::size_t>> of_state(static_cast<std::size_t>(process.state_count));
  for (std::size_t n = 0; n < labels.size(); ++n) {
    text.put("{}{}=\"{}\"", n == 0 ? "" : " ", n, labels[n].name);
    for (const std::int32_t state : labels[n].states) of_state[std::size_t(state)].push_back(n);
  }
  text.put("\n");
  for (std::size_t s = 0; s < of_state.size(); ++s) {
    if (of_state[s].empty()) continue;
    text.put("{}:", s);
    for (const std::size_t n : of_state[s]) text.put(" {}", n);
    text.put("\n");
  }
  text.close();
}

}  // namespace

template <class Real>
void write_prism_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                         Progress& progress) {
  require_no_values(path, process);
  const auto beside = [&](const char* ending) {
    std::filesystem::path companion = path;
    return companion.replace_extension(ending);
  };
  // All of them, so that none of an older model stays beside this one.
  FileSet files;
  TextOutput labels(files.add(beside(".lab")), &progress);
  write_prism_labels(labels, path, process);
  TextOutput rewards(files.add(beside(".trew")), &progress);
  write_transition_rewards(rewards, process);
  TextOutput no_state_rewards(files.add(beside(".srew")), &progress);
  no_state_rewards.put("{} 0\n", process.state_count);
  no_state_rewards.close();
  TextOutput transitions(files.add(path), &progress);
  write_transitions(transitions, process);
  files.commit();
}

template void write_prism_process(const std::filesystem::path&, const DecisionProcess<float>&,
                                  Progress&);
template void write_prism_process(const std::filesystem::path&, const DecisionProcess<double>&,
                                  Progress&);

}  // namespace tidewise::mdp
