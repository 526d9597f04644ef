// Bad forecasts and options: each gives one clear line, and no file.

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
#include "support/ocean/netcdf_fixture.h"
#include "support/temporary_folder.h"

namespace tidewise::ingest {
namespace {

using test::NetcdfFixture;
using test::SmallForecast;
using ::testing::HasSubstr;

struct BadInput {
  const char* name;
  const char* complaint;  ///< a part of the line that names what is wrong
  std::function<void(SmallForecast&, ImportOptions&)> before = [](SmallForecast&, ImportOptions&) {
  };
  std::function<void(NetcdfFixture&)> change = [](NetcdfFixture&) {};
};

void PrintTo(const BadInput& input, std::ostream* stream) { *stream << input.name; }

class BadImport : public ::testing::TestWithParam<BadInput> {};

TEST_P(BadImport, IsRefusedInOneLineAndLeavesNothing) {
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
  SmallForecast elsewhere;
  elsewhere.latitude = {50, 51, 52, 53};
  elsewhere.write(folder / "elsewhere.nc");
  write_text_file(folder / "text.nc", "no NetCDF at all");
  std::string message = "accepted";
  try {
    SilentProgress progress;
    import_forecast(options, progress);
  } catch (const InputError& error) {
    message = error.what();
  }
  EXPECT_THAT(message, HasSubstr(GetParam().complaint));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("\n")));
  EXPECT_TRUE(std::filesystem::is_empty(out_folder.path()));
}

const auto no_options = [](SmallForecast&, ImportOptions&) {};

/// A grid of 30 000 × 20 000 points in a file of some kB: its velocity is not written.
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

/// The same, with a place for each point.
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
    {"too_many_points", "variable lon: makes 30000 × 20000 points with lat, and 1e8", no_options,
     make_wide},
    {"too_many_places", "variable uo: lies on 30000 × 20000 points, and 1e8", no_options,
     make_wide_and_curved},
    {"missing_file", "no such file",
     [](SmallForecast&, ImportOptions& o) { o.files = {"/nowhere/forecast.nc"}; }},
    {"folder", "is a folder", [](SmallForecast&, ImportOptions& o) { o.files = {"/tmp"}; }},
    {"device", "is no regular file",
     [](SmallForecast&, ImportOptions& o) { o.files = {"/dev/zero"}; }},
    {"not_netcdf", "is text, not NetCDF",
     [](SmallForecast&, ImportOptions& o) { o.files = {o.files[0].parent_path() / "text.nc"}; }},
    {"no_files", "no forecast is named", [](SmallForecast&, ImportOptions& o) { o.files = {}; }},
    {"modes_of_one_member", "--modes asks for an ensemble, and one forecast has no spread",
     [](SmallForecast& f, ImportOptions& o) {
       f.members = 0;
       o.modes = 1;
     }},
    {"realizations_of_one_member", "make members of it with --lagged N",
     [](SmallForecast& f, ImportOptions& o) {
       f.members = 0;
       o.realizations = 5;
     }},
    {"an_address", "is an address, and only files of this machine are read",
     [](SmallForecast&, ImportOptions& o) { o.files = {"https://example.org/thredds/a.nc"}; }},
    {"an_address_with_a_name", "dods://example.org/a: is an address",
     [](SmallForecast&, ImportOptions& o) {
       o.files.clear();
       o.names.u = "dods://example.org/a:uo";
       o.names.v = "dods://example.org/a:vo";
     }},
    {"steady_of_many_times", "holds 4 times, and --steady holds a field of one",
     [](SmallForecast&, ImportOptions& o) { o.steady = 86400; }},
    {"steady_without_any_time", "holds no time at all",
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
    {"steady_and_lagged", "--steady holds one field, and --lagged needs several times",
     [](SmallForecast& f, ImportOptions& o) {
       f.members = 0;
       o.lagged = 1;
       o.steady = 86400;
     }},
    {"steady_until", "--to would end it otherwise than its duration",
     [](SmallForecast&, ImportOptions& o) {
       o.steady = 86400;
       o.to = parse_iso_time("2024-10-29");
     }},
    {"steady_for_less_than_a_step", "is shorter than one --step of 7200 s",
     [](SmallForecast& f, ImportOptions& o) {
       f.hour = {0};
       o.steady = 3600;
       o.step = 7200;
     }},
    {"steady_without_a_time", "says no time; give its own with --from",
     [](SmallForecast& f, ImportOptions& o) {
       f.hour = {0};
       f.order = {"member", "lat", "lon"};
       o.steady = 86400;
     },
     [](NetcdfFixture& x) {
       std::erase_if(x.variables, [](const auto& one) { return one.name == "time"; });
     }},
    {"no_time_axis", "or say with --steady how long a field of one time holds",
     [](SmallForecast& f, ImportOptions&) {
       f.hour = {0};
       f.order = {"member", "lat", "lon"};
     },
     [](NetcdfFixture& x) {
       std::erase_if(x.variables, [](const auto& one) { return one.name == "time"; });
     }},
    {"lags_and_members", "leave --lagged out",
     [](SmallForecast&, ImportOptions& o) { o.lagged = 1; }},
    {"too_many_lags", "--lagged 2 needs 6 at least",
     [](SmallForecast& f, ImportOptions& o) {
       f.members = 0;
       o.lagged = 2;
     }},
    {"negative_lags", "--lagged is -1", [](SmallForecast&, ImportOptions& o) { o.lagged = -1; }},
    {"too_many_modes", "3 members have at most 2 modes",
     [](SmallForecast&, ImportOptions& o) { o.modes = 3; }},
    {"no_modes", "--modes is 0", [](SmallForecast&, ImportOptions& o) { o.modes = 0; }},
    {"variance_above_one", "--variance is 99",
     [](SmallForecast&, ImportOptions& o) { o.variance = 99; }},
    {"no_realizations", "--realizations is 0",
     [](SmallForecast&, ImportOptions& o) { o.realizations = 0; }},
    {"no_velocity", "no velocity was found",
     [](SmallForecast& f, ImportOptions&) {
       f.u_name = "salinity";
       f.v_name = "temperature";
     }},
    {"one_component_alone", "holds vo and no uo; give what holds that as well, with --u=uo --v=vo",
     [](SmallForecast& f, ImportOptions&) { f.u_name = "salinity"; }},
    {"half_a_velocity", "--u is given without --v",
     [](SmallForecast&, ImportOptions& o) { o.names.u = "uo"; }},
    {"one_variable_for_both", "--u and --v are both uo",
     [](SmallForecast&, ImportOptions& o) {
       o.names.u = "uo";
       o.names.v = "uo";
     }},
    {"scalar_is_a_component", "--scalar vo is a component of the velocity",
     [](SmallForecast&, ImportOptions& o) { o.scalar = "vo"; }},
    {"unknown_variable", "variable up: is not in the file",
     [](SmallForecast&, ImportOptions& o) {
       o.names.u = "up";
       o.names.v = "vo";
     }},
    {"unknown_dimension", "has no dimension for --member fold",
     [](SmallForecast&, ImportOptions& o) { o.names.member = "fold"; }},
    {"ambiguous_velocity", "several variables have the standard_name", no_options,
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
    {"velocity_units", "has the units \"kelvin\"", no_options,
     [](NetcdfFixture& x) {
       x.variable("uo").texts = {{"units", "kelvin"}};
     }},
    {"projected_grid", "where degrees are needed", no_options,
     [](NetcdfFixture& x) {
       x.variable("lon").texts = {{"units", "km"}, {"axis", "X"}};
     }},
    {"curvilinear_grid", "curvilinear", no_options,
     [](NetcdfFixture& x) {
       x.variable("lon").dimensions = {"lat", "lon"};
       x.variable("lon").values.resize(20, -9);
     }},
    {"axes_that_count_columns", "curvilinear", no_options,
     [](NetcdfFixture& x) {  // as in HYCOM's own files: axis X without units, longitude (y, x)
       x.variables.push_back(
           {"nav_lon", NC_DOUBLE, {"lat", "lon"}, std::vector<double>(20, -9), {}, {}});
       x.variable("lon").texts = {{"axis", "X"}};
     }},
    {"wrong_fill_in_range", "a fill value that no _FillValue", no_options,
     [](NetcdfFixture& x) { x.variable("uo").values[3] = -99; }},
    {"unsorted_longitude", "is not sorted",
     [](SmallForecast& f, ImportOptions&) {
       f.longitude = {-10, -8, -9, -7, -6};
     }},
    {"latitude_off_the_globe", "coordinates lie between -90 and 90",
     [](SmallForecast& f, ImportOptions&) {
       f.latitude = {88, 89, 90, 91};
     }},
    {"missing_coordinate", "coordinates lie between", no_options,
     [](NetcdfFixture& x) { x.variable("lat").values[2] = std::nan(""); }},
    {"one_column", "interpolation needs two",
     [](SmallForecast& f, ImportOptions&) { f.longitude = {-9}; }},
    {"no_coordinate_variable", "has no coordinate variable", no_options,
     [](NetcdfFixture& x) {
       x.variable("lon").name = "something";
       x.variable("something").dimensions = {"lat"};
       x.variable("something").texts.clear();
       x.variable("something").values.resize(4);
     }},
    {"extra_dimension", "none of longitude, latitude", no_options,
     [](NetcdfFixture& x) {
       x.dimensions.emplace_back("band", 2);
       for (const char* name : {"uo", "vo"}) {
         auto& variable = x.variable(name);
         variable.dimensions.push_back("band");
         const auto copy = variable.values;
         variable.values.insert(variable.values.end(), copy.begin(), copy.end());
       }
     }},
    {"calendar", "calendar \"360_day\", which is not supported", no_options,
     [](NetcdfFixture& x) { x.variable("time").texts.emplace_back("calendar", "360_day"); }},
    {"day_that_is_none", "holds 29 February 2023, which its calendar has", no_options,
     [](NetcdfFixture& x) {
       x.variable("time").texts = {{"units", "hours since 2023-02-28 18:00"},
                                   {"calendar", "366_day"}};
     }},
    {"told_time_units", "has the units \"fortnights since 2024-10-01\"",
     [](SmallForecast&, ImportOptions& o) { o.names.time_units = "fortnights since 2024-10-01"; }},
    {"time_units", ", or give the right units with --time-units", no_options,
     [](NetcdfFixture& x) {
       x.variable("time").texts = {{"units", "months since 2024-10-01"}};
     }},
    {"time_in_months", "\"months since 2024-10-01\", and months and years have no fixed length",
     no_options,
     [](NetcdfFixture& x) {
       x.variable("time").texts = {{"units", "months since 2024-10-01"}};
     }},
    {"range_in_words", "its attribute valid_range is the text \"-5 to 5\", which must be a number",
     no_options,
     [](NetcdfFixture& x) { x.variable("uo").texts.emplace_back("valid_range", "-5 to 5"); }},
    {"range_of_one", "its attribute valid_range has 1 number, and it needs two", no_options,
     [](NetcdfFixture& x) { x.variable("vo").texts.emplace_back("valid_range", "5"); }},
    {"scale_in_words", "its attribute scale_factor is the text \"a tenth\"", no_options,
     [](NetcdfFixture& x) { x.variable("uo").texts.emplace_back("scale_factor", "a tenth"); }},
    {"velocity_in_two_groups",
     "its root group holds no velocity, and several of its groups do: analysis, forecast; extract "
     "one into a file of its own first, e.g. ncks -G : -g \"analysis\" IN.nc OUT.nc",
     no_options,
     [](NetcdfFixture& x) {
       NetcdfFixture file;
       for (const char* name : {"analysis", "forecast", "waves"}) {
         file.groups.push_back(x);
         file.groups.back().group_name = name;
       }
       file.groups.back().variable("uo").name = "height";
       x = file;
     }},
    {"time_reference", "is not a time", no_options,
     [](NetcdfFixture& x) {
       x.variable("time").texts = {{"units", "hours since the start"}};
     }},
    {"missing_time", "holds a missing time", no_options,
     [](NetcdfFixture& x) { x.variable("time").values[1] = std::nan(""); }},
    {"one_time", "holds 1 time(s)", [](SmallForecast& f, ImportOptions&) { f.hour = {0}; }},
    {"window_outside", "asks for more than the file holds",
     [](SmallForecast&, ImportOptions& o) { o.from = parse_iso_time("2024-10-27"); }},
    {"window_backwards", "is not before --to",
     [](SmallForecast&, ImportOptions& o) {
       o.from = parse_iso_time("2024-10-28T12:00");
       o.to = parse_iso_time("2024-10-28T06:00");
     }},
    {"gap_of_years", "are the most that are bridged",
     [](SmallForecast& f, ImportOptions&) {
       f.hour = {-210000, 0, 6, 12};
     }},
    {"step_far_too_short", "a step of 0.1 s makes 648001 levels, more than 100000",
     [](SmallForecast&, ImportOptions& o) { o.step = 0.1; }},
    {"size_of_the_cells", "GB, more than 100; give a longer --step, a larger --spacing",
     [](SmallForecast&, ImportOptions& o) {
       o.step = 1;
       o.spacing = 1000;
     }},
    {"size_of_the_realizations", "1 mode(s) and 10000000 realizations make",
     [](SmallForecast&, ImportOptions& o) {
       o.step = 10;
       o.modes = 1;
       o.realizations = 10000000;
     }},
    {"step_too_long", "fewer than two levels",
     [](SmallForecast&, ImportOptions& o) { o.step = 86400; }},
    {"spacing_too_large", "2 × 2 are needed",
     [](SmallForecast&, ImportOptions& o) { o.spacing = 1e6; }},
    {"spacing_too_small", "make it larger",
     [](SmallForecast&, ImportOptions& o) { o.spacing = 1; }},
    {"depth_without_levels", "leave --depth out",
     [](SmallForecast&, ImportOptions& o) { o.depth = 5; }},
    {"depth_below_all", "goes down to 40 m, and --depth is 9000",
     [](SmallForecast& f, ImportOptions& o) {
       f.depth = {0, 10, 40};
       o.depth = 9000;
     }},
    {"depth_in_layers", "levels are chosen in metres",
     [](SmallForecast& f, ImportOptions&) {
       f.depth = {0, 1};
     },
     [](NetcdfFixture& x) {
       x.variable("depth").texts = {{"units", "sigma_level"}};
     }},
    {"box_elsewhere", "holds no part of the grid",
     [](SmallForecast&, ImportOptions& o) {
       o.box = BoundingBox{100, 40, 110, 43};
     }},
    {"too_wide", "too wide for one plane",
     [](SmallForecast& f, ImportOptions&) {
       f.longitude = {-180, -90, 0, 90, 179};
     }},
    {"other_grid", "lies on other points",
     [](SmallForecast&, ImportOptions& o) {
       o.files.push_back(o.files[0].parent_path() / "elsewhere.nc");
     }},
    {"undeclared_fill", "a fill value that no _FillValue", no_options,
     [](NetcdfFixture& x) { x.variable("uo").values[3] = -9999; }},
    {"infinity", "variable vo: holds -inf at -7 E 40 N, 2024-10-28T00:00:00", no_options,
     [](NetcdfFixture& x) {
       x.variable("vo").type = NC_DOUBLE;
       x.variable("vo").values[3] = -std::numeric_limits<double>::infinity();
     }},
    {"infinity_in_the_scalar", "variable swh: holds inf at",
     [](SmallForecast&, ImportOptions& o) { o.scalar = "swh"; },
     [](NetcdfFixture& x) {
       x.variables.push_back(x.variable("uo"));
       x.variables.back().name = "swh";
       x.variables.back().type = NC_DOUBLE;
       x.variables.back().values[3] = std::numeric_limits<double>::infinity();
     }},
    {"no_water", "there is no water", no_options,
     [](NetcdfFixture& x) {
       for (double& value : x.variable("uo").values) value = std::nan("");
     }},
    {"scalar_missing", "variable swh: is not in the file",
     [](SmallForecast&, ImportOptions& o) { o.scalar = "swh"; }},
    {"scalar_elsewhere", "has no value at",
     [](SmallForecast&, ImportOptions& o) {
       o.scalar = "uo";
       o.scalar_file = o.files[0].parent_path() / "elsewhere.nc";
     }},
    {"scalar_file_alone", "go with --scalar",
     [](SmallForecast&, ImportOptions& o) { o.scalar_fill = 1; }},
    {"obstacles_missing", "there is no such file",
     [](SmallForecast&, ImportOptions& o) { o.obstacles = "/nowhere/a.geojson"; }},
    {"obstacles_no_json", "is not JSON",
     [](SmallForecast&, ImportOptions& o) { o.obstacles = o.files[0].parent_path() / "text.nc"; }},
    {"out_over_input", "which is read; name another file",
     [](SmallForecast&, ImportOptions& o) { o.out = o.files[0]; }},
    {"out_nowhere", "does not exist",
     [](SmallForecast&, ImportOptions& o) { o.out = "/nowhere/at/all/env.h5"; }},
};

INSTANTIATE_TEST_SUITE_P(Each, BadImport, ::testing::ValuesIn(bad_inputs),
                         [](const auto& input) { return std::string(input.param.name); });

/// A classic file reads as zeros where it ends, times among them.
TEST(BadImport, TruncatedClassicFileIsRefused) {
  const test::TemporaryFolder folder;
  SmallForecast().write(folder / "a.nc", 0);
  const auto size = std::filesystem::file_size(folder / "a.nc");
  for (const auto left : {size / 2, size - 4}) {
    std::filesystem::resize_file(folder / "a.nc", left);
    ImportOptions options;
    options.files = {folder / "a.nc"};
    options.out = folder / "env.h5";
    options.spacing = 20000;
    SilentProgress progress;
    EXPECT_THAT([&] { import_forecast(options, progress); },
                ::testing::ThrowsMessage<InputError>(HasSubstr("it is cut short; fetch it again")));
    EXPECT_FALSE(std::filesystem::exists(options.out));
    std::filesystem::resize_file(folder / "a.nc", 0);
    SmallForecast().write(folder / "a.nc", 0);
  }
}

/// Truncated in the middle of the fields: the header reads, the data do not.
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

TEST(ImportCommand, ExitsWithTwoAndLeavesNothing) {
  const test::TemporaryFolder folder;
  SmallForecast forecast;
  forecast.members = 0;
  forecast.write(folder / "a.nc");
  const std::string file = folder / "a.nc";
  const std::string out = folder / "env.h5";
  const auto run = [&](std::vector<const char*> words) {
    words.insert(words.begin(), {"tidewise", "env", "import", file.c_str(), "--out", out.c_str()});
    ::testing::internal::CaptureStderr();
    ::testing::internal::CaptureStdout();
    const int status = run_program(static_cast<int>(words.size()), words.data());
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
