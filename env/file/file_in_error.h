#pragma once

#include <string>

#include "base/error.h"
#include "env/file/reader.h"

namespace tidewise {

/// Runs `work` and returns its result. An InputError that does not begin with the name of the
/// environment's file is rethrown with that name in front, because code that works on fields has no
/// access to it.
template <class Work>
auto with_file_in_error(const EnvironmentReader& environment, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    const std::string name = environment.path().string();
    const std::string text = error.what();
    throw InputError(text.starts_with(name) ? text : name + ": " + text);
  }
}

}  // namespace tidewise
