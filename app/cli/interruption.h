#pragma once

#include <memory>

#include "base/progress.h"

namespace tidewise {

/// Makes the first Ctrl-C (SIGINT), SIGTERM or SIGHUP (a closed terminal) a request that work ends
/// by itself, so that it clears up what it made; a second one ends the program at once. A limit on
/// the size of files makes writes fail instead of ending the program.
void watch_for_interruption();

/// Makes such a request without a signal; and takes it back once what it was meant for is over.
void ask_for_interruption();
void forget_interruption();

/// True if an interruption was requested.
bool interruption_requested();

/// Progress that passes everything on to `inner`, and throws RunError from begin and advance_to
/// once an interruption has been asked for.
std::unique_ptr<Progress> interruptible(std::unique_ptr<Progress> inner);

}  // namespace tidewise
