#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <vector>

#include "app/batch/pass/order.h"

namespace tidewise {

/// The passes of a batch that wait for a worker; workers of any thread take the next one as they
/// are free, so that none waits for another's longer pass.
class PassQueue {
 public:
  /// The longest passes come first: a long pass at the end would keep all other workers waiting.
  explicit PassQueue(std::vector<PassOrder> orders);

  /// The next pass; waits while there is none but one at work may still be given back. Nothing when
  /// all is done or the work was stopped.
  std::optional<PassOrder> next();

  /// A pass that was taken is done.
  void finish();
  /// A pass that was taken, or what is left of it, is to be taken by another worker.
  void give_back(PassOrder order);
  /// No pass is given out from now on.
  void stop();
  /// The passes that no worker has taken.
  std::vector<PassOrder> rest();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<PassOrder> waiting_;
  std::size_t at_work_ = 0;
  bool stopped_ = false;
};

}  // namespace tidewise
