#pragma once

#include <string>
#include <vector>

#include "base/file/guarded/guarded_process.h"

namespace tidewise {

/// What a process that reads is given: its end of the channel, the file, the memory that both see.
struct ReaderFiles {
  int channel = -1;
  int file = -1;
  int memory = -1;
};

enum class AnswerKind : std::uint32_t { none, result, wrong_input, run_failed };

/// What the keeper does until the process that started it ends: starts a reader for each file that
/// send_files() brings.
[[noreturn]] void keep_readers(int control);

/// From now on this process, if it is a reader, opens no file: neither what its file links to nor
/// what a library loads.
void open_nothing_more();

/// False where nobody listens.
bool send_files(int control, const std::string& name, const ReaderFiles& files);
/// Waits until a reader says that it has begun. False where it does not, in many times the time
/// that this takes: tools may end a copied process, or stop it for ever.
bool reader_lives(int channel);
bool send_request(int channel, GuardedProcess::Serve serve, const GuardedMessage& request);
/// `none` where the reader has ended.
AnswerKind receive_answer(int channel, std::string& bytes);

}  // namespace tidewise
