#include "app/cli/place_option.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "support/error_code.h"

namespace tidewise {
namespace {

Position parse(const std::string& text) {
  return parse_position("--at", text, Position::Frame::geographic);
}

std::string error_of(const std::string& text) {
  try {
    (void)parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(PlaceOption, ReadsDegreesMinutesAndHemispheres) {
  const std::vector<std::string> forms{
      "-45.1,12.3",      "45.1W,12.3N",           "12.3N,45.1W",
      "12.3n 45.1w",     "W45.1 N12.3",           "45 06.0W, 12 18.0N",
      "12°18'N 45°06'W", "45°06′00″W 12°18′00″N", "-45 06, 12 18"};
  for (const std::string& form : forms) {
    const Position place = parse(form);
    EXPECT_NEAR(place.first, -45.1, 1e-12) << form;
    EXPECT_NEAR(place.second, 12.3, 1e-12) << form;
  }
  // A sign also applies if the degrees are 0.
  EXPECT_NEAR(parse("-0 30, 51 0").first, -0.5, 1e-12);
  EXPECT_NEAR(parse("0 30.5S 179 59.9E").second, -(30.5 / 60), 1e-12);
  // The letter of an exponent is not a hemisphere.
  EXPECT_EQ(parse("1e1,2E0").first, 10);
}

TEST(PlaceOption, RejectsInvalidPlaces) {
  for (const char* text : {"45.1W,12.3", "45.1W,12.3E", "12.3N,45.1N", "-45.1W,12.3N",
                           "45 60W,12 0N", "45.5 30W,12 0N", "W,N", "45W", "1 2 3 4W,12N"}) {
    EXPECT_THAT(error_of(text), test::has_code("position_invalid")) << text;
  }
  EXPECT_THAT(error_of("45W,95N"), test::has_code("position_not_on_earth", "95"));
  EXPECT_THAT(error_of("1,2,3"), test::has_code("number_list_invalid"));
}

}  // namespace
}  // namespace tidewise
