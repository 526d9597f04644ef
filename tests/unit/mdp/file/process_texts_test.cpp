#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "base/error.h"
#include "mdp/file/json.h"
#include "mdp/file/listed.h"
#include "mdp/file/prism.h"
#include "mdp/file/xml.h"
#include "support/mdp/process_cases.h"
#include "support/shared_data.h"

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
Process listed(const std::string& text, const ReadOptions& options = {}) {
  ByteStream bytes(text, "m.mdp");
  return read_listed_process<double>(bytes, options);
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

TEST(JsonProcess, IsReadByHand) {
  const auto read = json(three_states_json);
  expect_three_states(read);
  EXPECT_EQ(read.discount, .9);
}

TEST(JsonProcess, MayHaveItsKeysInAnyOrderAndFewerRewards) {
  expect_three_states(json(R"({"R": {"data": [1, 2, 3], "indices": [1, 2, 1],
      "indptr": [0, 1, 1, 2, 2, 2, 3]},
    "P": {"data": [0.5, 0.5, 1, 1, 0.3, 0.7, 1, 1], "indices": [0, 1, 1, 2, 0, 2, 2, 1],
      "indptr": [0, 2, 3, 4, 6, 7, 8]}, "A": 2.0, "S": 3})"));
}

TEST(JsonProcess, NeverCountsRewardsOfTransitionsThatItLacks) {
  const auto read = json(R"({"S": 2, "A": 1,
      "P": {"indptr": [0, 1, 2], "indices": [1, 1], "data": [1, 1]},
      "R": {"indptr": [0, 2, 2], "indices": [1, 0], "data": [5, 700]}})");
  EXPECT_THAT(read.reward, ElementsAre(5, 0));
}

TEST(JsonProcess, MayBeWithoutRewardsAndActions) {
  const auto read = json(R"({"S": 2, "A": 2,
      "P": {"indptr": [0, 0, 1, 1, 1], "indices": [1], "data": [1]}})");
  EXPECT_THAT(read.reward, ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(read.entry_reward, IsEmpty());
  EXPECT_FALSE(read.is_allowed(0));
  EXPECT_TRUE(read.is_allowed(1));
  EXPECT_TRUE(read.is_terminal(1));
}

TEST(JsonProcess, MergesWhatItNamesTwiceAndSortsItsRows) {
  const auto read = json(R"({"S": 3, "A": 1,
      "P": {"indptr": [0, 3, 4, 4], "indices": [2, 0, 2, 0], "data": [0.25, 0.5, 0.25, 1]},
      "R": {"indptr": [0, 3, 3, 3], "indices": [2, 0, 2], "data": [4, 1, 8]}})");
  EXPECT_THAT(read.successor, ElementsAre(0, 2, 0));
  EXPECT_THAT(read.probability, ElementsAre(.5, .5, 1));
  EXPECT_THAT(read.entry_reward, ElementsAre(1, 6, 0));
  EXPECT_THAT(read.reward, ElementsAre(3.5, 0, 0));
}

TEST(JsonProcess, TakesWhatOthersLack) {
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

TEST(JsonProcess, MayBeUntidy) {
  std::string text = "\xEF\xBB\xBF";
  for (const char c : three_states_json)
    text += c == '\n' ? std::string("\r\n\r\n") : std::string(1, c);
  expect_three_states(json(text));
}

// The second.
const std::string three_states_listed =
    "S:0:0:2\nA:0:2\nD:0:0.5:0\nD:1:0.5:1\nA:1:1\nD:1:1:0\n"
    "S:1:0:2\nA:0:1\nD:2:1:2\nA:1:2\nD:0:0.3:0\nD:2:0.7:0\n"
    "S:2:0:2\nA:0:1\nD:2:1:0\nA:1:1\nD:1:1:3\n";

TEST(ListedProcess, IsReadByHand) {
  const auto read = listed(three_states_listed);
  expect_three_states(read);
  EXPECT_THAT(read.initial_value, IsEmpty());
  EXPECT_EQ(read.discount, 1);
}

TEST(ListedProcess, MayListItsStatesInAnyOrder) {
  const auto read = listed(
      "S:1:0:2\nA:0:1\nD:2:1:2\nA:1:2\nD:0:0.3:0\nD:2:0.7:0\n"
      "S:2:0:2\nA:0:1\nD:2:1:0\nA:1:1\nD:1:1:3\n"
      "S:0:0:2\nA:0:2\nD:0:0.5:0\nD:1:0.5:1\nA:1:1\nD:1:1:0\n");
  expect_three_states(read);
  EXPECT_THAT(read.state_names, IsEmpty());
}

TEST(ListedProcess, MapsOtherIdsInOrderOfAppearance) {
  const auto read = listed("S:home:1.5:1\nA:go:1\nD:away:1:2\nS:away:-1:1\nA:rest:1\nD:away:1:0\n");
  EXPECT_THAT(read.state_names, ElementsAre("home", "away"));
  EXPECT_THAT(read.action_names, ElementsAre("go", "rest"));
  EXPECT_THAT(read.initial_value, ElementsAre(1.5, -1));
  EXPECT_THAT(read.successor, ElementsAre(1, 1));
  EXPECT_TRUE(read.is_allowed(read.row(1, 1)));
  const auto from_one = listed("S:1:0:1\nA:1:1\nD:2:1:2\nS:2:0:0\n");
  EXPECT_THAT(from_one.state_names, ElementsAre("1", "2"));
  EXPECT_EQ(from_one.action_count, 2);
  EXPECT_TRUE(from_one.is_allowed(from_one.row(0, 1)));
}

TEST(ListedProcess, NumbersActionsWithinTheStateWhereIdsAreThoseOfAll) {
  constexpr int states = 3000;
  std::string text;
  for (int s = 0; s < states; ++s) {
    text += fmt::format("S:{}:0:2\nA:{}:1\nD:{}:1:0\nA:{}:1\nD:0:1:0\n", s, 2 * s, (s + 1) % states,
                        2 * s + 1);
  }
  const auto read = listed(text);
  EXPECT_EQ(read.action_count, 2);
  EXPECT_EQ(read.entry_count(), 2 * states);
}

TEST(ListedProcess, MayBeUntidy) {
  expect_three_states(listed("\xEF\xBB\xBF# a comment\r\n\r\n" + [] {
    std::string text;
    for (const char c : three_states_listed) {
      text += c == '\n' ? "  # so\r\n \r\n" : std::string(1, c);
    }
    return text;
  }()));
  expect_three_states(listed(three_states_listed.substr(0, three_states_listed.size() - 1)));
}

// The third.
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

TEST(XmlProcess, IsReadByHandOrRefusedByABuildWithout) {
  ByteStream bytes(three_states_xml, "m.xml");
  if (!reads_xml()) {
    EXPECT_THAT([&] { read_xml_process<double>(bytes, {}); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("-DTIDEWISE_XML=ON")));
    return;
  }
  const Process read = read_xml_process<double>(bytes, {});
  expect_three_states(read);
  EXPECT_EQ(read.discount, .9);
  EXPECT_THAT(read.action_names, ElementsAre("stay", "move"));
}

struct PrismTexts {
  std::string transitions;
  std::optional<std::string> state_rewards = {};
  std::optional<std::string> transition_rewards = {};
  std::optional<std::string> labels = {};
};

Process prism(const PrismTexts& texts, const ReadOptions& options = {}) {
  const auto text_of = [](const std::optional<std::string>& text) {
    return text ? std::string_view(*text) : std::string_view();
  };
  ByteStream tra(texts.transitions, "m.tra");
  ByteStream srew(text_of(texts.state_rewards), "m.srew");
  ByteStream trew(text_of(texts.transition_rewards), "m.trew");
  ByteStream lab(text_of(texts.labels), "m.lab");
  return read_prism_process<double>(
      {&tra, texts.state_rewards ? &srew : nullptr, texts.transition_rewards ? &trew : nullptr,
       texts.labels ? &lab : nullptr},
      options);
}

// The fourth.
const PrismTexts three_states_prism{
    "# Transitions (MDP)\n3 6 8\n0 0 0 0.5\n0 0 1 0.5\n0 1 1 1 go\n1 0 2 1\n1 1 0 3/10\n"
    "1 1 2 0.7\n2 0 2 1\n2 1 1 1\n",
    {},
    "3 6 3\n0 0 1 1\n1 0 2 2\n2 1 1 3\n",
    "0=\"init\" 1=\"low\" 2=\"wet\"\n0: 1\n1: 0 1 2\n2: 2\n"};

TEST(PrismProcess, IsReadByHand) {
  const auto read = prism(three_states_prism);
  expect_three_states(read);
  EXPECT_EQ(read.initial_state, 1);
  EXPECT_EQ(read.action_names[1], "go");
  ASSERT_EQ(read.labels.size(), 3u);
  EXPECT_THAT(read.labels[1].states, ElementsAre(0, 1));
}

TEST(PrismProcess, AddsRewardsOfStates) {
  auto texts = three_states_prism;
  texts.state_rewards = "3 2\n0 10\n2 20\n";
  EXPECT_THAT(prism(texts).reward, ElementsAre(10.5, 10, 2, 0, 20, 23));
}

TEST(PrismProcess, MayBeAMarkovChain) {
  const auto read = prism({"2 3\n0 0 0.5\n0 1 0.5\n1 1 1\n", {}, "2 1\n0 1 4\n"});
  EXPECT_EQ(read.action_count, 1);
  EXPECT_THAT(read.reward, ElementsAre(2, 0));
}

TEST(PrismProcess, EndsInItsTarget) {
  const auto low_and_dry = prism(three_states_prism, {.target = "low & !wet"});
  EXPECT_TRUE(low_and_dry.is_terminal(0));
  EXPECT_FALSE(low_and_dry.is_terminal(1));
  EXPECT_FALSE(low_and_dry.is_terminal(2));
  const auto probability = prism(
      three_states_prism, {.target = "\"wet\"&! low", .objective = ReadObjective::probability});
  EXPECT_TRUE(probability.is_terminal(2));
  EXPECT_THAT(probability.initial_value, ElementsAre(0, 0, 1));
  EXPECT_THAT(probability.reward, ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_THAT(probability.entry_reward, IsEmpty());
}

// ../shared/data/mdp: public models with exact answers.

Process benchmark(const std::filesystem::path& path, const ReadOptions& options) {
  SilentProgress progress;
  return read_process<double>(path, options, progress);
}

double best(const Process& process) {
  return test::reference_values(process)[std::size_t(process.initial_state)];
}

/// The least reward is the greatest of its negative. Values of ends turn as well.
double least(Process process) {
  for (double& reward : process.reward) reward = -reward;
  for (double& value : process.initial_value) value = -value;
  return -best(process);
}

TEST(PublicModels, ConsensusMeetsItsAnswers) {
  TIDEWISE_REQUIRE_SHARED_DATA(path, "mdp/consensus.2.K2.tra");
  const auto steps = benchmark(path, {.target = "finished"});
  EXPECT_EQ(steps.state_count, 272);
  EXPECT_EQ(benchmark(path, {}).entry_count(), 492);
  EXPECT_THAT(best(steps), DoubleNear(75, 1e-8));
  EXPECT_THAT(least(steps), DoubleNear(48, 1e-8));
  // Iteration from 0 below comes to the least fixed point, which is the probability.
  const auto ones = benchmark(
      path, {.target = "finished & all_coins_equal_1", .objective = ReadObjective::probability});
  EXPECT_THAT(least(ones), DoubleNear(49.0 / 128, 1e-8));
  const auto apart =
      benchmark(path, {.target = "finished & !agree", .objective = ReadObjective::probability});
  EXPECT_THAT(best(apart), DoubleNear(13.0 / 120, 1e-8));
}

TEST(PublicModels, CsmaMeetsItsAnswers) {
  TIDEWISE_REQUIRE_SHARED_DATA(path, "mdp/csma.2-2.tra");
  const auto time = benchmark(path, {.target = "all_delivered"});
  EXPECT_EQ(time.state_count, 1038);
  EXPECT_THAT(best(time), DoubleNear(70.66575976616393, 1e-8));
  EXPECT_THAT(least(time), DoubleNear(66.99932286267479, 1e-8));
}

}  // namespace
}  // namespace tidewise::mdp
