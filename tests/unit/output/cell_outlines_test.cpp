// Outlines of cells as polygons.

#include "output/route/plane/cell_outlines.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace tidewise {
namespace {

/// Cells that are drawn in rows from north to south; '#' is marked.
struct Picture {
  Grid grid;
  std::vector<std::uint8_t> marked;

  explicit Picture(const std::vector<std::string>& rows) {
    grid = {static_cast<std::int32_t>(rows[0].size()),
            static_cast<std::int32_t>(rows.size()),
            10,
            20,
            2,
            4};
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
      for (const char cell : *row) marked.push_back(cell == '#' ? 1 : 0);
    }
  }
};

double signed_area(const std::vector<PlanePoint>& ring) {
  double area = 0;
  for (std::size_t n = 0; n < ring.size(); ++n) {
    const PlanePoint& a = ring[n];
    const PlanePoint& b = ring[(n + 1) % ring.size()];
    area += (a.x * b.y - b.x * a.y) / 2;
  }
  return area;
}

/// Expects valid rings that enclose the marked cells.
void expect_valid(const Picture& picture, const std::vector<PlanePolygon>& outlines) {
  double area = 0;
  for (const PlanePolygon& outline : outlines) {
    EXPECT_GT(signed_area(outline.outer), 0);
    area += signed_area(outline.outer);
    std::vector<std::vector<PlanePoint>> rings = outline.holes;
    for (const auto& hole : outline.holes) {
      EXPECT_LT(signed_area(hole), 0);
      area += signed_area(hole);
    }
    rings.push_back(outline.outer);
    for (const auto& ring : rings) {
      std::set<std::pair<double, double>> corners;
      for (const PlanePoint& corner : ring) corners.insert({corner.x, corner.y});
      EXPECT_EQ(corners.size(), ring.size());
      for (std::size_t n = 0; n < ring.size(); ++n) {  // along x and y in turn
        const PlanePoint& a = ring[n];
        const PlanePoint& b = ring[(n + 1) % ring.size()];
        const PlanePoint& c = ring[(n + 2) % ring.size()];
        EXPECT_NE(a.x == b.x, a.y == b.y);
        EXPECT_NE(a.x == b.x, b.x == c.x);
      }
    }
  }
  double marked = 0;
  for (const std::uint8_t cell : picture.marked) marked += cell;
  EXPECT_NEAR(area, marked * picture.grid.dx * picture.grid.dy, 1e-9);
}

TEST(CellOutlines, SurroundASingleCell) {
  const Picture picture({"...", ".#.", "..."});
  const auto outlines = outline_cells(picture.grid, picture.marked);
  ASSERT_EQ(outlines.size(), 1u);
  expect_valid(picture, outlines);
  const auto& ring = outlines[0].outer;
  ASSERT_EQ(ring.size(), 4u);
  EXPECT_EQ(ring[0].x, 11);  // western edge of column 1, whose centre is 12
  EXPECT_EQ(ring[0].y, 22);
  EXPECT_EQ(ring[2].x, 13);
  EXPECT_EQ(ring[2].y, 26);
}

TEST(CellOutlines, HaveHolesWithIslands) {
  const Picture picture({"######", "#....#", "#.##.#", "#.##.#", "#....#", "######"});
  const auto outlines = outline_cells(picture.grid, picture.marked);
  ASSERT_EQ(outlines.size(), 2u);
  expect_valid(picture, outlines);
  EXPECT_EQ(outlines[0].outer.size(), 4u);
  EXPECT_EQ(outlines[0].holes.size(), 1u);
  EXPECT_TRUE(outlines[1].holes.empty());
}

TEST(CellOutlines, SeparateCellsThatMeetAtCorners) {
  for (const auto& rows : {std::vector<std::string>{"#.", ".#"},
                           {"###.", "#.#.", "##.#", ".###"},
                           {"####", "#.##", "##.#", "####"},
                           {"##.", "#.#", "###"}}) {
    const Picture picture(rows);
    expect_valid(picture, outline_cells(picture.grid, picture.marked));
  }
  EXPECT_EQ(outline_cells(Picture({"#.", ".#"}).grid, Picture({"#.", ".#"}).marked).size(), 2u);
}

TEST(CellOutlines, AreValidForRandomCells) {
  std::uint32_t state = 1;
  for (int n = 0; n < 200; ++n) {
    std::vector<std::string> rows(7, std::string(9, '.'));
    for (auto& row : rows) {
      for (char& cell : row) {
        state = state * 1664525 + 1013904223;
        if ((state >> 24) % 5 < 3) cell = '#';
      }
    }
    SCOPED_TRACE(n);
    const Picture picture(rows);
    expect_valid(picture, outline_cells(picture.grid, picture.marked));
  }
}

TEST(CellOutlines, AreEmptyWithoutCells) {
  const Picture picture({"..", ".."});
  EXPECT_TRUE(outline_cells(picture.grid, picture.marked).empty());
}

}  // namespace
}  // namespace tidewise
