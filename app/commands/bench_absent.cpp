#include "app/commands/commands.h"

namespace tidewise {

// The build without benchmarks does not list the command.
void add_bench(Command, const Context&) {}

}  // namespace tidewise
