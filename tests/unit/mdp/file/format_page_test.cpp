#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <string>

#include "mdp/file/reader.h"
#include "mdp/file/solution.h"
#include "mdp/file/xml.h"
#include "support/mdp/process_cases.h"
#include "support/temporary_folder.h"

namespace tidewise::mdp {
namespace {

/// Returns the fenced examples of docs/mdp/formats.md, keyed by the word after the fence.
std::map<std::string, std::string> examples() {
  std::ifstream page(std::string(TIDEWISE_DOCS) + "/mdp/formats.md");
  std::map<std::string, std::string> texts;
  std::string line;
  std::string form;
  bool is_within = false;
  while (std::getline(page, line)) {
    if (line.starts_with("```")) {
      is_within = !is_within;
      form = is_within ? line.substr(3) : "";
    } else if (is_within) {
      texts[form] += line + "\n";
    }
  }
  return texts;
}

TEST(FormatPage, HasReadableExamples) {
  const test::TemporaryFolder folder;
  auto texts = examples();
  for (const char* form : {"json", "xml", "solution"}) {
    ASSERT_FALSE(texts[form].empty()) << form;
    std::ofstream(folder / (std::string("m.") + form)) << texts[form];
  }
  const auto expected = test::three_state_process<double>();
  SilentProgress progress;
  for (const std::string form : {"json", "xml"}) {
    SCOPED_TRACE(form);
    if (form == "xml" && !reads_xml()) continue;
    const auto read = read_process<double>(folder / ("m." + form), {}, progress);
    EXPECT_EQ(read.row_begin, expected.row_begin);
    EXPECT_EQ(read.successor, expected.successor);
    EXPECT_EQ(read.probability, expected.probability);
    EXPECT_EQ(read.entry_reward, expected.entry_reward);
    EXPECT_EQ(read.reward, expected.reward);
  }
  const auto solution = read_solution(folder / "m.solution").solution;
  const auto optimum = test::reference_values(expected);
  ASSERT_EQ(solution.value.size(), optimum.size());
  for (std::size_t s = 0; s < optimum.size(); ++s)
    EXPECT_NEAR(solution.value[s], optimum[s], 1e-11);
  EXPECT_TRUE(test::is_greedy(expected, solution.value, solution.action));
}

}  // namespace
}  // namespace tidewise::mdp
