#include <algorithm>
#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/printable.h"
#include "mdp/file/transition_rewards.h"
#include "mdp/file/xml.h"
#include "mdp/text/file_text.h"
#include "mdp/text/text_output.h"

namespace tidewise::mdp {
namespace {

/// The ids of states in a text: their names if all are different and none has control characters or
/// white space at its ends, else their numbers.
class StateIds {
 public:
  /// `names`: (state) or empty; must outlive this object.
  StateIds(const std::vector<std::string>& names, std::int32_t state_count);

  std::string id(std::int32_t state) const {
    return by_name_ ? (*names_)[state] : std::to_string(state);
  }

 private:
  const std::vector<std::string>* names_;
  bool by_name_;
};

bool is_usable_id(const std::string& name) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  return !name.empty() && trimmed(name) == name &&
         std::none_of(name.begin(), name.end(), is_control);
}

StateIds::StateIds(const std::vector<std::string>& names, std::int32_t state_count)
    : names_(&names), by_name_(names.size() == static_cast<std::size_t>(state_count)) {
  std::unordered_set<std::string_view> distinct_names;
  bool are_numbers = true;
  for (std::size_t s = 0; by_name_ && s < names.size(); ++s) {
    by_name_ = is_usable_id(names[s]) && distinct_names.insert(names[s]).second;
    are_numbers = are_numbers && is_plain_index(names[s]);
  }
  // Numbers in another order would be read as the states' own numbers.
  by_name_ = by_name_ && !are_numbers;
}

template <class Real>
void put_state(TextOutput& text, const DecisionProcess<Real>& process, std::int32_t state,
               const StateIds& ids) {
  text.put("<State id=\"{}\"", xml_escaped(ids.id(state)));
  if (!process.initial_value.empty()) text.put(" value=\"{}\"", process.initial_value[state]);
  if (process.is_terminal(state)) {
    text.put("/>\n");
    return;
  }
  text.put("><AvailableActions>\n");
  process.for_actions(state, [&](std::int32_t a, std::int64_t row) {
    text.put("<Action id=\"{}\">\n", a);
    const RowRewards<Real> rewards(process, row);
    for (auto n = process.row_begin[row]; n < process.row_begin[row + 1]; ++n) {
      text.put("<ResultingState id=\"{}\" probability=\"{}\" actionReward=\"{}\"/>\n",
               xml_escaped(ids.id(process.successor[n])), process.probability[n],
               rewards.of_entry(n));
    }
    text.put("</Action>\n");
  });
  text.put("</AvailableActions></State>\n");
}

}  // namespace

template <class Real>
void write_xml_process(const std::filesystem::path& path, const DecisionProcess<Real>& process,
                       Progress& progress) {
  const StateIds ids(process.state_names, process.state_count);
  const bool has_names =
      process.action_names.size() == static_cast<std::size_t>(process.action_count);
  TextOutput text(path, &progress);
  text.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<MDP gamma=\"{}\"", process.discount);
  if (process.initial_state != 0) text.put(" initialState=\"{}\"", process.initial_state);
  text.put(">\n<Actions>\n");
  for (std::int32_t a = 0; a < process.action_count; ++a) {
    text.put("<Action id=\"{}\" description=\"{}\"/>\n", a,
             has_names ? xml_escaped(process.action_names[a]) : "");
  }
  text.put("</Actions>\n<States>\n");
  for (std::int32_t s = 0; s < process.state_count; ++s) put_state(text, process, s, ids);
  text.put("</States>\n</MDP>\n");
  text.finish();
}

template void write_xml_process(const std::filesystem::path&, const DecisionProcess<float>&,
                                Progress&);
template void write_xml_process(const std::filesystem::path&, const DecisionProcess<double>&,
                                Progress&);

}  // namespace tidewise::mdp
