#include "app/cli/interruption.h"
#include "app/cli/open_file_limit.h"
#include "app/cli/terminal.h"
#include "app/program.h"
#include "base/file/guarded_process.h"

int main(int argc, char** argv) {
  tidewise::hold_standard_streams();
  tidewise::raise_open_file_limit();
  tidewise::GuardedProcess::start_keeper();
  tidewise::watch_for_interruption();
  return tidewise::run_program(argc, argv);
}
