#pragma once

#include <array>
#include <vector>

namespace tidewise {

/// x and y [m or 1], or longitude and latitude [degrees], depending on the frame of the owner.
using Vertex = std::array<double, 2>;

/// A closed line: the last vertex equals the first.
using Ring = std::vector<Vertex>;

/// An outline, followed by holes. Rings have four vertices or more, and no two edges cross.
using Polygon = std::vector<Ring>;

}  // namespace tidewise
