// Invalid forecasts and options: each is refused in one line, and no file is written.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "app/program.h"
#include "base/error.h"
#include "base/file/atomic_file.h"
#include "env/import/import_forecast.h"
#include "env/units/calendar_time.h"
#include "support/error_code.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::NetcdfFixture;
using test::SmallForecast;
using ::testing::HasSubstr;

struct BadInput {
  const char* name;
  const char* message;  ///< part of the message that describes the error
  std::function<void(SmallForecast&, ImportOptions&)> before = [](SmallForecast&, ImportOptions&) {
  };
  std::function<void(NetcdfFixture&)> change = [](NetcdfFixture&) {};
};

void PrintTo(const BadInput& input, std::ostream* stream) { *stream << input.name; }

class BadImport : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadImport, IsRefusedInOneLineWithoutOutput) {
  const test::TemporaryFolder folder;
  const test::TemporaryFolder out_folder;
  SmallForecast forecast;
  ImportOptions options;
  options.files = {folder / "forecast.nc"};
  options.out = out_folder / "env.h5";
  options.spacing = 20000;
  GetParam().before(forecast, options);
  NetcdfFixture fixture = forecast.fixture();
  GetParam().change(fixture);
  fixture.write(folder / "forecast.nc");
  SmallForecast other_area;
  other_area.latitude = {50, 51, 52, 53};
  other_area.write(folder / "elsewhere.nc");
  write_text_file(folder / "text.nc", "no NetCDF at all");
  std::string message = "accepted";
  try {
    SilentProgress progress;
    import_forecast(options, progress);
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_THAT(message, test::has_code_of(GetParam().message));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("\n")));
  EXPECT_TRUE(std::filesystem::is_empty(out_folder.path()));
}

const auto no_change = [](SmallForecast&, ImportOptions&) {};

/// Makes a grid of 30 000 × 20 000 points in a file of a few kB, without values of the velocity.
void make_wide(NetcdfFixture& forecast) {
  for (auto& [name, size] : forecast.dimensions) {
    if (name == "lon") size = 30'000;
    if (name == "lat") size = 20'000;
  }
  for (const char* name : {"lon", "lat"}) {
    auto& values = forecast.variable(name).values;
    const double first = values.front();
    values.resize(name == std::string("lon") ? 30'000 : 20'000);
    for (std::size_t n = 0; n < values.size(); ++n) values[n] = first + 1e-4 * double(n);
  }
  for (const char* name : {"uo", "vo"}) forecast.variable(name).values.clear();
}

/// Makes a large forecast with a position for each point.
void make_wide_and_curved(NetcdfFixture& forecast) {
  make_wide(forecast);
  for (auto& variable : forecast.variables) {
    if (variable.name == "uo" || variable.name == "vo") {
      variable.texts.emplace_back("coordinates", "nav_lon nav_lat");
    }
    if (variable.name != "lon" && variable.name != "lat") continue;
    variable.name = "nav_" + variable.name;
    variable.dimensions = {"lat", "lon"};
    variable.values.clear();
  }
}

const std::vector<BadInput> bad_inputs{
    {"too_many_points", "variable lon [grid_too_many_points]", no_change, make_wide},
    {"too_many_places", "variable uo [import_grid_too_many_points]", no_change,
     make_wide_and_curved},
    {"missing_file", "[file_missing]",
     [](SmallForecast&, ImportOptions& o) { o.files = {"/nowhere/forecast.nc"}; }},
    {"folder", "[input_is_folder]", [](SmallForecast&, ImportOptions& o) { o.files = {"/tmp"}; }},
    {"device", "[file_not_regular]",
     [](SmallForecast&, ImportOptions& o) { o.files = {"/dev/zero"}; }},
    {"not_netcdf", "is text, not NetCDF [not_netcdf]",
     [](SmallForecast&, ImportOptions& o) { o.files = {o.files[0].parent_path() / "text.nc"}; }},
    {"no_files", "[forecast_not_named]", [](SmallForecast&, ImportOptions& o) { o.files = {}; }},
    {"modes_of_one_member", "[ensemble_options_without_ensemble]",
     [](SmallForecast& f, ImportOptions& o) {
       f.members = 0;
       o.modes = 1;
     }},
    {"realizations_of_one_member", "[ensemble_options_without_ensemble]",
     [](SmallForecast& f, ImportOptions& o) {
       f.members = 0;
       o.realizations = 5;
     }},
    {"error_of_an_ensemble", "forecast.nc [forecast_error_with_members]",
     [](SmallForecast&, ImportOptions& o) { o.forecast_error = "default"; }},
    {"error_of_lagged_members", "[forecast_error_with_lagged]",
     [](SmallForecast& f, ImportOptions& o) {
       f.members = 0;
       o.forecast_error = "default";
       o.lagged = 1;
     }},
    {"error_by_a_model_and_by_hand", "--error-length [forecast_error_given_twice]",
     [](SmallForecast&, ImportOptions& o) {
       o.forecast_error = "default";
       o.error_length = 1e4;
     }},
    {"error_by_hand_without_a_time", "--error-time [error_option_missing]",
     [](SmallForecast&, ImportOptions& o) {
       o.error_rms = 0.1;
       o.error_length = 1e4;
     }},
    {"one_realization_of_an_error", "[forecast_error_realizations]",
     [](SmallForecast&, ImportOptions& o) {
       o.forecast_error = "default";
       o.realizations = 1;
     }},
    {"default_error_of_a_steady_field", "[default_error_of_steady]",
     [](SmallForecast&, ImportOptions& o) {
       o.forecast_error = "default";
       o.steady = 86400;
     }},
    {"error_of_less_than_a_cell", "[error_length_too_short]",
     [](SmallForecast& f, ImportOptions& o) {
       f.members = 0;
       o.error_rms = 0.1;
       o.error_length = 1e4;
       o.error_time = 3600;
     }},
    {"an_address", "[input_is_address]",
     [](SmallForecast&, ImportOptions& o) { o.files = {"https://example.org/thredds/a.nc"}; }},
    {"an_address_with_a_name", "dods://example.org/a [input_is_address]",
     [](SmallForecast&, ImportOptions& o) {
       o.files.clear();
       o.names.u = "dods://example.org/a:uo";
       o.names.v = "dods://example.org/a:vo";
     }},
    {"steady_of_many_times", "[steady_with_times]",
     [](SmallForecast&, ImportOptions& o) { o.steady = 86400; }},
    {"steady_without_any_time", "[forecast_without_times]",
     [](SmallForecast& f, ImportOptions& o) {
       f.hour = {0};
       o.steady = 86400;
     },
     [](NetcdfFixture& x) {
       for (auto& [name, size] : x.dimensions) {
         if (name == "time") size = NC_UNLIMITED;
       }
       for (const char* name : {"time", "uo", "vo"}) x.variable(name).values.clear();
     }},
    {"steady_and_lagged", "--lagged needs several times [steady_with_other_option]",
     [](SmallForecast& f, ImportOptions& o) {
       f.members = 0;
       o.lagged = 1;
       o.steady = 86400;
     }},
    {"steady_until", "--to would end it otherwise than its duration [steady_with_other_option]",
     [](SmallForecast&, ImportOptions& o) {
       o.steady = 86400;
       o.to = parse_iso_time("2024-10-29");
     }},
    {"steady_for_less_than_a_step", "[steady_shorter_than_step]",
     [](SmallForecast& f, ImportOptions& o) {
       f.hour = {0};
       o.steady = 3600;
       o.step = 7200;
     }},
    {"steady_without_a_time", "[time_missing_in_file]",
     [](SmallForecast& f, ImportOptions& o) {
       f.hour = {0};
       f.order = {"member", "lat", "lon"};
       o.steady = 86400;
     },
     [](NetcdfFixture& x) {
       std::erase_if(x.variables, [](const auto& variable) { return variable.name == "time"; });
     }},
    {"no_time_axis", "or give --steady for a field of one time [role_dimension_unknown]",
     [](SmallForecast& f, ImportOptions&) {
       f.hour = {0};
       f.order = {"member", "lat", "lon"};
     },
     [](NetcdfFixture& x) {
       std::erase_if(x.variables, [](const auto& variable) { return variable.name == "time"; });
     }},
    {"lags_and_members", "[lagged_with_members]",
     [](SmallForecast&, ImportOptions& o) { o.lagged = 1; }},
    {"too_many_lags", "[lagged_too_long]",
     [](SmallForecast& f, ImportOptions& o) {
       f.members = 0;
       o.lagged = 2;
     }},
    {"negative_lags", "--lagged [import_option_invalid]",
     [](SmallForecast&, ImportOptions& o) { o.lagged = -1; }},
    {"too_many_modes", "[import_modes_too_many]",
     [](SmallForecast&, ImportOptions& o) { o.modes = 3; }},
    {"no_modes", "--modes [import_option_invalid]",
     [](SmallForecast&, ImportOptions& o) { o.modes = 0; }},
    {"variance_above_one", "--variance [import_option_invalid]",
     [](SmallForecast&, ImportOptions& o) { o.variance = 99; }},
    {"no_realizations", "--realizations [import_option_invalid]",
     [](SmallForecast&, ImportOptions& o) { o.realizations = 0; }},
    {"no_velocity", "[velocity_not_found]",
     [](SmallForecast& f, ImportOptions&) {
       f.u_name = "salinity";
       f.v_name = "temperature";
     }},
    {"one_component_alone", "[velocity_component_missing]",
     [](SmallForecast& f, ImportOptions&) { f.u_name = "salinity"; }},
    {"half_a_velocity", "[component_option_alone]",
     [](SmallForecast&, ImportOptions& o) { o.names.u = "uo"; }},
    {"one_variable_for_both", "[component_options_equal]",
     [](SmallForecast&, ImportOptions& o) {
       o.names.u = "uo";
       o.names.v = "uo";
     }},
    {"scalar_is_a_component", "[scalar_is_velocity]",
     [](SmallForecast&, ImportOptions& o) { o.scalar = "vo"; }},
    {"unknown_variable", "variable up [netcdf_variable_unknown]",
     [](SmallForecast&, ImportOptions& o) {
       o.names.u = "up";
       o.names.v = "vo";
     }},
    {"unknown_dimension", "[role_dimension_missing]",
     [](SmallForecast&, ImportOptions& o) { o.names.member = "fold"; }},
    {"ambiguous_velocity", "[velocity_ambiguous]", no_change,
     [](NetcdfFixture& x) {
       for (const char* name : {"uo", "vo"}) {
         const bool u = std::string(name) == "uo";
         x.variable(name).texts = {
             {"standard_name", u ? "eastward_sea_water_velocity" : "northward_sea_water_velocity"}};
         x.variables.push_back(x.variable(name));
         x.variables.back().name = std::string("tide_") + name;
         x.variable(name).name = std::string("total_") + name;
       }
     }},
    {"velocity_units", "kelvin [velocity_units_unknown]", no_change,
     [](NetcdfFixture& x) {
       x.variable("uo").texts = {{"units", "kelvin"}};
     }},
    {"projected_grid", "[projection_unknown]", no_change,
     [](NetcdfFixture& x) {
       x.variable("lon").texts = {{"units", "km"}, {"axis", "X"}};
     }},
    {"curvilinear_grid", "[curvilinear_pair_missing]", no_change,
     [](NetcdfFixture& x) {
       x.variable("lon").dimensions = {"lat", "lon"};
       x.variable("lon").values.resize(20, -9);
     }},
    {"axes_that_count_columns", "[curvilinear_pair_missing]", no_change,
     [](NetcdfFixture& x) {  // as in HYCOM's own files: axis X without units, longitude (y, x)
       x.variables.push_back(
           {"nav_lon", NC_DOUBLE, {"lat", "lon"}, std::vector<double>(20, -9), {}, {}});
       x.variable("lon").texts = {{"axis", "X"}};
     }},
    {"wrong_fill_in_range", "a fill value [value_undeclared_missing]", no_change,
     [](NetcdfFixture& x) { x.variable("uo").values[3] = -99; }},
    {"unsorted_longitude", "[coordinate_not_sorted]",
     [](SmallForecast& f, ImportOptions&) {
       f.longitude = {-10, -8, -9, -7, -6};
     }},
    {"latitude_off_the_globe", "[coordinate_outside_range]",
     [](SmallForecast& f, ImportOptions&) {
       f.latitude = {88, 89, 90, 91};
     }},
    {"missing_coordinate", "[coordinate_outside_range]", no_change,
     [](NetcdfFixture& x) { x.variable("lat").values[2] = std::nan(""); }},
    {"one_column", "[coordinate_too_short]",
     [](SmallForecast& f, ImportOptions&) { f.longitude = {-9}; }},
    {"no_coordinate_variable", "[dimension_without_coordinate]", no_change,
     [](NetcdfFixture& x) {
       x.variable("lon").name = "something";
       x.variable("something").dimensions = {"lat"};
       x.variable("something").texts.clear();
       x.variable("something").values.resize(4);
     }},
    {"extra_dimension", "[dimension_role_unknown]", no_change,
     [](NetcdfFixture& x) {
       x.dimensions.emplace_back("band", 2);
       for (const char* name : {"uo", "vo"}) {
         auto& variable = x.variable(name);
         variable.dimensions.push_back("band");
         const auto copy = variable.values;
         variable.values.insert(variable.values.end(), copy.begin(), copy.end());
       }
     }},
    {"calendar", "360_day [calendar_unknown]", no_change,
     [](NetcdfFixture& x) { x.variable("time").texts.emplace_back("calendar", "360_day"); }},
    {"leap_day_in_a_common_year", "2023 [leap_day_in_common_year]", no_change,
     [](NetcdfFixture& x) {
       x.variable("time").texts = {{"units", "hours since 2023-02-28 18:00"},
                                   {"calendar", "366_day"}};
     }},
    {"time_units_by_option", "fortnights since 2024-10-01 [time_units_unknown]",
     [](SmallForecast&, ImportOptions& o) { o.names.time_units = "fortnights since 2024-10-01"; }},
    {"time_units", "or give the right units with --time-units [time_units_without_length]",
     no_change,
     [](NetcdfFixture& x) {
       x.variable("time").texts = {{"units", "months since 2024-10-01"}};
     }},
    {"time_in_months", "months since 2024-10-01 [time_units_without_length]", no_change,
     [](NetcdfFixture& x) {
       x.variable("time").texts = {{"units", "months since 2024-10-01"}};
     }},
    {"range_in_words", "valid_range [attribute_is_text]", no_change,
     [](NetcdfFixture& x) { x.variable("uo").texts.emplace_back("valid_range", "-5 to 5"); }},
    {"range_of_one", "1 number [valid_range_invalid]", no_change,
     [](NetcdfFixture& x) { x.variable("vo").texts.emplace_back("valid_range", "5"); }},
    {"scale_in_words", "scale_factor [attribute_is_text]", no_change,
     [](NetcdfFixture& x) { x.variable("uo").texts.emplace_back("scale_factor", "a tenth"); }},
    {"velocity_in_two_groups", "of its groups do: analysis, forecast [velocity_in_groups]",
     no_change,
     [](NetcdfFixture& x) {
       NetcdfFixture file;
       for (const char* name : {"analysis", "forecast", "waves"}) {
         file.groups.push_back(x);
         file.groups.back().group_name = name;
       }
       file.groups.back().variable("uo").name = "height";
       x = file;
     }},
    {"time_reference", "[time_text_invalid]", no_change,
     [](NetcdfFixture& x) {
       x.variable("time").texts = {{"units", "hours since the start"}};
     }},
    {"missing_time", "[time_missing_value]", no_change,
     [](NetcdfFixture& x) { x.variable("time").values[1] = std::nan(""); }},
    {"one_time", "[forecast_times_too_few]",
     [](SmallForecast& f, ImportOptions&) { f.hour = {0}; }},
    {"window_outside", "[import_times_outside]",
     [](SmallForecast&, ImportOptions& o) { o.from = parse_iso_time("2024-10-27"); }},
    {"window_backwards", "[import_times_reversed]",
     [](SmallForecast&, ImportOptions& o) {
       o.from = parse_iso_time("2024-10-28T12:00");
       o.to = parse_iso_time("2024-10-28T06:00");
     }},
    {"gap_of_years", "[forecast_gap]",
     [](SmallForecast& f, ImportOptions&) {
       f.hour = {-210000, 0, 6, 12};
     }},
    {"step_far_too_short", "[import_levels_too_many]",
     [](SmallForecast&, ImportOptions& o) { o.step = 0.1; }},
    {"size_of_the_cells", "[import_too_large]",
     [](SmallForecast&, ImportOptions& o) {
       o.step = 1;
       o.spacing = 1000;
     }},
    {"size_of_the_realizations", "[import_too_large]",
     [](SmallForecast&, ImportOptions& o) {
       o.step = 10;
       o.modes = 1;
       o.realizations = 10000000;
     }},
    {"step_too_long", "[import_levels_too_few]",
     [](SmallForecast&, ImportOptions& o) { o.step = 86400; }},
    {"spacing_too_large", "[spacing_too_large]",
     [](SmallForecast&, ImportOptions& o) { o.spacing = 1e6; }},
    {"spacing_too_small", "[spacing_too_small]",
     [](SmallForecast&, ImportOptions& o) { o.spacing = 1; }},
    {"depth_without_levels", "[depth_without_dimension]",
     [](SmallForecast&, ImportOptions& o) { o.depth = 5; }},
    {"depth_below_all", "[depth_below_levels]",
     [](SmallForecast& f, ImportOptions& o) {
       f.depth = {0, 10, 40};
       o.depth = 9000;
     }},
    {"depth_in_layers", "[depth_not_in_metres]",
     [](SmallForecast& f, ImportOptions&) {
       f.depth = {0, 1};
     },
     [](NetcdfFixture& x) {
       x.variable("depth").texts = {{"units", "sigma_level"}};
     }},
    {"box_elsewhere", "[bbox_outside_grid]",
     [](SmallForecast&, ImportOptions& o) {
       o.box = BoundingBox{100, 40, 110, 43};
     }},
    {"too_wide", "[area_degrees_too_wide]",
     [](SmallForecast& f, ImportOptions&) {
       f.longitude = {-180, -90, 0, 90, 179};
     }},
    {"other_grid", "[points_differ]",
     [](SmallForecast&, ImportOptions& o) {
       o.files.push_back(o.files[0].parent_path() / "elsewhere.nc");
     }},
    {"undeclared_fill", "a fill value [value_undeclared_missing]", no_change,
     [](NetcdfFixture& x) { x.variable("uo").values[3] = -9999; }},
    {"infinity", "2024-10-28T00:00:00 [value_undeclared_missing]", no_change,
     [](NetcdfFixture& x) {
       x.variable("vo").type = NC_DOUBLE;
       x.variable("vo").values[3] = -std::numeric_limits<double>::infinity();
     }},
    {"infinity_in_the_scalar", "[value_undeclared_missing]",
     [](SmallForecast&, ImportOptions& o) { o.scalar = "swh"; },
     [](NetcdfFixture& x) {
       x.variables.push_back(x.variable("uo"));
       x.variables.back().name = "swh";
       x.variables.back().type = NC_DOUBLE;
       x.variables.back().values[3] = std::numeric_limits<double>::infinity();
     }},
    {"no_water", "[no_water_at_time]", no_change,
     [](NetcdfFixture& x) {
       for (double& value : x.variable("uo").values) value = std::nan("");
     }},
    {"scalar_missing", "variable swh [netcdf_variable_unknown]",
     [](SmallForecast&, ImportOptions& o) { o.scalar = "swh"; }},
    {"scalar_elsewhere", "[scalar_value_missing]",
     [](SmallForecast&, ImportOptions& o) {
       o.scalar = (o.files[0].parent_path() / "elsewhere.nc").string() + ":uo";
     }},
    {"scalar_fill_alone", "[scalar_options_without_scalar]",
     [](SmallForecast&, ImportOptions& o) { o.scalar_fill = 1; }},
    {"obstacles_missing", "[file_missing]",
     [](SmallForecast&, ImportOptions& o) { o.obstacles = "/nowhere/a.geojson"; }},
    {"obstacles_no_json", "[geojson_not_json]",
     [](SmallForecast&, ImportOptions& o) { o.obstacles = o.files[0].parent_path() / "text.nc"; }},
    {"out_over_input", "[output_is_input]",
     [](SmallForecast&, ImportOptions& o) { o.out = o.files[0]; }},
    {"out_below_a_file", "[output_folder_not_folder]",
     [](SmallForecast&, ImportOptions& o) { o.out = o.files[0] / "env.h5"; }},
};

INSTANTIATE_TEST_SUITE_P(Each, BadImport, ::testing::ValuesIn(bad_inputs),
                         [](const auto& input) { return std::string(input.param.name); });

/// Missing data at the end of a classic file would be read as zeros, including times.
TEST(BadImport, TruncatedClassicFileIsRefused) {
  const test::TemporaryFolder folder;
  SmallForecast().write(folder / "a.nc", 0);
  const auto size = std::filesystem::file_size(folder / "a.nc");
  for (const auto shorter : {size / 2, size - 4}) {
    std::filesystem::resize_file(folder / "a.nc", shorter);
    ImportOptions options;
    options.files = {folder / "a.nc"};
    options.out = folder / "env.h5";
    options.spacing = 20000;
    SilentProgress progress;
    EXPECT_THAT([&] { import_forecast(options, progress); },
                ::testing::ThrowsMessage<InputError>(test::has_code("netcdf_cut_short")));
    EXPECT_FALSE(std::filesystem::exists(options.out));
    std::filesystem::resize_file(folder / "a.nc", 0);
    SmallForecast().write(folder / "a.nc", 0);
  }
}

/// The file is truncated in its fields: the header can be read, but the data cannot.
TEST(BadImport, TruncatedFileIsRefused) {
  const test::TemporaryFolder folder;
  SmallForecast().write(folder / "a.nc");
  const auto size = std::filesystem::file_size(folder / "a.nc");
  std::filesystem::resize_file(folder / "a.nc", size / 2);
  ImportOptions options;
  options.files = {folder / "a.nc"};
  options.out = folder / "env.h5";
  SilentProgress progress;
  EXPECT_THROW(import_forecast(options, progress), InputError);
  EXPECT_FALSE(std::filesystem::exists(options.out));
}

TEST(ImportCommand, ExitsWithTwoWithoutOutput) {
  const test::TemporaryFolder folder;
  SmallForecast forecast;
  forecast.members = 0;
  forecast.write(folder / "a.nc");
  const std::string file = folder / "a.nc";
  const std::string out = folder / "env.h5";
  const auto run = [&](std::vector<const char*> arguments) {
    arguments.insert(arguments.begin(),
                     {"tidewise", "env", "import", file.c_str(), "--out", out.c_str()});
    ::testing::internal::CaptureStderr();
    ::testing::internal::CaptureStdout();
    const int status = run_program(static_cast<int>(arguments.size()), arguments.data());
    ::testing::internal::GetCapturedStdout();
    const std::string error = ::testing::internal::GetCapturedStderr();
    if (status != 0) {
      EXPECT_FALSE(std::filesystem::exists(out));
      EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 1) << error;
    }
    return status;
  };
  EXPECT_EQ(run({"--steady", "1d"}), 2);
  EXPECT_EQ(run({"--steady", "always"}), 2);
  EXPECT_EQ(run({"--components", "true"}), 2);
  EXPECT_EQ(run({"--lagged", "1", "--spacing", "wide"}), 2);
  EXPECT_EQ(run({"--lagged", "1", "--bbox", "1,2,3"}), 2);
  EXPECT_EQ(run({"--lagged", "1", "--from", "yesterday"}), 2);
  EXPECT_EQ(run({"--lagged", "1", "--modes", "many"}), 2);
  EXPECT_EQ(run({"--lagged", "1", "--spacing", "30km", "--step", "3h", "--bbox", "-9.5,40,-6.5,43",
                 "--from", "2024-10-28T06:00"}),
            0);
  EXPECT_TRUE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace tidewise::ingest
