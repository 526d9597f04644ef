// Cutting and thinning environments, by value.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "env/file/writer.h"
#include "env/tools/cut.h"
#include "env/tools/realization_choice.h"
#include "env/tools/select.h"
#include "support/ocean/environment_builder.h"
#include "support/ocean/environment_fields.h"
#include "support/ocean/random_case.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing was refused";
}

/// A metric environment with all that one can have: 9 × 7 cells of 1000 × 500 m, 6 levels of an
/// hour, longitudes and latitudes across 180°, a scalar, a moving mask with dry cells.
class RichEnvironment : public testing::Test {
 protected:
  RichEnvironment() {
    EnvironmentInfo info = test::plain_info(9, 7, 6, 3, 8);
    info.grid = {9, 7, 1000, -500, 1000, 500};
    info.time = {6, 7200, 3600};
    info.units = Units::metric;
    info.coordinates = Coordinates::geographic;
    info.scalar_units = "W m-2";
    info.scalar_long_name = "sunshine";
    info.time_units = "seconds since 2024-10-28 00:00:00";
    info.projection = "+proj=stere +lat_0=1 +lon_0=180";
    info.realization_weight = test::random_weights(8);
    info.variance_kept = 0.9;
    info.title = "rich";
    info.source = "a test";
    info.history = "made";
    info.comment = "said";
    EnvironmentWriter writer(path(), info);
    writer.write_grid_mapping({{"grid_mapping_name", std::string("stereographic")},
                               {"standard_parallel", std::vector<double>{10, 20}},
                               {"false_easting", 0.0}});
    writer.write_variance_kept({0.85, 0.86, 0.87, 0.88, 0.89, 0.9});
    writer.set_velocity_standard_names("sea_water_x_velocity", "sea_water_y_velocity");
    writer.set_attribute("institution", "somewhere");
    std::vector<double> longitude, latitude;
    for (int cell = 0; cell < 63; ++cell) {
      const double east = 179.96 + 0.01 * (cell % 9);
      longitude.push_back(east > 180 ? east - 360 : east);
      latitude.push_back(0.005 * (cell / 9) + 0.0001 * (cell % 9));
    }
    writer.write_longitude_latitude(longitude, latitude);
    LevelFields<> fields(info);
    for (int k = 0; k < 6; ++k) {
      fill(k, fields);
      writer.write_level(TimeLevel(k), fields);
    }
    writer.finish();
  }

  static void fill(int k, LevelFields<>& fields) {
    const auto number = [k](auto& field, float base) {
      for (std::size_t n = 0; n < field.size(); ++n) {
        field[n] = base + 0.01F * static_cast<float>(n) + static_cast<float>(k);
      }
    };
    number(fields.u_mean, 1);
    number(fields.v_mean, 2);
    number(fields.u_mode, 3);
    number(fields.v_mode, 4);
    number(fields.coefficient, 5);
    number(fields.scalar, 6);
    for (std::size_t cell = 0; cell < fields.masked.size(); ++cell) {
      fields.masked[cell] = (cell + static_cast<std::size_t>(k)) % 5 == 0 ? 1 : 0;
      fields.dry[cell] = fields.masked[cell] != 0 && cell % 2 == 0 ? 1 : 0;
    }
  }

  std::filesystem::path path() const { return folder_ / "rich.h5"; }
  std::filesystem::path out() const { return folder_ / "out.h5"; }
  void cut(const CutRequest& request) const {
    const EnvironmentReader reader(path());
    SilentProgress progress;
    write_cut(reader, choose_window(reader, request), {out(), "a command"}, progress);
  }
  CutWindow window(const CutRequest& request) const {
    return choose_window(EnvironmentReader(path()), request);
  }

  const test::TemporaryFolder folder_;
};

/// The box [columns) × [rows) × [levels) of a variable, for the dimensions that it has.
std::vector<double> crop(const Hdf5File& file, const std::string& name, const CutWindow& window) {
  const Extents shape = file.shape(name);
  const auto all = file.read_all<double>(name);
  std::vector<double> part;
  for (std::size_t n = 0; n < all.size(); ++n) {
    const bool plane =
        shape.size() >= 2 && shape[shape.size() - 1] == 9 && shape[shape.size() - 2] == 7;
    const auto column = static_cast<std::int32_t>(n % 9);
    const auto row = static_cast<std::int32_t>(n / 9 % 7);
    if (plane && !(window.columns.contains(column) && window.rows.contains(row))) continue;
    if (shape.size() >= 1 && shape[0] == 6) {
      const auto level = static_cast<std::int32_t>(n / (all.size() / 6));
      if (!window.levels.contains(level)) continue;
    }
    part.push_back(all[n]);
  }
  return part;
}

TEST_F(RichEnvironment, ACutIsTheCropOfEveryVariable) {
  CutRequest request;
  request.x = CutRequest::Bounds{2500, 6000};  // columns 2 … 5: the last centre is the bound
  request.y = CutRequest::Bounds{0, 1400};     // rows 1 … 3
  request.levels = {1, 4};
  cut(request);
  const CutWindow expected{{2, 5}, {1, 3}, {1, 4}};
  const Hdf5File whole = Hdf5File::open(path());
  const Hdf5File part = Hdf5File::open(out());
  for (const std::string name :
       {"u_mean", "v_mean", "u_mode", "v_mode", "coefficient", "scalar_mean", "obstacle_mask",
        "lon", "lat", "time", "variance_kept"}) {
    const auto wanted = crop(whole, name, expected);
    const auto found = part.read_all<double>(name);
    ASSERT_EQ(found.size(), wanted.size()) << name;
    for (std::size_t n = 0; n < wanted.size(); ++n) {
      if (std::isnan(wanted[n])) {
        EXPECT_TRUE(std::isnan(found[n])) << name << " " << n;
      } else {
        EXPECT_EQ(found[n], wanted[n]) << name << " " << n;
      }
    }
  }
  EXPECT_THAT(part.read_all<double>("x"), ElementsAre(3000, 4000, 5000, 6000));
  EXPECT_THAT(part.read_all<double>("y"), ElementsAre(0, 500, 1000));
  EXPECT_EQ(part.variables(), whole.variables());
}

TEST_F(RichEnvironment, ACutKeepsWhatTheFileSays) {
  CutRequest request;
  request.levels = {1, 4};
  cut(request);
  const EnvironmentReader before(path());
  const EnvironmentReader after(out());
  const EnvironmentInfo& info = after.info();
  EXPECT_EQ(info.title, "rich");
  EXPECT_EQ(info.source, "a test");
  EXPECT_EQ(info.history, "made\na command");
  EXPECT_THAT(info.comment, HasSubstr("said\nCut from rich.h5"));
  EXPECT_THAT(info.comment, HasSubstr("variance_kept is that of the whole"));
  EXPECT_EQ(info.variance_kept, 0.9);
  EXPECT_EQ(info.scalar_units, "W m-2");
  EXPECT_EQ(info.scalar_long_name, "sunshine");
  EXPECT_EQ(info.time_units, "seconds since 2024-10-28 00:00:00");
  EXPECT_EQ(info.projection, before.info().projection);
  EXPECT_EQ(info.obstacles, Obstacles::moving);
  EXPECT_EQ(info.realization_weight, before.info().realization_weight);
  const Hdf5File file = Hdf5File::open(out());
  EXPECT_EQ(file.text_attribute("/", "institution"), "somewhere");
  EXPECT_EQ(file.text_attribute("u_mean", "standard_name"), "sea_water_x_velocity");
  EXPECT_EQ(file.text_attribute("v_mode", "long_name"), "modes of the velocity along y");
  EXPECT_EQ(file.text_attribute("u_mean", "grid_mapping"), "crs");
  EXPECT_EQ(file.text_attribute("crs", "grid_mapping_name"), "stereographic");
  EXPECT_THAT(file.number_attributes("crs", "standard_parallel"), ElementsAre(10, 20));
  EXPECT_EQ(file.number_attribute("crs", "false_easting"), 0);
}

TEST_F(RichEnvironment, BoxesOfDegreesMayCrossTheSeam) {
  CutRequest request;
  request.box = BoundingBox{179.975, 0.004, -179.985, 0.0201};  // columns 2 … 5
  const CutWindow found = window(request);
  EXPECT_EQ(found.columns, (IndexRange{2, 5}));
  EXPECT_EQ(found.rows, (IndexRange{1, 3}));  // row 4 begins at 0.02 + 0.0002 in column 2
  EXPECT_EQ(found.levels, (IndexRange{0, 5}));
  request.box = BoundingBox{179.975, 0.004, 180.015, 0.0201};  // the same in other words
  EXPECT_EQ(window(request).columns, (IndexRange{2, 5}));
}

TEST_F(RichEnvironment, TimesAreLevelsOrNumbersOrDates) {
  CutRequest request;
  request.time = CutRequest::Bounds{10800, 18000};
  EXPECT_EQ(window(request).levels, (IndexRange{1, 3}));
  request = {};
  request.from = 1730088000;  // 2024-10-28 04:00
  EXPECT_EQ(window(request).levels, (IndexRange{2, 5}));
  request.to = 1730088000 + 3600;
  EXPECT_EQ(window(request).levels, (IndexRange{2, 3}));
}

TEST_F(RichEnvironment, RefusesWindowsWithoutTwoOfEach) {
  const auto refused = [&](const CutRequest& request) { return refusal([&] { window(request); }); };
  CutRequest request;
  request.x = CutRequest::Bounds{2500, 3100};
  EXPECT_THAT(refused(request), HasSubstr("--x 2500,3100 leaves 1 of the columns"));
  request = {};
  request.y = CutRequest::Bounds{1e300, 2e300};
  EXPECT_THAT(refused(request), HasSubstr("leaves 0 of the rows"));
  request = {};
  request.levels = {2, 2};
  EXPECT_THAT(refused(request), HasSubstr("--levels 2,2"));
  request.levels = {2, 6};
  EXPECT_THAT(refused(request), HasSubstr("levels 0 to 5"));
  request = {};
  request.box = BoundingBox{10, 0, 11, 1};
  EXPECT_THAT(refused(request), HasSubstr("--bbox 10,0,11,1"));
  request = {};
  request.from = 2e9;
  EXPECT_THAT(refused(request), HasSubstr("--from"));
}

TEST_F(RichEnvironment, IsNeverWrittenOver) {
  const EnvironmentReader reader(path());
  SilentProgress progress;
  std::filesystem::create_symlink(path(), folder_ / "other_name.h5");
  const DerivedFile onto{folder_ / "other_name.h5", ""};
  EXPECT_THAT(refusal([&] { write_cut(reader, choose_window(reader, {}), onto, progress); }),
              HasSubstr("which is read"));
  EXPECT_THAT(refusal([&] {
                write_selection(reader, {{0}, 3}, onto, progress);
              }),
              HasSubstr("which is read"));
}

TEST_F(RichEnvironment, ASelectionKeepsRealizationsAndTheirWeights) {
  const EnvironmentReader reader(path());
  SilentProgress progress;
  write_selection(reader, {{6, 1, 2}, 3}, {out(), "a command"}, progress);
  const Hdf5File whole = Hdf5File::open(path());
  const Hdf5File part = Hdf5File::open(out());
  const auto before = whole.read_all<double>("coefficient");
  const auto after = part.read_all<double>("coefficient");
  ASSERT_EQ(after.size(), 6u * 3 * 3);
  for (std::size_t row = 0; row < 6 * 3; ++row) {
    EXPECT_EQ(after[3 * row], before[8 * row + 6]);
    EXPECT_EQ(after[3 * row + 1], before[8 * row + 1]);
    EXPECT_EQ(after[3 * row + 2], before[8 * row + 2]);
  }
  const auto& old_weight = reader.info().realization_weight;
  const auto weight = EnvironmentReader(out()).info().realization_weight;
  ASSERT_EQ(weight.size(), 3u);
  EXPECT_EQ(weight[0] + weight[1] + weight[2], weight_total);
  const double kept = double(old_weight[6]) + old_weight[1] + old_weight[2];
  EXPECT_NEAR(weight[0], old_weight[6] / kept * weight_total, 1);
  EXPECT_NEAR(weight[1], old_weight[1] / kept * weight_total, 1);
  auto different = test::differing_variables(path(), out());
  EXPECT_THAT(different,
              testing::UnorderedElementsAre("coefficient", "realization", "realization_weight"));
}

TEST_F(RichEnvironment, FewerModesKeepLessVariance) {
  const EnvironmentReader reader(path());
  SilentProgress progress;
  std::vector<std::int32_t> all{0, 1, 2, 3, 4, 5, 6, 7};
  const double share = write_selection(reader, {all, 2}, {out(), ""}, progress);
  EXPECT_GT(share, 0);
  EXPECT_LT(share, 1);
  const Hdf5File whole = Hdf5File::open(path());
  const Hdf5File part = Hdf5File::open(out());
  EXPECT_EQ(part.shape("u_mode"), (Extents{6, 2, 7, 9}));
  const auto before = whole.read_all<double>("u_mode");
  const auto after = part.read_all<double>("u_mode");
  for (std::size_t n = 0; n < after.size(); ++n) {
    const std::size_t level = n / (2 * 63);
    const double wanted = before[level * 3 * 63 + n % (2 * 63)];
    EXPECT_TRUE(after[n] == wanted || (std::isnan(after[n]) && std::isnan(wanted)));
  }
  const auto kept_before = whole.read_all<double>("variance_kept");
  const auto kept = part.read_all<double>("variance_kept");
  for (std::size_t k = 0; k < 6; ++k) EXPECT_LT(kept[k], kept_before[k]);
  // Levels keep 85 to 90 % of theirs, and the modes that stay a share of that.
  const auto root = EnvironmentReader(out()).info().variance_kept;
  ASSERT_TRUE(root);
  EXPECT_GT(*root, 0.85 * share - 1e-9);
  EXPECT_LT(*root, 0.9 * share + 1e-9);
}

/// Cells of a level of a (time, y, x) variable in `file`, and those of its mode m.
std::vector<double> plane_of(const Hdf5File& file, const std::string& name, std::size_t level,
                             std::size_t modes = 1, std::size_t mode = 0) {
  const auto all = file.read_all<double>(name);
  const auto first = all.begin() + static_cast<std::ptrdiff_t>((level * modes + mode) * 63);
  return {first, first + 63};
}

TEST_F(RichEnvironment, ACertainFlowIsTheWeightedMeanOfWhatIsSelected) {
  const EnvironmentReader reader(path());
  SilentProgress progress;
  const EnsembleSelection selection{{6, 1, 2}, 2, FlowKept::mean};
  EXPECT_EQ(write_selection(reader, selection, {out(), "a command"}, progress), 0);
  const Hdf5File whole = Hdf5File::open(path());
  const Hdf5File part = Hdf5File::open(out());
  EXPECT_THAT(
      test::differing_variables(path(), out()),
      testing::UnorderedElementsAre("u_mean", "v_mean", "u_mode", "v_mode", "coefficient", "mode",
                                    "realization", "realization_weight", "variance_kept"));
  const EnvironmentInfo info = EnvironmentReader(out()).info();
  EXPECT_EQ(info.mode_count, 1);
  EXPECT_EQ(info.realization_count, 1);
  EXPECT_TRUE(info.realization_weight.empty());
  EXPECT_EQ(info.variance_kept, 0.0);
  EXPECT_THAT(part.read_all<double>("variance_kept"), testing::Each(0.0));
  EXPECT_THAT(part.read_all<double>("coefficient"), testing::Each(0.0));
  EXPECT_THAT(info.history, HasSubstr("made\na command"));
  EXPECT_THAT(info.comment, HasSubstr("mean alone by their weights"));

  const auto& weight = reader.info().realization_weight;
  const double total = double(weight[6]) + weight[1] + weight[2];
  const auto coefficient = whole.read_all<double>("coefficient");
  for (const std::string component : {"u", "v"}) {
    for (std::size_t k = 0; k < 6; ++k) {
      const auto found = plane_of(part, component + "_mean", k);
      const auto mode = plane_of(part, component + "_mode", k);
      const auto mean = plane_of(whole, component + "_mean", k);
      const auto first = plane_of(whole, component + "_mode", k, 3, 0);
      const auto second = plane_of(whole, component + "_mode", k, 3, 1);
      for (std::size_t cell = 0; cell < 63; ++cell) {
        double wanted = 0;  // realization by realization
        for (const std::size_t r : {6u, 1u, 2u}) {
          const double flow = mean[cell] + coefficient[k * 24 + r] * first[cell] +
                              coefficient[k * 24 + 8 + r] * second[cell];
          wanted += weight[r] / total * flow;
        }
        if (std::isnan(wanted)) {
          EXPECT_TRUE(std::isnan(found[cell]) && std::isnan(mode[cell]));
          continue;
        }
        EXPECT_NEAR(found[cell], wanted, 1e-5 * std::abs(wanted));
        EXPECT_EQ(mode[cell], 0);
      }
    }
  }
}

TEST_F(RichEnvironment, StillWaterKeepsAllButTheFlow) {
  const EnvironmentReader reader(path());
  SilentProgress progress;
  write_selection(reader, {{0, 1, 2, 3, 4, 5, 6, 7}, 3, FlowKept::still}, {out(), ""}, progress);
  EXPECT_THAT(
      test::differing_variables(path(), out()),
      testing::UnorderedElementsAre("u_mean", "v_mean", "u_mode", "v_mode", "coefficient", "mode",
                                    "realization", "realization_weight", "variance_kept"));
  const Hdf5File whole = Hdf5File::open(path());
  const Hdf5File part = Hdf5File::open(out());
  for (const char* name : {"u_mean", "v_mean"}) {
    const auto before = whole.read_all<double>(name);
    const auto after = part.read_all<double>(name);
    for (std::size_t n = 0; n < after.size(); ++n) {
      // Land stays land.
      EXPECT_TRUE(std::isnan(before[n]) ? std::isnan(after[n]) : after[n] == 0);
    }
  }
  EXPECT_THAT(EnvironmentReader(out()).info().comment, HasSubstr("still water"));
}

/// 1 + 2 m + 4 n, with coefficients (m, n) of (1, 0), (0, 1) and (2, 1).
TEST(EnvironmentSelection, AveragesByHand) {
  const test::TemporaryFolder folder;
  EnvironmentInfo info = test::plain_info(2, 2, 2, 2, 3);
  const auto mean_flow = [&] {
    test::write_environment(folder / "e.h5", info, [](TimeLevel, LevelFields<>& fields) {
      std::fill(fields.u_mean.begin(), fields.u_mean.end(), 1.0F);
      std::fill_n(fields.u_mode.begin(), 4, 2.0F);
      std::fill_n(fields.u_mode.begin() + 4, 4, 4.0F);
      const std::vector<float> coefficient{1, 0, 2, 0, 1, 1};
      std::copy(coefficient.begin(), coefficient.end(), fields.coefficient.begin());
    });
    SilentProgress progress;
    write_selection(EnvironmentReader(folder / "e.h5"), {{0, 1, 2}, 2, FlowKept::mean},
                    {folder / "o.h5", ""}, progress);
    const Hdf5File file = Hdf5File::open(folder / "o.h5");
    EXPECT_THAT(file.read_all<float>("v_mean"), testing::Each(0.0F));
    return file.read_all<float>("u_mean");
  };
  EXPECT_THAT(mean_flow(), testing::Each(static_cast<float>(17 / 3.0)));
  info.realization_weight = {weight_total / 2, weight_total / 4, weight_total / 4};
  EXPECT_THAT(mean_flow(), testing::Each(1 + 2 * 1 + 4 * 0.5F));
}

TEST(EnvironmentSelection, RefusesRealizationsThatWeighNothing) {
  const test::TemporaryFolder folder;
  EnvironmentInfo info = test::plain_info(4, 4, 2, 1, 3);
  info.realization_weight = {0, weight_total, 0};
  test::write_environment(folder / "e.h5", info);
  const EnvironmentReader reader(folder / "e.h5");
  SilentProgress progress;
  EXPECT_THAT(refusal([&] {
                write_selection(reader, {{0, 2}, 1}, {folder / "o.h5", ""}, progress);
              }),
              HasSubstr("realization_weight"));
  EXPECT_FALSE(std::filesystem::exists(folder / "o.h5"));
}

TEST(RealizationChoice, ReadsCountsAndLists) {
  EXPECT_THAT(parse_realizations("--realizations", "3", 10), ElementsAre(0, 1, 2));
  EXPECT_THAT(parse_realizations("--realizations", "8,0,2-4", 10), ElementsAre(8, 0, 2, 3, 4));
  EXPECT_THAT(parse_realizations("--realizations", "7-7", 10), ElementsAre(7));
  for (const char* wrong : {"", "0", "11", "-1", "3,", "4-2", "1,1", "0,10", "a", "1-2-3", "1.5"}) {
    EXPECT_THROW(parse_realizations("--realizations", wrong, 10), InputError) << wrong;
  }
}

TEST(RealizationChoice, EveryAndRandom) {
  EXPECT_THAT(every_realization(4, 10), ElementsAre(0, 4, 8));
  EXPECT_THROW(every_realization(0, 10), InputError);
  const auto chosen = random_realizations(400, 3, 1000);
  EXPECT_EQ(chosen, random_realizations(400, 3, 1000));
  EXPECT_NE(chosen, random_realizations(400, 4, 1000));
  ASSERT_EQ(chosen.size(), 400u);
  double sum = 0;
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    if (n > 0) {
      EXPECT_LT(chosen[n - 1], chosen[n]);
    }
    sum += chosen[n];
  }
  EXPECT_NEAR(sum / 400, 499.5, 50);  // 4 standard errors of 11, without replacement
  EXPECT_EQ(random_realizations(10, 1, 10).back(), 9);
  EXPECT_THROW(random_realizations(11, 1, 10), InputError);
}

}  // namespace
}  // namespace tidewise
