// Forecast cycles joined along time.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "base/error.h"
#include "env/file/writer.h"
#include "env/tools/cut.h"
#include "env/tools/double_gyre.h"
#include "env/tools/merge.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/environment_fields.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Merge : public testing::Test {
 protected:
  std::filesystem::path at(const std::string& name) const { return folder_ / name; }

  /// A cycle of still water whose mean flow eastwards is `mark` everywhere, changed by `change`.
  void write_cycle(const std::string& name, double first, std::int32_t levels, float mark,
                   const std::function<void(EnvironmentInfo&)>& change = {}) const {
    EnvironmentInfo info = test::plain_info(4, 3, levels, 2, 5);
    info.time.first = first;
    if (change) change(info);
    test::write_environment(at(name), info, [&](TimeLevel, LevelFields<>& fields) {
      std::fill(fields.u_mean.begin(), fields.u_mean.end(), mark);
    });
  }

  void merge(const std::vector<std::string>& names, Prevailing prevailing = Prevailing::later,
             const std::string& out = "out.h5") const {
    std::vector<std::unique_ptr<EnvironmentReader>> readers;
    std::vector<const EnvironmentReader*> cycles;
    for (const std::string& name : names) {
      readers.push_back(std::make_unique<EnvironmentReader>(at(name)));
      cycles.push_back(readers.back().get());
    }
    SilentProgress progress;
    write_merged(plan_merge(cycles, prevailing), {at(out), "a command"}, progress);
  }

  std::string refusal(const std::vector<std::string>& names) const {
    std::filesystem::remove(at("out.h5"));
    try {
      merge(names);
    } catch (const InputError& error) {
      EXPECT_FALSE(std::filesystem::exists(at("out.h5")));
      return error.what();
    }
    return "nothing was refused";
  }

  /// The mean flow of the first cell at each level.
  std::vector<double> marks() const {
    const auto all = Hdf5File::open(at("out.h5")).read_all<double>("u_mean");
    std::vector<double> first;
    for (std::size_t n = 0; n < all.size(); n += 12) first.push_back(all[n]);
    return first;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(Merge, PutsTogetherWhatACutTookApart) {
  DoubleGyreOptions options;
  options.nx = 24;
  options.ny = 20;
  options.level_count = 11;
  options.mode_count = 3;
  options.realization_count = 40;
  SilentProgress progress;
  write_double_gyre(at("whole.h5"), options, progress);
  const EnvironmentReader whole(at("whole.h5"));
  CutWindow window{{0, 23}, {0, 19}, {0, 4}};
  write_cut(whole, window, {at("a.h5"), "cut a"}, progress);
  window.levels = {5, 10};
  write_cut(whole, window, {at("b.h5"), "cut b"}, progress);
  merge({"b.h5", "a.h5"});
  EXPECT_THAT(test::differing_variables(at("whole.h5"), at("out.h5")), IsEmpty());
  const EnvironmentReader out(at("out.h5"));
  EXPECT_EQ(out.info().title, whole.info().title);
  EXPECT_EQ(out.info().obstacles, Obstacles::moving);
  EXPECT_EQ(out.info().history, whole.info().history + "\ncut a\ncut b\na command");
  EXPECT_THAT(out.info().comment, HasSubstr("realization r of each cycle"));
}

TEST_F(Merge, TheLaterCyclePrevailsUnlessToldOtherwise) {
  write_cycle("a.h5", 0, 6, 1);  // levels 0 … 5
  write_cycle("b.h5", 3, 2, 2);  // levels 3, 4: within the first
  write_cycle("c.h5", 4, 5, 3);  // levels 4 … 8
  merge({"c.h5", "a.h5", "b.h5"});
  EXPECT_THAT(marks(), ElementsAre(1, 1, 1, 2, 3, 3, 3, 3, 3));
  merge({"a.h5", "b.h5", "c.h5"}, Prevailing::earlier);
  EXPECT_THAT(marks(), ElementsAre(1, 1, 1, 1, 1, 1, 3, 3, 3));
  write_cycle("d.h5", 0, 9, 1);
  merge({"d.h5", "b.h5"});
  EXPECT_THAT(marks(), ElementsAre(1, 1, 1, 2, 2, 1, 1, 1, 1));
}

TEST_F(Merge, DatesOfDifferentOriginComeToOneAxis) {
  const auto dated = [](const char* units) {
    return [units](EnvironmentInfo& info) {
      info.units = Units::metric;
      info.time.step = 3600;
      info.time_units = std::string(units);
    };
  };
  write_cycle("a.h5", 7200, 3, 1, dated("seconds since 2024-10-28 00:00:00"));
  write_cycle("b.h5", 0, 4, 2, dated("seconds since 2024-10-28T06:00:00+02:00"));
  merge({"b.h5", "a.h5"});
  EXPECT_THAT(marks(), ElementsAre(1, 1, 2, 2, 2, 2));
  const EnvironmentReader out(at("out.h5"));
  EXPECT_EQ(out.info().time_units, "seconds since 2024-10-28 00:00:00");
  EXPECT_EQ(out.info().time.first, 7200);
  EXPECT_EQ(out.info().time.step, 3600);
  write_cycle("c.h5", 0, 4, 2, dated("s"));
  EXPECT_THAT(refusal({"a.h5", "c.h5"}), HasSubstr("seconds since"));
}

TEST_F(Merge, MasksThatDifferBecomeMoving) {
  const auto with = [](Obstacles obstacles) {
    return [obstacles](EnvironmentInfo& info) { info.obstacles = obstacles; };
  };
  const auto close = [&](const std::string& name, double first, Obstacles kind, int cell) {
    EnvironmentInfo info = test::plain_info(4, 3, 2, 2, 5);
    info.time.first = first;
    info.obstacles = kind;
    test::write_environment(at(name), info, [&](TimeLevel, LevelFields<>& fields) {
      fields.masked[static_cast<std::size_t>(cell)] = 1;
    });
  };
  write_cycle("none.h5", 0, 2, 0, with(Obstacles::none));
  write_cycle("none_later.h5", 2, 2, 0, with(Obstacles::none));
  close("fixed_1.h5", 2, Obstacles::fixed, 1);
  close("fixed_1_later.h5", 4, Obstacles::fixed, 1);
  close("fixed_2.h5", 4, Obstacles::fixed, 2);
  close("moving.h5", 4, Obstacles::moving, 2);
  const auto found = [&](const std::vector<std::string>& names) {
    merge(names);
    return EnvironmentReader(at("out.h5")).info().obstacles;
  };
  EXPECT_EQ(found({"none.h5", "none_later.h5"}), Obstacles::none);
  EXPECT_EQ(found({"fixed_1.h5", "fixed_1_later.h5"}), Obstacles::fixed);
  EXPECT_EQ(found({"fixed_1.h5", "fixed_2.h5"}), Obstacles::moving);
  EXPECT_EQ(found({"none.h5", "fixed_1.h5", "moving.h5"}), Obstacles::moving);
  const EnvironmentReader out(at("out.h5"));
  for (int k = 0; k < 6; ++k) {
    const auto masked = out.read_masked(TimeLevel(k));
    for (std::size_t cell = 0; cell < masked.size(); ++cell) {
      EXPECT_EQ(masked[cell], cell > 0 && cell == static_cast<std::size_t>(k / 2) ? 1 : 0);
    }
  }
}

TEST_F(Merge, RefusesWhatDoesNotBelongTogether) {
  write_cycle("a.h5", 0, 4, 1);
  const auto against = [&](double first, const std::function<void(EnvironmentInfo&)>& change) {
    write_cycle("b.h5", first, 4, 2, change);
    const std::string text = refusal({"a.h5", "b.h5"});
    EXPECT_THAT(text, AllOf(HasSubstr("a.h5"), HasSubstr("b.h5"), HasSubstr("variable ")));
    return text;
  };
  using Info = EnvironmentInfo;
  EXPECT_THAT(against(4, [](Info& i) { i.grid.x_first = 1; }), HasSubstr("variable x"));
  EXPECT_THAT(against(4, [](Info& i) { i.grid.dy = 2; }), HasSubstr("variable y"));
  EXPECT_THAT(against(4, [](Info& i) { i.grid.ny = 5; }), HasSubstr("env split"));
  EXPECT_THAT(against(4, [](Info& i) { i.time.step = 2; }), HasSubstr("same --step"));
  EXPECT_THAT(against(4, [](Info& i) { i.mode_count = 3; }), HasSubstr("--modes 2"));
  EXPECT_THAT(against(4, [](Info& i) { i.realization_count = 7; }),
              HasSubstr("env select --realizations 5"));
  EXPECT_THAT(against(4,
                      [](Info& i) {
                        i.realization_weight = {weight_total, 0, 0, 0, 0};
                      }),
              HasSubstr("realization_weight"));
  EXPECT_THAT(against(4, [](Info& i) { i.has_scalar = false; }), HasSubstr("scalar_mean"));
  EXPECT_THAT(against(4, [](Info& i) { i.scalar_units = std::string("W"); }),
              HasSubstr("scalar_mean"));
  EXPECT_THAT(against(4, [](Info& i) { i.projection = std::string("+proj=stere"); }),
              HasSubstr("projection"));
  EXPECT_THAT(against(4.5, {}), HasSubstr("not a whole number"));
  EXPECT_THAT(against(6, {}), HasSubstr("2 level(s) are missing"));
  EXPECT_THAT(against(0, {}), HasSubstr("both begin"));
  EXPECT_THAT(against(4,
                      [](Info& i) {
                        i.units = Units::metric;
                        i.time_units = std::string("s");
                      }),
              HasSubstr("non-dimensional"));
}

TEST_F(Merge, NeverWritesOverAnInput) {
  write_cycle("a.h5", 0, 4, 1);
  write_cycle("b.h5", 4, 4, 2);
  try {
    merge({"a.h5", "b.h5"}, Prevailing::later, "b.h5");
    ADD_FAILURE() << "it was written over";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("b.h5"));
  }
  EXPECT_EQ(EnvironmentReader(at("b.h5")).info().time.level_count, 4);
}

TEST_F(Merge, RefusesOneAlone) {
  write_cycle("a.h5", 0, 4, 1);
  EXPECT_THAT(refusal({"a.h5"}), HasSubstr("two"));
}

}  // namespace
}  // namespace tidewise
