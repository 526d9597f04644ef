#include <unistd.h>

#include <string_view>

#include "app/cli/failure.h"
#include "app/cli/interruption.h"
#include "app/cli/process_limits.h"
#include "app/program.h"
#include "app/terminal/terminal.h"
#include "base/file/guarded/guarded_process.h"
#include "base/memory/headroom.h"

int main(int argc, char** argv) {
  tidewise::shorten_spins(argv);
  tidewise::hold_standard_streams();
  if (!tidewise::has_enough_stack()) return tidewise::exit_run_failed;
  tidewise::raise_open_file_limit();
  // HDF5 ends the process when memory runs out. With the keeper, readers of files report an error
  // instead.
  if (tidewise::has_headroom()) tidewise::GuardedProcess::start_keeper();
  tidewise::watch_for_interruption();
  try {
    return tidewise::run_program(argc, argv);
  } catch (...) {  // no memory for composing a message
    constexpr std::string_view text =
        "tidewise: error: there is too little memory to begin; end other programs, or raise the "
        "limit (ulimit -v)\n";
    (void)!::write(STDERR_FILENO, text.data(), text.size());
    return tidewise::exit_run_failed;
  }
}
