#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "app/batch/pass/progress.h"
#include "app/batch/pass/queue.h"
#include "app/batch/pass/worker.h"
#include "base/parallel/communicator.h"

namespace tidewise {

/// Rank 0's side of a batch over several processes: gives the passes of a queue to ranks that ask,
/// and takes their rows. Its own worker is another thread, on the same queue.
class RankServer {
 public:
  /// `note` takes a line for each rank that works no more, with its reason.
  RankServer(Communicator& ranks, PassQueue& queue, RowSink& rows,
             std::function<void(const std::string&)> note);

  /// Until every rank has been told that all is over and `own_work_ended`. Called by the thread
  /// that joined the ranks. Errors: RunError where messages cannot be exchanged.
  void serve(BatchProgress& progress, const std::atomic<bool>& own_work_ended);
  /// Tells all that there is nothing to do.
  static void dismiss(Communicator& ranks);

 private:
  void handle(const Message& message, BatchProgress& progress);
  void answer();

  Communicator& ranks_;
  PassQueue& queue_;
  RowSink& rows_;
  std::function<void(const std::string&)> note_;
  std::vector<int> asking_;  ///< ranks that wait for an answer
  int active_;               ///< ranks that have not been told, and have not given up
};

/// Every other rank's side: asks for passes, works on them where `choose_place` says, sends rows as
/// missions end. Where this rank has no place, or cannot go on with a pass, rank 0 gets the reason,
/// the others get the pass, and the work of this one is over. Errors: RunError where messages
/// cannot be exchanged.
void work_for_rank_0(Communicator& ranks, const std::function<WorkerPlace()>& choose_place);

}  // namespace tidewise
