#include "planner/score/track_outcome.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/error.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

constexpr double hour = 3600;
constexpr double departure = 1730116800;       // 2024-10-28T12:00Z
constexpr double degree = 111194.92664455873;  // [m] of latitude

/// A mission of a day to the north, from 0° to the target at 1°.
Prediction northward() {
  Prediction prediction;
  prediction.departure = departure;
  prediction.deadline = departure + 24 * hour;
  prediction.start = {10, 0};
  prediction.targets = {{{{10, 1}}, 0.1 * degree, {}}};
  return prediction;
}

/// Hourly fixes that move north by `degrees` per hour.
GlobeTrack steady_track(double degrees, int hours, double longitude = 10) {
  GlobeTrack track;
  for (int n = 0; n <= hours; ++n) {
    track.push_back({departure + n * hour, {longitude, degrees * n}});
  }
  return track;
}

TEST(TrackOutcome, ArrivesBetweenTwoFixes) {
  const auto found = outcome_of(northward(), steady_track(0.2, 6));
  ASSERT_TRUE(found.outcome) << found.reason;
  EXPECT_NEAR(*found.outcome->arrived, 4.5 * hour, 1) << "0.9° at 0.2° an hour";
}

TEST(TrackOutcome, ArrivesIfALegOnlyCrossesTheTarget) {
  GlobeTrack track = steady_track(0.2, 0);
  track.push_back({departure + 5 * hour, {10.05, 2}});
  const auto found = outcome_of(northward(), track);
  ASSERT_TRUE(found.outcome) << found.reason;
  EXPECT_GT(*found.outcome->arrived, 2.2 * hour);
  EXPECT_LT(*found.outcome->arrived, 2.5 * hour);
}

TEST(TrackOutcome, HasNoArrivalIfTheTrackStaysOutside) {
  const auto found = outcome_of(northward(), steady_track(0.03, 25));
  ASSERT_TRUE(found.outcome) << found.reason;
  EXPECT_FALSE(found.outcome->arrived);
  const auto late = outcome_of(northward(), steady_track(0.9 / 24.5, 30));
  ASSERT_TRUE(late.outcome) << late.reason;
  EXPECT_FALSE(late.outcome->arrived) << "half an hour late";
}

TEST(TrackOutcome, NeedsATrackThatCoversTheMission) {
  EXPECT_EQ(outcome_of(northward(), steady_track(0.03, 20)).reason, "the track ends before");
  GlobeTrack gap = steady_track(0.03, 25);
  gap.erase(gap.begin() + 4, gap.begin() + 10);
  EXPECT_EQ(outcome_of(northward(), gap).reason, "the track has a gap") << "of seven hours";
  gap = steady_track(0.03, 25);
  gap.erase(gap.begin() + 4, gap.begin() + 8);
  EXPECT_TRUE(outcome_of(northward(), gap).outcome) << "of five hours";
  GlobeTrack gap_after = steady_track(0.2, 5);
  gap_after.push_back({departure + 20 * hour, {10, 1}});
  EXPECT_TRUE(outcome_of(northward(), gap_after).outcome) << "behind the arrival";
  EXPECT_EQ(outcome_of(northward(), steady_track(0.03, 25, 11)).reason,
            "the track is elsewhere at the departure");
  GlobeTrack early = steady_track(0.2, 6);
  for (GlobeFix& fix : early) fix.time -= 48 * hour;
  EXPECT_EQ(outcome_of(northward(), early).reason, "no fix after the departure");
}

TEST(TrackOutcome, PassesTargetsInTheirOrder) {
  Prediction there_and_back = northward();
  there_and_back.targets.push_back({{{10, 0}}, 0.1 * degree, {}});
  GlobeTrack track = steady_track(0.25, 4);
  for (int n = 1; n <= 4; ++n) track.push_back({departure + (4 + n) * hour, {10, 1 - 0.25 * n}});
  const auto found = outcome_of(there_and_back, track);
  ASSERT_TRUE(found.outcome) << found.reason;
  EXPECT_NEAR(*found.outcome->arrived, (4 + 0.9 / 0.25) * hour, 1);
}

TEST(TrackOutcome, EntersPolygonsAcrossTheAntimeridian) {
  Prediction mission = northward();
  mission.start = {179.8, 0};
  const Ring outline{{-179.9, -0.5}, {-179, -0.5}, {-179, 0.5}, {-179.9, 0.5}, {-179.9, -0.5}};
  const Ring hole{{-179.8, -0.1}, {-179.7, -0.1}, {-179.7, 0.1}, {-179.8, 0.1}, {-179.8, -0.1}};
  mission.targets = {{{}, 0, {{outline, hole}}}};
  GlobeTrack track;
  for (int n = 0; n <= 6; ++n) {
    const double longitude = 179.8 + 0.1 * n;
    track.push_back({departure + n * hour, {longitude > 180 ? longitude - 360 : longitude, 0}});
  }
  const auto found = outcome_of(mission, track);
  ASSERT_TRUE(found.outcome) << found.reason;
  EXPECT_NEAR(*found.outcome->arrived, 3 * hour, 1);
  mission.start = {-179.75, 0};  // in the hole
  mission.departure += 4.5 * hour;
  const auto from_hole = outcome_of(mission, track);
  ASSERT_TRUE(from_hole.outcome) << from_hole.reason;
  EXPECT_NEAR(*from_hole.outcome->arrived, 0.5 * hour, 1);
}

TEST(TrackOutcome, ComparesSurfacingsWithBothEllipses) {
  Prediction mission = northward();
  const GlobeTrack track = steady_track(0.2, 6);
  const auto surfaced = [&](double bearing, double distance) {
    // At 0.4° the vehicle is `distance` metres south of the centre.
    mission.surfacing = {departure + 2 * hour,
                         {10, 0.4 + distance / degree},
                         bearing,
                         {{{2000, 500}, {4000, 1000}}}};
    return *outcome_of(mission, track).outcome->surfaced;
  };
  EXPECT_THAT(surfaced(0, 1900), testing::ElementsAre(true, true));
  EXPECT_THAT(surfaced(0, 2100), testing::ElementsAre(false, true));
  EXPECT_THAT(surfaced(0, 4100), testing::ElementsAre(false, false));
  EXPECT_THAT(surfaced(90, 600), testing::ElementsAre(false, true));
  EXPECT_THAT(surfaced(90, 1100), testing::ElementsAre(false, false));
  mission.surfacing->time = departure + 0.4 * hour;
  EXPECT_FALSE(outcome_of(mission, track).outcome->surfaced) << "no fix near that time";
}

TEST(GlobeTracks, AreReadFromFilesWithoutAForecast) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "t.csv") << "time,lon,lat\n2024-10-28T13:00Z,10.5,1\n,11,2\n"
                                     "2024-10-28T12:00Z,10,0\n2024-10-28T13:00Z,99,9\n";
  const auto tracks = read_globe_tracks(folder / "t.csv");
  ASSERT_EQ(tracks.size(), 1u);
  ASSERT_EQ(tracks[0].size(), 2u);
  EXPECT_EQ(tracks[0][0].time, departure);
  EXPECT_EQ(tracks[0][1].at.longitude, 10.5);
  const auto error_of = [&](const std::string& text) -> std::string {
    std::ofstream(folder / "bad.csv") << text;
    try {
      (void)read_globe_tracks(folder / "bad.csv");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of("time,x,y\n2024-10-28T13:00Z,1,1\n2024-10-28T14:00Z,1,1\n"),
              test::has_code("score_track_columns"));
  EXPECT_THAT(error_of("time,lon,lat\n2024-10-28T13:00Z,10.5,1\n"),
              test::has_code("score_track_empty"));
  EXPECT_THAT(error_of("time,lon,lat\n2024-10-28T13:00Z,10,4730\n2024-10-28T14:00Z,10,4731\n"),
              test::has_code("score_latitude"));
}

}  // namespace
}  // namespace tidewise
