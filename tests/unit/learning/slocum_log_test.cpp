// Surface logs of Slocum gliders, in the form of the dialogs that gliders send.
#include "learning/track/table/slocum_log.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "coastal_forecast.h"
#include "learning/track/track.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

class SlocumLog : public testing::Test {
 protected:
  SlocumLog() { test::CoastalForecast{}.write(folder_ / "sea.h5"); }

  EnvironmentReader sea() const { return EnvironmentReader(folder_ / "sea.h5"); }
  std::filesystem::path log(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  ObservedTrack read(const std::vector<std::filesystem::path>& paths) const {
    const auto tracks = read_observations({.tracks = paths}, sea(), {});
    EXPECT_EQ(tracks.size(), 1u);
    return tracks.at(0);
  }

  // A fix at 01:00 before the dive, reported twice, and a fix at 03:00:30 after it, with a current
  // computed 20 s later. 47° 1.2' is 47.02°, −125° 58.8' is −125.98°.
  const std::string before_ =
      "Connection Event: Carrier Detect found.\r\n"
      "Vehicle Name: tide1\r\n"
      "Curr Time: Mon Oct 28 01:01:00 2024 MT:   3600\r\n"
      "MissionNum:tide1-2024-301-0-7 (0100.0007)\r\n"
      "DR  Location:  4701.100 N -12558.900 E measured     61.0 secs ago\r\n"
      "GPS TooFar:   69696969.000 N 69696969.000 E measured     1e+308 secs ago\r\n"
      "GPS Invalid :  4705.000 N -12540.000 E measured    154.4 secs ago\r\n"
      "GPS Location:  4701.200 N -12558.800 E measured     60.2 secs ago\r\n"
      "   sensor:m_water_vx(m/s)=-0.7                    7200.0 secs ago\r\n"
      "   sensor:m_water_vy(m/s)=-0.7                    7200.0 secs ago\r\n"
      "Curr Time: Mon Oct 28 01:01:30 2024 MT:   3630\r\n"
      "GPS Location:  4701.200 N -12558.800 E measured     90.9 secs ago\r\n";
  const std::string after_ =
      "Vehicle Name: tide1\n"
      "Curr Time: Mon Oct 28 03:02:00 2024 MT:  10860\n"
      "MissionNum:tide1-2024-301-0-8 (0100.0008)\n"
      "GPS Location:  4702.400 N -12557.600 E measured     90.0 secs ago\n"
      "   sensor:c_wpt_lat(lat)=4709.91                  259.819 secs ago\n"
      "   sensor:m_water_vx(m/s)=0.0408                   70.0 secs ago\n"
      "   sensor:m_water_vy(m/s)=-0.125                   70.0 secs ago\n"
      "Curr Time: Mon Oct 28 03:09:00 2024 MT:  11280\n"
      "GPS Location:  4702.500 N -12557.500 E measured      5.0 secs ago\n"
      "   sensor:m_final_water_vx(m/s)=0.06               30.0 secs ago\n"
      "   sensor:m_final_water_vy(m/s)=-0.15              30.0 secs ago\n";
  const test::TemporaryFolder folder_;
};

TEST_F(SlocumLog, IsALegForEachDive) {
  const auto track = read({log("whole.log", before_ + after_)});
  ASSERT_EQ(track.legs.size(), 1u);
  const ObservedLeg& leg = track.legs[0];
  EXPECT_NEAR(leg.u, 0.06, 1e-3);  // the final current, not the first estimate
  EXPECT_NEAR(leg.v, -0.15, 1e-3);
  EXPECT_NEAR(leg.leg.times[0], 3600 - 0.2, 1);
  EXPECT_NEAR(leg.leg.times[1], 3 * 3600 + 30, 1e-6);
  const auto begin = test::CoastalForecast{}.globe(leg.leg.points[0].x, leg.leg.points[0].y);
  EXPECT_NEAR(begin.longitude, -125.98, 1e-4);
  EXPECT_NEAR(begin.latitude, 47.02, 1e-4);
  EXPECT_EQ(leg.dive, 8);
  EXPECT_EQ(track.fixes, 3u);  // one was reported twice, two are invalid
  EXPECT_EQ(track.file_kind, "a Slocum's surface log");
  EXPECT_NEAR(track.last.time, 3 * 3600 + 535, 1e-6);
  EXPECT_TRUE(track.notes.empty()) << track.notes.front();
}

TEST_F(SlocumLog, MayBeAFileForEachSurfacingInAnyOrder) {
  const auto first = log("first.log", before_);
  const auto second = log("second.log", after_);
  for (const auto& order : {std::vector{first, second}, std::vector{second, first}}) {
    const auto track = read(order);
    ASSERT_EQ(track.legs.size(), 1u);
    EXPECT_NEAR(track.legs[0].u, 0.06, 1e-3);
    EXPECT_THAT(track.file_kind, HasSubstr("2 surface logs"));
  }
}

TEST_F(SlocumLog, NotesALogOfAnotherTime) {
  std::string old = before_ + after_;
  for (std::size_t start = 0; (start = old.find(" 2024 MT", start)) != std::string::npos; ++start) {
    old.replace(start, 5, " 2023");
  }
  const auto table = log("table.csv",
                         "time,lon,lat,u,v\n2024-10-28T03:00Z,-125.95,47.04,,\n"
                         "2024-10-28T04:00Z,-125.945,47.04,0.1,0\n");
  const auto tracks = read_observations({.tracks = {log("old.log", old), table}}, sea(), {});
  ASSERT_EQ(tracks.size(), 2u);
  EXPECT_EQ(tracks[0].legs.size(), 0u);
  EXPECT_THAT(tracks[0].notes,
              testing::Contains(HasSubstr("no leg lies within the environment's times")));
  EXPECT_EQ(tracks[1].legs.size(), 1u);
  EXPECT_THAT([&] { read_observations({.tracks = {folder_ / "old.log"}}, sea(), {}); },
              ThrowsMessage<InputError>(test::has_code("track_outside_forecast", "old.log")));
}

TEST_F(SlocumLog, AssignsACurrentToTheDiveBeforeItsComputation) {
  // After the second dive the glider still reports the current of the first.
  const std::string later =
      "Curr Time: Mon Oct 28 06:00:00 2024 MT:  21540\n"
      "GPS Location:  4703.000 N -12557.000 E measured      1.0 secs ago\n"
      "   sensor:m_water_vx(m/s)=0.07                   10670.0 secs ago\n"
      "   sensor:m_water_vy(m/s)=-0.16                  10670.0 secs ago\n";
  const auto track = read({log("whole.log", before_ + after_ + later)});
  ASSERT_EQ(track.legs.size(), 1u);
  EXPECT_NEAR(track.legs[0].leg.times[1], 3 * 3600 + 30, 1e-6);
  EXPECT_NEAR(track.legs[0].u, 0.06, 1e-3);  // the final current
  EXPECT_THAT(track.notes, testing::ElementsAre("dive 8 has no current, and was left out"));
}

TEST_F(SlocumLog, RejectsInvalidLogs) {
  const auto reject = [&](const std::string& text, const char* code) {
    EXPECT_THAT([&] { read_track(log("one.log", text), sea(), {}); },
                ThrowsMessage<InputError>(test::has_code_of(code)));
  };
  reject(before_ + "Vehicle Name: other\n" + after_, "[log_of_two_vehicles]");
  reject("Curr Time: Mon Okt 28 01:01:00 2024 MT: 1\nGPS Location:\n", "[log_time_invalid]");
  reject(
      "Curr Time: Mon Oct 28 01:01:00 2024 MT: 1\nGPS Location: 69696969.0 N 6.0 E measured 1 "
      "secs ago\n",
      "[log_without_fix]");
  reject(before_, "[track_fixes_too_few]");
  reject("behavior_name=goto_list\n<start:b_arg>\n", "[track_is_goto_file]");
}

}  // namespace
}  // namespace tidewise
