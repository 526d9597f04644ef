#include "app/cli/interruption.h"

#include <csignal>
#include <utility>

#include "base/error.h"

namespace tidewise {
namespace {

// The only kind of object that a signal handler may modify.
volatile std::sig_atomic_t interruption_request = 0;

void take_signal(int /*signal*/) { interruption_request = 1; }

class InterruptibleProgress final : public Progress {
 public:
  explicit InterruptibleProgress(std::unique_ptr<Progress> inner) : inner_(std::move(inner)) {}

  void begin(std::string_view work, std::int64_t total, std::string_view unit) override {
    throw_if_requested();
    inner_->begin(work, total, unit);
  }
  void advance_to(std::int64_t done) override {
    throw_if_requested();
    inner_->advance_to(done);
  }
  void end() override { inner_->end(); }

 private:
  static void throw_if_requested() {
    if (interruption_request != 0) throw RunError("interrupted; nothing was written");
  }

  std::unique_ptr<Progress> inner_;
};

}  // namespace

void watch_for_interruption() {
  struct sigaction action {};
  action.sa_handler = take_signal;
  // After the first signal the next one has its usual effect. Interrupted system calls restart.
  action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction inherited {};
    ::sigaction(signal, nullptr, &inherited);
    // A signal that nohup, or a shell for a background job, has set to be ignored stays ignored.
    if (inherited.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
  }
  // A file that would outgrow its limit is an error of the write, not the end of the program.
  ::signal(SIGXFSZ, SIG_IGN);
}

void request_interruption() { interruption_request = 1; }
void clear_interruption() { interruption_request = 0; }

bool interruption_requested() { return interruption_request != 0; }

std::unique_ptr<Progress> interruptible(std::unique_ptr<Progress> inner) {
  return std::make_unique<InterruptibleProgress>(std::move(inner));
}

}  // namespace tidewise
