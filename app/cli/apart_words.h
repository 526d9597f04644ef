#pragma once

namespace tidewise {

/// Refuses a value that was typed as two words, which a parser takes for a value and a file:
/// "--at -125.8 47.2", "--spacing 3 km", "--time 2024-10-29 12:00". Errors: InputError that says
/// how to write it.
void refuse_apart_words(int argc, const char* const* argv);

}  // namespace tidewise
