#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <functional>

#include "base/error.h"
#include "base/hdf5/file.h"
#include "mdp/file/reader.h"
#include "mdp/file/solution.h"
#include "mdp/file/xml.h"
#include "mdp/process/terminal_states.h"
#include "support/error_code.h"
#include "support/mdp/process_cases.h"
#include "support/temporary_folder.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Returns the file endings of all formats that this build reads.
std::vector<std::string> endings() {
  std::vector<std::string> all = {".json", ".h5"};
  if (reads_xml()) all.push_back(".xml");
  return all;
}

template <class Real>
DecisionProcess<Real> write_and_read(const DecisionProcess<Real>& process,
                                     const std::string& ending, const ReadOptions& options = {}) {
  const test::TemporaryFolder folder;
  SilentProgress progress;
  write_process(folder / ("model" + ending), process, "made by a test", progress);
  return read_process<Real>(folder / ("model" + ending), options, progress);
}

/// Expects that the data that solvers read are exactly equal.
template <class Real>
void expect_same(const DecisionProcess<Real>& read, const DecisionProcess<Real>& process) {
  EXPECT_EQ(read.state_count, process.state_count);
  EXPECT_EQ(read.action_count, process.action_count);
  EXPECT_EQ(read.row_begin, process.row_begin);
  EXPECT_EQ(read.successor, process.successor);
  EXPECT_EQ(read.probability, process.probability);
  EXPECT_EQ(read.initial_value, process.initial_value);
}

template <class Real>
void expect_rewards_near(const DecisionProcess<Real>& read, const DecisionProcess<Real>& process) {
  ASSERT_EQ(read.reward.size(), process.reward.size());
  const double tolerance = std::is_same_v<Real, float> ? 2e-6 : 1e-14;
  for (std::int64_t row = 0; row < process.row_count(); ++row) {
    if (!process.is_allowed(row)) continue;
    EXPECT_NEAR(read.reward[std::size_t(row)], process.reward[std::size_t(row)], tolerance);
  }
}

template <class Real>
class ProcessFiles : public testing::Test {};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(ProcessFiles, Reals);

TYPED_TEST(ProcessFiles, PreserveRandomProcesses) {
  for (const std::string& ending : endings()) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      SCOPED_TRACE(ending + " seed " + std::to_string(seed));
      const auto process = test::make_process<TypeParam>({.seed = seed, .discount = 1});
      const auto read = write_and_read(process, ending);
      expect_same(read, process);
      expect_rewards_near(read, process);
      EXPECT_NO_THROW(require_sound(read, "read"));
    }
  }
}

TYPED_TEST(ProcessFiles, PreserveRewardsToTheLastBitInJsonAndHdf5) {
  auto process = test::make_process<TypeParam>({.seed = 7});
  for (const std::string ending : {".json", ".h5"}) {
    EXPECT_EQ(write_and_read(process, ending).reward, process.reward);
  }
  process.entry_reward.clear();
  for (const std::string ending : {".json", ".h5"}) {
    EXPECT_EQ(write_and_read(process, ending).reward, process.reward);
  }
}

TYPED_TEST(ProcessFiles, PreserveRewardsOfTransitionsToTheLastBit) {
  auto process = test::three_state_process<TypeParam>();
  process.discount = 1;
  for (const std::string& ending : endings()) {
    SCOPED_TRACE(ending);
    const auto read = write_and_read(process, ending);
    EXPECT_EQ(read.entry_reward, process.entry_reward);
    EXPECT_EQ(read.reward, process.reward);
  }
}

TYPED_TEST(ProcessFiles, PreserveNamesLabelsAndValues) {
  auto process = test::four_cell_world<TypeParam>();
  process.initial_value = {0, 1, TypeParam(.1), TypeParam(1e-30)};
  process.initial_state = 2;
  process.state_names = {"north west", "a<b>&\"c\"", "ü", "goal"};
  process.action_names = {"right", "down", "left", "up"};
  process.labels = {{"init", {2}}, {"none", {}}, {"end", {1, 3}}};
  for (const std::string& ending : endings()) {
    SCOPED_TRACE(ending);
    const auto read = write_and_read(process, ending);
    expect_same(read, process);
    EXPECT_EQ(read.discount, .9);
    EXPECT_EQ(read.initial_state, 2);
    EXPECT_EQ(read.state_names, process.state_names);
    EXPECT_EQ(read.action_names, process.action_names);
    if (ending == ".xml") continue;
    ASSERT_EQ(read.labels.size(), 3u);
    EXPECT_EQ(read.labels[2].name, "end");
    EXPECT_THAT(read.labels[2].states, ElementsAre(1, 3));
    EXPECT_THAT(read.labels[1].states, IsEmpty());
  }
}

TYPED_TEST(ProcessFiles, PreserveOneTerminalState) {
  DecisionProcess<TypeParam> process;
  process.state_count = process.action_count = 1;
  process.row_begin = {0, 0};
  process.reward = {0};
  for (const std::string& ending : endings()) {
    SCOPED_TRACE(ending);
    expect_same(write_and_read(process, ending), process);
  }
}

TYPED_TEST(ProcessFiles, DropRewardsOfTransitionsOnRequest) {
  const auto process = test::four_cell_world<TypeParam>();
  for (const std::string& ending : endings()) {
    const auto read =
        write_and_read(process, ending, {.transition_rewards = TransitionRewards::drop});
    EXPECT_THAT(read.entry_reward, IsEmpty());
    EXPECT_EQ(read.reward, process.reward);
  }
}

TEST(ProcessReader, UsesTheRequestedDiscount) {
  const auto process = test::four_cell_world<double>();
  for (const std::string& ending : endings()) {
    EXPECT_EQ(write_and_read(process, ending, {.discount = .5}).discount, .5);
    EXPECT_THROW(write_and_read(process, ending, {.discount = 1.5}), InputError);
  }
  if (reads_xml()) {
    EXPECT_EQ(write_and_read(process, ".xml").discount, .9);
  }
}

TEST(ProcessReader, DetectsTheFormatByContent) {
  const auto process = test::four_cell_world<double>();
  const test::TemporaryFolder folder;
  SilentProgress progress;
  for (const std::string& ending : endings()) {
    write_process(folder / ("m" + ending), process, "", progress);
    std::filesystem::rename(folder / ("m" + ending), folder / "model.of_mine");
    expect_same(read_process<double>(folder / "model.of_mine", {}, progress), process);
  }
}

TEST(ProcessReader, RefusesOtherFiles) {
  const test::TemporaryFolder folder;
  SilentProgress progress;
  const auto error_message = [&](const std::filesystem::path& path,
                                 const ReadOptions& options = {}) {
    try {
      read_process<double>(path, options, progress);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("nothing was refused");
  };
  EXPECT_THAT(error_message(folder / "none.json"), test::has_code("file_missing", "none.json"));
  EXPECT_THAT(error_message(folder.path()), test::has_code("file_is_folder"));
  std::ofstream(folder / "notes.dat") << "hello";
  EXPECT_THAT(error_message(folder / "notes.dat"), test::has_code("process_form_unknown"));
  std::ofstream(folder / "bad.h5") << "hello";
  EXPECT_THAT(error_message(folder / "bad.h5"), test::has_code("not_hdf5"));
  std::ofstream(folder / "m.json") << "{}";
  {
    Hdf5File ocean = Hdf5File::create((folder / "ocean.h5"));
    ocean.set_attribute("/", "tidewise_model", std::int32_t{1});
  }
  EXPECT_THAT(error_message(folder / "ocean.h5"), test::has_code("counts_without_rewards"));
  { Hdf5File::create((folder / "other.h5")); }
  EXPECT_THAT(error_message(folder / "other.h5"), test::has_code("not_a_process"));
  EXPECT_THROW(write_process(folder / "m.csv", test::four_cell_world<double>(), "", progress),
               InputError);
}

struct Hdf5Fault {
  const char* name;
  std::function<void(Hdf5File&)> break_it;
  const char* words;
};
class BrokenHdf5 : public testing::TestWithParam<Hdf5Fault> {};

TEST_P(BrokenHdf5, IsRefusedWithItsVariable) {
  const test::TemporaryFolder folder;
  SilentProgress progress;
  auto process = test::three_state_process<double>();
  process.labels = {{"end", {2}}};
  write_process(folder / "m.h5", process, "", progress);
  {
    Hdf5File file = Hdf5File::open_to_change(folder / "m.h5");
    GetParam().break_it(file);
    file.close();
  }
  try {
    read_process<double>(folder / "m.h5", {}, progress);
    FAIL() << "nothing was refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("m.h5: "));
    EXPECT_THAT(error.what(), test::has_code_of(GetParam().words));
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
  }
}

template <class T>
void set_one(Hdf5File& file, const char* variable, std::uint64_t index, T value) {
  file.write(variable, {index}, {1}, &value);
}

INSTANTIATE_TEST_SUITE_P(
    All, BrokenHdf5,
    testing::Values(
        Hdf5Fault{"version", [](Hdf5File& f) { f.set_attribute("/", "tidewise_mdp", 9.0); },
                  "tidewise_mdp [process_attribute_invalid]"},
        Hdf5Fault{"states", [](Hdf5File& f) { f.set_attribute("/", "state_count", 1e30); },
                  "state_count [process_attribute_invalid]"},
        Hdf5Fault{"no_states", [](Hdf5File& f) { f.set_attribute("/", "state_count", 0.0); },
                  "state_count [process_attribute_invalid]"},
        Hdf5Fault{"half", [](Hdf5File& f) { f.set_attribute("/", "action_count", 1.5); },
                  "action_count [process_attribute_invalid]"},
        Hdf5Fault{"nan_states", [](Hdf5File& f) { f.set_attribute("/", "state_count", NAN); },
                  "state_count [process_attribute_invalid]"},
        Hdf5Fault{"text_states", [](Hdf5File& f) { f.set_attribute("/", "state_count", "three"); },
                  "state_count [process_attribute_missing]"},
        Hdf5Fault{"many", [](Hdf5File& f) { f.set_attribute("/", "state_count", 4.0); },
                  "variable row_begin [array_length]"},
        Hdf5Fault{"initial", [](Hdf5File& f) { f.set_attribute("/", "initial_state", 3.0); },
                  "initial_state [process_attribute_invalid]"},
        Hdf5Fault{"discount", [](Hdf5File& f) { f.set_attribute("/", "discount", 2.0); },
                  "2 [discount_invalid]"},
        Hdf5Fault{"descending", [](Hdf5File& f) { set_one<std::int64_t>(f, "row_begin", 3, 1); },
                  "its entries lead from [row_invalid]"},
        Hdf5Fault{"row_far", [](Hdf5File& f) { set_one<std::int64_t>(f, "row_begin", 3, 1000); },
                  "its entries lead from [row_invalid]"},
        Hdf5Fault{"successor", [](Hdf5File& f) { set_one<std::int32_t>(f, "successor", 7, -4); },
                  "it leads to state -4 [row_invalid]"},
        Hdf5Fault{"sum", [](Hdf5File& f) { set_one<double>(f, "probability", 0, .4); },
                  "its probabilities sum to 0.9 [row_invalid]"},
        Hdf5Fault{"nan", [](Hdf5File& f) { set_one<double>(f, "probability", 0, NAN); },
                  "has the probability nan [row_invalid]"},
        Hdf5Fault{"reward", [](Hdf5File& f) { set_one<double>(f, "reward", 1, INFINITY); },
                  "its reward is inf [row_invalid]"},
        Hdf5Fault{"label_begin",
                  [](Hdf5File& f) { set_one<std::int64_t>(f, "label_begin", 1, 99); },
                  "variable label_state [label_range_invalid]"},
        Hdf5Fault{"label", [](Hdf5File& f) { set_one<std::int32_t>(f, "label_state", 0, 3); },
                  "variable label_state [label_state_invalid]"},
        Hdf5Fault{"huge",
                  [](Hdf5File& f) {
                    f.define_dimension("vast", std::uint64_t{1} << 40);
                    f.define_variable("state_name", NumberType::float64, {"vast"},
                                      {.chunk = {1024}});
                  },
                  "variable state_name [array_length]"},
        Hdf5Fault{
            "texts",
            [](Hdf5File& f) { f.define_variable("state_name", NumberType::float64, {"state"}); },
            "does not hold texts [hdf5_variable_unreadable]"},
        Hdf5Fault{"flat",
                  [](Hdf5File& f) {
                    f.define_variable("initial_value", NumberType::float64, {"state", "action"});
                  },
                  "variable initial_value [vector_shape]"}),
    [](const auto& fault) { return fault.param.name; });

TEST(Hdf5Process, IsRefusedIfTruncated) {
  const test::TemporaryFolder folder;
  SilentProgress progress;
  write_process(folder / "m.h5", test::make_process<double>({}), "", progress);
  const auto size = std::filesystem::file_size(folder / "m.h5");
  for (const auto part : {size - 1, size / 2, size / 10, std::uintmax_t{8}, std::uintmax_t{0}}) {
    std::filesystem::resize_file(folder / "m.h5", part);
    EXPECT_THROW(read_process<double>(folder / "m.h5", {}, progress), InputError);
  }
}

TEST(TerminalStates, AreEmptied) {
  const auto process = test::three_state_process<double>();
  const auto ended = make_terminal(process, {1}, 7.0);
  EXPECT_TRUE(ended.is_terminal(1));
  EXPECT_THAT(ended.row_begin, ElementsAre(0, 2, 3, 3, 3, 4, 5));
  EXPECT_THAT(ended.successor, ElementsAre(0, 1, 1, 2, 1));
  EXPECT_THAT(ended.entry_reward, ElementsAre(0, 1, 0, 0, 3));
  EXPECT_THAT(ended.reward, ElementsAre(.5, 0, 0, 0, 0, 3));
  EXPECT_THAT(ended.initial_value, ElementsAre(0, 7, 0));
  EXPECT_NO_THROW(require_sound(ended, "m"));
  EXPECT_THROW(make_terminal(process, {3}, 0.0), InputError);
  const auto all_terminal = make_terminal(process, {0, 1, 2}, 0.0);
  EXPECT_EQ(all_terminal.entry_count(), 0);
  EXPECT_NO_THROW(require_sound(all_terminal, "m"));
}

}  // namespace
}  // namespace tidewise::mdp
