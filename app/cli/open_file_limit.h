#pragma once

namespace tidewise {

/// Lets this process have as many files open as the system allows it: a batch's pass holds a few
/// for each of its missions, and systems begin with 1024.
void raise_open_file_limit();

}  // namespace tidewise
