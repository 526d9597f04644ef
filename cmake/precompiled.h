// Headers that nearly every file includes and that do not belong to the project. They are
// precompiled because most of a build's time is spent on reading headers. Each file still includes
// what it uses; the nightly build compiles without this header.
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
