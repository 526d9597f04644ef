// Tests of models from the command line: generation, conversion, targets by labels, interruption.

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "base/progress.h"
#include "mdp/file/reader.h"
#include "support/error_code.h"
#include "support/program_fixture.h"

namespace tidewise::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class MdpModels : public ProgramFixture {
 protected:
  mdp::DecisionProcess<double> read(const std::string& name,
                                    const mdp::ReadOptions& options = {}) const {
    SilentProgress silent;
    return mdp::read_process<double>(folder_ / name, options, silent);
  }
  std::string convert(const std::string& from, const std::string& to) const {
    return run({"research", "mdp", "convert", from, "--out", to}).errors;
  }
  /// Returns the value of the first state, which `solve` prints.
  double value_of(std::vector<std::string> words) const {
    words.insert(words.begin(), {"-q", "research", "solve"});
    for (const char* word : {"--backend", "cpu", "--tolerance", "1e-9"}) words.emplace_back(word);
    const std::string report = run(words).output;
    const auto at = report.find("\nvalue ");
    return std::stod(report.substr(report.find_first_not_of(' ', at + 7)));
  }
};

TEST_F(MdpModels, ConversionReportsLosses) {
  run({"research", "mdp", "mine-field", "--out", "m.h5", "--nx", "8", "--ny", "8", "-q"});
  EXPECT_THAT(convert("m.h5", "m.json"), Not(HasSubstr("warning")));
  EXPECT_EQ(read("m.json").discount, 0.995);
  run({"research", "mdp", "convert", "m.json", "--out", "again.h5", "--gamma", "0.5"});
  EXPECT_EQ(read("again.h5").discount, 0.5);
  EXPECT_THAT(
      run({"research", "mdp", "mine-field", "--out", "n.xml", "--nx", "8", "--ny", "8"}).errors,
      HasSubstr("no place for labels"));
}

TEST_F(MdpModels, RefusesInOneLine) {
  run({"research", "mdp", "mine-field", "--out", "m.h5", "--nx", "8", "--ny", "8", "-q"});
  write("cut.json", R"({"S":1)");
  const auto refusal = [&](std::vector<std::string> words, const std::string& error) {
    words.insert(words.begin(), {"-q", "research", "mdp"});
    EXPECT_THAT(refused(words), test::has_code_of(error));
  };
  refusal({"convert", "m.h5", "--out", "m.h5"}, "[output_is_input]");
  refusal({"convert", "m.h5", "--out", "./m.h5"}, "[output_is_input]");
  refusal({"convert", "m.h5", "--out", "m.csv"}, "m.csv [process_ending_unknown]");
  refusal({"convert", "m.h5", "--out", "/dev/null/m.json"}, "/dev/null [output_folder_not_folder]");
  refusal({"convert", "none.json", "--out", "n.h5"}, "[file_missing]");
  refusal({"convert", "cut.json", "--out", "n.h5"}, "cut.json: line 1 [json_not_parsed]");
  refusal({"convert", "m.h5", "--out", "n.npz"}, "n.npz [process_ending_unknown]");
  refusal({"convert", "m.h5", "--out", "n.json", "--gamma", "1.5"}, "[discount_invalid]");
  refusal({"mine-field", "--out", "n.csv"}, "n.csv [process_ending_unknown]");
  refusal({"mine-field", "--out", "/dev/null/n.h5"}, "/dev/null [output_folder_not_folder]");
  refusal({"mine-field", "--out", "n.h5", "--nx", "0"}, "the width [mine_field_invalid]");
  refusal({"mine-field", "--out", "n.h5", "--headings", "5"}, "moves is 5 [mine_field_invalid]");
  refusal({"mine-field", "--out", "n.h5", "--seed", "-1"}, "--seed [command_line_invalid]");
  refusal({"gridworld", "--out", "/dev/null/n.h5"}, "/dev/null [output_folder_not_folder]");
  refusal({"savings", "--out", "m.json"}, "[savings_output_not_hdf5]");
}

TEST_F(MdpModels, EndAtLabelsInEveryFormatWithLabels) {
  run({"research", "mdp", "mine-field", "--out", "m.h5", "--nx", "10", "--ny", "10", "-q"});
  convert("m.h5", "m.json");
  const double probability =
      value_of({"m.h5", "--target", "goal", "--goal", "probability", "--out", "s.txt"});
  EXPECT_GT(probability, 0.5);
  EXPECT_LE(probability, 1);
  EXPECT_EQ(value_of({"m.json", "--target", "goal", "--goal", "probability", "--out", "s.txt"}),
            probability);
  // A policy can always reach a mine.
  EXPECT_NEAR(value_of({"m.h5", "--target", "mine", "--goal", "probability", "--out", "s.txt"}), 1,
              1e-6);
  EXPECT_THAT(refused({"-q", "research", "solve", "m.json", "--target", "port", "--out", "n.txt"}),
              test::has_code("target_unknown", "mine, goal"));
}

TEST_F(MdpModels, InterruptionLeavesNoFiles) {
  run({"-q", "research", "mdp", "gridworld", "--out", "w.h5", "--nx", "600", "--precision",
       "float"});
  const std::string before = listing(folder_.path());
  const auto expect_no_files = [&](const ProgramResult& result) {
    EXPECT_EQ(result.status, 1);
    EXPECT_THAT(result.errors, HasSubstr("interrupted; nothing was written"));
    EXPECT_EQ(listing(folder_.path()), before);
  };
  const auto has_begun = [&] {
    const std::filesystem::directory_iterator files(folder_.path());
    return std::distance(begin(files), end(files)) > 1;
  };
  expect_no_files(interrupt_tidewise(
      {"-q", "research", "mdp", "convert", "w.h5", "--out", "w.json"}, folder_.path(), has_begun));
  int calls = 0;
  expect_no_files(
      interrupt_tidewise({"-q", "research", "solve", "w.h5", "--out", "s.h5", "--method",
                          "result-divided", "--tolerance", "1e-13", "--backend", "cpu"},
                         folder_.path(), [&] { return ++calls > 250; }));
}

TEST_F(MdpModels, RefuseOptionsOfAnotherMethod) {
  run({"research", "mdp", "gridworld", "--out", "w.h5", "--nx", "5", "-q"});
  for (const std::vector<std::string>& option :
       std::vector<std::vector<std::string>>{{"--horizon", "3"},
                                             {"--agents", "8"},
                                             {"--seed", "2"},
                                             {"--set", "block-divided.variant=both"}}) {
    EXPECT_THAT(
        refused({"-q", "research", "solve", "w.h5", "--out", "s.txt", option[0], option[1]}),
        test::has_code("option_of_other_method"));
  }
  const auto solve_with = [&](const std::string& setting) {
    return std::vector<std::string>{"-q",    "research", "solve",     "w.h5",
                                    "--out", "s.txt",    "--method",  "block-divided",
                                    "--set", setting,    "--backend", "cpu"};
  };
  EXPECT_THAT(refused(solve_with("block-divided.varian=both")),
              test::has_code("solve_option_unknown"));
  EXPECT_THAT(refused(solve_with("block-divided.variant=some")),
              test::has_code("solve_option_invalid"));
  EXPECT_THAT(refused(solve_with("block-divided.variant")),
              test::has_code("setting_without_value"));
  EXPECT_THAT(refused(solve_with("mission.start=1,2")), test::has_code("solve_option_unknown"));
  EXPECT_THAT(refused(solve_with("gamma=0.5")), test::has_code("solve_option_unknown"));
  EXPECT_THAT(run(solve_with("block-divided.variant=both")).output,
              HasSubstr("block-divided, buffering, prioritising"));
}

}  // namespace
}  // namespace tidewise::test
