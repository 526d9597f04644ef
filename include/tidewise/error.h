#pragma once

#include <stdexcept>
#include <string>

namespace tidewise {

/// The input is wrong: a file, a key, an option. `main` prints the text as one line and exits
/// with 2. Text: what is wrong (the value), why, what to do. No line breaks.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The input was right and the run failed all the same (disk full, device lost). Exit status 1.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tidewise
