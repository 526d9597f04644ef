#include "env/file/forecast_error_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/error.h"
#include "base/file/atomic_file.h"
#include "base/file/text_file.h"
#include "support/error_code.h"
#include "support/temporary_folder.h"

namespace tidewise {
namespace {

using test::has_code;

ForecastErrorModel read(const std::string& text) {
  const test::TemporaryFolder folder;
  const auto path = folder / "model.toml";
  write_text_file(path, text);
  return read_forecast_error_model(path);
}

std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

constexpr const char* complete = R"([forecast_error]
rms = [["0h", 0.30], ["24h", 0.40], ["72h", 0.45]]
length = "20km"
slow_share = 0.6
slow_time = "40h"
fast_time = "12h"
period = "12.42h"
source = "a \"source\""
)";

TEST(ForecastErrorFile, ReadsAllKeysInTheirUnits) {
  const ForecastErrorModel model = read(complete);
  ASSERT_EQ(model.rms.size(), 3u);
  EXPECT_EQ(model.rms[0], std::make_pair(0.0, 0.30));
  EXPECT_EQ(model.rms[2], std::make_pair(72 * 3600.0, 0.45));
  EXPECT_EQ(model.length, 20000);
  EXPECT_EQ(model.slow_share, 0.6);
  EXPECT_EQ(model.slow_time, 40 * 3600);
  EXPECT_EQ(model.fast_time, 12 * 3600);
  EXPECT_DOUBLE_EQ(model.period, 12.42 * 3600);
  EXPECT_EQ(model.source, "a \"source\"");
}

TEST(ForecastErrorFile, AcceptsASlowProcessWithoutAShare) {
  const ForecastErrorModel model = read(
      "[forecast_error]\nrms = [[\"6h\", 1]]\nlength = \"500m\"\nslow_time = \"2d\"\n"
      "[forecast_error.interval]\nlength = [\"400m\", \"600m\"]\n");
  EXPECT_EQ(model.slow_share, 1);
  EXPECT_EQ(model.slow_time, 2 * 86400);
  EXPECT_EQ(model.fast_time, 0);
  EXPECT_EQ(model.period, 0);
}

TEST(ForecastErrorFile, RoundTrips) {
  ForecastErrorModel model = read(complete);
  model.source = "drifters of \"C:\\files\",\tthree";
  ForecastErrorIntervals intervals;
  intervals.rms = {std::make_pair(0.28, 0.32), std::nullopt, std::make_pair(0.4, 0.5)};
  intervals.length = std::make_pair(15000.0, 26000.0);
  intervals.slow_share = std::make_pair(0.5, 0.7);
  intervals.period = std::make_pair(43200.0, 46800.0);
  const test::TemporaryFolder folder;
  const auto path = folder / "model.toml";
  write_forecast_error_model(path, model, intervals);
  const ForecastErrorModel reread = read_forecast_error_model(path);
  EXPECT_EQ(reread.rms, model.rms);
  EXPECT_EQ(reread.length, model.length);
  EXPECT_EQ(reread.slow_share, model.slow_share);
  EXPECT_EQ(reread.slow_time, model.slow_time);
  EXPECT_EQ(reread.fast_time, model.fast_time);
  EXPECT_DOUBLE_EQ(reread.period, model.period);
  EXPECT_EQ(reread.source, model.source);
  EXPECT_THAT(read_text_file(path, text_format::toml),
              testing::HasSubstr("[forecast_error.interval]  # 90 %\n"
                                 "rms = [[\"0h\", 0.28, 0.32], [\"72h\", 0.4, 0.5]]\n"
                                 "length = [\"15km\", \"26km\"]\nslow_share = [0.5, 0.7]\n"
                                 "period = [\"12h\", \"13h\"]\n"));
}

TEST(ForecastErrorFile, RefusesInvalidModels) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = complete;
    return error_of(text.replace(text.find(from), from.size(), to));
  };
  EXPECT_THAT(error_of("rms ="), has_code("error_model_not_toml", ":1:"));
  EXPECT_THAT(error_of(""), has_code("error_model_key_missing", "[forecast_error]"));
  EXPECT_THAT(error_of("[forecast]\n"), has_code("error_model_key_unknown", ":1: unknown key"));
  EXPECT_THAT(with("period", "tide"), has_code("error_model_key_unknown", ":7: unknown key tide"));
  EXPECT_THAT(with("length = \"20km\"", ""), has_code("error_model_key_missing", "length"));
  EXPECT_THAT(with("slow_time = \"40h\"", ""), has_code("error_model_key_missing", "slow_time"));
  EXPECT_THAT(with("fast_time = \"12h\"", ""), has_code("error_model_key_missing", "fast_time"));
  EXPECT_THAT(with("\"24h\"", "\"0h\""), has_code("error_model_leads_not_ascending", ":2:"));
  EXPECT_THAT(with("0.40", "-0.40"), has_code("error_model_value_invalid", ":2: rms"));
  EXPECT_THAT(with("\"24h\"", "24"), has_code("error_model_value_invalid", ":2: rms"));
  EXPECT_THAT(with("\"24h\"", "\"-1h\""), has_code("quantity_invalid", ":2: rms"));
  EXPECT_THAT(with("0.6", "1.2"), has_code("error_model_value_invalid", ":4: slow_share"));
  EXPECT_THAT(with("\"20km\"", "20"), has_code("error_model_value_invalid", ":3: length"));
  EXPECT_THAT(with("20km", "20h"), has_code("quantity_invalid", ":3: length"));
  EXPECT_THAT(with("40h", "0h"), has_code("quantity_invalid", ":5: slow_time"));
}

}  // namespace
}  // namespace tidewise
