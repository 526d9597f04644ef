#include "app/batch/pass/ranks.h"

#include <fmt/core.h>

#include <chrono>
#include <utility>

#include "app/batch/pass/message.h"
#include "app/batch/pass/run.h"
#include "app/cli/interruption.h"
#include "base/error.h"

namespace tidewise {
namespace {

// What a message says.
constexpr int asking = 1;    // to rank 0: I have nothing to do
constexpr int order = 2;     // from rank 0: a pass; without bytes: all is over
constexpr int row = 3;       // to rank 0: a mission has ended
constexpr int pass_end = 4;  // to rank 0: all of the pass
constexpr int given_up = 5;  // to rank 0: what is left of the pass; this rank works no more
constexpr int levels = 6;    // to rank 0: that many levels of work are done
constexpr int absent = 7;    // to rank 0: why this rank cannot work at all

/// Sends rows to rank 0.
class SendingSink final : public RowSink {
 public:
  explicit SendingSink(Communicator& ranks) : ranks_(ranks) {}
  void take(BatchRow taken) override { ranks_.send(0, row, to_bytes(taken)); }

 private:
  Communicator& ranks_;
};

/// Sends how far this rank is, now and then.
class SendingProgress final : public Progress {
 public:
  explicit SendingProgress(Communicator& ranks) : ranks_(ranks) {}
  void begin(std::string_view, std::int64_t, std::string_view) override {}
  void advance_to(std::int64_t done) override {
    constexpr std::chrono::milliseconds interval(500);
    const auto now = std::chrono::steady_clock::now();
    done_ = done;
    if (now - last_ < interval) return;
    last_ = now;
    send();
  }
  void end() override {}
  void send() {
    if (done_ == sent_) return;
    ranks_.send(0, levels, to_bytes(done_ - sent_));
    sent_ = done_;
  }

 private:
  Communicator& ranks_;
  std::int64_t done_ = 0;
  std::int64_t sent_ = 0;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace

RankServer::RankServer(Communicator& ranks, PassQueue& queue, RowSink& rows,
                       std::function<void(const std::string&)> note)
    : ranks_(ranks),
      queue_(queue),
      rows_(rows),
      note_(std::move(note)),
      active_(ranks.size() - 1) {}

void RankServer::serve(BatchProgress& progress, const std::atomic<bool>& own_work_ended) {
  constexpr std::chrono::milliseconds patience(20);
  while (active_ > 0 || !own_work_ended) {
    if (const auto waiting = ranks_.probe(any_rank, any_tag, patience)) {
      handle(ranks_.receive(waiting->from, waiting->tag), progress);
    }
    if (interruption_asked()) queue_.stop();
    answer();
  }
}

void RankServer::handle(const Message& message, BatchProgress& progress) {
  switch (message.envelope.tag) {
    case asking:
      asking_.push_back(message.envelope.from);
      break;
    case row:
      rows_.take(read_row(message.bytes));
      break;
    case pass_end:
      queue_.finish();
      break;
    case given_up: {
      PassOrder rest = read_order(message.bytes);
      note_(fmt::format("rank {} works no more, others take what it had ({})",
                        message.envelope.from, rest.last_error));
      if (rest.solves.empty()) {
        queue_.finish();
      } else {
        queue_.give_back(std::move(rest));
      }
      --active_;
      break;
    }
    case absent:
      note_(fmt::format("rank {} does not take part ({})", message.envelope.from,
                        read_text(message.bytes)));
      --active_;
      break;
    case levels:
      try {
        progress.advance(read_number(message.bytes));
      } catch (const RunError&) {
        queue_.stop();  // the user interrupts
      }
      break;
    default:
      throw RunError("a rank sent a message that rank 0 does not know");
  }
}

void RankServer::answer() {
  std::erase_if(asking_, [&](int rank) {
    std::optional<PassOrder> next;
    switch (queue_.try_next(next)) {
      case PassQueue::Answer::wait:
        return false;
      case PassQueue::Answer::order:
        ranks_.send(rank, order, to_bytes(*next));
        return true;
      case PassQueue::Answer::over:
        ranks_.send(rank, order, {});
        --active_;
        return true;
    }
    return false;
  });
}

void RankServer::dismiss(Communicator& ranks) {
  for (int rank = 1; rank < ranks.size(); ++rank) {
    const Message first = ranks.receive(rank, any_tag);
    if (first.envelope.tag == asking) ranks.send(rank, order, {});
  }
}

void work_for_rank_0(Communicator& ranks, const std::function<WorkerPlace()>& choose_place) {
  WorkerPlace place;
  try {
    place = choose_place();
  } catch (const std::exception& error) {
    ranks.send(0, absent, to_bytes(std::string(error.what())));
    return;
  }
  SendingSink rows(ranks);
  while (true) {
    ranks.send(0, asking, {});
    const Message message = ranks.receive(0, order);
    if (message.bytes.empty()) return;
    const PassOrder taken = read_order(message.bytes);
    NotingSink noting(rows);
    auto owned = std::make_unique<SendingProgress>(ranks);
    SendingProgress& sending = *owned;
    const auto watched = interruptible(std::move(owned));
    try {
      BatchProgress progress(*watched, taken.work());
      PassProgress pass(progress);
      run_pass(placed(taken, place), pass, noting);
    } catch (const std::exception& error) {
      PassOrder rest = without(taken, noting.ended());
      rest.last_error = error.what();
      ranks.send(0, given_up, to_bytes(rest));
      return;
    }
    sending.send();
    ranks.send(0, pass_end, {});
  }
}

}  // namespace tidewise
