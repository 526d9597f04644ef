#include "app/interruption.h"
#include "app/program.h"
#include "base/guarded_process.h"

int main(int argc, char** argv) {
  tidewise::GuardedProcess::start_keeper();
  tidewise::watch_for_interruption();
  return tidewise::run_program(argc, argv);
}
