#pragma once

#include <memory>

#include "base/progress.h"

namespace tidewise {

/// Makes the first SIGINT (Ctrl-C), SIGTERM or SIGHUP (a closed terminal) request an interruption,
/// so that the work can end and remove incomplete files; a second signal ends the program at once.
/// Exceeding the limit of file sizes makes writes fail instead of ending the program.
void watch_for_interruption();

/// Requests an interruption without a signal.
void request_interruption();
/// Withdraws the request when the work that it interrupts has ended.
void clear_interruption();

/// True if an interruption was requested.
bool interruption_requested();

/// Progress that forwards to `inner`; begin() and advance_to() throw RunError once an interruption
/// was requested.
std::unique_ptr<Progress> interruptible(std::unique_ptr<Progress> inner);

}  // namespace tidewise
