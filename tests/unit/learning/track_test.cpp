// Tracks in the forms that gliders, drifters and people write, and tracks with errors.
#include "learning/track/track.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "base/error.h"
#include "coastal_forecast.h"
#include "env/units/calendar_time.h"
#include "learning/track/leg_distance.h"
#include "learning/track/repeated_legs.h"
#include "support/error_code.h"
#include "support/ocean/environment_builder.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

class Track : public testing::Test {
 protected:
  Track() { sea_.write(folder_ / "sea.h5"); }

  EnvironmentReader sea() const { return EnvironmentReader(folder_ / "sea.h5"); }
  ObservedTrack read(const std::string& text, const TrackOptions& options = {}) const {
    std::ofstream(folder_ / "track.csv") << text;
    return read_track(folder_ / "track.csv", sea(), options);
  }
  void reject(const std::string& text, const testing::Matcher<std::string>& code,
              const TrackOptions& options = {}) const {
    EXPECT_THAT([&] { read(text, options); }, ThrowsMessage<InputError>(code)) << text;
  }
  /// Returns a row such as "2024-10-28T01:00:00Z,-125.9,47.1" for a position in the plane [m].
  std::string fix(double hour, double x, double y) const {
    const auto at = sea_.globe(x, y);
    return fmt::format("{}Z,{:.8f},{:.8f}",
                       format_iso_time(parse_iso_time("2024-10-28") + 3600 * hour), at.longitude,
                       at.latitude);
  }

  const test::TemporaryFolder folder_;
  const test::CoastalForecast sea_;
};

TEST_F(Track, SubtractsTheVehiclesOwnMotion) {
  // The vehicle steers 60° at 0.5 m/s for two hours, in a current of (0.2, −0.1).
  const double angle = 60 * std::numbers::pi / 180;
  const double x = 7200 * (0.5 * std::sin(angle) + 0.2);
  const double y = 7200 * (0.5 * std::cos(angle) - 0.1);
  const auto track = read("time,lon,lat,speed,bearing\n" + fix(1, 2000, 3000) + ",0.5,60\n" +
                          fix(3, 2000 + x, 3000 + y) + ",,\n");
  ASSERT_EQ(track.legs.size(), 1u);
  const ObservedLeg& leg = track.legs[0];
  EXPECT_NEAR(leg.u, 0.2, 1e-4);
  EXPECT_NEAR(leg.v, -0.1, 1e-4);
  EXPECT_NEAR(leg.own_u, 0.5 * std::sin(angle), 1e-4);
  EXPECT_NEAR(leg.own_v, 0.5 * std::cos(angle), 1e-4);
  EXPECT_THAT(leg.leg.times, ElementsAre(3600, 10800));
  EXPECT_NEAR(leg.leg.points[0].x, 2000, 0.01);
  EXPECT_NEAR(leg.leg.points[1].y, 3000 + y, 0.01);
  EXPECT_NEAR(leg.error_u, std::sqrt(0.02 * 0.02 + 0.03 * 0.03 + 2 * 100.0 / (7200.0 * 7200)),
              1e-9);
  EXPECT_EQ(leg.row, 3u);
  EXPECT_TRUE(track.notes.empty());
}

TEST_F(Track, GivesTheSameFlowFromAllKindsOfColumns) {
  const std::string begin = fix(1, 2000, 3000);
  const std::string end = fix(2, 2000 + 3600 * 0.7, 3000 + 3600 * -0.1);
  const auto reckoned = sea_.globe(2000 + 3600 * 0.5, 3000);
  for (const std::string& text :
       {fmt::format("time,lon,lat,stw,heading\n{},0.5,90\n{},,\n", begin, end),
        fmt::format("time,lon,lat,speed_kn,hdg\n{},0.97192225,90\n{},,\n", begin, end),
        fmt::format("time,lon,lat,Speed [cm/s],heading (rad)\n{},50,1.5707963268\n{},,\n", begin,
                    end),
        fmt::format("time,lon,lat,lon_dr,lat_dr\n{},,\n{},{:.8f},{:.8f}\n", begin, end,
                    reckoned.longitude, reckoned.latitude),
        fmt::format("time,lon,lat,u,v\n{},,\n{},0.2,-0.1\n", begin, end),
        fmt::format("time,lon,lat,m_water_vx,m_water_vy\n{},,\n{},0.2,-0.1\n", begin, end)}) {
    const auto track = read(text, {});
    ASSERT_EQ(track.legs.size(), 1u) << text;
    EXPECT_NEAR(track.legs[0].u, 0.2, 1e-4) << text;
    EXPECT_NEAR(track.legs[0].v, -0.1, 1e-4) << text;
  }
  const auto drifted = read("time,lon,lat\n" + begin + "\n" + end + "\n", {.drifter = true});
  EXPECT_NEAR(drifted.legs[0].u, 0.7, 1e-4);
}

TEST_F(Track, RotatesEastAndNorthIntoThePlane) {
  const test::CoastalForecast turned{.turn = 0.3};  // +y points 17° clockwise of north
  turned.write(folder_ / "turned.h5");
  const auto line = [&](double hour, double x, double y) {
    const auto at = turned.globe(x, y);
    return fmt::format("{},{:.8f},{:.8f}", 3600 * hour, at.longitude, at.latitude);
  };
  std::ofstream(folder_ / "t.csv")
      << "time [s],lon,lat,u,v\n" + line(0, 9000, 9000) + ",,\n" + line(1, 9000, 9100) + ",0,0.5\n";
  const auto current = read_track(folder_ / "t.csv", EnvironmentReader(folder_ / "turned.h5"), {});
  // A current to the north points to the left of +y.
  EXPECT_NEAR(current.legs[0].u, -0.5 * std::sin(0.3), 1e-3);
  EXPECT_NEAR(current.legs[0].v, 0.5 * std::cos(0.3), 1e-3);
  // A vehicle steers along +y, bearing 17.2°, in still water.
  std::ofstream(folder_ / "t.csv") << "time [s],lon,lat,speed,bearing\n" + line(0, 9000, 9000) +
                                          ",0.5,17.1887\n" + line(1, 9000, 10800) + ",,\n";
  const auto steered = read_track(folder_ / "t.csv", EnvironmentReader(folder_ / "turned.h5"), {});
  EXPECT_NEAR(steered.legs[0].u, 0, 1e-3);
  EXPECT_NEAR(steered.legs[0].v, 0, 1e-3);
}

TEST_F(Track, ReadsCommonVariantsOfFiles) {
  const auto legs = [&](const std::string& text) { return read(text).legs.size(); };
  // The files are one of ERDDAP with a line of units; one of a spreadsheet with decimal commas,
  // byte order mark and Windows line ends; and one with tabs, quotes, remarks and empty rows.
  EXPECT_EQ(
      legs(
          "time,latitude,longitude,u,v\nUTC,degrees_north,degrees_east,m s-1,m s-1\n"
          "2024-10-28T01:00:00Z,47.02,-125.98,NaN,NaN\n2024-10-28T03:00:00Z,47.03,-125.97,0.1,0\n"),
      1u);
  const auto sheet = read(
      "\xEF\xBB\xBF"
      "Date;Longitude;Latitude;U [cm/s];V [cm/s]\r\n"
      "2024-10-28 01:00;-125,98;47,02;;\r\n2024-10-28 03:00;-125,97;47,03;12,5;-3\r\n");
  ASSERT_EQ(sheet.legs.size(), 1u);
  EXPECT_NEAR(sheet.legs[0].u, 0.125, 1e-4);
  EXPECT_EQ(legs("# a remark\n\"timestamp\"\tlon\tlat\tve\tvn\n\n1730077200\t-125.98\t47.02\t\t\n"
                 "1730080800\t-125.97\t47.03\t0.1\t0\n"),
            1u);
  // A Slocum's table has seconds since 1970, and degrees and minutes in one number.
  const auto slocum = read(
      "m_present_time,m_gps_lat,m_gps_lon,m_final_water_vx,m_final_water_vy\n"
      "1730077200,4701.2,-12558.8,nan,nan\n1730080000,nan,nan,nan,nan\n"
      "1730084400,4701.8,-12558.2,0.1,0.05\n");
  ASSERT_EQ(slocum.legs.size(), 1u);
  const auto at = sea_.globe(slocum.legs[0].leg.points[0].x, slocum.legs[0].leg.points[0].y);
  EXPECT_NEAR(at.latitude, 47.02, 1e-6);
  EXPECT_NEAR(at.longitude, -125.98, 1e-6);
  EXPECT_THAT(slocum.notes, ElementsAre(HasSubstr("1 of 3 rows have no time or no position")));
  EXPECT_THAT(slocum.columns, HasSubstr("u is m_final_water_vx"));
  // This table has other column names, longitudes from 0 to 360, an error column, and levels.
  TrackOptions named;
  named.columns = {"u=east", "v=to_north"};
  const auto custom = read(
      "level,lon,lat,east,to_north,error\n1,234.02,47.02,,,\n2.5,234.03,47.03,0.1,0,0.04\n", named);
  ASSERT_EQ(custom.legs.size(), 1u);
  EXPECT_THAT(custom.legs[0].leg.times, ElementsAre(3600, 9000));
  EXPECT_NEAR(custom.legs[0].error_u, 0.05, 1e-12);  // 0.04, and 0.03 of representation
}

TEST_F(Track, SortsRowsAndCountsThemOnce) {
  const auto track =
      read("time,lon,lat,u,v\n" + fix(3, 4000, 3000) + ",0.3,0\n" + fix(1, 2000, 3000) + ",,\n" +
           fix(2, 3000, 3000) + ",0.2,0\n" + fix(2, 3000, 3000) + ",0.2,0\n");
  ASSERT_EQ(track.legs.size(), 2u);
  EXPECT_NEAR(track.legs[0].u, 0.2, 1e-4);
  EXPECT_NEAR(track.legs[1].u, 0.3, 1e-4);
  EXPECT_THAT(track.notes, ElementsAre(HasSubstr("not sorted by time"),
                                       HasSubstr("1 row repeats an earlier fix")));
  reject("time,lon,lat,u,v\n" + fix(1, 2000, 3000) + ",0,0\n" + fix(1, 9000, 3000) + ",0,0\n",
         AllOf(test::has_code("track_places_at_one_time", "line 3")));
}

TEST_F(Track, SuggestsACauseForPositionsOutside) {
  const std::string row = "\n2024-10-28T01:00Z,{0},0,0\n2024-10-28T02:00Z,{0},0,0\n";
  const auto text = [&](const char* names, const char* place) {
    return std::string(names) + fmt::format(fmt::runtime(row), place);
  };
  reject(
      text("time,lon,lat,u,v", "125.9,47.05"),
      AllOf(test::has_code("track_outside_environment",
                           "line 2: longitude 125.9000, latitude 47.0500"),
            HasSubstr("with longitude -125.9000 it would be inside"), HasSubstr("are negative")));
  reject(text("time,lat,lon,u,v", "-125.9,47.05"), test::has_code("track_columns_exchanged"));
  reject(
      text("time,lon,lat,u,v", "-125.9,-47.05"),
      AllOf(test::has_code("track_outside_environment", "with latitude 47.0500 it would be inside"),
            HasSubstr("negative south of the equator")));
  reject(text("time,lon,lat,u,v", "10,50"),
         test::has_code("track_outside_environment", "(longitude -126.00 to -125.70"));
  reject(text("time,lon,lat,u,v", "-12558.8,4701.2"), test::has_code("track_degrees_and_minutes"));
  // If some fixes are inside, legs that lead outside are left out.
  const auto partial = read("time,lon,lat,u,v\n" + fix(1, 2000, 3000) + ",0,0\n" +
                            fix(2, 3000, 3000) + ",0,0\n2024-10-28T03:00Z,-120,47,0,0\n");
  EXPECT_EQ(partial.legs.size(), 1u);
  EXPECT_THAT(partial.notes, ElementsAre(HasSubstr("1 of 3 fixes lie outside the environment")));
}

TEST_F(Track, LeavesOutLegsBeforeAndAfterTheForecast) {
  const auto partial =
      read("time,lon,lat,u,v\n" + fix(-1, 2000, 3000) + ",0,0\n" + fix(1, 2500, 3000) + ",0.1,0\n" +
           fix(2, 3000, 3000) + ",0.2,0\n" + fix(13, 3500, 3000) + ",0.3,0\n");
  ASSERT_EQ(partial.legs.size(), 1u);
  EXPECT_NEAR(partial.legs[0].u, 0.2, 1e-4);
  EXPECT_THAT(partial.notes,
              ElementsAre(AllOf(HasSubstr("2 of 3 legs begin before"),
                                HasSubstr("2024-10-28T00:00:00Z to 2024-10-28T12:00:00Z"))));
  reject("time,lon,lat,u,v\n" + fix(30, 2000, 3000) + ",0,0\n" + fix(31, 2500, 3000) + ",0,0\n",
         AllOf(test::has_code("track_outside_forecast"),
               HasSubstr("the track is of 2024-10-29T06:00:00Z")));
  // The forecast includes its first and its last time.
  EXPECT_EQ(
      read("time,lon,lat,u,v\n" + fix(0, 2000, 3000) + ",0,0\n" + fix(12, 2500, 3000) + ",0,0\n")
          .legs.size(),
      1u);
}

TEST_F(Track, RejectsInvalidInput) {
  reject("", test::has_code("csv_empty"));
  reject("time\n1\n", test::has_code("csv_single_column"));
  reject("time,lon,lat,u,v\n1,2,3\n", test::has_code("csv_row_length", "line 2"));
  reject("time,lon,lat,u,v\n", test::has_code("track_fixes_too_few", "no row"));
  reject("time,lon,lat,u,v\n" + fix(1, 2000, 3000) + ",0,0\n",
         test::has_code("track_fixes_too_few"));
  reject("when,lon,lat,u,v\n1,2,3,4,5\n",
         AllOf(test::has_code("track_columns_missing"), HasSubstr("when, lon")));
  reject("time,lon,lat\n" + fix(1, 2000, 3000) + "\n" + fix(2, 2000, 3000) + "\n",
         test::has_code("track_without_motion"));
  reject("time,lon,lat,speed\n" + fix(1, 2000, 3000) + ",1\n" + fix(2, 2000, 3000) + ",1\n",
         test::has_code("track_speed_without_heading", "speed"));
  reject("time,lon,lat,u,v\n" + fix(1, 2000, 3000) + ",fast,0\n" + fix(2, 2000, 3000) + ",0,0\n",
         test::has_code("track_value_not_number", "line 2"));
  reject("time,lon,lat,u,v\nyesterday,-125.9,47.1,0,0\n2024-10-28,-125.9,47.1,0,0\n",
         test::has_code("time_text_invalid", "line 2: column time"));
  reject("time,lon,lat,u,v\n1730077200000,-125.9,47.1,0,0\n2,-125.9,47.1,0,0\n",
         test::has_code("track_seconds_too_large"));
  reject("time,lon,lat,speed,heading\n" + fix(1, 2000, 3000) + ",0.5,1.57\n" + fix(2, 2500, 3000) +
             ",0.5,0.2\n",
         test::has_code("track_angle_unit_unclear"));
  reject("time,lon,lat,speed [furlong],heading\n" + fix(1, 2000, 3000) + ",0.5,90\n" +
             fix(2, 2500, 3000) + ",0.5,90\n",
         test::has_code("track_speed_units_unknown"));
  reject("time,lon,lat,u,v,error\n" + fix(1, 2000, 3000) + ",0,0,-1\n" + fix(2, 2500, 3000) +
             ",0,0,1\n",
         test::has_code("track_error_negative"));
  reject(std::string("PK\3\4\0\0zip", 9), test::has_code("track_neither_text_nor_netcdf"));
  reject("\"time,lon\n1,2\n", test::has_code("csv_quote_not_closed", "line 1"));
  TrackOptions options;
  options.columns = {"velocity=u"};
  reject("time,lon,lat,u,v\n1,2,3,4,5\n",
         test::has_code("column_option_invalid", "time, level, lon"), options);
  options.columns = {"u=east"};
  reject("time,lon,lat,u,v\n1,2,3,4,5\n", test::has_code("column_missing", "time, lon"), options);
  options = {};
  options.error = -1;
  reject("time,lon,lat,u,v\n", test::has_code("track_option_not_positive", "--error -1"), options);
  EXPECT_THAT([&] { read_track(folder_ / "none.csv", sea(), {}); },
              ThrowsMessage<InputError>(test::has_code("file_missing")));
  EXPECT_THAT([&] { read_track(folder_.path(), sea(), {}); },
              ThrowsMessage<InputError>(test::has_code("file_is_folder")));
}

TEST_F(Track, FindsTimesUnderAnyName) {
  // A position is appended to each row; the fixes are at 01:00 and 03:00.
  struct Table {
    std::string names, first, second;
  };
  TrackOptions drifting;
  drifting.drifter = true;
  for (const Table& table : std::vector<Table>{
           {"MMSI,BaseDateTime", "366,2024-10-28T01:00:00", "366,2024-10-28T03:00:00"},
           {"SOG,seen at", "4.1,2024-10-28 01:00:00.0", "4.2,2024-10-28 03:00:00.0"},
           {"Date/Time", "2024/10/28 01:00", "2024/10/28 03:00"},
           {"when,ship", "20241028T010000Z,7", "20241028T030000Z,7"},
           {"stamp", "20241028010000", "20241028030000"},
           {"posix", "1730077200", "1730084400"},
           {"epoch", "1730077200.0", "1730084400.0"},
           {"age [hours since 2024-10-27]", "25", "27"},
           {"date,time", "2024-10-28,01:00:00", "2024-10-28,03:00"},
           {"Tag,UTC", "2024-10-28,01:00:00Z", "2024-10-28,03:00:00Z"},
           {"date,time", "20241028,10000", "20241028,030000"},
           {"year,month,day,hour", "2024,10,28,1", "2024,10,28,3"},
           {"Date,Hour", "2024-10-28,1", "2024-10-28,3.0"},
           {"day_of,hour_utc,minute", "2024-10-28,0,60", "2024-10-28,2.5,30"},
           {"received,eta", "2024-10-28 01:00,2024-11-03 12:00",
            "2024-10-28 03:00,2024-11-03 12:00"},
           // A time of day in addition to a date and time, and three columns with the same times.
           {"time,fixed", "01:00,2024-10-28 01:00", "03:00,2024-10-28 03:00"},
           {"time,timestamp,date", "2024-10-28T01:00:10,1730077200,2024-10-28",
            "2024-10-28T03:00:00,1730084400,2024-10-28"}}) {
    const std::string text = fmt::format("{},lon,lat\n{},-125.98,47.02\n{},-125.97,47.03\n",
                                         table.names, table.first, table.second);
    const auto track = read(text, drifting);
    ASSERT_EQ(track.legs.size(), 1u) << text;
    EXPECT_NEAR(track.legs[0].leg.times[0], 3600, 10) << text;
    EXPECT_EQ(track.legs[0].leg.times[1], 10800) << text;
  }
}

TEST_F(Track, ReadsSemicolonsAndDecimalCommasWithDates) {
  TrackOptions drifting;
  drifting.drifter = true;
  const auto track =
      read("Zeitpunkt;lon;lat\n2024-10-28 01:00;-125,98;47,02\n2024-10-28 03:00;-125,97;47,03\n",
           drifting);
  ASSERT_EQ(track.legs.size(), 1u);
  EXPECT_EQ(track.legs[0].leg.times[1], 10800);
  EXPECT_THAT(track.columns, HasSubstr("time is Zeitpunkt"));
}

TEST_F(Track, UsesNoOtherColumnAsTime) {
  TrackOptions drifting;
  drifting.drifter = true;
  // Identities, depths, degrees with minutes, and ascending numbers are not times.
  for (const std::string column :
       {"366123456 366123456", "5.5 7.5", "40:99 41:99", "3.11.2 3.11.3", "101 102"}) {
    const auto blank = column.find(' ');
    reject("what,lon,lat\n" + column.substr(0, blank) + ",-125.98,47.02\n" +
               column.substr(blank + 1) + ",-125.97,47.03\n",
           test::has_code("track_columns_missing"), drifting);
  }
  // Milliseconds are recognized and rejected.
  reject("posix,lon,lat\n1730077200000,-125.98,47.02\n1730084400000,-125.97,47.03\n",
         test::has_code("track_seconds_too_large", "posix"), drifting);
  // A date whose day and month cannot be distinguished is rejected, not ignored.
  reject("sent,lon,lat\n03/04/2024 01:00,-125.98,47.02\n03/04/2024 03:00,-125.97,47.03\n",
         AllOf(test::has_code("time_text_invalid", "line 2: column sent"),
               test::has_code("time_text_invalid")),
         drifting);
}

TEST_F(Track, RejectsTwoColumnsOfTimesThatDiffer) {
  TrackOptions drifting;
  drifting.drifter = true;
  const auto text = [](const std::string& first, const std::string& second) {
    return first + "," + second +
           ",lon,lat\n2024-10-28 01:00,2024-10-28 01:00,-125.98,47.02\n"
           "2024-10-28 02:00,2024-10-28 02:20,-125.97,47.03\n";
  };
  for (const auto& [first, second] :
       {std::pair("sent", "received"), {"timestamp", "utc"}, {"time", "datetime"}}) {
    reject(text(first, second),
           AllOf(HasSubstr(fmt::format("columns {} and {} both hold times", first, second)),
                 test::has_code("track_times_disagree", "2024-10-28 02:00")),
           drifting);
  }
  drifting.columns = {"time=received"};
  EXPECT_EQ(read(text("sent", "received"), drifting).legs[0].leg.times[1], 8400);
  drifting.columns.clear();
  EXPECT_EQ(read(text("time", "received"), drifting).legs[0].leg.times[1], 7200);
}

TEST_F(Track, IgnoresFillPositions) {
  TrackOptions drifting;
  drifting.drifter = true;
  for (const char* fill : {"999.999,999.999", "-999,-999", "-125.98,99.999", "9999.0,47.02",
                           "-999.9,-99.9", "1e20,1e20", "-125.98,-999.9999"}) {
    const auto track = read("time,lon,lat\n" + fix(1, 2000, 3000) + "\n2024-10-28T01:30Z," + fill +
                                "\n" + fix(2, 2720, 3000) + "\n",
                            drifting);
    ASSERT_EQ(track.legs.size(), 1u) << fill;
    EXPECT_NEAR(track.legs[0].u, 0.2, 1e-4) << fill;
    EXPECT_THAT(track.notes, testing::Contains(HasSubstr("a fill value"))) << fill;
  }
  // A number that is not a known fill value is rejected with its line.
  reject("time,lon,lat\n" + fix(1, 2000, 3000) + "\n2024-10-28T01:30Z,-125.98,147.02\n" +
             fix(2, 2720, 3000) + "\n",
         AllOf(testing::HasSubstr("line 3"), testing::HasSubstr("lat"),
               testing::HasSubstr("147.02"), test::has_code("track_latitude_invalid")),
         drifting);
  // Fill values of a Slocum's degrees and minutes are ignored, too.
  const auto slocum = read(
      "m_present_time,m_gps_lat,m_gps_lon,m_final_water_vx,m_final_water_vy\n"
      "1730077200,4701.2,-12558.8,nan,nan\n1730080000,69696969,69696969,nan,nan\n"
      "1730084400,4701.8,-12558.2,0.1,0.05\n");
  ASSERT_EQ(slocum.legs.size(), 1u);
  EXPECT_NEAR(slocum.legs[0].u, 0.1, 1e-3);
}

TEST_F(Track, UsesNoRepeatedPositions) {
  TrackOptions drifter;
  drifter.drifter = true;
  // The drifter moves at 0.15 m/s along x for four hours, and is then aground.
  std::string text = "time,lon,lat\n";
  for (int hour = 0; hour < 8; ++hour)
    text += fix(hour, 2000 + 540.0 * std::min(hour, 4), 3000) + "\n";
  const auto aground = read(text, drifter);
  ASSERT_EQ(aground.legs.size(), 4u);
  for (const ObservedLeg& leg : aground.legs) EXPECT_NEAR(leg.u, 0.15, 1e-4);
  EXPECT_THAT(aground.notes, ElementsAre(AllOf(HasSubstr("3 of 7 legs"), HasSubstr("line 7"),
                                               HasSubstr("the last fix is one of them"))));
  // A receiver repeats its position for two hours and then jumps: the jump is not used as a speed.
  const auto stuck = read("time,lon,lat\n" + fix(0, 2000, 3000) + "\n" + fix(1, 2540, 3000) + "\n" +
                              fix(2, 2540, 3000) + "\n" + fix(3, 2540, 3000) + "\n" +
                              fix(4, 4160, 3000) + "\n" + fix(5, 4700, 3000) + "\n",
                          drifter);
  ASSERT_EQ(stuck.legs.size(), 2u);
  for (const ObservedLeg& leg : stuck.legs) EXPECT_NEAR(leg.u, 0.15, 1e-4);
  // Repeated positions of a vehicle with a commanded speed are not used for currents, either.
  const auto steered = read("time,lon,lat,speed,bearing\n" + fix(0, 2000, 3000) + ",0.3,90\n" +
                            fix(1, 3620, 3000) + ",0.3,90\n" + fix(2, 3620, 3000) + ",0.3,90\n");
  ASSERT_EQ(steered.legs.size(), 1u);
  EXPECT_NEAR(steered.legs[0].u, 0.15, 1e-4);
  EXPECT_FALSE(steered.last.flow_is_known);
  reject("time,lon,lat\n" + fix(0, 2000, 3000) + "\n" + fix(1, 2000, 3000) + "\n",
         test::has_code("track_without_current", "repeats the one before to the last digit"),
         drifter);
}

TEST_F(Track, IncludesTheRoundingOfPositions) {
  TrackOptions drifter;
  drifter.drifter = true;
  // 0.15 m/s to the north, rounded to hundredths of a degree: 1.1 km, the path of two hours.
  std::string text = "time,lon,lat\n";
  for (int hour = 0; hour <= 12; ++hour) {
    text += fmt::format("2024-10-28T{:02}:00Z,-125.98,{:.2f}\n", hour,
                        47.004 + hour * 3600 * 0.15 / test::CoastalForecast::metres_per_degree);
  }
  const auto track = read(text, drifter);
  double distance = 0;
  double time = 0;
  for (const ObservedLeg& leg : track.legs) {
    const double duration = leg.leg.times.back() - leg.leg.times.front();
    distance += leg.v * duration;
    time += duration;
    EXPECT_GT(leg.v, 0) << "a repeated position is no current of 0";
    EXPECT_NEAR(leg.error_v,
                std::sqrt(0.02 * 0.02 + 0.03 * 0.03 + 2 * std::pow(1111.95 / duration, 2) / 12),
                1e-3);
  }
  EXPECT_NEAR(distance / time, 0.15, 0.03);
  EXPECT_THAT(track.errors, HasSubstr("fixes 321 m"));
}

TEST_F(Track, WorksInAPlaneWithoutUnits) {
  test::write_environment(folder_ / "plain.h5", test::plain_info(20, 20, 11, 1, 3));
  const EnvironmentReader plain(folder_ / "plain.h5");
  std::ofstream(folder_ / "p.csv")
      << "time,x,y,heading,speed\n1,3,4,1.5707963267949,2\n2,3.5,6.25,,\n";
  TrackOptions options;
  EXPECT_THAT([&] { read_track(folder_ / "p.csv", plain, options); },
              ThrowsMessage<InputError>(test::has_code("track_error_missing")));
  options.error = 0.1;
  const auto track = read_track(folder_ / "p.csv", plain, options);
  ASSERT_EQ(track.legs.size(), 1u);
  EXPECT_NEAR(track.legs[0].u, 0.5, 1e-12);
  EXPECT_NEAR(track.legs[0].v, 0.25, 1e-12);
  EXPECT_DOUBLE_EQ(track.legs[0].error_v, 0.1);
  std::ofstream(folder_ / "p.csv") << "time,lon,lat,u,v\n1,3,4,0,0\n2,3,4,0,0\n";
  EXPECT_THAT([&] { read_track(folder_ / "p.csv", plain, options); },
              ThrowsMessage<InputError>(test::has_code("track_degrees_unusable")));
  std::ofstream(folder_ / "p.csv") << "time,x,y,u,v\n2024-10-28,3,4,0,0\n2,3,4,0,0\n";
  EXPECT_THAT([&] { read_track(folder_ / "p.csv", plain, options); },
              ThrowsMessage<InputError>(test::has_code("track_date_without_reference")));
  std::ofstream(folder_ / "p.csv") << "time,x,y,u [m/s],v\n1,3,4,0,0\n2,3,4,0,0\n";
  EXPECT_THAT([&] { read_track(folder_ / "p.csv", plain, options); },
              ThrowsMessage<InputError>(test::has_code("track_speed_without_environment_units")));
}

TEST_F(Track, RejectsImplausibleSpeeds) {
  const auto table = [&](const std::string& names, const std::string& values) {
    return "time,lon,lat," + names + "\n" + fix(1, 2000, 3000) + "," + values + "\n" +
           fix(2, 3000, 3000) + "," + values + "\n";
  };
  reject(table("u,v", "50,0"), test::has_code("track_speed_implausible", "the current"));
  reject(table("u,v", "0,1e20"),
         testing::AllOf(test::has_code("track_speed_implausible", "line 2: the current"),
                        testing::HasSubstr("1e+20")));
  reject(table("speed,bearing", "45,90"),
         testing::AllOf(test::has_code("track_speed_implausible", "speed through the water"),
                        testing::HasSubstr("45")));
  for (const char* fill : {"-999", "1e20", "9999"}) {
    reject(table("speed,bearing", std::string("0.5,") + fill),
           test::has_code("track_angle_invalid"));
  }
  EXPECT_EQ(read(table("u,v", "2.5,-1")).legs.size(), 1U);
  EXPECT_EQ(read(table("speed,bearing", "0.5,360")).legs.size(), 1U);
  // A wrong longitude makes a leg that no current can explain.
  const auto track =
      read("time,lon,lat,speed,bearing\n" + fix(1, 2000, 3000) + ",0.5,90\n" + fix(2, 4000, 3000) +
           ",0.5,90\n" + fix(2.5, 23000, 3000) + ",0.5,90\n" + fix(3.5, 7000, 3000) + ",,\n");
  EXPECT_EQ(track.legs.size(), 2U);
  EXPECT_THAT(track.notes, ElementsAre(HasSubstr("1 of 3 legs need a current of more than")));
}

TEST_F(Track, LeavesOutImpossibleLegs) {
  // Hours that are taken for seconds lead to legs of three seconds, with currents in the file.
  reject("time [s],lon,lat,u,v\n1,-125.97,47.03,0.1,0\n4,-125.90,47.03,0.1,0.1\n",
         test::has_code("track_columns_without_current"));
}

TEST_F(Track, AsksForTheUnitOfTimes) {
  const auto rows = [](const std::string& name, double first, double second) {
    return fmt::format("{},lon,lat,u,v\n{},-125.95,47.05,0,0\n{},-125.94,47.05,0.1,0\n", name,
                       first, second);
  };
  reject(rows("time", 45593.25, 45593.375),
         test::has_code("track_time_without_unit", "a spreadsheet's days"));
  reject(rows("time", 480654, 480657),
         test::has_code("track_time_without_unit", "hours since 1970"));
  // The times may be hours, levels or seconds: each leads to a possible speed of a vehicle.
  reject(rows("time", 1, 4),
         AllOf(test::has_code("track_time_without_unit"), test::has_code("track_time_without_unit"),
               test::has_code("track_time_without_unit")));
  EXPECT_EQ(read(rows("level", 1, 4)).legs.size(), 1U) << "the advice, followed";
  EXPECT_EQ(read(rows("time [hours since 2024-10-28]", 1, 4)).legs.size(), 1U);
  EXPECT_EQ(read(rows("time [timestamp]", 1730077200, 1730088000)).legs.size(), 1U);
  reject(rows("time [hours]", 3, 4), test::has_code("track_units_without_date"));
  EXPECT_EQ(read(rows("time [s]", 36600, 40200)).legs.size(), 1U) << "the advice, followed";
}

TEST_F(Track, AssignsACurrentReportedAfterADiveToTheDive) {
  // The vehicle dives for two hours, and knows the dive's current after 100 s at the surface.
  const double s = 1.0 / 3600;
  const auto track =
      read("time,lon,lat,m_water_vx,m_water_vy\n" + fix(1, 2000, 3000) + ",,\n" +
           fix(3, 4000, 3000) + ",,\n" + fix(3 + 100 * s, 4010, 3000) + ",0.2,-0.1\n");
  ASSERT_EQ(track.legs.size(), 1U);
  EXPECT_THAT(track.legs[0].leg.times, ElementsAre(3600, 10800));
  EXPECT_NEAR(track.legs[0].u, 0.2, 1e-4);
  EXPECT_THAT(track.notes, testing::Contains(HasSubstr("used for the dive")));
}

TEST_F(Track, KeepsTheNextDivesCurrent) {
  // Two fixes at the surface precede a dive whose rows repeat its current.
  const double s = 1.0 / 3600;
  const auto track =
      read("time,lon,lat,u,v\n" + fix(1, 2000, 3000) + ",,\n" + fix(2, 2100, 3000) + ",,\n" +
           fix(2 + 60 * s, 2110, 3000) + ",0.2,-0.1\n" + fix(3, 3000, 3000) + ",0.2,-0.1\n" +
           fix(3.2, 3100, 3000) + ",,\n" + fix(3.3, 3150, 3000) + ",0.2,-0.1\n");
  ASSERT_EQ(track.legs.size(), 1U);
  EXPECT_THAT(track.legs[0].leg.times, ElementsAre(7200, 7260, 10800, 3.2 * 3600, 3.3 * 3600));
  // A Slocum's current is that of the dive before, however often its table repeats it.
  const auto slocum =
      read("time,lon,lat,m_final_water_vx,m_final_water_vy\n" + fix(1, 2000, 3000) + ",0.1,0\n" +
           fix(3, 4000, 3000) + ",0.1,0\n" + fix(3 + 100 * s, 4010, 3000) + ",0.2,-0.1\n" +
           fix(5, 6000, 3000) + ",0.2,-0.1\n" + fix(5 + 100 * s, 6010, 3000) + ",0.3,0\n");
  ASSERT_EQ(slocum.legs.size(), 2U);
  EXPECT_NEAR(slocum.legs[0].u, 0.2, 1e-4);
  EXPECT_THAT(slocum.legs[0].leg.times, ElementsAre(3600, 3 * 3600));
  EXPECT_NEAR(slocum.legs[1].u, 0.3, 1e-4);
  EXPECT_THAT(slocum.legs[1].leg.times, ElementsAre(3 * 3600 + 100, 5 * 3600));
}

TEST_F(Track, DetectsARepeatedCurrentWithRepeatedFixes) {
  const auto track =
      read("time,lon,lat,u,v\n" + fix(1, 2000, 3000) + ",,\n" + fix(2, 3000, 3000) + ",,\n" +
           fix(2, 3000, 3000) + ",0.2,-0.1\n" + fix(3, 4000, 3500) + ",0.2,-0.1\n");
  ASSERT_EQ(track.legs.size(), 1U);
  EXPECT_THAT(track.legs[0].leg.times, ElementsAre(3600, 7200, 10800));
}

TEST_F(Track, CountsARepeatedCurrentOnce) {
  const auto track =
      read("time,lon,lat,u,v\n" + fix(1, 2000, 3000) + ",,\n" + fix(2, 3000, 3000) + ",0.2,-0.1\n" +
           fix(3, 4000, 3500) + ",0.2,-0.1\n" + fix(4, 5000, 3500) + ",0.1,0\n");
  ASSERT_EQ(track.legs.size(), 2U);
  EXPECT_THAT(track.legs[0].leg.times, ElementsAre(3600, 7200, 10800));
  EXPECT_NEAR(track.legs[0].leg.points[2].y, 3500, 0.01);
  EXPECT_THAT(track.notes, ElementsAre(HasSubstr("one row repeats the current")));
}

TEST_F(Track, KeepsALegWithoutACurrentButWithSpeedAndBearing) {
  const auto track = read("time,lon,lat,u,v,speed,bearing\n" + fix(1, 2000, 3000) + ",,,0.5,90\n" +
                          fix(2, 2000 + 3600 * 0.7, 3000) + ",nan,nan,0.5,90\n" +
                          fix(3, 2000 + 7200 * 0.7, 3000) + ",0.3,0,,\n");
  ASSERT_EQ(track.legs.size(), 2U);
  EXPECT_NEAR(track.legs[0].u, 0.2, 1e-4);
  EXPECT_NEAR(track.legs[1].u, 0.3, 1e-4);
  EXPECT_GT(track.legs[0].error_u, track.legs[1].error_u) << "by fixes";
}

TEST_F(Track, CountsLegsOfTwoFilesOnce) {
  const std::string begin = "time,lon,lat,u,v\n" + fix(1, 2000, 3000) + ",,\n";
  const std::string first = fix(2, 3000, 3000) + ",0.2,-0.1\n";
  std::vector<ObservedTrack> tracks{read(begin + first)};
  tracks.push_back(read(begin + first + fix(3, 4000, 3000) + ",0.1,0\n"));
  const EnvironmentReader environment = sea();
  leave_out_repeated_legs(tracks, environment.info().grid);
  EXPECT_EQ(tracks[0].legs.size(), 1U);
  ASSERT_EQ(tracks[1].legs.size(), 1U);
  EXPECT_NEAR(tracks[1].legs[0].u, 0.1, 1e-4);
  EXPECT_THAT(tracks[1].notes, testing::Contains(HasSubstr("1 leg is in")));
}

TEST_F(Track, CountsOtherFixesOfTheSamePathOnce) {
  // The vehicle's second file has every other fix, 20 s later.
  const std::string head = "time,lon,lat,speed,bearing\n";
  std::string whole = head;
  std::string thinned = head;
  for (int n = 0; n <= 4; ++n) whole += fix(1 + n, 2000 + 1000 * n, 3000) + ",0.2,90\n";
  for (int n = 0; n <= 2; ++n) {
    const double delay = 20.0 / 3600;
    thinned += fix(1 + 2 * n + delay, 2000 + 1000 * (2 * n + delay), 3000) + ",0.2,90\n";
  }
  // Another vehicle, two cells to the north of it.
  std::string other = head;
  const Grid grid = sea().info().grid;
  for (int n = 0; n <= 1; ++n) {
    other += fix(1 + n, 2000 + 1000 * n, 3000 + 2 * grid.dy) + ",0.2,90\n";
  }
  std::vector<ObservedTrack> tracks{read(whole), read(thinned), read(other)};
  leave_out_repeated_legs(tracks, grid);
  EXPECT_EQ(tracks[0].legs.size(), 4U);
  EXPECT_EQ(tracks[1].legs.size(), 0U);
  EXPECT_THAT(tracks[1].notes, testing::Contains(HasSubstr("2 legs are in")));
  EXPECT_EQ(tracks[2].legs.size(), 1U);
}

TEST_F(Track, DetectsAPathWithFewerFixes) {
  // Four hours with all fixes and with every other fix, in either order.
  const std::string head = "time,lon,lat,speed,bearing\n";
  const std::string whole = head + fix(1, 2000, 3000) + ",0.2,90\n" + fix(2, 4000, 6000) +
                            ",0.2,90\n" + fix(3, 6000, 3000) + ",0.2,90\n" + fix(4, 8000, 6000) +
                            ",0.2,90\n" + fix(5, 10000, 3000) + ",0.2,90\n";
  const std::string thinned = head + fix(1, 2000, 3000) + ",0.2,90\n" + fix(3, 6000, 3000) +
                              ",0.2,90\n" + fix(5, 10000, 3000) + ",0.2,90\n";
  const Grid grid = sea().info().grid;
  for (const bool first_thinned : {false, true}) {
    std::vector<ObservedTrack> tracks{read(first_thinned ? thinned : whole),
                                      read(first_thinned ? whole : thinned)};
    const std::size_t legs = tracks[0].legs.size();
    leave_out_repeated_legs(tracks, grid);
    EXPECT_EQ(tracks[0].legs.size(), legs);
    EXPECT_EQ(tracks[1].legs.size(), 0U) << first_thinned;
  }
  // A track that shared the path for one hour of four has new observations.
  std::vector<ObservedTrack> tracks{
      read(head + fix(1, 2000, 3000) + ",0.2,90\n" + fix(2, 4000, 6000) + ",0.2,90\n"),
      read(head + fix(1, 2000, 3000) + ",0.2,90\n" + fix(5, 10000, 15000) + ",0.2,90\n")};
  leave_out_repeated_legs(tracks, grid);
  EXPECT_EQ(tracks[1].legs.size(), 1U);
}

TEST_F(Track, CountsACurrentThatSpansFilesOnce) {
  const std::string head = "time,lon,lat,u,v\n";
  std::vector<ObservedTrack> tracks{
      read(head + fix(1, 2000, 3000) + ",,\n" + fix(2, 3000, 3000) + ",0.2,-0.1\n"),
      read(head + fix(2, 3000, 3000) + ",,\n" + fix(3, 4000, 3000) + ",0.2,-0.1\n" +
           fix(4, 5000, 3000) + ",0.1,0\n")};
  leave_out_repeated_legs(tracks, sea().info().grid);
  EXPECT_EQ(tracks[0].legs.size(), 1U);
  ASSERT_EQ(tracks[1].legs.size(), 1U);
  EXPECT_NEAR(tracks[1].legs[0].u, 0.1, 1e-4);
  // The files may be three in any order. An equal current of a vehicle elsewhere is kept.
  const std::string current = ",0.2,-0.1\n";
  std::vector<ObservedTrack> three{
      read(head + fix(1, 2000, 3000) + ",,\n" + fix(2, 3000, 3000) + current),
      read(head + fix(3, 4000, 3000) + ",,\n" + fix(4, 5000, 3000) + current),
      read(head + fix(2, 3000, 3000) + ",,\n" + fix(3, 4000, 3000) + current),
      read(head + fix(3, 4000, 15000) + ",,\n" + fix(4, 5000, 15000) + current)};
  leave_out_repeated_legs(three, sea().info().grid);
  EXPECT_EQ(three[0].legs.size(), 1U);
  EXPECT_EQ(three[1].legs.size(), 0U);
  EXPECT_EQ(three[2].legs.size(), 0U);
  EXPECT_EQ(three[3].legs.size(), 1U);
}

TEST_F(Track, HasALastFixWithoutCurrents) {
  const auto last_fix = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    const auto tracks =
        read_observations({.tracks = {folder_ / name}}, sea(), {}, WithoutLegs::last_fix);
    EXPECT_EQ(tracks.size(), 1u);
    EXPECT_TRUE(tracks.front().legs.empty());
    EXPECT_THAT(tracks.front().notes,
                testing::Contains(testing::AnyOf(HasSubstr("the vehicle's own motion"),
                                                 HasSubstr("only one row"))));
    return tracks.front().last;
  };
  const auto expect_end = [](const LastFix& last) {
    EXPECT_NEAR(last.time, 3 * 3600, 1e-6);
    EXPECT_NEAR(last.at.x, 2500, 0.01);
    EXPECT_NEAR(last.at.y, 3600, 0.01);
    EXPECT_TRUE(last.is_inside);
  };
  const LastFix last = last_fix(
      "track.csv", "time,lon,lat\n" + fix(1, 2000, 3000) + "\n" + fix(3, 2500, 3600) + "\n");
  expect_end(last);
  EXPECT_FALSE(last.flow_is_known);
  // In GPX files, routes, waypoints and comments are not read.
  const auto point = [&](const char* element, double hour, double x, double y) {
    const std::string row = fix(hour, x, y);
    const auto first = row.find(',');
    const auto second = row.find(',', first + 1);
    return fmt::format("<{0} lat=\"{1}\" lon='{2}'><ele>0</ele><time>{3}</time></{0}>\n", element,
                       row.substr(second + 1), row.substr(first + 1, second - first - 1),
                       row.substr(0, first));
  };
  const std::string head =
      "<?xml version=\"1.0\"?>\n<!-- <trkpt> -->\n<gpx "
      "xmlns=\"http://www.topografix.com/GPX/1/1\">\n";
  const std::string planned =
      point("wpt", 5, 3000, 3000) + "<rte>" + point("rtept", 5, 3000, 3000) + "</rte>";
  expect_end(last_fix("track.gpx", head + planned + "<trk><trkseg>" +
                                       point("trkpt", 1, 2000, 3000) +
                                       "<trkpt lat=\"1\" lon=\"2\"/>" +
                                       point("trkpt", 3, 2500, 3600) + "</trkseg></trk></gpx>"));
  expect_end(last_fix(
      "one.gpx", head + "<trk><trkseg>" + point("trkpt", 3, 2500, 3600) + "</trkseg></trk></gpx>"));
  EXPECT_THAT([&] { last_fix("plan.gpx", head + planned + "</gpx>"); },
              ThrowsMessage<InputError>(test::has_code("gpx_without_track", "plan.gpx")));
  // A command that only observes rejects a track without motion.
  EXPECT_THAT([&] { read_observations({.tracks = {folder_ / "track.gpx"}}, sea(), {}); },
              ThrowsMessage<InputError>(test::has_code("track_without_motion")));
  // A drifter's motion is the current.
  EXPECT_EQ(read_observations({.drifters = {folder_ / "track.gpx"}}, sea(), {})[0].legs.size(), 1u);
}

TEST_F(Track, EndsAtItsLastFixWithOrWithoutALeg) {
  const auto no_current = read("time,lon,lat,u,v\n" + fix(1, 2000, 3000) + ",,\n" +
                               fix(2, 3000, 3000) + ",0.2,-0.1\n" + fix(3, 4000, 3500) + ",,\n");
  EXPECT_EQ(no_current.last.time, 3 * 3600);
  EXPECT_NEAR(no_current.last.at.x, 4000, 0.01);
  EXPECT_NEAR(no_current.last.at.y, 3500, 0.01);
  EXPECT_TRUE(no_current.last.is_reachable);
  const auto jump = read("time,lon,lat,u,v\n" + fix(1, 2000, 3000) + ",,\n" + fix(2, 3000, 3000) +
                         ",0.2,-0.1\n" + fix(2.001, 4500, 3500) + ",,\n");
  EXPECT_FALSE(jump.last.is_reachable);
}

TEST_F(Track, RejectsATrackOfEverySecond) {
  std::string text = "time,lon,lat,u,v\n";
  for (int n = 0; n < 2002; ++n) {
    text += fix(n / 200.0, 2000 + n, 3000) + fmt::format(",{},0\n", 0.1 + 1e-6 * n);
  }
  reject(text, AllOf(testing::HasSubstr("2001"), test::has_code("track_legs_too_many")));
}

}  // namespace
}  // namespace tidewise
