// Figures in reports for pilots.

#include "app/report/pilot_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

#include "output/run/attributes.h"
#include "planner/run/flight_figures.h"
#include "planner/run/recommend.h"

namespace tidewise {
namespace {

constexpr double hour = 3600;
constexpr double november = 1730487360;  // 2024-11-01T18:56:00Z
constexpr TimeRounding minutes{60, 60, 60};
constexpr TimeRounding hours{hour, hour, 3 * hour};

TEST(PlainNumber, HasNoPowerOfTen) {
  EXPECT_EQ(plain_number(354612.3), "354600");
  EXPECT_EQ(plain_number(66.4271), "66.43");
  EXPECT_EQ(plain_number(66), "66");
  EXPECT_EQ(plain_number(99.996), "100");
  EXPECT_EQ(plain_number(0.00512), "0.00512");
  EXPECT_EQ(plain_number(-368030.25, 6), "-368030");
  EXPECT_EQ(plain_number(0), "0");
}

TEST(Duration, IsInHoursIfUnitsAreMetric) {
  EXPECT_EQ(describe_duration(354600, Units::metric), "98.5 h");
  EXPECT_EQ(describe_duration(2700, Units::metric), "45 min");
  EXPECT_EQ(describe_duration(30, Units::metric), "30 s");
  EXPECT_EQ(describe_duration(0, Units::metric), "0.0 h");
  EXPECT_EQ(describe_duration(354600, Units::nondimensional), "354600");
}

TEST(Date, ShowsUtcAndLocalTime) {
  const char* previous = std::getenv("TZ");
  const std::string zone = previous == nullptr ? "" : previous;
  ::setenv("TZ", "PST8PDT,M3.2.0,M11.1.0", 1);
  ::tzset();
  EXPECT_EQ(describe_date(november), "1 Nov 2024 18:56 UTC");
  EXPECT_EQ(describe_local_date(november), "1 Nov 2024 18:56 UTC (11:56 PDT)");
  EXPECT_EQ(describe_local_date(november - 14 * hour),
            "1 Nov 2024 04:56 UTC (the day before 21:56 PDT)");
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  EXPECT_EQ(describe_local_date(november), "1 Nov 2024 18:56 UTC");
  previous == nullptr ? ::unsetenv("TZ") : ::setenv("TZ", zone.c_str(), 1);
  ::tzset();
}

TEST(Keeping, IsAShareOfTheTimeOrADistance) {
  constexpr double day = 24 * hour;
  EXPECT_EQ(describe_share_of_time(0.83, 7.5 * day, Units::metric), " (6.2 of 7.5 days)");
  EXPECT_EQ(describe_share_of_time(0.5, 36 * hour, Units::metric), " (18.0 of 36.0 h)");
  EXPECT_EQ(describe_share_of_time(0.5, 42, Units::nondimensional), " (21 of 42)");
  RolloutStatistics flown;
  flown.trajectories = 50;
  flown.failures.obstacle = 1;
  flown.keeping = {false, 0.833, 0.6131, 0.8499, 0.97, 0.01, 0.96};
  EXPECT_EQ(
      describe_flights(flown, november, minutes, Objective::stay, {}, Units::metric),
      "time within     83.3 % on average; 61 % or less in a tenth of the flights, 85 % in the "
      "median, 97 % or more in a tenth\n"
      "probability     96 % of 50 flights last until the end; 1 hit an obstacle\n");  // by weight
  flown.keeping = {true, 1234, 500, 1000, 3000, 1, 1};
  EXPECT_THAT(describe_flights(flown, november, minutes, Objective::stay, {}, Units::metric),
              testing::StartsWith("distance        1.23 km on average; 0.5 km or less"));
}

TEST(Energy, HasTheUnitOfTheEnergyModel) {
  EnergyModel unset;
  EnergyModel in_watts;
  in_watts.c_f = 12;
  in_watts.c_t = 2.5;
  EXPECT_EQ(describe_energy(90370.2, unset, Units::metric), "25.1 h at 1 m/s");
  EXPECT_EQ(describe_energy(1968000, in_watts, Units::metric), "1.97 MJ");
  EXPECT_EQ(describe_energy(512, in_watts, Units::metric), "512 J");
  EXPECT_EQ(describe_energy(66.2, in_watts, Units::nondimensional), "66.2");
  EXPECT_EQ(describe_energy(66.2, unset, Units::nondimensional), "66.2");
  // A step at full speed costs 1.
  EnergyModel scaled;
  scaled.c_f = 2.5e-4;
  EXPECT_EQ(describe_energy(49.5, scaled, Units::metric), "49.5");
  EXPECT_STREQ(energy_unit(scaled, Units::metric).name, "");
  EXPECT_EQ(value_units(Objective::net_energy, scaled, Units::metric), "1");
  EXPECT_STREQ(energy_unit(unset, Units::metric).name, "h at 1 m/s");
  EXPECT_EQ(energy_unit(unset, Units::metric).size, 3600);
  EXPECT_STREQ(energy_unit(in_watts, Units::metric).name, "kJ");
  EXPECT_EQ(energy_unit(in_watts, Units::nondimensional).size, 1);
}

TEST(Energy, IsOmittedWithoutUnitUnlessObjectiveNeedsIt) {
  RolloutStatistics flown;
  flown.arrival_rate = 1;
  flown.trajectories = 9;
  flown.energy.p05 = flown.energy.p50 = flown.energy.p95 = 90360;
  const EnergyModel unset;
  const auto lines = [&](Objective objective, const EnergyModel& model, Units units) {
    return describe_flights(flown, {}, minutes, objective, model, units);
  };
  using testing::HasSubstr;
  const std::string text = lines(Objective::time, unset, Units::metric);
  EXPECT_THAT(text, testing::Not(HasSubstr("energy")));
  EXPECT_THAT(text, HasSubstr("probability     100 % of 9 flights arrive"));
  EXPECT_THAT(lines(Objective::energy, unset, Units::metric),
              HasSubstr("energy          25.1 h at 1 m/s\n"));
  EXPECT_THAT(lines(Objective::time, {.c_t = 2}, Units::metric),
              HasSubstr("energy          90.4 kJ\n"));
  EXPECT_THAT(lines(Objective::time, unset, Units::nondimensional),
              HasSubstr("energy          90360\n"));
  flown.energy_left = Spread{};
  EXPECT_THAT(lines(Objective::time, unset, Units::metric), HasSubstr("energy          25.1 h"))
      << "what a battery holds is known in the same unit";
}

TEST(Chance, IsHundredPercentOnlyIfAllArrive) {
  EXPECT_EQ(describe_chance(1), "100 %");
  EXPECT_EQ(describe_chance(0.985), "98.5 %");
  EXPECT_EQ(describe_chance(0.99999), "over 99.9 %");
  EXPECT_EQ(describe_chance(0.0001), "less than 0.1 %");
  EXPECT_EQ(describe_chance(0), "0 %");
}

TEST(Steering, HasThreeDigitsTrue) {
  EXPECT_EQ(describe_steering({0.1, 0.5, 45.2}, Units::metric), "heading 045° true (NE), 0.5 m/s");
  EXPECT_EQ(describe_steering({0.1, 0.5, 359.8}, Units::metric), "heading 000° true (N), 0.5 m/s");
  EXPECT_EQ(describe_steering({2.16, 1, {}}, Units::nondimensional),
            "heading 124° (counter-clockwise from +x), speed 1");
  EXPECT_EQ(describe_steering({0, 0, {}}, Units::metric), "drift");
}

Outlook arrival(double chance, double time, double earlier, double later) {
  return {Outlook::Basis::flights, 10, chance, time, earlier, later};
}

TEST(Outlook, HasTimeWindowAndProbability) {
  RolloutStatistics flown;
  flown.trajectories = 100;
  flown.arrival_rate = 0.99;
  flown.time.p05 = 80.2 * hour;
  flown.time.p50 = 100 * hour;
  flown.time.p95 = 139 * hour;
  const Outlook outlook = outlook_of(flown);
  EXPECT_EQ(describe_outlook(outlook, november - 100 * hour, hours, Units::metric),
            "arrival 1 Nov 19:00 UTC (after 100 h), 90 % from 1 Nov 00:00 to 3 Nov 09:00 UTC, "
            "probability 99 % (100 flights)");
  EXPECT_EQ(describe_outlook(outlook, {}, hours, Units::metric),
            "arrival after 100 h, 90 % from 81 h to 138 h, probability 99 % (100 flights)");
  flown.arrival_rate = 0.8;
  flown.arrival_range = {0.6, 1};
  EXPECT_THAT(describe_outlook(outlook_of(flown), {}, hours, Units::metric),
              testing::EndsWith("probability 80 % (100 flights; 60 % to over 97 % over the "
                                "plausible forecast error)"));
  flown.arrival_rate = 1;
  flown.arrival_range = {1, 1};
  EXPECT_THAT(describe_outlook(outlook_of(flown), {}, hours, Units::metric),
              testing::EndsWith("probability over 97 % (100 flights; the same for all plausible "
                                "forecast errors)"));
  EXPECT_EQ(describe_outlook(arrival(0.9, 66.43, 20, 31.8), {}, {1, 1, 10}, Units::nondimensional),
            "arrival after 66, 90 % from 50 to 100, probability 90 % (10 flights)");
  EXPECT_EQ(describe_outlook(Outlook(), {}, minutes, Units::metric), "the plan does not arrive");
  EXPECT_EQ(describe_outlook(arrival(0, 0, 0, 0), {}, minutes, Units::metric), "no flight arrives");
  // The model's estimate has no probability.
  EXPECT_EQ(describe_outlook(outlook_of(ExpectedOutcome{.arrival_probability = 0.5, .time = 60}),
                             {}, {1, 1, 1}, Units::nondimensional),
            "arrival after 60, not simulated");
}

TEST(Outlook, CountsMissionsWithoutProbability) {
  RolloutStatistics flown;
  flown.has_probability = false;
  flown.trajectories = 9;
  flown.failures.obstacle = 1;
  flown.arrival_rate = 8.0 / 9;
  flown.time.p05 = 98.5 * hour;
  flown.time.p50 = 100 * hour;
  flown.time.p95 = 102 * hour;
  EXPECT_EQ(describe_outlook(outlook_of(flown), november - 100 * hour, hours, Units::metric),
            "arrival 1 Nov 19:00 UTC (after 100 h), 8 of 9 simulated missions arrive");
  const std::string lines =
      describe_flights(flown, november - 100 * hour, hours, Objective::time, {}, Units::metric);
  EXPECT_THAT(lines, testing::HasSubstr("simulated       8 of 9 simulated missions arrive; 1 hit"));
  EXPECT_THAT(lines, testing::HasSubstr("time to go      100 h in the median\n"));
  EXPECT_THAT(lines, testing::Not(testing::HasSubstr("%")));
  flown.keeping = {false, 0.833, 0.6131, 0.8499, 0.97, 0.01, 0.96};
  EXPECT_THAT(describe_flights(flown, november, hours, Objective::stay, {}, Units::metric),
              testing::StartsWith("time within     83.3 % on average\nsimulated       8 of 9"));
}

}  // namespace
}  // namespace tidewise
