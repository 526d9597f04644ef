#pragma once

#include <string>

namespace tidewise {

/// Arguments of `tidewise serve`.
struct ServeArguments {
  std::string run;
  std::string watch;  ///< folder to watch; empty: none
  bool no_browser = false;
};

/// Requires a Python with the packages of the server. Errors: InputError.
void require_server();

/// Replaces this process by the server, run by `python3` of the PATH. Does not return. Errors:
/// those of require_server().
void run_server(const ServeArguments& arguments);

}  // namespace tidewise
