#include "mdp/formula/path_formula.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "base/error.h"

namespace tidewise::mdp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

constexpr std::int32_t states = 4;

/// One label a state, and one of two states each.
std::vector<StateLabel> labels() {
  return {{"a", {0}},      {"b", {1}}, {"c", {2}},      {"low", {0, 1}},
          {"odd", {1, 3}}, {"U", {3}}, {"x|y", {2, 3}}, {"two words", {0, 3}},
          {"none", {}}};
}

std::vector<std::uint8_t> truths(const std::string& formula) {
  return parse_path_formula(formula, "--target").target.holds(labels(), states, "m.lab");
}

TEST(StateFormula, JoinsLabels) {
  EXPECT_THAT(truths("a"), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(truths("low & odd"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(truths("low|odd"), ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(truths("!low"), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(truths("!!low"), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(truths("none"), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(truths("true"), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(truths("false | c"), ElementsAre(0, 0, 1, 0));
}

TEST(StateFormula, BindsNotThenAndThenOr) {
  EXPECT_THAT(truths("a | low & odd"), ElementsAre(1, 1, 0, 0));
  EXPECT_THAT(truths("(a | low) & odd"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(truths("!a & low"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(truths("!(a & low)"), ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(truths("!(a|b)|(((b)))"), ElementsAre(0, 1, 1, 1));
}

TEST(StateFormula, TakesWhatIsQuotedForALabel) {
  EXPECT_THAT(truths("\"a\"&low"), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(truths("\"x|y\""), ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(truths("! \"two words\""), ElementsAre(0, 1, 1, 0));
  EXPECT_THAT(truths("\"U\" | a"), ElementsAre(1, 0, 0, 1));
}

TEST(PathFormula, SaysThroughWhatAndWhereto) {
  const PathFormula alone = parse_path_formula("low", "");
  EXPECT_EQ(alone.form, PathFormula::Form::state);
  EXPECT_FALSE(alone.is_bounded());
  const PathFormula some_time = parse_path_formula("F low", "");
  EXPECT_EQ(some_time.form, PathFormula::Form::finally);
  EXPECT_THAT(some_time.stay.holds(labels(), states, ""), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(some_time.target.holds(labels(), states, ""), ElementsAre(1, 1, 0, 0));
  const PathFormula until = parse_path_formula("!a U b | c", "");
  EXPECT_EQ(until.form, PathFormula::Form::until);
  EXPECT_THAT(until.stay.holds(labels(), states, ""), ElementsAre(0, 1, 1, 1));
  EXPECT_THAT(until.target.holds(labels(), states, ""), ElementsAre(0, 1, 1, 0));
}

TEST(PathFormula, HasBounds) {
  EXPECT_EQ(parse_path_formula("F<=5 a", "").most_steps, 5);
  EXPECT_EQ(parse_path_formula("a U <= 0 b", "").most_steps, 0);
  EXPECT_EQ(parse_path_formula("a U<=1e3 b", "").most_steps, 1000);
  EXPECT_EQ(parse_path_formula("F{r<=2.5} a", "").most_reward, 2.5);
  EXPECT_EQ(parse_path_formula("a U { r <= 4 } b", "").most_reward, 4);
  EXPECT_EQ(parse_path_formula("F a", "").most_steps, std::nullopt);
}

struct NotUnderstood {
  const char* name;
  std::string formula;
  std::string message;
};

class RefusedFormula : public testing::TestWithParam<NotUnderstood> {};

TEST_P(RefusedFormula, NamesTheCharacter) {
  EXPECT_THAT(
      [] {
        parse_path_formula(GetParam().formula, "--target").target.holds(labels(), states, "m.lab");
      },
      ThrowsMessage<InputError>(HasSubstr(GetParam().message)));
}

INSTANTIATE_TEST_SUITE_P(
    All, RefusedFormula,
    testing::Values(
        NotUnderstood{"empty", "",
                      "--target: at character 1 of '': a label, true, false, ! or ( is expected, "
                      "and it ends there"},
        NotUnderstood{"twice", "a & & b", "at character 5 of 'a & & b': a label"},
        NotUnderstood{"no_joint", "a b", "at character 3 of 'a b': &, | or U is missing"},
        NotUnderstood{
            "not_closed", "(a | b",
            "at character 7 of '(a | b': & or | or the ) of the parenthesis at character 1"},
        NotUnderstood{"not_open", "a)", "at character 2 of 'a)': no parenthesis is open"},
        NotUnderstood{"no_quote", "a & \"b", "at character 5 of 'a & \"b': the quotation"},
        NotUnderstood{"two_untils", "a U b U c", "at character 7 of 'a U b U c': one U or F"},
        NotUnderstood{"within", "(a U b)", "at character 4 of '(a U b)': & or | or the )"},
        NotUnderstood{"nested_f", "a U F b",
                      "at character 5 of 'a U F b': a label is expected (those called U"},
        NotUnderstood{"less", "F<5 a", "at character 2 of 'F<5 a': of bounds there is <="},
        NotUnderstood{"no_steps", "F<=a b",
                      "at character 4 of 'F<=a b': a number from 0 on, of steps"},
        NotUnderstood{"part", "F<=1.5 b",
                      "at character 4 of 'F<=1.5 b': a number of steps is whole"},
        NotUnderstood{"negative", "F<=-1 b", "and '-1' stands there"},
        NotUnderstood{"huge", "F<=1e30 b", "and '1e30' stands there"},
        NotUnderstood{"no_r", "F{s<=1} b", "at character 3 of 'F{s<=1} b': r is expected"},
        NotUnderstood{"open_bound", "F{r<=1 b", "at character 8 of 'F{r<=1 b': } is expected"},
        NotUnderstood{
            "no_label", "a|(d)",
            "m.lab: at character 4 of 'a|(d)': there is no label 'd'; there are a, b, c, "},
        NotUnderstood{"by_character", "\xC3\xA4 & )", "at character 5 of"},
        NotUnderstood{"deep", std::string(66, '(') + "a" + std::string(66, ')'),
                      "nested deeper than 64"},
        NotUnderstood{"not_deep", std::string(100000, '!') + "a", "nested deeper than 64"}),
    [](const auto& one) { return one.param.name; });

TEST(PathFormula, MayBeNestedAsDeepAsIsSaid) {
  EXPECT_THAT(truths(std::string(64, '(') + "a" + std::string(64, ')')), ElementsAre(1, 0, 0, 0));
  EXPECT_THAT(truths(std::string(64, '!') + "a"), ElementsAre(1, 0, 0, 0));
}

TEST(PathFormula, OfARewardIsStatesAlone) {
  EXPECT_NO_THROW(require_for_reward(parse_path_formula("a | b", ""), ""));
  EXPECT_NO_THROW(require_for_reward(parse_path_formula("F a", ""), ""));
  EXPECT_THAT([] { require_for_reward(parse_path_formula("a U b", ""), "--target"); },
              ThrowsMessage<InputError>(HasSubstr("the target 'B | !A'")));
  EXPECT_THAT([] { require_for_reward(parse_path_formula("F<=3 b", ""), "--target"); },
              ThrowsMessage<InputError>(HasSubstr("--horizon N")));
}

}  // namespace
}  // namespace tidewise::mdp
