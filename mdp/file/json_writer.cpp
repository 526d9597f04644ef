#include <nlohmann/json.hpp>

#include "base/memory/view.h"
#include "mdp/file/json.h"
#include "mdp/file/transition_rewards.h"
#include "mdp/text/text_output.h"

namespace tidewise::mdp {
namespace {

/// Writes "name":[n elements], each by `element`.
template <class Element>
void put_array(TextOutput& text, const char* name, std::int64_t size, const Element& element) {
  text.put("\"{}\":[", name);
  for (std::int64_t n = 0; n < size; ++n) text.put("{}{}", n == 0 ? "" : ",", element(n));
  text.put("]");
}

/// A text in JSON's quotes; invalid UTF-8 becomes U+FFFD.
std::string in_json(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

template <class Real>
void put_indices(TextOutput& text, const DecisionProcess<Real>& process) {
  put_array(text, "indptr", process.row_count() + 1,
            [&](std::int64_t row) { return process.row_begin[row]; });
  text.put(",\n");
  put_array(text, "indices", process.entry_count(),
            [&](std::int64_t n) { return process.successor[n]; });
  text.put(",\n");
}

template <class Real>
void put_rewards(TextOutput& text, const DecisionProcess<Real>& process) {
  text.put("\"data\":[");
  const char* comma = "";
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    if (!process.is_allowed(row)) continue;
    const RowRewards<Real> rewards(process, row);
    for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
      text.put("{}{}", comma, rewards.of_entry(n));
      comma = ",";
    }
  }
  text.put("]");
}

/// True if the key R determines the rewards of all rows exactly.
template <class Real>
bool rewards_determine_all(const DecisionProcess<Real>& process) {
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    if (process.is_allowed(row) &&
        RowRewards<Real>(process, row).read_back(row) != process.reward[row]) {
      return false;
    }
  }
  return true;
}

/// Writes the keys that this project adds to the format.
template <class Real>
void put_extensions(TextOutput& text, const DecisionProcess<Real>& process) {
  if (process.initial_state != 0) text.put(",\n\"initial_state\":{}", process.initial_state);
  const auto put_numbers = [&](const char* name, View<const Real> numbers) {
    text.put(",\n");
    put_array(text, name, std::int64_t(numbers.size), [&](std::int64_t n) { return numbers[n]; });
  };
  const auto put_names = [&](const char* name, const std::vector<std::string>& names) {
    if (names.empty()) return;
    text.put(",\n");
    put_array(text, name, std::int64_t(names.size()),
              [&](std::int64_t n) { return in_json(names[n]); });
  };
  if (!process.initial_value.empty()) put_numbers("initial_values", process.initial_value);
  if (!rewards_determine_all(process)) put_numbers("row_rewards", process.reward);
  put_names("state_names", process.state_names);
  put_names("action_names", process.action_names);
  if (process.labels.empty()) return;
  text.put(",\n\"labels\":{{");
  const char* comma = "";
  for (const StateLabel& label : process.labels) {
    text.put("{}{}:[", comma, in_json(label.name));
    comma = "";
    for (const std::int32_t state : label.states) {
      text.put("{}{}", comma, state);
      comma = ",";
    }
    text.put("]");
    comma = ",";
  }
  text.put("}}");
}

}  // namespace

template <class Real>
void write_json_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                        Progress& progress) {
  TextOutput text(path, &progress);
  text.put("{{\"S\":{},\"A\":{},\"gamma\":{},\"format\":\"CSR\",\n\"P\":{{", process.state_count,
           process.action_count, process.discount);
  put_indices(text, process);
  put_array(text, "data", process.entry_count(),
            [&](std::int64_t n) { return process.probability[n]; });
  text.put("}},\n\"R\":{{");
  put_indices(text, process);
  put_rewards(text, process);
  text.put("}}");
  put_extensions(text, process);
  text.put("}}\n");
  text.finish();
}

template void write_json_process(const std::filesystem::path&, const DecisionProcess<float>&,
                                 Progress&);
template void write_json_process(const std::filesystem::path&, const DecisionProcess<double>&,
                                 Progress&);

}  // namespace tidewise::mdp
