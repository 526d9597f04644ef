#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "mdp/file/json.h"
#include "mdp/file/target_states.h"
#include "mdp/file/xml.h"
#include "support/error_code.h"
#include "support/mdp/process_cases.h"
#include "support/mdp/public_model.h"

namespace tidewise::mdp {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::IsEmpty;

using Process = DecisionProcess<double>;

Process json(const std::string& text, const ReadOptions& options = {}) {
  ByteStream bytes(text, "m.json");
  return read_json_process<double>(bytes, options);
}

void expect_three_states(const Process& read) {
  const auto process = test::three_state_process<double>();
  EXPECT_EQ(read.state_count, 3);
  EXPECT_EQ(read.action_count, 2);
  EXPECT_EQ(read.row_begin, process.row_begin);
  EXPECT_EQ(read.successor, process.successor);
  EXPECT_EQ(read.probability, process.probability);
  EXPECT_EQ(read.entry_reward, process.entry_reward);
  EXPECT_EQ(read.reward, process.reward);
}

// The first example of docs/mdp/formats.md.
const std::string three_states_json = R"({
  "S": 3, "A": 2, "gamma": 0.9, "format": "CSR",
  "P": {"indptr": [0, 2, 3, 4, 6, 7, 8], "indices": [0, 1, 1, 2, 0, 2, 2, 1],
        "data": [0.5, 0.5, 1, 1, 0.3, 0.7, 1, 1]},
  "R": {"indptr": [0, 2, 3, 4, 6, 7, 8], "indices": [0, 1, 1, 2, 0, 2, 2, 1],
        "data": [0, 1, 0, 2, 0, 0, 0, 3]}
})";

TEST(JsonProcess, MatchesAHandCalculation) {
  const auto read = json(three_states_json);
  expect_three_states(read);
  EXPECT_EQ(read.discount, .9);
}

TEST(JsonProcess, AcceptsKeysInAnyOrderAndFewerRewards) {
  expect_three_states(json(R"({"R": {"data": [1, 2, 3], "indices": [1, 2, 1],
      "indptr": [0, 1, 1, 2, 2, 2, 3]},
    "P": {"data": [0.5, 0.5, 1, 1, 0.3, 0.7, 1, 1], "indices": [0, 1, 1, 2, 0, 2, 2, 1],
      "indptr": [0, 2, 3, 4, 6, 7, 8]}, "A": 2.0, "S": 3})"));
}

TEST(JsonProcess, IgnoresRewardsOfMissingTransitions) {
  const auto read = json(R"({"S": 2, "A": 1,
      "P": {"indptr": [0, 1, 2], "indices": [1, 1], "data": [1, 1]},
      "R": {"indptr": [0, 2, 2], "indices": [1, 0], "data": [5, 700]}})");
  EXPECT_THAT(read.reward, ElementsAre(5, 0));
}

TEST(JsonProcess, AcceptsAProcessWithoutRewardsAndActions) {
  const auto read = json(R"({"S": 2, "A": 2,
      "P": {"indptr": [0, 0, 1, 1, 1], "indices": [1], "data": [1]}})");
  EXPECT_THAT(read.reward, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(read.entry_reward, IsEmpty());
  EXPECT_FALSE(read.is_allowed(0));
  EXPECT_TRUE(read.is_allowed(1));
  EXPECT_TRUE(read.is_terminal(1));
}

TEST(JsonProcess, MergesDuplicatesAndSortsRows) {
  const auto read = json(R"({"S": 3, "A": 1,
      "P": {"indptr": [0, 3, 4, 4], "indices": [2, 0, 2, 0], "data": [0.25, 0.5, 0.25, 1]},
      "R": {"indptr": [0, 3, 3, 3], "indices": [2, 0, 2], "data": [4, 1, 8]}})");
  EXPECT_THAT(read.successor, ElementsAre(0, 2, 0));
  EXPECT_THAT(read.probability, ElementsAre(.5, .5, 1));
  EXPECT_THAT(read.entry_reward, ElementsAre(1, 6, 0));
  EXPECT_THAT(read.reward, ElementsAre(3.5, 0, 0));
}

TEST(JsonProcess, ReadsOptionalKeys) {
  const auto read = json(R"({"S": 2, "A": 1, "initial_state": 1, "initial_values": [0, 7],
      "row_rewards": [3, 9], "state_names": ["a", "b"], "action_names": ["go"],
      "labels": {"end": [1, 1], "none": []},
      "P": {"indptr": [0, 1, 1], "indices": [1], "data": [1]}})");
  EXPECT_EQ(read.initial_state, 1);
  EXPECT_THAT(read.initial_value, ElementsAre(0, 7));
  EXPECT_THAT(read.reward, ElementsAre(3, 0));  // the second row is empty
  EXPECT_THAT(read.state_names, ElementsAre("a", "b"));
  EXPECT_THAT(read.action_names, ElementsAre("go"));
  EXPECT_THAT(read.labels[0].states, ElementsAre(1));
}

TEST(JsonProcess, AcceptsUntidyText) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : three_states_json)
    text += c == '\n' ? std::string("\r\n\r\n") : std::string(1, c);
  expect_three_states(json(text));
}

// The second example of docs/mdp/formats.md.
const std::string three_states_xml = R"(<?xml version="1.0"?>
<MDP gamma="0.9">
  <Actions><Action id="0" description="stay"/><Action id="1" description="move"/></Actions>
  <States>
    <State id="0"><AvailableActions>
      <Action id="0"><ResultingState id="0" probability="0.5" actionReward="0"/>
                     <ResultingState id="1" probability="0.5" actionReward="1"/></Action>
      <Action id="1"><ResultingState id="1" probability="1" actionReward="0"/></Action>
    </AvailableActions></State>
    <State id="1"><AvailableActions>
      <Action id="0"><ResultingState id="2" probability="1" actionReward="2"/></Action>
      <Action id="1"><ResultingState id="0" probability="0.3" actionReward="0"/>
                     <ResultingState id="2" probability="0.7" actionReward="0"/></Action>
    </AvailableActions></State>
    <State id="2"><AvailableActions>
      <Action id="0"><ResultingState id="2" probability="1" actionReward="0"/></Action>
      <Action id="1"><ResultingState id="1" probability="1" actionReward="3"/></Action>
    </AvailableActions></State>
  </States>
</MDP>
)";

TEST(XmlProcess, IsReadOrRefusedByABuildWithoutExpat) {
  ByteStream bytes(three_states_xml, "m.xml");
  if (!reads_xml()) {
    EXPECT_THAT([&] { read_xml_process<double>(bytes, {}); },
                testing::ThrowsMessage<InputError>(test::has_code("xml_not_built")));
    return;
  }
  const Process read = read_xml_process<double>(bytes, {});
  expect_three_states(read);
  EXPECT_EQ(read.discount, .9);
  EXPECT_THAT(read.action_names, ElementsAre("stay", "move"));
}

TEST(XmlProcess, AcceptsDomainAndDescriptions) {
  if (!reads_xml()) GTEST_SKIP() << "a build without expat";
  std::string text = three_states_xml;
  const auto replace = [&text](const std::string& old, const std::string& replacement) {
    text.replace(text.find(old), old.size(), replacement);
  };
  replace("<MDP ", "<MDP domain=\"three states\" ");
  replace("<Actions>", "<Description>Two actions &amp; three states</Description>\n<Actions>");
  replace("<Action id=\"0\" description=\"stay\"/>",
          "<Action id=\"0\"><Description>\n stay </Description></Action>");
  replace("<AvailableActions>", "<Description>the first</Description><AvailableActions>");
  replace("<ResultingState", "<Description>stay here</Description><ResultingState");
  ByteStream bytes(text, "m.xml");
  const Process read = read_xml_process<double>(bytes, {});
  expect_three_states(read);
  EXPECT_THAT(read.action_names, ElementsAre("stay", "move"));
}

/// Returns the XML of `states`, which are {state, {action, successor, action, successor, …}}.
std::string xml_of(const std::vector<std::pair<std::string, std::vector<const char*>>>& states) {
  std::string text = "<MDP><States>";
  for (const auto& [state, actions] : states) {
    text += fmt::format("<State id='{}'><AvailableActions>", state);
    for (std::size_t n = 0; n < actions.size(); n += 2) {
      text += fmt::format(
          "<Action id='{}'><ResultingState id='{}' probability='1' actionReward='2'/></Action>",
          actions[n], actions[n + 1]);
    }
    text += "</AvailableActions></State>";
  }
  return text + "</States></MDP>";
}

Process xml(const std::string& text) {
  ByteStream bytes(text, "m.xml");
  return read_xml_process<double>(bytes, {});
}

TEST(XmlProcess, KeepsNumbersOfStatesInAnyOrder) {
  if (!reads_xml()) GTEST_SKIP() << "a build without expat";
  const auto read = xml(xml_of({{"1", {"0", "0"}}, {"0", {"1", "1"}}}));
  EXPECT_THAT(read.state_names, IsEmpty());
  EXPECT_THAT(read.successor, ElementsAre(1, 0));
  EXPECT_TRUE(read.is_allowed(read.row(0, 1)));
}

TEST(XmlProcess, NumbersOtherIdsInOrderOfAppearance) {
  if (!reads_xml()) GTEST_SKIP() << "a build without expat";
  const auto read = xml(xml_of({{"home", {"go", "away"}}, {"away", {"rest", "away"}}}));
  EXPECT_THAT(read.state_names, ElementsAre("home", "away"));
  EXPECT_THAT(read.action_names, ElementsAre("go", "rest"));
  EXPECT_THAT(read.successor, ElementsAre(1, 1));
  EXPECT_TRUE(read.is_allowed(read.row(1, 1)));
  const auto from_one = xml(xml_of({{"1", {"1", "2"}}, {"2", {}}}));
  EXPECT_THAT(from_one.state_names, ElementsAre("1", "2"));
  EXPECT_EQ(from_one.action_count, 2);
}

TEST(XmlProcess, NumbersActionsWithinTheStateForUniqueIds) {
  if (!reads_xml()) GTEST_SKIP() << "a build without expat";
  constexpr int states = 3000;
  std::vector<std::string> words;
  for (int n = 0; n < 2 * states; ++n) words.push_back(std::to_string(n));
  std::vector<std::pair<std::string, std::vector<const char*>>> listed_states;
  for (std::size_t s = 0; s < states; ++s) {
    listed_states.push_back(
        {words[s],
         {words[2 * s].c_str(), words[(s + 1) % states].c_str(), words[2 * s + 1].c_str(), "0"}});
  }
  const auto read = xml(xml_of(listed_states));
  EXPECT_EQ(read.action_count, 2);
  EXPECT_EQ(read.entry_count(), 2 * states);
}

Process with_target(Process process, const ReadOptions& options) {
  end_in_target(options, "m.h5", process);
  return process;
}

TEST(Target, EndsTheProcess) {
  auto process = test::three_state_process<double>();
  process.labels = {{"low", {0, 1, 2}}, {"wet", {2}}};
  const auto wet = with_target(process, {.target = "wet"});
  EXPECT_FALSE(wet.is_terminal(0));
  EXPECT_TRUE(wet.is_terminal(2));
  const auto probability =
      with_target(process, {.target = "wet", .objective = ReadObjective::probability});
  EXPECT_TRUE(probability.is_terminal(2));
  EXPECT_THAT(probability.initial_value, ElementsAre(0, 0, 1));
  EXPECT_THAT(probability.reward, ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(probability.entry_reward, IsEmpty());
}

TEST(Target, AcceptsLabelsAndStates) {
  auto process = test::three_state_process<double>();
  process.labels = {{"low", {0}}, {"0", {1}}, {"two words", {2}}};
  const auto terminal_states = [&](const std::string& target) {
    const auto ended = with_target(process, {.target = target});
    std::vector<std::int32_t> states;
    for (std::int32_t s = 0; s < 3; ++s) {
      if (ended.is_terminal(s)) states.push_back(s);
    }
    return states;
  };
  EXPECT_THAT(terminal_states("2"), ElementsAre(2));
  EXPECT_THAT(terminal_states(" low ,2"), ElementsAre(0, 2));
  EXPECT_THAT(terminal_states("two words,low,low"), ElementsAre(0, 2));
  EXPECT_THAT(terminal_states("0"), ElementsAre(1));  // a label takes precedence over a number
  const auto expect_refusal = [&](const ReadOptions& options, const char* code) {
    EXPECT_THAT([&] { with_target(process, options); },
                testing::ThrowsMessage<InputError>(test::has_code_of(code)));
  };
  expect_refusal({.target = "end"}, "[target_unknown]");
  expect_refusal({.target = "low,"}, "[target_unknown]");
  expect_refusal({.target = "3"}, "[target_unknown]");
  expect_refusal({.target = "-1"}, "[target_unknown]");
  expect_refusal({.objective = ReadObjective::probability}, "[goal_target_missing]");
}

// ../shared/data/mdp has public models with exact answers.

double max_value(const Process& process) {
  return test::reference_values(process)[std::size_t(process.initial_state)];
}

/// Minimizes by negating rewards and values of terminal states.
double min_value(Process process) {
  for (double& reward : process.reward) reward = -reward;
  for (double& value : process.initial_value) value = -value;
  return -max_value(process);
}

TEST(PublicModels, MatchTheAnswersOfConsensus) {
  TIDEWISE_REQUIRE_PUBLIC_MODEL(model, "consensus.2.K2");
  EXPECT_EQ(model.state_count, 272);
  EXPECT_EQ(model.entry_count(), 492);
  const auto steps = with_target(model, {.target = "finished"});
  EXPECT_THAT(max_value(steps), DoubleNear(75, 1e-8));
  EXPECT_THAT(min_value(steps), DoubleNear(48, 1e-8));
  // Iteration from 0 converges to the smallest fixed point, which is the probability.
  const auto all_ones =
      with_target(model, {.target = "finished_with_1", .objective = ReadObjective::probability});
  EXPECT_THAT(min_value(all_ones), DoubleNear(49.0 / 128, 1e-8));
  const auto disagreement =
      with_target(model, {.target = "finished_apart", .objective = ReadObjective::probability});
  EXPECT_THAT(max_value(disagreement), DoubleNear(13.0 / 120, 1e-8));
}

TEST(PublicModels, MatchTheAnswersOfCsma) {
  TIDEWISE_REQUIRE_PUBLIC_MODEL(model, "csma.2-2");
  const auto time = with_target(model, {.target = "all_delivered"});
  EXPECT_EQ(time.state_count, 1038);
  EXPECT_THAT(max_value(time), DoubleNear(70.66575976616393, 1e-8));
  EXPECT_THAT(min_value(time), DoubleNear(66.99932286267479, 1e-8));
}

}  // namespace
}  // namespace tidewise::mdp
