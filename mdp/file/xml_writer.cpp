
#include "base/printable.h"
#include "mdp/file/transition_rewards.h"
#include "mdp/file/xml.h"
#include "mdp/text/state_ids.h"
#include "mdp/text/text_output.h"

namespace tidewise::mdp {
namespace {

template <class Real>
void put_state(TextOutput& text, const DecisionProcess<Real>& process, std::int32_t state,
               const StateIds& ids) {
  text.put("<State id=\"{}\"", xml_escaped(ids.id(state)));
  if (!process.initial_value.empty()) {
    text.put(" value=\"{}\"", process.initial_value[std::size_t(state)]);
  }
  if (process.is_terminal(state)) {
    text.put("/>\n");
    return;
  }
  text.put("><AvailableActions>\n");
  for (std::int32_t a = 0; a < process.action_count; ++a) {
    const std::int64_t row = process.row(state, a);
    if (!process.is_allowed(row)) continue;
    text.put("<Action id=\"{}\">\n", a);
    const RowRewards<Real> rewards(process, row);
    for (auto n = process.row_begin[std::size_t(row)]; n < process.row_begin[std::size_t(row) + 1];
         ++n) {
      text.put("<ResultingState id=\"{}\" probability=\"{}\" actionReward=\"{}\"/>\n",
               xml_escaped(ids.id(process.successor[std::size_t(n)])),
               process.probability[std::size_t(n)], rewards.of(n));
    }
    text.put("</Action>\n");
  }
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
             has_names ? xml_escaped(process.action_names[std::size_t(a)]) : "");
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
