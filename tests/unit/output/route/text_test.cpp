#include "output/route/text.h"

#include <gtest/gtest.h>

#include <clocale>
#include <cmath>

#include "base/printable.h"
#include "output/route/xml.h"

namespace tidewise {
namespace {

TEST(RouteText, FixedNumbersHaveNoNegativeZero) {
  EXPECT_EQ(fixed(-0.0004, 3), "0.000");
  EXPECT_EQ(fixed(-0.0006, 3), "-0.001");
  EXPECT_EQ(fixed(2.5, 0), "2");
  EXPECT_EQ(fixed(1e9, 2), "1000000000.00");
}

TEST(RouteText, LongitudesStayBelow180) {
  EXPECT_EQ(longitude_text(180), "-180.00000000");
  EXPECT_EQ(longitude_text(-180), "-180.00000000");
  EXPECT_EQ(longitude_text(540), "-180.00000000");
  EXPECT_EQ(longitude_text(179.999999996), "-180.00000000");
  EXPECT_EQ(longitude_text(179.99999999), "179.99999999");
  EXPECT_EQ(longitude_text(-180.25), "179.75000000");
  EXPECT_EQ(longitude_text(-1e-9), "0.00000000");
  EXPECT_EQ(longitude_text(-124.25), "-124.25000000");
  EXPECT_EQ(rounded_longitude(179.9999999999), -180);
}

TEST(RouteText, MinutesAreRoundedBeforeTheyAreDivided) {
  EXPECT_EQ(latitude_minutes(44.99999999999), "4500.0000");
  EXPECT_EQ(latitude_minutes(-0.00001), "-000.0006");
  EXPECT_EQ(latitude_minutes(-0.0000001), "000.0000");
  EXPECT_EQ(latitude_minutes(89.9999999), "9000.0000");
  EXPECT_EQ(latitude_minutes(7.0125), "700.7500");
  EXPECT_EQ(longitude_minutes(-124.102), "-12406.1200");
  EXPECT_EQ(longitude_minutes(180), "-18000.0000");
  EXPECT_EQ(longitude_minutes(179.9999999999), "-18000.0000");
  EXPECT_EQ(longitude_minutes(-179.9999999999), "-18000.0000");
  EXPECT_EQ(longitude_minutes(179.9999), "17959.9940");
}

TEST(RouteText, IgnoresTheLocale) {
  const std::string previous = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) != nullptr) break;
  }
  EXPECT_EQ(latitude_text(47.5), "47.50000000");
  EXPECT_EQ(latitude_minutes(47.5), "4730.0000");
  std::setlocale(LC_ALL, previous.c_str());
}

TEST(RouteText, DurationsAreOfXmlSchema) {
  EXPECT_EQ(duration_text(0), "PT0S");
  EXPECT_EQ(duration_text(59.6), "PT0H1M0S");
  EXPECT_EQ(duration_text(600), "PT0H10M0S");
  EXPECT_EQ(duration_text(90061), "P1DT1H1M1S");
}

TEST(RouteText, InstantsAreUtcToTheSecond) {
  EXPECT_EQ(utc_text(1730203200), "2024-10-29T12:00:00Z");
  EXPECT_EQ(utc_text(1730203199.6), "2024-10-29T12:00:00Z");
}

TEST(RouteText, FileNamesArePortable) {
  EXPECT_EQ(portable_name("off Washington, 2024"), "off_Washington__2024");
  EXPECT_EQ(portable_name("../../\xc3\xa9t\xc3\xa9"), "_.._" + std::string("_t_"));
  EXPECT_EQ(portable_name("..."), "route");
  EXPECT_EQ(portable_name(""), "route");
  EXPECT_EQ(portable_name(std::string(100, 'a')).size(), 64U);
}

TEST(RouteText, LinesAreSingleAndAscii) {
  EXPECT_EQ(ascii_line("a\nb\xc3\xa9\xff\x1b"), "a b?\\xff\\u001b");
}

TEST(RouteText, CommentsAreWrappedBetweenWords) {
  Route route;
  route.creator = "Tidewise 0.1.0";
  route.capture_radius = 2.5;
  route.arrival_radius = 40;
  route.remarks = {std::string(90, 'x'), "short"};
  EXPECT_EQ(commented_notes(route, "//"),
            "// By Tidewise 0.1.0. A route has no feedback: unlike the policy that it comes\n"
            "//  from, it does not answer to the currents that the vehicle meets.\n"
            "// Times are those of passing the points themselves. A waypoint counts as\n"
            "//  reached within 2.5 of its point, the target within 40.\n"
            "// " +
                std::string(90, 'x') + "\n// short\n");
}

TEST(Xml, EscapesSpecialCharacters) {
  EXPECT_EQ(xml_escaped("a<b>&\"c\"\n\xc3\xa9\xe2\x82\xac\xf0\x9f\x8c\x8a"),
            "a&lt;b&gt;&amp;&quot;c&quot;&#10;&#233;&#8364;&#127754;");
  EXPECT_EQ(xml_escaped("\x1b\xff\xef\xbf\xbf"), "\\u001b\\xff?");
}

TEST(Xml, NestsElements) {
  XmlWriter xml;
  xml.begin("a", {{"b", "1"}, {"c", "<"}});
  xml.text("d", "&");
  xml.empty("e", {});
  xml.end();
  EXPECT_EQ(xml.take(),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<a b=\"1\" c=\"&lt;\">\n  <d>&amp;</d>\n  <e/>\n</a>\n");
}

}  // namespace
}  // namespace tidewise
