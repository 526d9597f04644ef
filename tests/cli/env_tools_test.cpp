// Environments cut, thinned out and joined by the program itself.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "env/file/reader.h"
#include "support/ocean/environment_fields.h"
#include "support/ocean/raw_environment.h"
#include "support/program_fixture.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class EnvTools : public test::ProgramFixture {
 protected:
  void make_gyre() const {
    run({"env", "double-gyre", "--out", "gyre.h5", "--nx", "24", "--ny", "20", "--nt", "12",
         "--modes", "3", "--realizations", "30", "-q"});
  }
};

TEST_F(EnvTools, CutsAndJoinsToTheSameFields) {
  make_gyre();
  run({"env", "split", "gyre.h5", "--out", "a.h5", "--levels", "0,6", "-q"});
  run({"env", "split", "gyre.h5", "--out", "b.h5", "--time", "4,11", "-q"});
  const auto said = run({"env", "merge", "b.h5", "a.h5", "--out", "again.h5"});
  EXPECT_THAT(said.output, HasSubstr("12 levels, 0 to 11 [1]; 3 in more than one cycle"));
  EXPECT_THAT(said.output, HasSubstr("levels 0 to 3: a.h5"));
  EXPECT_THAT(test::differing_variables(folder_ / "gyre.h5", folder_ / "again.h5"), IsEmpty());
  const auto info = run({"env", "info", "again.h5", "-q"});
  EXPECT_THAT(info.output, HasSubstr("tidewise env merge b.h5 a.h5"));
  EXPECT_THAT(info.output, HasSubstr("the sample path jumps"));
}

TEST_F(EnvTools, CutsBoxesAndSelects) {
  make_gyre();
  const auto said =
      run({"env", "split", "gyre.h5", "--out", "box.h5", "--x", "4,9.5", "--y", "-3,8"});
  EXPECT_THAT(said.output, HasSubstr("columns 4 to 9 of 24, rows 0 to 7 of 20: 6 × 8 cells"));
  run({"env", "select", "box.h5", "--out", "few.h5", "--random", "7", "--seed", "3", "-q"});
  run({"env", "select", "box.h5", "--out", "few_again.h5", "--random", "7", "--seed", "3", "-q"});
  EXPECT_THAT(test::differing_variables(folder_ / "few.h5", folder_ / "few_again.h5"), IsEmpty());
  const auto fewer = run(
      {"env", "select", "few.h5", "--out", "fewer.h5", "--realizations", "6,0-2", "--modes", "2"});
  EXPECT_THAT(fewer.output, HasSubstr("realizations: 4 of 7"));
  EXPECT_THAT(fewer.output, HasSubstr("modes: the first 2 of 3"));
  const EnvironmentReader reader(folder_ / "fewer.h5");
  EXPECT_EQ(reader.info().mode_count, 2);
  EXPECT_EQ(reader.info().realization_count, 4);
  EXPECT_EQ(reader.info().grid.nx, 6);
}

TEST_F(EnvTools, KeepsTheMeanFlowOrNone) {
  make_gyre();
  const auto mean = run({"env", "select", "gyre.h5", "--flow", "mean", "--every", "2", "--modes",
                         "2", "--out", "mean.h5"});
  EXPECT_THAT(mean.output, HasSubstr("realizations: 15 of 30"));
  EXPECT_THAT(mean.output, HasSubstr("the first 2 of 3"));
  EXPECT_THAT(mean.output, HasSubstr("their mean alone"));
  const auto still = run({"env", "select", "gyre.h5", "--flow", "still", "--out", "still.h5"});
  EXPECT_THAT(still.output, HasSubstr("still water"));
  EXPECT_THAT(test::differing_variables(folder_ / "mean.h5", folder_ / "still.h5"),
              testing::UnorderedElementsAre("u_mean", "v_mean"));
  const auto info = run({"env", "info", "still.h5", "-q"});
  EXPECT_THAT(info.output, HasSubstr("no realization is faster than 0"));
  EXPECT_THAT(info.output, HasSubstr("--flow still"));
  EXPECT_THAT(
      refused({"env", "select", "gyre.h5", "--flow", "still", "--modes", "2", "--out", "o.h5"}),
      HasSubstr("give it alone"));
  EXPECT_THAT(refused({"env", "select", "gyre.h5", "--flow", "calm", "--out", "o.h5"}),
              HasSubstr("--flow"));
}

TEST_F(EnvTools, TakesOtherNamesAndWritesTheStandardOnes) {
  make_gyre();
  EXPECT_THAT(refused({"env", "split", "gyre.h5", "--out", "o.h5", "--levels", "0,3", "--name",
                       "u_mean=ubar"}),
              HasSubstr("variable ubar is missing"));
  EXPECT_THAT(
      refused({"env", "split", "gyre.h5", "--out", "o.h5", "--levels", "0,3", "--name", "u=v"}),
      HasSubstr("--name u=v"));
  // Without its name the scalar field is left behind.
  run({"env", "split", "gyre.h5", "--out", "o.h5", "--levels", "0,3", "--name", "scalar_mean=none",
       "-q"});
  EXPECT_FALSE(EnvironmentReader(folder_ / "o.h5").info().has_scalar);
}

TEST_F(EnvTools, FillsUpASeriesThatEndsBeforeTimeDoes) {
  make_gyre();
  test::add_along(folder_ / "gyre.h5", "battery", "time", {7, 8, 9});
  test::add_along(folder_ / "gyre.h5", "empty", "time", {});
  run({"env", "split", "gyre.h5", "--out", "a.h5", "--levels", "0,6", "-q"});
  run({"env", "split", "gyre.h5", "--out", "b.h5", "--levels", "4,11", "-q"});
  run({"env", "merge", "a.h5", "b.h5", "--out", "again.h5", "-q"});
  test::add_along(folder_ / "b.h5", "other", "time", {});
  run({"env", "merge", "b.h5", "a.h5", "--out", "again.h5", "-q"});
  const auto is_nan = testing::ResultOf([](double value) { return std::isnan(value); }, true);
  for (const char* name : {"a.h5", "again.h5"}) {
    const Hdf5File file = Hdf5File::open(folder_ / name);
    auto battery = file.read_all<double>("battery");
    ASSERT_EQ(battery.size(), file.shape("time")[0]);
    EXPECT_THAT(std::vector<double>(battery.begin(), battery.begin() + 3),
                testing::ElementsAre(7, 8, 9));
    EXPECT_THAT(std::vector<double>(battery.begin() + 3, battery.end()), testing::Each(is_nan));
    EXPECT_THAT(file.read_all<double>("empty"), testing::Each(is_nan));
  }
  test::add_along(folder_ / "gyre.h5", "long", "time", std::vector<double>(13, 1.0));
  EXPECT_THAT(refused({"env", "split", "gyre.h5", "--out", "o.h5", "--levels", "0,6"}),
              testing::AllOf(HasSubstr("variable long: has 13 values"), HasSubstr("12 levels")));
}

TEST_F(EnvTools, RefusesInOneLine) {
  make_gyre();
  const auto split = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"env", "split", "gyre.h5", "--out", "o.h5"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return refused(arguments);
  };
  EXPECT_THAT(split({}), HasSubstr("nothing says what to cut out"));
  EXPECT_THAT(split({"--x", "3"}), HasSubstr("2 numbers"));
  EXPECT_THAT(split({"--x", "3,3.2"}), HasSubstr("leaves 0 of the columns"));
  EXPECT_THAT(split({"--levels", "0.5,3"}), HasSubstr("whole numbers"));
  EXPECT_THAT(split({"--levels", "0,12"}), HasSubstr("levels 0 to 11"));
  EXPECT_THAT(split({"--bbox", "1,2,3,4"}), HasSubstr("lon"));
  EXPECT_THAT(split({"--from", "2024-10-28"}), HasSubstr("--time"));
  EXPECT_THAT(refused({"env", "split", "gyre.h5", "--out", "gyre.h5", "--levels", "0,3"}),
              HasSubstr("which is read"));
  EXPECT_THAT(refused({"env", "split", "gyre.h5", "--out", "no/o.h5", "--levels", "0,3"}),
              HasSubstr("mkdir -p"));
  EXPECT_THAT(refused({"env", "select", "gyre.h5", "--out", "o.h5"}),
              HasSubstr("nothing says what to keep"));
  EXPECT_THAT(refused({"env", "select", "gyre.h5", "--out", "o.h5", "--realizations", "31"}),
              HasSubstr("30 realizations"));
  EXPECT_THAT(refused({"env", "select", "gyre.h5", "--out", "o.h5", "--modes", "4"}),
              HasSubstr("--modes is 4"));
  EXPECT_THAT(refused({"env", "merge", "gyre.h5", "gyre.h5", "--out", "o.h5"}),
              HasSubstr("both begin"));
  EXPECT_THAT(refused({"env", "merge", "gyre.h5", "--out", "o.h5"}), HasSubstr("two"));
}

}  // namespace
}  // namespace tidewise
