// What nearly every file reads and no change of the project touches: read once, since most of a
// build is spent on reading headers. Each file includes what it uses all the same; the night
// compiles them without this one.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
