#pragma once

#include <string>
#include <vector>

#include "base/file/guarded/guarded_process.h"

namespace tidewise {

/// Descriptors of a reader: its end of the channel, the file, the shared memory.
struct ReaderFiles {
  int channel = -1;
  int file = -1;
  int memory = -1;
};

/// Kind of an answer; `none` if the reader has ended.
enum class AnswerKind : std::uint32_t { none, result, wrong_input, run_failed };

/// Main loop of the keeper: starts a reader for each file from send_files(), until the process that
/// started it ends.
[[noreturn]] void keep_readers(int control);

/// Prevents a reader from opening further files: neither the targets of links in its file nor
/// plug-ins of a library. Has no effect in other processes.
void open_nothing_more();

/// Sends a file to the keeper. False if the keeper has ended.
bool send_files(int control, const std::string& name, const ReaderFiles& files);
/// Waits until a reader reports that it runs. Returns false after 10 s, because some tools end or
/// stop copied processes.
bool reader_lives(int channel);
/// Sends a request to a reader. False if it has ended.
bool send_request(int channel, GuardedProcess::Serve serve, const GuardedMessage& request);
/// Waits for an answer; `none` if the reader has ended.
AnswerKind receive_answer(int channel, std::string& bytes);

}  // namespace tidewise
