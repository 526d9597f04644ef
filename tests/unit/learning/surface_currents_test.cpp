// Observations of drifters and radars, which do not move through the water.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/progress.h"
#include "coastal_forecast.h"
#include "env/units/calendar_time.h"
#include "learning/file/posterior.h"
#include "learning/track/track.h"
#include "support/error_code.h"
#include "support/ocean/netcdf_fixture.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;
using testing::ThrowsMessage;

class SurfaceCurrents : public testing::Test {
 protected:
  SurfaceCurrents() { sea_.write(folder_ / "sea.h5"); }

  EnvironmentReader sea() const { return EnvironmentReader(folder_ / "sea.h5"); }
  /// Hourly fields of u = 0.3 and v = −0.1 m/s at points 2 km apart, from hour 2 to hour 4, over
  /// the western half of the forecast and an area south of it. DOPx is 2, DOPy is 1.
  test::NetcdfFixture radar() const {
    test::NetcdfFixture file;
    file.dimensions = {{"time", 3}, {"lat", 8}, {"lon", 6}};
    const auto position = [&](double x, double y) { return sea_.globe(x, y); };
    std::vector<double> latitude(8);
    std::vector<double> longitude(6);
    for (std::size_t j = 0; j < 8; ++j) {
      latitude[j] = position(0, -3000 + 2000.0 * static_cast<double>(j)).latitude;
    }
    for (std::size_t i = 0; i < 6; ++i) {
      longitude[i] = position(500 + 2000.0 * static_cast<double>(i), 0).longitude;
    }
    const auto field = [](const std::string& name, double value, const std::string& units) {
      return test::NetcdfFixture::Variable{.name = name,
                                           .type = NC_FLOAT,
                                           .dimensions = {"time", "lat", "lon"},
                                           .values = std::vector<double>(3 * 8 * 6, value),
                                           .texts = {{"units", units}},
                                           .numbers = {{"_FillValue", NC_FLOAT, {-999}}}};
    };
    const auto coordinate = [](const std::string& name, std::vector<double> values,
                               const std::string& units) {
      return test::NetcdfFixture::Variable{.name = name,
                                           .type = NC_DOUBLE,
                                           .dimensions = {name},
                                           .values = std::move(values),
                                           .texts = {{"units", units}},
                                           .numbers = {}};
    };
    file.variables = {coordinate("time", {2, 3, 4}, "hours since 2024-10-28T00:00:00Z"),
                      coordinate("lat", latitude, "degrees_north"),
                      coordinate("lon", longitude, "degrees_east"),
                      field("u", 0.3, "m s-1"),
                      field("v", -0.1, "m s-1"),
                      field("DOPx", 2, "1"),
                      field("DOPy", 1, "1")};
    return file;
  }
  std::vector<ObservedTrack> read(const test::NetcdfFixture& file,
                                  const TrackOptions& options = {}) const {
    file.write(folder_ / "radar.nc");
    return read_observations({.radars = {folder_ / "radar.nc"}}, sea(), options);
  }

  const test::TemporaryFolder folder_;
  const test::CoastalForecast sea_;
};

TEST_F(SurfaceCurrents, UseOnlyADriftersMotion) {
  // A fix each 20 minutes for two hours: 0.2 m/s to the east, then 0.1 m/s to the north.
  std::string text = "time,lon,lat,ve,vn,speed,bearing\n";
  for (int n = 0; n <= 6; ++n) {
    const double x = 3000 + 1200 * 0.2 * std::min(n, 3);
    const double y = 4000 + 1200 * 0.1 * std::max(n - 3, 0);
    const auto at = sea_.globe(x, y);
    text += fmt::format("{}Z,{:.9f},{:.9f},9,9,1,90\n",
                        format_iso_time(parse_iso_time("2024-10-28T03:00") + 1200 * n),
                        at.longitude, at.latitude);
  }
  std::ofstream(folder_ / "drifter.csv") << text;
  const auto tracks = read_observations({.drifters = {folder_ / "drifter.csv"}}, sea(), {});
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0].by, ObservedBy::drifter);
  const auto& legs = tracks[0].legs;  // one for each of the forecast's steps of an hour
  ASSERT_EQ(legs.size(), 2u);
  EXPECT_NEAR(legs[0].u, 0.2, 1e-4);
  EXPECT_NEAR(legs[0].v, 0, 1e-4);
  EXPECT_NEAR(legs[1].u, 0, 1e-4);
  EXPECT_NEAR(legs[1].v, 0.1, 1e-4);
  EXPECT_EQ(legs[0].own_u, 0);
  EXPECT_EQ(legs[0].leg.points.size(), 4u);
  const double fixes = 10 * std::sqrt(2.0) / 3600;
  EXPECT_NEAR(legs[0].error_u, std::sqrt(0.02 * 0.02 + fixes * fixes + 0.03 * 0.03), 1e-9);
}

/// Three drifters in a file with interleaved fixes: one moves east at 0.2 m/s, one north at 0.1
/// m/s, nearer to each other than legs that are taken for the same, and one is elsewhere.
class SeveralDrifters : public SurfaceCurrents {
 protected:
  std::string rows(const std::string& column, const std::vector<std::string>& names) const {
    std::string text = column + ",time,lon,lat\n";
    for (int n = 0; n <= 6; ++n) {
      const double metres = 900 * n;  // half an hour of 0.5 m/s
      const GeographicPoint positions[] = {sea_.globe(3000 + 0.4 * metres, 4000),
                                           sea_.globe(3000, 4100 + 0.2 * metres),
                                           {-20, 40 + 0.001 * n}};
      for (std::size_t d = 0; d < names.size(); ++d) {
        const double time = parse_iso_time("2024-10-28T03:00") + 1800 * n + 60.0 * d;
        text += fmt::format("{},{}Z,{:.9f},{:.9f}\n", names[d], format_iso_time(time),
                            positions[d].longitude, positions[d].latitude);
      }
    }
    return text;
  }
  std::filesystem::path file(const std::string& text) const {
    std::ofstream(folder_ / "several.csv") << text;
    return folder_ / "several.csv";
  }
  static void expect_two(const std::vector<ObservedTrack>& tracks) {
    ASSERT_EQ(tracks.size(), 2u);
    for (const ObservedTrack& track : tracks) {
      ASSERT_EQ(track.legs.size(), 3u) << track.identity;
      const bool is_first = &track == tracks.data();
      for (const ObservedLeg& leg : track.legs) {
        EXPECT_NEAR(leg.u, is_first ? 0.2 : 0, 1e-4) << track.identity;
        EXPECT_NEAR(leg.v, is_first ? 0 : 0.1, 1e-4) << track.identity;
      }
    }
  }
};

TEST_F(SeveralDrifters, FormOneTrackEachInAFile) {
  for (const char* column : {"ID", "trajectory", "WMO", "Drifter ID", "platform"}) {
    const auto tracks =
        read_observations({.drifters = {file(rows(column, {"101", "b"}))}}, sea(), {});
    expect_two(tracks);
    EXPECT_EQ(tracks[0].identity, fmt::format("{} 101", column));
    EXPECT_EQ(tracks[1].file_kind, "2 drifters");
  }
  TrackOptions options;
  options.columns = {"id=who"};
  expect_two(read_observations({.drifters = {file(rows("who", {"a", "b"}))}}, sea(), options));
}

TEST_F(SeveralDrifters, AreLeftOutOutsideOrWithoutAName) {
  const auto tracks = read_observations(
      {.drifters = {file(rows("ID", {"a", "b", "c"}) + ",2024-10-28T03:10Z,-125.9,47.1\n")}}, sea(),
      {});
  expect_two(tracks);
  EXPECT_THAT(tracks[0].notes,
              testing::IsSupersetOf({HasSubstr("1 of 22 rows have no ID, and were left out"),
                                     HasSubstr("1 of 3 drifters have no leg in the forecast, the "
                                               "first of them ID c: ")}));
  EXPECT_THAT(
      [&] {
        const std::string text = rows("ID", {"a", "b", "c"});
        std::string only_third = "ID,time,lon,lat\n";
        for (std::size_t at = 0; (at = text.find("\nc,", at)) != std::string::npos; ++at) {
          only_third += text.substr(at + 1, text.find('\n', at + 1) - at);
        }
        read_observations({.drifters = {file(only_third)}}, sea(), {});
      },
      ThrowsMessage<InputError>(test::has_code("track_outside_environment", "longitude -20.0000")));
}

TEST_F(SeveralDrifters, AreNotOneVehiclesTrack) {
  const std::string text = rows("ID", {"a", "b"});
  TrackOptions options;
  EXPECT_THAT([&] { read_observations({.tracks = {file(text)}}, sea(), options); },
              ThrowsMessage<InputError>(test::has_code("track_vehicles_several", "ID a")));
  options.trajectory = 1;
  const auto second = read_observations({.drifters = {file(text)}}, sea(), options);
  ASSERT_EQ(second.size(), 1u);
  EXPECT_NEAR(second[0].legs.at(0).v, 0.1, 1e-4);
  options.trajectory = 2;
  EXPECT_THAT([&] { read_observations({.tracks = {file(text)}}, sea(), options); },
              ThrowsMessage<InputError>(test::has_code("trajectory_option_outside", "2")));
  // An id that numbers the rows does not distinguish drifters, nor does a constant one.
  for (const char* format :
       {"id,time,lon,lat\n1,{}\n2,{}\n3,{}\n", "id,time,lon,lat\n7,{}\n7,{}\n7,{}\n"}) {
    const auto tracks = read_observations(
        {.drifters = {file(fmt::format(fmt::runtime(format), "2024-10-28T03:00Z,-125.95,47.04",
                                       "2024-10-28T04:00Z,-125.945,47.04",
                                       "2024-10-28T05:00Z,-125.94,47.04"))}},
        sea(), {});
    ASSERT_EQ(tracks.size(), 1u);
    EXPECT_EQ(tracks[0].legs.size(), 2u);
  }
}

TEST_F(SeveralDrifters, MayBeRowsOrIdentitiesInANetcdf) {
  const auto numbers = [](const std::string& name, const std::vector<std::string>& dimensions,
                          std::vector<double> values, const std::string& units) {
    return test::NetcdfFixture::Variable{.name = name,
                                         .type = NC_DOUBLE,
                                         .dimensions = dimensions,
                                         .values = std::move(values),
                                         .texts = {{"units", units}},
                                         .numbers = {}};
  };
  std::vector<double> time, lon, lat, ids;
  for (int d = 0; d < 2; ++d) {
    for (int n = 0; n <= 3; ++n) {
      const double metres = 3600 * n;
      const auto at =
          d == 0 ? sea_.globe(3000 + 0.2 * metres, 4000) : sea_.globe(3000, 4100 + 0.1 * metres);
      time.push_back(3 + n);
      lon.push_back(at.longitude);
      lat.push_back(at.latitude);
      ids.push_back(64530 + d);
    }
  }
  const std::string since = "hours since 2024-10-28T00:00:00Z";
  test::NetcdfFixture rows;
  rows.dimensions = {{"trajectory", 2}, {"obs", 4}};
  rows.variables = {numbers("time", {"trajectory", "obs"}, time, since),
                    numbers("lon", {"trajectory", "obs"}, lon, "degrees_east"),
                    numbers("lat", {"trajectory", "obs"}, lat, "degrees_north")};
  rows.write(folder_ / "rows.nc");
  expect_two(read_observations({.drifters = {folder_ / "rows.nc"}}, sea(), {}));
  test::NetcdfFixture flat;
  flat.dimensions = {{"row", 8}};
  flat.variables = {numbers("WMO", {"row"}, ids, "1"), numbers("time", {"row"}, time, since),
                    numbers("lon", {"row"}, lon, "degrees_east"),
                    numbers("lat", {"row"}, lat, "degrees_north")};
  flat.write(folder_ / "flat.nc");
  const auto tracks = read_observations({.drifters = {folder_ / "flat.nc"}}, sea(), {});
  expect_two(tracks);
  EXPECT_EQ(tracks[1].identity, "WMO 64531");
}

TEST_F(SeveralDrifters, WithoutAnIdentityAreReported) {
  EXPECT_THAT(
      [&] {
        read_observations({.drifters = {file("time,lon,lat\n2024-10-28T03:00Z,-125.95,47.04\n"
                                             "2024-10-28T03:00Z,-125.90,47.04\n")}},
                          sea(), {});
      },
      ThrowsMessage<InputError>(test::has_code("track_places_at_one_time")));
}

TEST_F(SeveralDrifters, NoteAFileOfAnotherTime) {
  const std::string later =
      "time,lon,lat\n2025-01-01T03:00Z,-125.95,47.04\n"
      "2025-01-01T04:00Z,-125.945,47.04\n";
  std::ofstream(folder_ / "later.csv") << later;
  auto elsewhere = radar();
  for (double& latitude : elsewhere.variable("lat").values) latitude += 3;
  elsewhere.write(folder_ / "elsewhere.nc");
  const ObservationFiles files{.drifters = {folder_ / "later.csv"},
                               .radars = {folder_ / "elsewhere.nc"}};
  EXPECT_THAT([&] { read_observations(files, sea(), {}); },
              ThrowsMessage<InputError>(test::has_code("track_outside_forecast")));
  ObservationFiles with_track = files;
  std::ofstream(folder_ / "track.csv") << "time,lon,lat,u,v\n2024-10-28T03:00Z,-125.95,47.04,,\n"
                                          "2024-10-28T04:00Z,-125.945,47.04,0.1,0\n";
  with_track.tracks = {folder_ / "track.csv"};
  const auto tracks = read_observations(with_track, sea(), {});
  ASSERT_EQ(tracks.size(), 3u);
  std::size_t legs = 0;
  for (const ObservedTrack& track : tracks) {
    legs += track.legs.size();
    if (track.by == ObservedBy::vehicle) continue;
    EXPECT_THAT(track.notes,
                testing::Contains(HasSubstr(track.by == ObservedBy::radar
                                                ? "no current in it lies within"
                                                : "no leg lies within the environment's times")));
  }
  EXPECT_EQ(legs, 1u);
}

TEST_F(SurfaceCurrents, MakeSuperobservationsWithTheErrorOfOneVector) {
  auto file = radar();
  file.variable("u").values[3 * 6 + 1] = -999;  // missing; the mean remains 0.3
  const auto tracks = read(file);
  ASSERT_EQ(tracks.size(), 1u);
  // Boxes are 4 km wide: three along x, and three along y in the forecast (from 1 to 11 km), in
  // each of three hours.
  const auto& legs = tracks[0].legs;
  EXPECT_EQ(tracks[0].by, ObservedBy::radar);
  ASSERT_EQ(legs.size(), 27u);
  for (const ObservedLeg& leg : legs) {
    EXPECT_NEAR(leg.u, 0.3, 2e-3);
    EXPECT_NEAR(leg.v, -0.1, 2e-3);
    EXPECT_NEAR(leg.error_u, std::hypot(2 * 0.05, 0.03), 1e-6);
    EXPECT_NEAR(leg.error_v, std::hypot(1 * 0.05, 0.03), 1e-6);
    EXPECT_NEAR(leg.leg.times[1] - leg.leg.times[0], 3600, 1e-6);
  }
  EXPECT_EQ(legs.front().leg.times[0], 1.5 * 3600);  // half an hour on either side of a map
  EXPECT_THAT(
      tracks[0].kind,
      HasSubstr("superobservations of 107 currents, each a mean over 4 km and 1 h at most"));
}

TEST_F(SurfaceCurrents, CoverTheTimeFromTheFirstMapToTheLast) {
  auto info = test::CoastalForecast::info();
  info.time.step = 3 * 3600;
  sea_.write(folder_ / "sea.h5", info);
  std::set<std::pair<double, double>> hours;
  const auto tracks = read(radar());
  for (const ObservedLeg& leg : tracks[0].legs) {
    hours.emplace(leg.leg.times[0] / 3600, leg.leg.times[1] / 3600);
  }
  // Legs in the steps from 0 to 3 and from 3 to 6 h.
  EXPECT_THAT(hours, ElementsAre(Pair(1.5, 2.5), Pair(2.5, 4.5)));
  EXPECT_THAT(tracks[0].kind, HasSubstr(" and 2 h at most"));
  auto single = radar();
  single.dimensions[0].second = 1;
  single.variable("time").values = {3};
  for (const char* name : {"u", "v", "DOPx", "DOPy"}) single.variable(name).values.resize(48);
  const auto one_hour = read(single);
  for (const ObservedLeg& leg : one_hour[0].legs) {
    EXPECT_NEAR(leg.leg.times[0], 2.5 * 3600, 1e-3);
    EXPECT_NEAR(leg.leg.times[1], 3.5 * 3600, 1e-3);
  }
  single.variable("time").values = {0};  // the forecast begins here
  const auto half_hour = read(single);
  EXPECT_EQ(half_hour[0].legs.size(), 9u);
  for (const ObservedLeg& leg : half_hour[0].legs) {
    EXPECT_NEAR(leg.leg.times[0], 0, 1e-3);
    EXPECT_NEAR(leg.leg.times[1], 0.5 * 3600, 1e-3);
  }
}

TEST_F(SurfaceCurrents, UseLargerBoxesWithoutAveragingTidesAway) {
  // Cells of 20 m, boxes of 80 m, and a vector each 100 m: 4 rows of 5 in the sea, 25 times.
  auto info = test::CoastalForecast::info();
  info.grid = {24, 20, 0, 0, 20, 20};
  info.time = {31, 0, 3 * 3600};
  sea_.write(folder_ / "sea.h5", info);
  auto file = radar();
  file.dimensions[0].second = 30;
  file.variable("time").values.clear();
  for (int n = 0; n < 30; ++n) file.variable("time").values.push_back(3 * n);
  for (int j = 0; j < 8; ++j) {
    file.variable("lat").values[static_cast<std::size_t>(j)] =
        sea_.globe(0, -150 + 100 * j).latitude;
  }
  for (int i = 0; i < 6; ++i) {
    file.variable("lon").values[static_cast<std::size_t>(i)] = sea_.globe(5 + 90 * i, 0).longitude;
  }
  for (const char* name : {"u", "v", "DOPx", "DOPy"}) {
    auto& values = file.variable(name).values;
    values.assign(30 * 48, values[0]);
  }
  const auto tracks = read(file);
  EXPECT_LE(tracks[0].legs.size(), 500u);
  EXPECT_THAT(tracks[0].kind, HasSubstr(" currents, each a mean over 0.1"));
  for (const ObservedLeg& leg : tracks[0].legs) {
    EXPECT_LE(leg.leg.times[1] - leg.leg.times[0], 3 * 3600 + 1e-3);
  }
}

TEST_F(SurfaceCurrents, RespectTheFilesFlagsAndErrors) {
  auto file = radar();
  auto flags = file.variable("u");
  flags.name = "QCflag";
  flags.values.assign(flags.values.size(), 1);
  for (std::size_t n = 48; n < 144; ++n) flags.values[n] = 4;  // all but the first hour
  file.variables.push_back(flags);
  for (const char* name : {"DOPx", "DOPy"}) {
    auto& error = file.variable(name);
    error.name = std::string(name) == "DOPx" ? "u_error" : "v_error";
    error.texts = {{"units", "cm/s"}};
    error.values.assign(error.values.size(), 4);
  }
  const auto tracks = read(file);
  ASSERT_EQ(tracks[0].legs.size(), 9u);
  EXPECT_NEAR(tracks[0].legs[0].error_u, 0.05, 1e-6);
  EXPECT_EQ(tracks[0].legs[8].leg.times[1], 2.5 * 3600);
  EXPECT_EQ(tracks[0].errors, "the file's, representation 0.03 m/s");
}

TEST_F(SurfaceCurrents, MatchFlagsAndErrorsByDimensions) {
  const auto with_flags = [&](const std::vector<std::string>& dimensions,
                              std::vector<double> values) {
    auto file = radar();
    auto flags = file.variable("u");
    flags.name = "QCflag";
    flags.dimensions = dimensions;
    flags.values = std::move(values);
    file.variables.push_back(flags);
    return file;
  };
  // In the order (lon, lat, time), every third value is of the first time, which alone is good.
  std::vector<double> transposed(3 * 48, 4);
  for (std::size_t n = 0; n < transposed.size(); n += 3) transposed[n] = 1;
  const auto first_hour = read(with_flags({"lon", "lat", "time"}, transposed));
  ASSERT_EQ(first_hour[0].legs.size(), 9u);
  for (const ObservedLeg& leg : first_hour[0].legs) EXPECT_EQ(leg.leg.times[0], 1.5 * 3600);
  auto diluted = radar();
  for (const char* name : {"DOPx", "DOPy"}) {
    diluted.variable(name).dimensions = {"lat", "lon"};
    diluted.variable(name).values.assign(48, 10);
  }
  const auto tracks = read(diluted);
  EXPECT_NEAR(tracks[0].legs[0].error_v, std::hypot(10 * 0.05, 0.03), 1e-6);
  EXPECT_EQ(tracks[0].errors, "the file's dilution times 0.05 m/s, representation 0.03 m/s");
  auto bare = radar();
  bare.variables.resize(5);
  EXPECT_EQ(read(bare)[0].errors, "0.1 m/s, as the file gives none, representation 0.03 m/s");
  const auto reject = [&](const test::NetcdfFixture& file, const char* code) {
    EXPECT_THAT([&] { read(file); }, ThrowsMessage<InputError>(test::has_code_of(code)));
  };
  reject(with_flags({"lat", "lon"}, std::vector<double>(48, 4)), "[radar_without_usable_currents]");
  auto certain = radar();
  certain.variable("DOPx").values.assign(3 * 48, 0);
  reject(certain, "[radar_without_usable_currents]");
  auto elsewhere = with_flags({"site"}, {1, 1});
  elsewhere.dimensions.emplace_back("site", 2);
  reject(elsewhere, "u [flags_on_other_dimensions]");
}

TEST_F(SurfaceCurrents, RespectFlagsOfEveryNameAndType) {
  const auto flagged = [&](const std::string& name, nc_type type, double good, double bad) {
    auto file = radar();
    auto flags = file.variable("u");
    flags.name = name;
    flags.type = type;
    flags.texts.clear();
    flags.numbers.clear();
    flags.values.assign(flags.values.size(), good);
    for (std::size_t n = 48; n < 144; ++n) flags.values[n] = bad;  // all but the first hour
    file.variables.push_back(flags);
    return file;
  };
  auto listed = flagged("speed_test", NC_BYTE, 0, 1);
  listed.variables.back().texts = {{"flag_meanings", "passed failed"}};
  listed.variables.back().numbers = {{"flag_values", NC_BYTE, {0, 1}}};
  EXPECT_EQ(read(listed)[0].legs.size(), 27u);  // the flag names no variable
  listed.variable("u").texts.emplace_back("ancillary_variables", "DOPx speed_test");
  EXPECT_EQ(read(listed)[0].legs.size(), 9u);
  EXPECT_EQ(read(flagged("QCflag", NC_CHAR, '1', '4'))[0].legs.size(), 9u);
  EXPECT_EQ(read(flagged("quality_flag", NC_SHORT, 2, 9))[0].legs.size(), 9u);
  auto letters = flagged("v_flag", NC_CHAR, 'P', 'F');
  letters.variables.back().texts = {{"flag_values", "P F"}, {"flag_meanings", "pass fail"}};
  EXPECT_EQ(read(letters)[0].legs.size(), 9u);
}

TEST_F(SurfaceCurrents, HaveErrorsInTheUnitsOfTheirComponents) {
  auto file = radar();
  for (const auto& [component, dilution, error] :
       {std::tuple{"u", "DOPx", "u_err"}, std::tuple{"v", "DOPy", "v_err"}}) {
    auto& speed = file.variable(component);
    speed.texts = {{"units", "cm s-1"}};
    for (double& value : speed.values) value *= 100;
    auto& errors = file.variable(dilution);
    errors.name = error;
    errors.texts.clear();
    errors.values.assign(errors.values.size(), 4);
  }
  const auto tracks = read(file);
  EXPECT_NEAR(tracks[0].legs[0].u, 0.3, 2e-3);
  EXPECT_NEAR(tracks[0].legs[0].error_u, std::hypot(0.04, 0.03), 1e-6);
  EXPECT_NEAR(tracks[0].legs[0].error_v, std::hypot(0.04, 0.03), 1e-6);
  file.variable("v").texts.clear();
  EXPECT_THAT([&] { read(file); }, ThrowsMessage<InputError>(testing::AllOf(
                                       test::has_code("radar_units_missing", "variable v"),
                                       testing::HasSubstr("cm s-1"))));
}

TEST_F(SurfaceCurrents, OfRadialFilesAreRejected) {
  auto file = radar();
  auto radial = file.variable("u");
  radial.name = "vr";
  radial.texts = {{"standard_name", "radial_sea_water_velocity_toward_instrument"}};
  file.variables.push_back(radial);
  EXPECT_THAT([&] { read(file); }, ThrowsMessage<InputError>(test::has_code(
                                       "velocity_is_radial", "radar.nc: variable u")));
}

TEST_F(SurfaceCurrents, CorrectAForecastBeforeDeparture) {
  // The forecast has 0.1 m/s along x with a spread of 0.3; nine places over three hours observe
  // 0.3.
  const auto tracks = read(radar());
  SilentProgress silent;
  const auto report = write_posterior(sea(), tracks, {}, {folder_ / "post.h5", "observe"}, silent);
  EXPECT_EQ(report.legs.size(), 27u);
  EXPECT_NEAR(report.legs[0].u.forecast, 0.1, 1e-6);
  EXPECT_NEAR(report.legs[0].u.posterior, 0.3, 0.03);
  EXPECT_LT(report.spread_after[0], 0.3 * report.spread_before[0]);
}

TEST_F(SurfaceCurrents, AreRejectedIfInvalid) {
  const auto reject = [&](const test::NetcdfFixture& file, const char* code) {
    EXPECT_THAT([&] { read(file); }, ThrowsMessage<InputError>(test::has_code_of(code)));
  };
  auto elsewhere = radar();
  for (double& latitude : elsewhere.variable("lat").values) latitude += 3;
  reject(elsewhere, "[radar_outside_forecast]");
  auto without_u = radar();
  without_u.variables.erase(without_u.variables.begin() + 3);
  reject(without_u, "eastward_sea_water_velocity [not_gridded_currents]");
  auto without_units = radar();
  without_units.variable("time").texts = {};
  reject(without_units, "[radar_time_missing]");
  auto info = test::CoastalForecast::info();
  info.time_units = "s";  // without dates
  sea_.write(folder_ / "plane.h5", info);
  EXPECT_THAT(
      [&] {
        read_observations({.radars = {folder_ / "radar.nc"}},
                          EnvironmentReader(folder_ / "plane.h5"), {});
      },
      ThrowsMessage<InputError>(test::has_code("radar_needs_dates_and_degrees")));
}

}  // namespace
}  // namespace tidewise
