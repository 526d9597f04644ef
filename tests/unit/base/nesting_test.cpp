#include "base/nesting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/error_code.h"

namespace tidewise {
namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int n = 0; n < times; ++n) all += text;
  return all;
}

std::string error_message(const std::string& text, NestedText kind) {
  try {
    require_shallow(text, kind, "file");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(Nesting, IsLimitedInJson) {
  for (const std::string open : {"[", "{\"a\":", "[{\"features\":["}) {
    EXPECT_THAT(error_message(repeated(open, 100'000), NestedText::json),
                test::has_code("nesting_too_deep", "file"));
  }
  EXPECT_EQ(error_message(repeated("[", 64) + repeated("]", 64), NestedText::json), "");
  EXPECT_EQ(error_message("[" + repeated("[1.5, 2.5],", 100'000) + "[]]", NestedText::json), "");
}

TEST(Nesting, IgnoresBracketsInTexts) {
  EXPECT_EQ(error_message("{\"a\": \"" + repeated("[\\\"", 1000) + "\"}", NestedText::json), "");
  EXPECT_EQ(error_message("a = '" + repeated("[", 1000) + "'", NestedText::toml), "");
  EXPECT_EQ(error_message("a = \"\"\"\n" + repeated("[\"\n", 1000) + "\"\"\"", NestedText::toml),
            "");
  EXPECT_EQ(error_message("# " + repeated(".", 1000) + "\na = 1", NestedText::toml), "");
}

TEST(Nesting, CountsTheDotsOfKeys) {
  const std::string key = repeated("a.", 100'000) + "a";
  for (const std::string& text : {key + " = 1", "[" + key + "]", "[[" + key + "]]",
                                  "x = {" + key + " = 1}", "x = 1\n" + key + " = 1"}) {
    EXPECT_THAT(error_message(text, NestedText::toml), test::has_code("nesting_too_deep"))
        << text[0];
  }
  // Each key is shallow, but the nested tables are deep.
  EXPECT_THAT(error_message(repeated("{a.b.c.d.e.f = ", 20), NestedText::toml),
              test::has_code("nesting_too_deep"));
  EXPECT_EQ(error_message(repeated("a.b.c = 1.5\n", 1000), NestedText::toml), "");
  EXPECT_EQ(error_message("a = [" + repeated("1.5, ", 1000) + "2.5]", NestedText::toml), "");
}

}  // namespace
}  // namespace tidewise
