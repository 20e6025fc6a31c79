#include "parallel/worker.h"

#include <new>
#include <nlohmann/json.hpp>

#include "parallel/thrown.h"

namespace heddle::parallel {

namespace {

using nlohmann::json;

class Worker final : public explore::Attendant {
 public:
  Worker(Task& task, Port& port) : task_(task), port_(port), request_(port.request()) {}

  void serve() {
    while (!unheard_) {
      const std::optional<std::string> message = port_.receive();
      if (!message) return;
      explore(explore::parseSubtree(*message));
    }
  }

  bool attend(explore::Divisible& exploration) override {
    request_.attention.store(false);
    const std::uint32_t wants = request_.wants.exchange(0);
    json given = json::array();
    if ((wants & Request::kSplit) != 0) {
      if (const std::optional<explore::Subtree> part = exploration.split()) given.push_back(toText(*part));
    }
    stopped_ = (wants & Request::kStop) != 0;
    commit(exploration.rest(), std::move(given));
    return !stopped_ && !unheard_;
  }

  bool isUrgent() const override { return (request_.wants.load() & Request::kStop) != 0; }

 private:
  void explore(const explore::Subtree& part) {
    stopped_ = false;
    try {
      const PartEnd end = task_.explore(part, request_.attention, *this);
      if (stopped_ || unheard_) return;
      if (end.early) {
        stopped_ = true;
        return commit(end.here, json::array());
      }
      json message = {{"kind", "done"}, {"findings", task_.takeFindings()->toText()}};
      if (!end.statistics.complete) {
        message["kind"] = "failed";
        message["here"] = toText(end.here);
      }
      report(message);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception&) {
      report({{"kind", "threw"}, {"findings", task_.takeFindings()->toText()}, {"thrown", textOfException()}});
    }
  }

  void commit(const explore::Subtree& rest, json given) {
    report({{"kind", "commit"},
            {"rest", toText(rest)},
            {"findings", task_.takeFindings()->toText()},
            {"given", std::move(given)},
            {"stopped", stopped_}});
  }

  void report(const json& message) { unheard_ = !port_.send(message.dump(-1, ' ', false, json::error_handler_t::replace)); }

  Task& task_;
  Port& port_;
  Request& request_;
  bool stopped_ = false;
  bool unheard_ = false;  // there is nobody to report to
};

}  // namespace

void serve(Task& task, Port& port) {
  task.enterProcess();
  Worker(task, port).serve();
}

}  // namespace heddle::parallel
