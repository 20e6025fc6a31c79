#include "run/subject.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "explore/symmetry.h"
#include "runtime/native_program.h"

namespace heddle::run {

using nlohmann::json;

namespace {

// What is left out of loops, besides rounds that change nothing, is judged by po | rf and for accesses of one size. So is which threads
// are alike.
void judgeRoundByRound(Mode& mode, const char* why) {
  if (std::exchange(mode.symmetry, false)) mode.toldApart = why;
  mode.polls = mode.redoneStores = mode.repeatedStores = mode.guards = false;
  if (!std::exchange(mode.attempts, false)) return;
  mode.noticed = fmt::format("loops that take back what they change are explored round by round, because {}", why);
}

}  // namespace

void allowLoadBuffering(Mode& mode) {
  mode.loadBuffering = true;
  judgeRoundByRound(mode, "there may be load buffering");
}

// One handler for each row of the table in mode.h.
parallel::PartEnd explorePart(Program& program, const model::CompiledModel& model, const explore::ExploreOptions& options,
                              explore::Observer& observer, const Mode& mode, const explore::Subtree& part) {
  Mode right = mode;
  if (options.recovery != nullptr && mode.loadBuffering) {
    throw LimitError(fmt::format(
        "--persistency is not for programs that may have load buffering, as this one under {}: choose a model without "
        "it, such as rc11, tso or sc",
        model.name));
  }
  try {
    mixer::StopPoint stop;
    const mixer::Assumed assumed{
        .oneSize = !mode.mixedSizes, .noLoadBuffering = !mode.loadBuffering, .noTransactions = !mode.transactions};
    explore::ExploreOptions inMode = options;
    inMode.unordered = mode.unordered;
    inMode.recurring = mode.recurring;
    static const explore::AlikeThreads spawned{.initial = {}, .spawned = true};
    if (mode.symmetry) inMode.alike = &spawned;
    const explore::Statistics statistics = mixer::explorePart(program, model, inMode, observer, assumed, part, stop);
    return {statistics, std::move(stop.here), stop.early};
  } catch (const explore::LoadBuffering&) {
    allowLoadBuffering(right);
  } catch (const explore::Transactions& transaction) {
    mixer::requireTransactions(model, options, transaction);
    right.transactions = true;
    judgeRoundByRound(right, "there are transactions");
  } catch (const MixedSizes& mixed) {
    mixer::requireMixedSizes(model, mixed);
    if (options.boundsLoads()) {
      throw LimitError(fmt::format("{} is not for programs whose accesses overlap in part: {}",
                                   options.stale != 0 ? "--stale" : "--fair", mixed.what()));
    }
    right.mixedSizes = true;
    right.overlap = mixed.what();
    judgeRoundByRound(right, "sizes are mixed");
  } catch (const explore::NoticedAttempt& noticed) {
    right.attempts = false;
    right.noticed =
        fmt::format("{}: the loop is explored round by round, because what it changes and takes back can be noticed: {}",
                    program.sourceText(noticed.attempt), program.sourceText(noticed.access));
  } catch (const explore::NoticedStore& noticed) {
    switch (noticed.kind) {
      case explore::NoticedStore::Kind::redone: right.redoneStores = false; break;
      case explore::NoticedStore::Kind::repeated: right.repeatedStores = false; break;
      case explore::NoticedStore::Kind::guard: right.guards = false; break;
    }
  } catch (const explore::UnorderedWrites& unordered) {
    right.unordered.push_back(unordered.bytes);
  } catch (const explore::ValueComesBack& back) {
    right.recurring.push_back(back.found);
  } catch (const explore::ToldApart& apart) {
    right.symmetry = false;
    right.toldApart = fmt::format("{}: {}", program.sourceText(apart.source), apart.what());
  } catch (const explore::UnsynchronisedPoll&) {
    right.polls = false;
  } catch (const runtime::CrowdedBarrier&) {
    right.orderedArrivals = true;
  } catch (const runtime::GracePeriodAwaited&) {
    right.gracePeriodsHang = true;
  } catch (const runtime::RaceFound& race) {
    if (!right.racyBytes.add(race.raced, race.object)) {
      throw LimitError(fmt::format("accesses to {} race, and not all of them can be explored",
                                   program.locationName(race.raced.address, static_cast<unsigned>(race.raced.size))));
    }
  } catch (const runtime::TooManyThreads&) {
    if (right.threads >= kMostThreads) {
      throw LimitError(
          fmt::format("the program starts more than {} threads, counting those that have ended", kMostThreads - 1));
    }
    right.threads *= 2;
  } catch (const std::length_error&) {
    throw LimitError("one execution is too long to be kept");
  }
  throw parallel::WrongMode(right.toText());
}

void Subject::start(const Mode& mode) {
  mode_ = mode;
  begin(mode_);
}

parallel::PartEnd Subject::explore(const explore::Subtree& part, const std::atomic<bool>& attention,
                                   explore::Attendant& attendant) {
  options_.interrupt = &attention;
  options_.attendant = &attendant;
  attend(attention, attendant);
  return explorePart(program(), model_, options_, observer(), mode_, part);
}

std::string Subject::agreements() const { return json{{"mode", mode_.toText()}, {"threadNumbers", threadNumbers()}}.dump(); }

void Subject::setAgreements(const std::string& text) {
  const json all = json::parse(text);
  start(Mode::parse(all.at("mode")));
  setThreadNumbers(all.at("threadNumbers"));
}

void exploreAll(Subject& subject, const Mode& mode, parallel::Control control, parallel::RunEnd& end) {
  bool again = false;
  inRightMode(mode, [&](const Mode& right) {
    if (std::exchange(again, true)) control.resume.reset();  // a checkpoint is of another mode
    end = {};
    subject.start(right);
    if (subject.remembers()) {
      if (!control.checkpointFile.empty()) {
        throw ProgramError("--checkpoint is not supported for programs with load buffering under this model: the exploration "
                           "remembers where it has been, which a checkpoint does not keep; run it again without");
      }
      control.workers = 1;
    }
    parallel::run(subject, control, end);
  });
}

}  // namespace heddle::run
