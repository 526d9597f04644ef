#pragma once

namespace tidewise {

/// Version of the CF conventions in the attribute Conventions of all files. It is the first that
/// allows unsigned integers, which masks and flags need.
inline constexpr const char* cf_conventions = "CF-1.9";

}  // namespace tidewise
