#pragma once

namespace tidewise {

/// Refuses a value typed as two words, which the parser would read as a value and a file: "--at
/// -125.8 47.2", "--spacing 3 km", "--time 2024-10-29 12:00". Errors: InputError with the right
/// spelling.
void refuse_split_values(int argc, const char* const* argv);

}  // namespace tidewise
