// Maps of HF radars as forecasts: radial files, and quality flags of every form.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "env/import/file/quality_flags.h"
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
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Texts = std::vector<std::pair<std::string, std::string>>;
using Variable = NetcdfFixture::Variable;

class RadarMaps : public ::testing::Test {
 protected:
  RadarMaps() {
    forecast.members = 0;
    forecast.u_name = "EWCT";
    forecast.v_name = "NSCT";
  }

  ForecastSource source(const NetcdfFixture& fixture) const {
    fixture.write(folder / "map.nc");
    SourceRequest request{
        {folder / "map.nc"}, {{"EWCT", ReadAs::speed}, {"NSCT", ReadAs::speed}}, {}, {}, {}};
    request.velocity = StatedDirections{};
    return ForecastSource(std::move(request));
  }
  std::string refusal(const NetcdfFixture& fixture) const {
    try {
      const ForecastSource map_source = source(fixture);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  /// Returns flags that are 2 at value 7 of u's first time, and 1 elsewhere.
  static Variable flag(const std::string& name, const Texts& texts,
                       const std::vector<NetcdfFixture::Numbers>& numbers = {}) {
    Variable variable{name,  NC_BYTE, {"time", "lat", "lon"}, std::vector<double>(80, 1),
                      texts, numbers};
    variable.values[7] = 2;
    return variable;
  }
  /// Returns the indices of missing values in the first field of u.
  std::vector<std::size_t> missing(const NetcdfFixture& fixture) const {
    ForecastSource map_source = source(fixture);
    notes = map_source.notes();
    const auto fields = map_source.read(0);
    std::vector<std::size_t> indices;
    for (std::size_t n = 0; n < 20; ++n) {
      if (std::isnan(fields[n])) indices.push_back(n);
    }
    return indices;
  }

  const test::TemporaryFolder folder;
  SmallForecast forecast;
  mutable std::vector<std::string> notes;
};

TEST_F(RadarMaps, RefuseRadialVelocities) {
  EXPECT_EQ(refusal(forecast.fixture()), "accepted");
  NetcdfFixture named = forecast.fixture();
  Variable radial = named.variable("EWCT");
  radial.name = "VELO";
  radial.texts = {{"standard_name", "radial_sea_water_velocity_away_from_instrument"}};
  named.variables.push_back(radial);
  EXPECT_THAT(refusal(named),
              AllOf(test::has_code("velocity_is_radial", "map.nc: variable EWCT"),
                    HasSubstr("variable VELO on the same points is radial_sea_water_velocity_away"),
                    test::has_code("velocity_is_radial")));
  named.variables.back().texts.clear();
  named.variables.back().name = "RDVA";
  EXPECT_THAT(refusal(named),
              test::has_code("velocity_is_radial", "variable RDVA on the same points"));
  NetcdfFixture typed = forecast.fixture();
  typed.texts = {{"data_type", "HF radar radial data"}};
  EXPECT_THAT(refusal(typed), test::has_code("velocity_is_radial",
                                             "the file's data_type is \"HF radar radial data"));
  typed.texts = {{"data_type", "HF radar total data"},
                 {"summary", "total velocities made from radial velocities"}};
  EXPECT_EQ(refusal(typed), "accepted");
  NetcdfFixture polar = forecast.fixture();
  const auto renamed = [](const std::string& name) {
    return name == "lat" ? "bearing" : name == "lon" ? "range" : name;
  };
  for (auto& dimension : polar.dimensions) dimension.first = renamed(dimension.first);
  for (Variable& variable : polar.variables) {
    for (auto& dimension : variable.dimensions) dimension = renamed(dimension);
  }
  EXPECT_THAT(refusal(polar),
              test::has_code("velocity_is_radial", "its points lie along bearing and range"));
}

TEST_F(RadarMaps, LeaveOutValuesWithBadFlagMeanings) {
  const std::vector<NetcdfFixture::Numbers> values{{"flag_values", NC_BYTE, {1, 2, 3}}};
  for (const char* name : {"EWCT_QC", "flag_EWCT", "quality_flag", "QCflag"}) {
    NetcdfFixture fixture = forecast.fixture();
    fixture.variables.push_back(
        flag(name, {{"flag_meanings", "good failed interpolated"}}, values));
    EXPECT_THAT(missing(fixture), ElementsAre(7)) << name;
    EXPECT_THAT(notes, Contains(HasSubstr("quality: values of EWCT that " + std::string(name) +
                                          " flags as bad count as missing: 2 (failed)")));
  }
  NetcdfFixture other = forecast.fixture();
  other.variables.push_back(flag("EWCT_QC", {{"flag_meanings", "good not_evaluated bad"}}, values));
  EXPECT_THAT(missing(other), ElementsAre());
  other.variables.back().texts = {{"flag_meanings", "bad dubiously_named not_valid"}};
  EXPECT_EQ(missing(other).size(), 19u);  // flags of 1 are bad
  EXPECT_THAT(notes, Contains("quality: meanings of EWCT_QC that are not known here count as good: "
                              "dubiously_named"));
  NetcdfFixture other_quantity = forecast.fixture();  // the flag of another quantity
  other_quantity.variables.push_back(
      flag("TEMP_QC", {{"flag_meanings", "good bad worse"}}, values));
  EXPECT_THAT(missing(other_quantity), ElementsAre());
}

TEST_F(RadarMaps, LeaveOutValuesWithBadAncillaryFlags) {
  NetcdfFixture fixture = forecast.fixture();
  fixture.variables.push_back(flag("VART_QC", {{"standard_name", "quality_flag"}}));
  fixture.variables.back().values[7] = 4;
  EXPECT_THAT(missing(fixture), ElementsAre());
  fixture.variable("EWCT").texts.emplace_back("ancillary_variables", "GDOP,VART_QC, crs");
  EXPECT_THAT(missing(fixture), ElementsAre(7));
  NetcdfFixture named = forecast.fixture();  // by the standard_name of the variable
  named.variable("EWCT").texts.emplace_back("standard_name", "eastward_sea_water_velocity");
  named.variables.push_back(
      flag("primary", {{"standard_name", "eastward_sea_water_velocity status_flag"}}));
  named.variables.back().values[7] = 9;
  EXPECT_THAT(missing(named), ElementsAre(7));
  // Each bit has a meaning.
  NetcdfFixture bits = forecast.fixture();
  bits.variables.push_back(flag("qc_EWCT",
                                {{"flag_meanings", "near_coast velocity_exceeds_threshold"}},
                                {{"flag_masks", NC_BYTE, {1, 4}}}));
  bits.variables.back().values[7] = 5;
  EXPECT_THAT(missing(bits), ElementsAre(7));
}

TEST_F(RadarMaps, ReadFlagsOfCharactersAndOfFewerDimensions) {
  NetcdfFixture fixture = forecast.fixture();
  Variable letters = flag("EWCT_status", {{"flag_values", "GB"}, {"flag_meanings", "good bad"}});
  letters.type = NC_CHAR;
  letters.values.assign(80, 'G');
  letters.values[7] = 'B';
  letters.values[8] = ' ';
  fixture.variables.push_back(letters);
  fixture.variable("EWCT").texts.emplace_back("ancillary_variables", "EWCT_status");
  EXPECT_THAT(missing(fixture), ElementsAre(7));
  NetcdfFixture digits = forecast.fixture();
  Variable map = letters;
  map.name = "QCFlag";
  map.texts.clear();
  map.dimensions = {"lon", "lat"};  // transposed, and the same at all times
  map.values.assign(20, '1');
  map.values[2 * 4 + 1] = '4';  // column 2, row 1
  digits.variables.push_back(map);
  EXPECT_THAT(missing(digits), ElementsAre(7));
  digits.dimensions.emplace_back("site", 2);
  digits.variables.back().dimensions = {"site"};
  digits.variables.back().values = {'1', '1'};
  EXPECT_THAT(refusal(digits), test::has_code("flags_on_other_dimensions", "variable QCFlag"));
}

}  // namespace
}  // namespace tidewise::ingest
