#include "mdp/file/hdf5.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/cf_conventions.h"
#include "base/error.h"
#include "base/hdf5/unlimited.h"
#include "mdp/error/codes.h"
#include "mdp/file/hdf5_vector.h"

namespace tidewise::mdp {
namespace {

constexpr std::int32_t format_version = 1;

[[noreturn]] void refuse_file(const Hdf5File& file, const std::string& why) {
  throw InputError(fmt::format("{}: {}", file.path().string(), why));
}

void require_process_format(const Hdf5File& file) {
  if (file.number_attribute("/", "tidewise_mdp")) return;
  if (file.number_attribute("/", "tidewise_model")) {
    refuse_file(file, error_text(errors::counts_without_rewards));
  }
  refuse_file(file, error_text(errors::not_a_process));
}

/// A root attribute that is an integer from `min` to `max`.
std::int32_t integer_attribute(const Hdf5File& file, const char* name, std::int32_t min,
                               std::int32_t max) {
  const auto value = file.number_attribute("/", name);
  if (!value) refuse_file(file, error_text(errors::process_attribute_missing, name));
  if (!(*value >= min && *value <= max) || *value != std::floor(*value)) {
    refuse_file(file, error_text(errors::process_attribute_invalid, name, *value, min, max));
  }
  return static_cast<std::int32_t>(*value);
}

template <class T>
std::vector<T> read_if_present(const Hdf5File& file, const std::string& variable,
                               std::uint64_t length) {
  return file.has(variable) ? read_vector<T>(file, variable, {length}) : std::vector<T>();
}

std::vector<std::string> read_names(const Hdf5File& file, const std::string& variable,
                                    std::initializer_list<std::uint64_t> lengths) {
  if (!file.has(variable)) return {};
  validated_length(file, variable, lengths);
  return file.read_texts(variable);
}

std::vector<StateLabel> read_labels(const Hdf5File& file, std::int32_t state_count) {
  std::vector<StateLabel> labels;
  const auto fail = [&](const std::string& why) {
    refuse_file(file, "variable label_state: " + why);
  };
  if (!file.has("label_name")) return labels;
  const auto names = read_names(file, "label_name", {});
  const auto begin = read_vector<std::int64_t>(file, "label_begin", {names.size() + 1});
  const auto states = file.has("label_state") ? read_vector<std::int32_t>(file, "label_state")
                                              : std::vector<std::int32_t>();
  const auto end = static_cast<std::int64_t>(states.size());
  for (std::size_t n = 0; n < names.size(); ++n) {
    if (begin[n] < 0 || begin[n] > begin[n + 1] || begin[n + 1] > end) {
      fail(error_text(errors::label_range_invalid, n, begin[n], begin[n + 1], end));
    }
    StateLabel label{names[n], {states.begin() + begin[n], states.begin() + begin[n + 1]}};
    for (std::size_t k = 0; k < label.states.size(); ++k) {
      const std::int32_t state = label.states[k];
      if (state >= 0 && state < state_count && (k == 0 || label.states[k - 1] < state)) continue;
      fail(error_text(errors::label_state_invalid, n, state, state_count));
    }
    labels.push_back(std::move(label));
  }
  return labels;
}

/// Writes labels as three flat variables.
void write_labels(Hdf5File& file, const std::vector<StateLabel>& labels) {
  if (labels.empty()) return;
  std::vector<std::string> names;
  std::vector<std::int64_t> begin{0};
  std::vector<std::int32_t> states;
  for (const StateLabel& label : labels) {
    names.push_back(label.name);
    states.insert(states.end(), label.states.begin(), label.states.end());
    begin.push_back(static_cast<std::int64_t>(states.size()));
  }
  file.define_dimension("label", names.size());
  file.define_dimension("label_bound", begin.size());
  file.write_texts("label_name", "label", names);
  file.set_attribute("label_name", "long_name", "name of a label");
  write_vector(file, "label_begin", "label_bound", begin, "first of a label's states");
  if (states.empty()) return;
  file.define_dimension("labelled", states.size());
  write_vector(file, "label_state", "labelled", states, "states of each label, ascending");
}

template <class Real>
void write_attributes(Hdf5File& file, const DecisionProcess<Real>& process,
                      const std::string& history) {
  file.set_attribute("/", "Conventions", cf_conventions);
  file.set_attribute("/", "tidewise_mdp", format_version);
  file.set_attribute("/", "title", "Markov decision process");
  file.set_attribute("/", "history", history);
  file.set_attribute("/", "comment",
                     "row = state * action_count + action; entries row_begin[row] to "
                     "row_begin[row + 1] are its successors; an empty row is no action");
  file.set_attribute("/", "state_count", process.state_count);
  file.set_attribute("/", "action_count", process.action_count);
  file.set_attribute("/", "initial_state", process.initial_state);
  file.set_attribute("/", "discount", process.discount);
}

}  // namespace

template <class Real>
DecisionProcess<Real> read_hdf5_process(const std::filesystem::path& path,
                                        const ReadOptions& options, Progress& progress) {
  const Hdf5File file = Hdf5File::open(path);
  require_process_format(file);
  constexpr std::int32_t max = std::numeric_limits<std::int32_t>::max() - 1;
  integer_attribute(file, "tidewise_mdp", 1, format_version);
  DecisionProcess<Real> process;
  process.state_count = integer_attribute(file, "state_count", 1, max);
  process.action_count = integer_attribute(file, "action_count", 1, max);
  process.initial_state = integer_attribute(file, "initial_state", 0, process.state_count - 1);
  process.discount = file.number_attribute("/", "discount").value_or(1);
  const auto rows = static_cast<std::uint64_t>(process.row_count());
  const auto states = static_cast<std::uint64_t>(process.state_count);
  progress.begin("reading " + path.filename().string(), 4, "variables");
  process.row_begin = read_vector<std::int64_t>(file, "row_begin", {rows + 1});
  progress.advance_to(1);
  if (file.has("successor")) process.successor = read_vector<std::int32_t>(file, "successor");
  progress.advance_to(2);
  const auto entries = static_cast<std::uint64_t>(process.entry_count());
  if (entries > 0) process.probability = read_vector<Real>(file, "probability", {entries});
  progress.advance_to(3);
  process.reward = read_vector<Real>(file, "reward", {rows});
  if (options.transition_rewards == TransitionRewards::keep) {
    process.entry_reward = read_if_present<Real>(file, "entry_reward", entries);
  }
  process.initial_value = read_if_present<Real>(file, "initial_value", states);
  process.state_names = read_names(file, "state_name", {states});
  process.action_names =
      read_names(file, "action_name", {static_cast<std::uint64_t>(process.action_count), rows});
  process.labels = read_labels(file, process.state_count);
  progress.end();
  apply_discount(options, process);
  require_sound(process, path.string());
  scale_rows(process);
  return process;
}

template <class Real>
Hdf5ProcessWriter<Real>::Hdf5ProcessWriter(const std::filesystem::path& path,
                                           const DecisionProcess<Real>& whole,
                                           const Hdf5ProcessShape& shape,
                                           const std::string& history)
    : shape_(shape),
      atomic_(path),
      file_(Hdf5File::create(atomic_.temporary_path())),
      action_count_(static_cast<std::uint64_t>(whole.action_count)) {
  write_attributes(file_, whole, history);
  const auto rows = static_cast<std::uint64_t>(whole.row_count());
  file_.define_dimension("state", static_cast<std::uint64_t>(whole.state_count));
  file_.define_dimension("action", action_count_);
  file_.define_dimension("row", rows);
  file_.define_dimension("row_bound", rows + 1);
  const bool grows = shape.entries == unlimited_dimension;
  const auto define = [&](const char* variable, NumberType type, const char* dimension,
                          std::uint64_t size, const char* long_name) {
    // A growing variable packs a chunk again for each part that ends within it.
    constexpr std::uint64_t chunk = 1 << 20;
    constexpr std::uint64_t growing_chunk = 1 << 16;
    file_.define_variable(
        variable, type, {dimension},
        {.chunk = {std::min(size, grows ? growing_chunk : chunk)}, .deflate = shape.deflate});
    file_.set_attribute(variable, "units", "1");
    file_.set_attribute(variable, "long_name", long_name);
  };
  constexpr NumberType real = number_type<Real>();
  define("row_begin", NumberType::int64, "row_bound", rows + 1, "first entry of each row");
  if (shape.entries > 0) {
    file_.define_dimension("entry", shape.entries);
    define("successor", NumberType::int32, "entry", shape.entries, "state that an entry leads to");
    define("probability", real, "entry", shape.entries, "probability of an entry");
    if (shape.entry_reward) {
      define("entry_reward", real, "entry", shape.entries, "reward of an entry");
    }
  }
  define("reward", real, "row", rows, "expected immediate reward of a row");
  if (shape.initial_value) {
    define("initial_value", real, "state", static_cast<std::uint64_t>(whole.state_count),
           "value of terminal states; where iteration begins in others");
  }
  const std::int64_t first = 0;
  file_.write("row_begin", {0}, {1}, &first);
}

template <class Real>
template <class Values>
void Hdf5ProcessWriter<Real>::write(const char* variable, std::uint64_t start,
                                    const Values& values) {
  if (!values.empty()) file_.write(variable, {start}, {values.size()}, values.data());
}

template <class Real>
void Hdf5ProcessWriter<Real>::append(const DecisionProcess<Real>& part) {
  const std::uint64_t row = states_ * action_count_;
  std::vector<std::int64_t> bounds(part.row_begin.begin() + 1, part.row_begin.end());
  for (std::int64_t& bound : bounds) bound += static_cast<std::int64_t>(entries_);
  write("row_begin", row + 1, bounds);
  write("reward", row, part.reward);
  if (shape_.initial_value) write("initial_value", states_, part.initial_value);
  const auto write_entries = [&](const char* variable, const auto& values) {
    if (shape_.entries == unlimited_dimension) {
      file_.append(variable, values.data(), values.size());
    } else {
      write(variable, entries_, values);
    }
  };
  write_entries("successor", part.successor);
  write_entries("probability", part.probability);
  if (shape_.entry_reward) write_entries("entry_reward", part.entry_reward);
  states_ += static_cast<std::uint64_t>(part.state_count);
  entries_ += static_cast<std::uint64_t>(part.entry_count());
}

template <class Real>
void Hdf5ProcessWriter<Real>::finish(const std::vector<StateLabel>& labels) {
  write_labels(file_, labels);
  file_.close();
  atomic_.commit();
}

template <class Real>
void write_hdf5_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                        const std::string& history, Progress& progress) {
  progress.begin("writing " + path.filename().string(), process.state_count, "states");
  Hdf5ProcessWriter<Real> writer(path, process,
                                 {.entries = static_cast<std::uint64_t>(process.entry_count()),
                                  .entry_reward = !process.entry_reward.empty(),
                                  .initial_value = !process.initial_value.empty()},
                                 history);
  writer.append(process);
  const bool is_per_action =
      process.action_names.size() == static_cast<std::size_t>(process.action_count);
  write_names(writer.file(), "state_name", "state", process.state_names, "name of a state");
  write_names(writer.file(), "action_name", is_per_action ? "action" : "row", process.action_names,
              "name of an action");
  writer.finish(process.labels);
  progress.advance_to(process.state_count);
  progress.end();
}

#define TIDEWISE_INSTANTIATE(Real)                                                             \
  template DecisionProcess<Real> read_hdf5_process(const std::filesystem::path&,               \
                                                   const ReadOptions&, Progress&);             \
  template class Hdf5ProcessWriter<Real>;                                                      \
  template void write_hdf5_process(const std::filesystem::path&, const DecisionProcess<Real>&, \
                                   const std::string&, Progress&);
TIDEWISE_INSTANTIATE(float)
TIDEWISE_INSTANTIATE(double)
#undef TIDEWISE_INSTANTIATE

}  // namespace tidewise::mdp
