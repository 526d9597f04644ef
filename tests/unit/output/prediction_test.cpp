#include "output/score/prediction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "base/error.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using nlohmann::ordered_json;

ordered_json plain_line(int number) {
  return {{"tidewise_prediction", 1},
          {"number", number},
          {"departure", "2024-10-28T12:00:00Z"},
          {"deadline", "2024-10-29T12:00:00Z"}};
}

class PredictionLog : public testing::Test {
 protected:
  std::string error_of(const std::string& text) const {
    std::ofstream(log_, std::ios::trunc) << text;
    try {
      (void)read_predictions(log_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::string error_of_appending() const {
    try {
      append_prediction(log_, plain_line(0));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  test::TemporaryFolder folder_;
  std::filesystem::path log_ = folder_ / "log.jsonl";
};

TEST_F(PredictionLog, HasWholeLinesOfConcurrentProcesses) {
  constexpr int processes = 4;
  constexpr int lines = 50;
  std::array<pid_t, processes> children{};
  for (int process = 0; process < processes; ++process) {
    const pid_t child = ::fork();
    if (child != 0) {
      children.at(static_cast<std::size_t>(process)) = child;
      continue;
    }
    ordered_json line = plain_line(process);
    line["filling"] = std::string(20'000, 'x');  // more than a pipe or a page holds
    for (int n = 0; n < lines; ++n) append_prediction(log_, line);
    ::_exit(0);
  }
  for (const pid_t child : children) {  // not the process that reads files, which may also exist
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  const auto found = read_predictions(log_);
  ASSERT_EQ(found.size(), static_cast<std::size_t>(processes * lines));
  std::array<int, processes> counts{};
  for (const Prediction& prediction : found)
    ++counts.at(prediction.line["number"].get<std::size_t>());
  EXPECT_THAT(counts, testing::Each(lines));
}

TEST_F(PredictionLog, IsReadAsItWasWritten) {
  ordered_json line = plain_line(1);
  line["start"] = {-126.0, 46.8};
  line["via"] = {{{"points", {{-125.5, 47.0}}}, {"radius", 3000.0}}};
  line["target"] = {{"polygons", {{{{-125, 48}, {-124, 48}, {-124, 49}, {-125, 48}}}}}};
  const double never = std::numeric_limits<double>::infinity();
  const ArrivalQuantiles quantiles{0.8, {1, 2, 3, 4, 5, never, never}, {1, 2, 3, 4, 5, 6, 7}};
  line["arrival"] = to_json(quantiles);
  line["outcome"] = to_json(PredictionOutcome{3600.0, {{false, true}}});
  append_prediction(log_, line);
  const auto found = read_predictions(log_);
  ASSERT_EQ(found.size(), 1u);
  const Prediction& prediction = found.front();
  EXPECT_EQ(prediction.line, line);
  EXPECT_EQ(prediction.departure, 1730116800);
  EXPECT_EQ(prediction.deadline - prediction.departure, 86400);
  ASSERT_EQ(prediction.targets.size(), 2u);
  EXPECT_EQ(prediction.targets[0].radius, 3000);
  EXPECT_EQ(prediction.targets[1].polygons[0][0][2][1], 49);
  EXPECT_EQ(prediction.arrival->probability, 0.8);
  EXPECT_EQ(prediction.arrival->all, quantiles.all);
  EXPECT_EQ(prediction.arrival->arriving, quantiles.arriving);
  EXPECT_EQ(prediction.outcome->arrived, 3600.0);
  EXPECT_EQ((*prediction.outcome->surfaced)[0], false);
  EXPECT_EQ((*prediction.outcome->surfaced)[1], true);
}

TEST_F(PredictionLog, RejectsInvalidLinesWithTheirNumber) {
  const std::string good = plain_line(1).dump() + "\n";
  const auto error_with = [&](const char* key, const ordered_json& value) {
    ordered_json line = plain_line(2);
    line[key] = value;
    return error_of(good + "\n" + line.dump() + "\n");
  };
  EXPECT_THAT(error_of(good + "{\"tidewise_pre"),
              testing::AllOf(test::has_code("prediction_not_json"),
                             testing::HasSubstr("log.jsonl: line 2: ")));
  EXPECT_THAT(error_of("[]\n"), test::has_code("prediction_not_json"));
  EXPECT_THAT(
      error_with("tidewise_prediction", 2),
      testing::AllOf(test::has_code("prediction_version_unknown"), testing::HasSubstr("line 3: ")));
  EXPECT_THAT(error_with("deadline", "2024-10-28T12:00:00Z"),
              test::has_code("prediction_value_invalid", "deadline"));
  EXPECT_THAT(error_with("departure", 12), test::has_code("prediction_value_invalid", "departure"));
  EXPECT_THAT(error_with("target", {{"points", {{0, 91}}}, {"radius", 1}}),
              test::has_code("prediction_value_invalid", "target"));
  const ordered_json times{1, 2, 3, 4, 5, 6, 7};
  const auto arrival = [&](const ordered_json& probability, const ordered_json& quantiles) {
    return error_with(
        "arrival",
        {{"probability", probability}, {"quantiles", quantiles}, {"quantiles_of_arrivals", times}});
  };
  EXPECT_EQ(arrival(1, times), "");
  EXPECT_THAT(arrival(1.5, times), test::has_code("prediction_value_invalid", "probability"));
  EXPECT_THAT(arrival(1, {1, 2}), test::has_code("prediction_value_invalid", "quantiles"));
  EXPECT_THAT(arrival(1, {1, 2, 3, 9, 5, 6, 7}),
              test::has_code("prediction_value_invalid", "quantiles"));
}

TEST_F(PredictionLog, RejectsOtherFiles) {
  std::ofstream(log_) << "a mission\n";
  EXPECT_THAT(error_of_appending(), test::has_code("prediction_log_foreign"));
  std::ofstream(log_, std::ios::trunc) << plain_line(1).dump();
  EXPECT_THAT(error_of_appending(), test::has_code("prediction_log_foreign", "middle of a line"));
  std::filesystem::remove(log_);
  std::filesystem::create_symlink(folder_ / "elsewhere", log_);
  EXPECT_THAT(error_of_appending(), test::has_code("prediction_log_foreign", "symbolic link"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "elsewhere"));
  std::filesystem::remove(log_);
  std::filesystem::create_directory(log_);
  EXPECT_THAT(error_of_appending(), test::has_code("prediction_log_not_opened"));
}

}  // namespace
}  // namespace tidewise
