// One forecast in several files: along time, along members, or both, each with its own attributes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "env/import/import_forecast.h"
#include "env/import/source/forecast_source.h"
#include "support/error_code.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::NetcdfFixture;
using test::SmallForecast;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Texts = std::vector<std::pair<std::string, std::string>>;

class SeveralFiles : public ::testing::Test {
 protected:
  /// Returns a file of `member` from `first_hour` on, whose flow is the same at all positions.
  static NetcdfFixture file_of(int member, double first_hour = 0) {
    SmallForecast forecast;
    forecast.members = 0;
    for (double& hour : forecast.hour) hour += first_hour;
    forecast.u = [=](double, double, double, int) { return 0.1 * member; };
    forecast.v = [](double, double, double hour, int) { return 0.2 + 0.001 * hour; };
    return forecast.fixture();
  }
  /// Adds a variable of one value.
  static void add_number(NetcdfFixture& fixture, const std::string& name, double value,
                         const Texts& texts = {}) {
    fixture.variables.push_back({name, NC_INT, {}, {value}, texts, {}});
  }

  std::filesystem::path write(const std::string& name, const NetcdfFixture& fixture) {
    fixture.write(folder / name);
    files.push_back(folder / name);
    return folder / name;
  }
  ForecastSource source() const { return ForecastSource(request()); }
  SourceRequest request() const {
    SourceRequest request{files, {{"uo", ReadAs::speed}, {"vo", ReadAs::speed}}, names, {}, {}};
    request.velocity = StatedDirections{};
    return request;
  }
  std::string refusal() const {
    try {
      const ForecastSource source(request());
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  /// Returns u of each member at a time, which is the same at all positions.
  static std::vector<double> u_of_members(ForecastSource& source, std::size_t time) {
    const auto fields = source.read(time);
    const std::size_t points = source.grid().size();
    std::vector<double> u;
    for (std::size_t member = 0; member < source.member_count(); ++member) {
      u.push_back(std::round(fields[member * points] * 1e6) / 1e6);
    }
    return u;
  }

  const test::TemporaryFolder folder;
  std::vector<std::filesystem::path> files;
  SourceNames names;
};

TEST_F(SeveralFiles, ConvertUnitsOfSpeedFileByFile) {
  write("a.nc", file_of(2));
  NetcdfFixture later = file_of(2, 24);
  for (const char* name : {"uo", "vo"}) {
    later.variable(name).texts = {{"units", "cm s-1"}};
    for (double& value : later.variable(name).values) value *= 100;
  }
  write("b.nc", later);
  NetcdfFixture knots = file_of(2, 48);  // as packed integers with a scale
  for (const char* name : {"uo", "vo"}) {
    auto& variable = knots.variable(name);
    variable.type = NC_SHORT;
    variable.texts = {{"units", "knots"}};
    variable.numbers = {{"scale_factor", NC_DOUBLE, {0.0001}}, {"_FillValue", NC_SHORT, {-1}}};
    for (double& value : variable.values) value = std::round(value * 3600 / 1852 / 0.0001);
    variable.values[3] = -1;
  }
  write("c.nc", knots);
  ForecastSource source = this->source();
  ASSERT_EQ(source.times().size(), 12u);
  for (std::size_t time = 0; time < 12; ++time) {
    auto fields = source.read(time);
    if (time == 8) {
      EXPECT_TRUE(std::isnan(fields[3]));
      fields[3] = 0.2;
    }
    const std::vector<double> u(fields.begin(), fields.begin() + 20);
    EXPECT_THAT(u, Each(::testing::DoubleNear(0.2, 6e-5))) << time;
    EXPECT_NEAR(fields[20], 0.2 + 0.006 * static_cast<double>(time), 6e-5) << time;
  }
}

TEST_F(SeveralFiles, AreRefusedForDifferentQuantities) {
  NetcdfFixture first = file_of(2);
  first.variable("uo").texts.emplace_back("standard_name", "eastward_sea_water_velocity");
  write("a.nc", first);
  NetcdfFixture later = file_of(2, 24);
  write("b.nc", later);
  EXPECT_EQ(refusal(), "accepted");
  const auto refusal_with = [&](const Texts& texts) {
    later.variable("uo").texts = texts;
    later.write(files[1]);
    return refusal();
  };
  EXPECT_THAT(refusal_with({{"units", "m s-1"}, {"standard_name", "eastward_wind"}}),
              AllOf(test::has_code("files_attribute_differs", "b.nc: variable uo"),
                    testing::HasSubstr("standard_name"), testing::HasSubstr("a.nc"),
                    testing::HasSubstr("eastward_sea_water_velocity"),
                    testing::HasSubstr("give files of one")));
  EXPECT_THAT(refusal_with({{"units", "m s-1"}, {"long_name", "velocity in xi-direction"}}),
              test::has_code("components_point_otherwise", "b.nc: variable uo"));
  EXPECT_EQ(refusal_with({{"units", "cm/s"}, {"standard_name", "Eastward_sea_water_velocity"}}),
            "accepted");
  EXPECT_THAT(refusal_with({{"units", "degC"}}), test::has_code("velocity_units_unknown"));
  EXPECT_EQ(refusal_with({}), "accepted");  // m s-1 without units
  first.variable("uo").texts = {{"units", "km/h"}};
  first.write(files[0]);
  EXPECT_THAT(refusal_with({}), test::has_code("files_attribute_differs", "units"));
  EXPECT_THAT(refusal_with({{"units", "m/s"}}), "accepted");
}

TEST_F(SeveralFiles, NeedEqualUnitsOfAScalar) {
  write("a.nc", file_of(2));
  NetcdfFixture later = file_of(2, 24);
  later.variable("uo").texts = {{"units", "degC"}};
  write("b.nc", later);
  EXPECT_THAT(
      [&] {
        ForecastSource({files, {{"uo"}}, {}, {}, {}});
      },
      ::testing::ThrowsMessage<InputError>(
          AllOf(test::has_code("files_attribute_differs", "b.nc: variable uo"),
                testing::HasSubstr("a.nc"), testing::HasSubstr("m s-1"))));
}

TEST_F(SeveralFiles, AreMembersByAVariableOfOneValue) {
  for (const int member : {3, 1, 10, 2}) {
    NetcdfFixture fixture = file_of(member);
    add_number(fixture, "realization", member, {{"standard_name", "realization"}});
    write(std::to_string(member) + ".nc", fixture);
  }
  ForecastSource source = this->source();
  ASSERT_EQ(source.member_count(), 4u);
  EXPECT_THAT(source.member_labels(), ElementsAre("1", "2", "3", "10"));
  EXPECT_EQ(source.members_by(), "variable realization of 4 files: 1, 2, 3, 10");
  EXPECT_THAT(u_of_members(source, 0), ElementsAre(0.1, 0.2, 0.3, 1.0));
  EXPECT_THAT(u_of_members(source, 3), ElementsAre(0.1, 0.2, 0.3, 1.0));
  EXPECT_THAT(source.notes(), IsEmpty());
}

TEST_F(SeveralFiles, AreMembersByAnAttributeOrADimensionOfOne) {
  for (const char* attribute : {"ensemble_member", "variant_label"}) {
    files.clear();
    for (const int member : {12, 2}) {
      NetcdfFixture fixture = file_of(member);
      fixture.texts.emplace_back(attribute, "r" + std::to_string(member) + "i1p1f1");
      write(std::to_string(member) + ".nc", fixture);
    }
    ForecastSource source = this->source();
    EXPECT_THAT(source.member_labels(), ElementsAre("r2i1p1f1", "r12i1p1f1"));
    EXPECT_THAT(u_of_members(source, 1), ElementsAre(0.2, 1.2));
  }
  files.clear();
  for (const int member : {9, 8}) {  // an attribute of each variable
    NetcdfFixture fixture = file_of(member);
    for (const char* name : {"uo", "vo"}) {
      fixture.variable(name).numbers = {{"number", NC_INT, {static_cast<double>(member)}}};
    }
    write(std::to_string(member) + ".nc", fixture);
  }
  EXPECT_THAT(this->source().member_labels(), ElementsAre("8", "9"));
  files.clear();
  for (const int member : {7, 4, 5}) {
    SmallForecast forecast;
    forecast.members = 1;
    forecast.u = [=](double, double, double, int) { return 0.1 * member; };
    NetcdfFixture fixture = forecast.fixture();
    fixture.variables.push_back(
        {"member", NC_INT, {"member"}, {static_cast<double>(member)}, {}, {}});
    write(std::to_string(member) + ".nc", fixture);
  }
  ForecastSource source = this->source();
  EXPECT_EQ(source.members_by(), "dimension member of 3 files: 4, 5, 7");
  EXPECT_THAT(u_of_members(source, 2), ElementsAre(0.4, 0.5, 0.7));
}

TEST_F(SeveralFiles, AreMembersByAGivenName) {
  for (const int member : {2, 1}) {
    NetcdfFixture fixture = file_of(member);
    add_number(fixture, "perturbation", member);
    fixture.texts.emplace_back("run", member == 1 ? "beta" : "alpha");
    write(std::to_string(member) + ".nc", fixture);
  }
  names.member = "perturbation";
  ForecastSource by_variable = source();
  EXPECT_THAT(by_variable.member_labels(), ElementsAre("1", "2"));
  names.member = "run";
  ForecastSource by_attribute = source();
  EXPECT_THAT(u_of_members(by_attribute, 0), ElementsAre(0.1, 0.2));
  names.member = "no such name";
  EXPECT_THAT(refusal(), test::has_code("role_dimension_missing", "--member"));
}

TEST_F(SeveralFiles, AreJoinedAlongMembersAndTimes) {
  for (const int day : {1, 0}) {
    for (const int member : {2, 1}) {
      NetcdfFixture fixture = file_of(member + day, 24 * day);
      add_number(fixture, "number", member);
      write("m" + std::to_string(member) + "_d" + std::to_string(day) + ".nc", fixture);
    }
  }
  ForecastSource source = this->source();
  ASSERT_EQ(source.member_count(), 2u);
  ASSERT_EQ(source.times().size(), 8u);
  EXPECT_THAT(u_of_members(source, 3), ElementsAre(0.1, 0.2));
  EXPECT_THAT(u_of_members(source, 4), ElementsAre(0.2, 0.3));
  files.pop_back();  // removes member 1 of the first day
  EXPECT_THAT(refusal(), AllOf(test::has_code("member_time_missing", "m2_d0.nc"),
                               test::has_code("member_time_missing")));
}

TEST_F(SeveralFiles, AreMatchedByMemberNumbers) {
  const auto numbered = [](const std::vector<double>& numbers, double first_hour) {
    SmallForecast forecast;
    forecast.members = static_cast<int>(numbers.size());
    for (double& hour : forecast.hour) hour += first_hour;
    forecast.u = [=](double, double, double, int member) {
      return 0.1 * numbers[static_cast<std::size_t>(member)];
    };
    NetcdfFixture fixture = forecast.fixture();
    fixture.variables.push_back({"member", NC_INT, {"member"}, numbers, {}, {}});
    return fixture;
  };
  write("a.nc", numbered({1, 2, 3}, 0));
  write("b.nc", numbered({3, 1, 2}, 24));  // later, in another order
  ForecastSource later = source();
  EXPECT_EQ(later.members_by(), "dimension member");
  EXPECT_THAT(u_of_members(later, 0), ElementsAre(0.1, 0.2, 0.3));
  EXPECT_THAT(u_of_members(later, 4), ElementsAre(0.1, 0.2, 0.3));
  files.clear();
  write("c.nc", numbered({4, 5}, 0));
  write("d.nc", numbered({1, 2, 3}, 0));
  ForecastSource five_members = source();
  EXPECT_THAT(five_members.member_labels(), ElementsAre("1", "2", "3", "4", "5"));
  EXPECT_THAT(u_of_members(five_members, 1), ElementsAre(0.1, 0.2, 0.3, 0.4, 0.5));
}

TEST_F(SeveralFiles, AreMembersIfOnlyValuesDiffer) {
  for (const int member : {2, 1, 4}) write(std::to_string(member) + ".nc", file_of(member));
  ForecastSource source = this->source();
  ASSERT_EQ(source.member_count(), 3u);
  EXPECT_EQ(source.members_by(), "3 files of the same times and different values");
  EXPECT_THAT(u_of_members(source, 0), ElementsAre(0.2, 0.1, 0.4));
  // A copy of a file is not another member.
  write("copy.nc", file_of(1));
  ForecastSource with_copy = this->source();
  EXPECT_THAT(u_of_members(with_copy, 0), ElementsAre(0.2, 0.1, 0.4));
  EXPECT_THAT(with_copy.notes(), ElementsAre("copy.nc: holds what 1.nc holds, and is left out"));
}

TEST_F(SeveralFiles, AreOneForecastIfContentsAreEqual) {
  write("a.nc", file_of(1));
  write("copy.nc", file_of(1));
  ForecastSource source = this->source();
  EXPECT_EQ(source.member_count(), 1u);
  EXPECT_THAT(source.notes(), ElementsAre("4 time(s) given twice: the file named first is taken"));
  files.clear();
  NetcdfFixture numbered = file_of(1);
  add_number(numbered, "realization", 1);
  NetcdfFixture other = file_of(2);
  add_number(other, "realization", 2);
  write("1.nc", numbered);
  write("2.nc", other);
  write("1_copy.nc", numbered);
  EXPECT_EQ(this->source().member_count(), 2u);
}

TEST_F(SeveralFiles, AreRefusedIfOneWouldBeIgnored) {
  // Two members of two days without numbers.
  for (const int member : {1, 2}) {
    write(std::to_string(member) + "_0.nc", file_of(member));
    write(std::to_string(member) + "_1.nc", file_of(member, 24));
  }
  EXPECT_THAT(refusal(), AllOf(test::has_code("files_overlap_differently", "2_0.nc: variable uo"),
                               test::has_code("files_overlap_differently", "1_0.nc")));
  files.clear();
  for (const int flow : {1, 2}) {
    NetcdfFixture fixture = file_of(flow);
    add_number(fixture, "realization", 5);
    write(std::to_string(flow) + ".nc", fixture);
  }
  EXPECT_THAT(refusal(), test::has_code("files_overlap_differently", "1.nc"));
  files.clear();
  NetcdfFixture numbered = file_of(1);
  add_number(numbered, "realization", 1);
  NetcdfFixture other = file_of(2);
  add_number(other, "realization", 2);
  write("1.nc", numbered);
  write("2.nc", other);
  write("3.nc", file_of(3));
  EXPECT_THAT(refusal(), test::has_code("member_number_missing", "3.nc"));
}

TEST_F(SeveralFiles, UseTheFirstOfOverlappingForecasts) {
  write("newer.nc", file_of(2, 12));
  write("older.nc", file_of(1));
  ForecastSource source = this->source();
  EXPECT_EQ(source.member_count(), 1u);
  EXPECT_THAT(u_of_members(source, 1), ElementsAre(0.1));
  EXPECT_THAT(u_of_members(source, 2), ElementsAre(0.2));
  EXPECT_THAT(source.notes(), ElementsAre("2 time(s) given twice with different values: the file "
                                          "named first is taken"));
}

TEST_F(SeveralFiles, WithOneComponentAreMatchedByMember) {
  for (const char* component : {"uo", "vo"}) {
    for (const int member : {2, 1}) {
      NetcdfFixture fixture = file_of(member);
      add_number(fixture, "realization", member);
      std::erase_if(fixture.variables, [&](const auto& variable) {
        return variable.name == (std::string(component) == "uo" ? "vo" : "uo");
      });
      write(component + std::to_string(member) + ".nc", fixture);
    }
  }
  ForecastSource source = this->source();
  EXPECT_THAT(u_of_members(source, 0), ElementsAre(0.1, 0.2));
  NetcdfFixture fixture = file_of(3);
  add_number(fixture, "realization", 3);
  fixture.variables.erase(fixture.variables.begin() + 3);  // uo
  files[2] = folder / "vo3.nc";
  fixture.write(files[2]);
  EXPECT_THAT(refusal(), test::has_code("member_labels_differ"));
}

TEST_F(SeveralFiles, MakeAnEnsembleThatTheReportNames) {
  ImportOptions options;
  for (const int member : {1, 2, 3}) {
    NetcdfFixture fixture = file_of(member);
    add_number(fixture, "realization", member);
    options.files.push_back(write(std::to_string(member) + ".nc", fixture));
  }
  options.out = folder / "env.h5";
  options.spacing = 20000;
  SilentProgress progress;
  const ImportReport report = import_forecast(options, progress);
  EXPECT_EQ(report.info.realization_count, 3);
  EXPECT_THAT(report.lines,
              Contains("ensemble: 3 members of the forecast's own ensemble (variable realization "
                       "of 3 files: 1, 2, 3); realizations are the members"));
  options.lagged = 1;
  EXPECT_THAT(
      [&] { import_forecast(options, progress); },
      ::testing::ThrowsMessage<InputError>(test::has_code("lagged_with_members", "variable")));
}

}  // namespace
}  // namespace tidewise::ingest
