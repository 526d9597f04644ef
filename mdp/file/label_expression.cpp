#include "mdp/file/label_expression.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "mdp/text/file_text.h"

namespace tidewise::mdp {
namespace {

const StateLabel& find_label(std::string_view name, const std::vector<StateLabel>& labels,
                             const std::string& place) {
  std::string names;
  for (const StateLabel& label : labels) {
    if (label.name == name) return label;
    names += (names.empty() ? "" : ", ") + label.name;
  }
  throw InputError(fmt::format("{}: there is no label {}; {}", place, in_quotes(name),
                               names.empty() ? "the model has none" : "there are " + names));
}

}  // namespace

std::vector<std::int32_t> states_that_satisfy(std::string_view expression,
                                              const std::vector<StateLabel>& labels,
                                              std::int32_t state_count, const std::string& place) {
  std::vector<std::uint8_t> holds(static_cast<std::size_t>(state_count), 1);
  std::string_view rest = expression;
  for (bool is_more = true; is_more;) {
    const auto joint = rest.find('&');
    std::string_view name = trimmed(rest.substr(0, joint));
    is_more = joint != std::string_view::npos;
    if (is_more) rest.remove_prefix(joint + 1);
    bool wanted = true;
    while (name.starts_with('!')) {
      wanted = !wanted;
      name = trimmed(name.substr(1));
    }
    if (name.size() > 1 && name.front() == '"' && name.back() == '"') {
      name = name.substr(1, name.size() - 2);
    }
    if (name.empty()) {
      throw InputError(
          fmt::format("{}: the target {} lacks a label; join labels by &, such as "
                      "'finished & !agree'",
                      place, in_quotes(expression)));
    }
    const StateLabel& label = find_label(name, labels, place);
    std::vector<std::uint8_t> has(holds.size(), 0);
    for (const std::int32_t state : label.states) has[static_cast<std::size_t>(state)] = 1;
    for (std::size_t s = 0; s < holds.size(); ++s) {
      if ((has[s] != 0) != wanted) holds[s] = 0;
    }
  }
  std::vector<std::int32_t> states;
  for (std::int32_t s = 0; s < state_count; ++s) {
    if (holds[static_cast<std::size_t>(s)] != 0) states.push_back(s);
  }
  return states;
}

}  // namespace tidewise::mdp
