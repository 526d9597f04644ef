#pragma once

#include <string>

namespace tidewise {

/// Arguments of `tidewise serve`.
struct ServeArguments {
  std::string run;
  std::string watch;  ///< a folder; empty: none
  bool no_browser = false;
};

/// Refuses a Python that lacks what the server needs. Errors: InputError.
void require_server();

/// Replaces this process by the server, which `python3` of the PATH runs. Does not return. Errors:
/// InputError as of require_server().
void run_server(const ServeArguments& arguments);

}  // namespace tidewise
