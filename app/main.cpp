#include "app/program.h"

int main(int argc, char** argv) { return tidewise::run_program(argc, argv); }
