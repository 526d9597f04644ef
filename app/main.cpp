#include "app/interruption.h"
#include "app/program.h"

int main(int argc, char** argv) {
  tidewise::watch_for_interruption();
  return tidewise::run_program(argc, argv);
}
