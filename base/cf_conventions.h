#pragma once

namespace tidewise {

/// The CF conventions that all files follow, by the attribute Conventions; the first version that
/// knows unsigned integers, as masks and flags are.
inline constexpr const char* cf_conventions = "CF-1.9";

}  // namespace tidewise
