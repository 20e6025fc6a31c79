// Several workers explore one tree.
//
// Where they are and how they are reached is the transport's business (transport.h). This process explores no more: it keeps the
// ledger, hands out parts, and waits for messages (worker.h).
//
// Work. A worker without work gets the largest part in stock, the one with the shortest path. When the stock gets low,
// the worker whose part is the shallowest, and which has had it for a moment, is asked to give some of it away. A little is
// always kept in stock so that nobody waits for an answer.
//
// Failures. A worker that ends in any way loses nothing: what it has reported counts, and the rest of its part goes to
// another worker; if that is lost, too, once more. A part that fails three times without an execution in between is
// left out, and the run is incomplete and says which part.
//
// Errors. An error ends its part, and everything that comes after it in the ledger is dropped; what comes before goes on,
// for there may be an earlier one. In the end the execution with the error is explored once more, here, to be reported.
// It is the same with what a part throws, but that is simply thrown here in the end (thrown.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parallel/run.h"
#include "parallel/transport.h"

namespace heddle::parallel {

class Coordinator {
 public:
  Coordinator(Task& task, const Control& control, const Budget& budget, Ledger& ledger, CheckpointWriter& checkpoints,
              Transport& transport);

  // Until all is done, or the run must stop. Findings are in the ledger.
  RunEnd run();

 private:
  struct Worker {
    bool alive = false;
    bool busy = false;
    std::optional<Ledger::Place> part;  // none although it is busy: nobody wants to know any more
    bool asked = false;                 // for a part of its part
    double since = 0;                   // when it got its part, or had nothing to give
  };
  struct Failure {
    explore::Subtree part;              // with the error
    std::optional<std::string> thrown;  // or what it has thrown
  };

  bool start(std::size_t worker);
  bool hasWorkers();
  void handOut();
  Ledger::Place largestInStock();
  std::size_t inStock() const;
  bool askForParts();
  void wait(double seconds);
  void handle(Worker& worker, const std::string& message);
  void giveBack(Worker& worker);
  void buryWorker(std::size_t worker, const std::string& how);
  void fail(Worker& worker, const Failure& failure);
  void lookAround();
  void stopAll();
  std::uint64_t memoryInUse() const;
  RunEnd finish();

  Task& task_;
  const Control& control_;
  const Budget& budget_;
  Ledger& ledger_;
  CheckpointWriter& checkpoints_;
  Transport& transport_;
  std::vector<Worker> workers_;
  std::optional<Failure> failure_;
  std::vector<std::string> lost_;
  std::string stopReason_;
  bool ending_ = false;
  unsigned idleDeaths_ = 0;
  double lastCommit_;
  std::uint64_t peakBytes_ = 0;
};

}  // namespace heddle::parallel
