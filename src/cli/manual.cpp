#include "cli/manual.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/options.h"
#include "runtime/error.h"

namespace heddle::cli {

namespace {

// Breaks a text into lines of at most `width` characters, all but the first indented.
std::string wrap(const std::string& text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::size_t length = end - at;
    if (column > indent && column + 1 + length > width) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += text.substr(at, length);
    column += length;
    at = end + 1;
  }
  return result;
}

std::string left(const OptionInfo& option) {
  if (option.isOperand()) return option.argument;
  if (!option.implied.empty()) return fmt::format("{}[={}]", option.name, option.argument);
  return option.argument.empty() ? option.name : option.name + ' ' + option.argument;
}

std::string withDefault(const OptionInfo& option) {
  return option.standard.empty() ? option.help : fmt::format("{} Default: {}.", option.help, option.standard);
}

constexpr std::size_t kWidth = 100;

const char* const kIntroduction = R"(# The manual

<!-- Made by `heddle help --markdown` from the program's own option table; a test checks that they agree. -->

Heddle checks concurrent programs against a weak memory model: it explores every execution that the model allows,
each exactly once. This page is the reference of the command line. What a memory model is and how to write one is in
[models.md](models.md); small programs to start from are in `examples/`.

    heddle check queue.cpp -- -std=c++20
    heddle check --model tso --json spinlock.c
    heddle litmus examples/store-buffering.litmus
    heddle litmus --model tso --json examples/
    heddle litmus --compare sc,tso,rc20 examples/
    heddle prove examples/prove/ra-and-tso.prove

)";

const char* const kCheckOutput = R"manual(## The output of `heddle check`

The first line has the verdict:

    $ heddle check examples/check/spinlock.cpp
    verified   examples/check/spinlock.cpp under rc20: 2 executions, 2 blocked, 0.25 s, 74 MB

| Verdict | Meaning |
|---|---|
| `verified` | every execution that the model allows was explored, and none has an error |
| `sampled` | with `--sample`: none of the random executions has an error. There are others |
| `bounded` | no error was found, but a loop was cut by `--unroll` or `--unroll-loop`, or a load was left out because of `--stale` or `--fair`. There may be an error in longer executions. The next lines name the loops that were cut and the loads that were left out |
| `error` | an execution has an error. It is shown below, and nothing is explored after it |
| `incomplete` | the exploration was cut short before it found an error: out of time or memory, at a limit, or interrupted. Or no execution ran to its end, because a bound cut each of them or each stopped at an assumption or a wait; then nothing is known about the program |

After the verdict the line has the files, the model, the number of executions, the number of blocked executions (in which a thread waits for
ever, at an assumption that fails or in a loop that waits for a value), the time from start to end, and the largest amount of memory that was
used. `warning` lines name things that are not errors, such as a thread that is never joined, or a function that has many
results of which one was explored (`rand`, `time`, `getenv`, ...). They do not change the exit code.

With `--equivalence rf` an execution stands for all orders of writes that its reads allow, and an error in any of them is
found. There may be more blocked executions than under `co`, which leaves out those in which a thread merely reads too early.

### Errors

After the verdict `error` come: what is wrong, where (file, line, function, thread), related places such as the other
access of a data race or the place where memory was freed, and the execution that leads there, with a column for each thread:

    $ heddle check tests/native/why/mp_relaxed.cpp
    error      tests/native/why/mp_relaxed.cpp under rc20: assertion failure; 1 execution, 0 blocked, 0.35 s, 72 MB

    assertion 'data.load(std::memory_order_relaxed) == 1' failed
      tests/native/why/mp_relaxed.cpp:18 in reader(), thread 2 (reader)
          if (flag.load(std::memory_order_relaxed) == 1) assert(data.load(std::memory_order_relaxed) == 1);  // @stale

    The execution that leads there:

                              main                thread 1 (writer)        thread 2 (reader)
      1-2  mp_relaxed.cpp:22  spawn threads 1, 2
        3  mp_relaxed.cpp:13                      store data = 1, relaxed
        4  mp_relaxed.cpp:14                      store flag = 1, relaxed
        5  mp_relaxed.cpp:18                                               load flag = 1, relaxed
                                                                             from 4
        6  mp_relaxed.cpp:18                                               load data = 0, relaxed
                                                                             initial value, although
                                                                             3 stored 1
        !  mp_relaxed.cpp:18                                               assertion failure

    Why

      No interleaving of the threads explains this execution. Each of these would have to come before
        the next, and the last before the first:
        3 store data = 1 (mp_relaxed.cpp:13)  is followed in its thread by
        4 store flag = 1 (mp_relaxed.cpp:14)  is read by
        5 load flag = 1 (mp_relaxed.cpp:18)   is followed in its thread by
        6 load data = 0 (mp_relaxed.cpp:18)   reads what is overwritten by
      ARMv8, RISC-V and POWER allow it; x86 (tso) forbids it.
      It would be forbidden with
        - release instead of relaxed for store flag at mp_relaxed.cpp:14 and acquire instead of relaxed
          for load flag at mp_relaxed.cpp:18 (axiom coherence of rc20)

Events are in an order in which the execution reads like an interleaving of the threads. An event that no interleaving explains
says so. Below the execution stands why it is possible, and what would forbid it: [reading-a-failure.md](reading-a-failure.md). A
read says which event it takes its value from. A read-modify-write shows the old value and the new one, and a compare-exchange its two orders. A
compare-exchange that fails shows the value it found, and whether it failed spuriously. Plain accesses are not events: a program without data
races cannot tell in which order they happen. A `!` marks the error and everything else that is part of it: the other access of a
race, the places where threads wait in a deadlock, the reads that keep a loop going. Events that cannot have had a part in the error are left out. If the page
is too narrow for a column for each thread, each line names its thread instead. Last comes what the program printed in this execution.

| Kind, in JSON | Meaning |
|---|---|
)manual";

const char* const kCheckJson = R"manual(
### Races that are meant

Some code races on purpose: a kernel's `READ_ONCE` without the macro, statistics that need not be exact, a seqlock's data.
`--races off` is for that. Two plain accesses that race, and a plain access that races with an atomic one, are not errors;
they are explored as relaxed atomics, under whichever model it is. An access of 1, 2, 4 or 8 aligned bytes is read or written
at once; others, and copies, in parts. Everything else is as without the option, and a program without races has the same
executions and the same verdict.

What remains an error:

- A value that is read before it was written, where the model allows that: `uninitialised-read`.
- The end of an object's life (`free`, `delete`, the return of a function) with which some access is not ordered, so that it
  may as well come later: `use-after-free`, `dead-frame`. An access is before the end if the thread that ends the object has
  read, directly or by way of others, something that the accessing thread wrote after it, with whatever memory order.

Which accesses race is found out by running into a race and starting again, so a run with many of them begins several times.
`printf` of a string that is raced for is not supported; print a copy of it.

### Symmetry

With `--symmetry on` threads that do the same are explored in one order only: N threads that add to a counter have one execution instead of N!.
The report says so:

    verified   docs/programs/alike.c under rc20: 1 execution up to exchange of threads 1-6, 0 blocked, 0.09 s, 61 MB

Heddle finds such threads by itself. They run the same function, are started one right after the other, and are given the same argument, or
make no use of it. What they do is compared while they are explored. If something tells them apart, the program is explored without symmetry, and
the report says where that was. [symmetry.md](symmetry.md) explains all of it. Not with `--races off`, `--persistency`, `--stale`, `--fair`,
`--sample`, `--estimate` and models that judge complete executions.

### Crashes

`--persistency` asks what a program finds after a crash. Globals marked `HEDDLE_PERSISTENT` and memory from `heddle_pmem_alloc`
survive it. After each complete execution the function `heddle_recovery` runs, once for each content that this memory may
have been left with. What goes wrong there is an error of kind `recovery`. Its execution has two parts: what ran before the crash, each
write to durable memory marked as persisted or lost where that is known; and, in the column `recovery`, what was found.

| Persistency | What persists |
|---|---|
| `px86` | non-volatile memory behind the caches of x86: writes of one cache line persist in order, others when they are flushed |
| `strict` | writes persist in the order in which they are made: (po \| rf \| co \| rb)+ |
| `weakest` | every location for itself: co |

Recovery runs alone, may read durable memory and not write it, and finds everything else as a new process does. [persistency.md](persistency.md)
explains all of it. Not with `--equivalence rf` and `--leaks`.

### JSON

`--json` prints exactly one object.

| Field | Value |
|---|---|
| `verdict` | `"verified"`, `"bounded"`, `"sampled"`, `"error"` or `"incomplete"` |
| `files` | the source files |
| `model`, `modelFile` | the model's name; the file, if it is not built in |
| `equivalence` | `"co"` or `"rf"` |
| `persistency` | as the option says, if crashes are explored |
| `executions`, `blocked` | numbers of executions |
| `seconds` | time of the exploration alone |
| `totalSeconds` | time from start to end, compilation included |
| `peakBytes` | the most memory that was used, by all processes |
| `error` | null, or an object: `kind`, see above; `message`; `file`, `line`, `function`, and `text`, the source line; `thread`, a number; `related`, a list of places, each with `what`, `file`, `line`, `function`, `text` and `thread`. `callers` of a place in a header are the calls up to another file, `outerCallers` those around it, as far as they were inlined |
| `threads` | the names of the threads, by number |
| `trace` | the execution that leads to the error: its events in an order that reads like an interleaving of the threads as far as there is one; empty if there is no error |
| `why` | of an error: why the execution is possible, see below |
| `bounds` | the loops that were cut, each with `file`, `line` and `bound`; with `wakeups` true, a wait whose spurious wake-ups in a row were. With `staleReads` it is the line of a load: so many times `--stale` or `--fair` has left it out; with `yields` true, also because of `--fair`, and `bound` is null if there was no `--stale` |
| `warnings` | texts |
| `timing` | the steps of the run, each with `step` and `seconds`; in large programs most code is generated when it is first called, which is part of `explore` |
| `output` | what the program printed in the execution of the error |
| `replay` | of an error: how to run the execution again. `heddle replay` takes the whole object as it is |
| `incomplete` | why, if the verdict is `"incomplete"` |
| `advice` | what to do about a run that was cut short, or that leaves something out; a list of texts, if there is something to say |
| `estimate` | with `--estimate`: `executions`, blocked ones included, `low` and `high` of the 95% interval, and the number of `sweeps` |
| `dependencies` | `"source"` under a model with dependencies: the verdict is about those of the source, some of which a compiler may remove |
| `requirementsAssumed` | true with `--assume-requirements`, if the model needed it |
| `mixedSizes` | which accesses overlap without covering the same bytes, if some do; the executions are those of the exploration by bytes |
| `alike`, `toldApart` | with `--symmetry on`: lists of the threads up to whose exchange executions are counted; why there are none, if something has told them apart |

An event of the trace:

| Field | Value |
|---|---|
| `number` | from 1, in the order of the trace |
| `thread` | a number |
| `kind` | `"load"`, `"store"`, `"exchange"`, `"fetch_add"`, ..., `"compare_exchange"`, `"fence"`, `"lock"`, `"unlock"`, `"spawn"`, `"join"`, `"choose"`, ... |
| `order` | such as `"acquire"`; of a compare-exchange both, `"acq_rel/relaxed"` |
| `location` | the name of what is accessed |
| `value`, `oldValue` | what was written, or else read; of a read-modify-write, what was written and what was read. Texts |
| `from` | of a read: the number of the event it takes its value from, 0 for the initial value |
| `coAfter` | of a write: the number of the write before it in the coherence order of the location, 0 for the initial value. Where sizes are mixed and the bytes of an access differ, `from` and `coAfter` are lists of `{"bytes": ..., "event": ...}` |
| `unexplained` | of an event that no interleaving explains: `event`, the other one, and `how`: `"stale"`, it reads what that event has overwritten; `"early"`, it reads what that event writes only later; `"overtaken"`, it writes what that event has overwritten already |
| `partner` | of a spawn or join: the other thread |
| `persisted` | of a write to durable memory, in an error of recovery: had it persisted? Left out if recovery has not found out |
| `success`, `spurious` | `success` is false for a compare-exchange that failed, `spurious` true if it found the expected value |
| `relevant` | false if the event cannot have had a part in the error; the text leaves it out |
| `involved` | true for an event that is part of the error itself |
| `file`, `line`, `column`, `function`, `text` | where it is in the source, and the source line; null if that is not known |

The explanation, `why` ([reading-a-failure.md](reading-a-failure.md)):

| Field | Value |
|---|---|
| `text` | all of it in words |
| `interleaving` | true if an interleaving of the threads leads there |
| `cycle` | otherwise: events, each with its `event` number and its `link` to the next, `"po"`, `"rf"`, `"co"` or `"rb"`; the last leads to the first |
| `models` | what other models say of the same execution: `model`, and `verdict`, `"allowed"`, `"forbidden"`, or `"dependencies"` if that depends on how values were computed |
| `remedies` | the smallest changes that would forbid the execution, or order the accesses of a race. Each has `axiom`, which forbids it then, or null; and `changes`: `kind`, `"access"`, `"failure"` (the order of a compare-exchange that fails), `"fence-before"` or `"fence-after"`; `file`, `line`, `column`, `what` is there; the orders `from` and `to` |
| `waits` | threads that wait for ever: `thread`, `what` it does, the thread that it waits `for` or null, and the `reason` |
| `suggestion` | with `--suggest`: `found`, the `changes` with which there is no error or the `reason` why there are none, and the number of `explorations` |

Fields that say nothing about an event are left out. Input that cannot be checked (exit code 2) gives the same object
with verdict `"incomplete"`, nothing explored, and an `error` of kind `"bad-input"` whose `message` says why; what clang
has to say about the source is on standard error. Only a command line that cannot be understood gives no object.

### Graphs

`--dot FILE` writes the execution of the error for Graphviz (`dot -Tsvg FILE`). Each thread is a box with its events in
program order. Arrows show rf (from a write to the reads of its value), co (the order of the writes to a location), rb (from a
read to the write that overwrites what it read), sw (synchronisation), and the start and end of threads. Initial values stand
where they are read. The error is red, and so is the other access of a race; events that cannot have had a part in the error are
grey. The graphs of `litmus` and `prove` are the same; those of `prove` also have dependencies and declared relations.

`--html FILE` writes the same as one page for a browser. The page needs no network and no other file, so it can be sent by mail or
kept by a CI service. It has a column for each thread, the source beside them, arrows that can be switched on and off, and a
search. The arrow keys step through the execution; at each step the page shows the memory, and which values each thread may still
read. Reads that no interleaving explains are marked. For litmus tests the page has an execution for each final state (the first
200), under each model, and shows two beside each other.

With `-` for FILE both write to standard output, and the report goes to standard error.

### Loops

`--list-loops` explores nothing. It prints the loops of the program's own code that `main` can reach. For each loop a line has its
place, its function, and how it is explored. Where rounds are explored one by one, the line says why: which instruction or which
variable looks like a change. [loops.md](loops.md) explains all of it.

    $ heddle check --list-loops docs/programs/attempts.c
    docs/programs/attempts.c:9   take  spin: zero-net-effect
    docs/programs/attempts.c:12  take  spin: effect-free
    docs/programs/attempts.c:28  main  finite, at most 3 rounds
    docs/programs/attempts.c:33  main  finite, at most 3 rounds
    $ heddle check --list-loops docs/programs/rounds.c
    docs/programs/rounds.c:15  main  unbounded; each round changes something, as by a read-modify-write at docs/programs/rounds.c:16

| Treatment | Meaning |
|---|---|
| `spin: effect-free` | the loop waits: a round after which it goes on has changed nothing. So the thread stops there. The executions in which it finds the value that it waits for are explored anyway |
| `spin: dynamic` | the same, for those rounds that have changed nothing. Which these are is found out while the loop runs. Other rounds are explored one by one |
| `spin: zero-net-effect` | the same, for rounds that have taken back what they have changed, if no other thread has noticed it |
| `spin: marked` | the same, for rounds of which the program says that they change nothing (`heddle_spin_end`), if that is true |
| `spin: ..., at most N rounds` | the loop gives up after N rounds: it succeeds at once, or one round that changes nothing stands for all of them |
| `finite` | the loop is known to end. If the largest number of rounds is a constant, it is shown |
| `unbounded` | none of these: if the loop does not end by itself, the exploration does not end either |
| `bounded by N` | `--unroll` or `--unroll-loop` cuts it; a finite loop only if `--unroll-loop` names it |
| `...; watches X and Y` | of a `dynamic` loop: the thread waits after rounds in which X has changed nothing and Y is what it was |
| `...; each round changes something, as by X` | each round comes to X, which is a change, or to another change |
| `...; X changes in each round, and matters` | a counter, or the like, and something depends on it |
| `...; X counts the rounds, and their number may matter` | the loop would give up after the first round that changes nothing; but some rounds change something, or could not come again |
| `...; it reads nothing that another thread may change` | so it waits for no other thread |

With `--json`, one object with `files` and `loops`, each loop with `file`, `line`, `column`, `function`, `spin` (true or
false), `treatment` (`"effect-free"`, `"dynamic"`, `"zero-net-effect"`, `"marked"`, `"finite"` or `"unbounded"`), `rounds`, `bound`
and `why` (the words behind the semicolon), which are null where there is none.

)manual";

const char* const kOutput = R"manual(## Mutexes in litmus tests

A mutex is a location of type `mutex`, `mtx_t` or `pthread_mutex_t`, free at first, that these functions alone use:

| Function | Effect |
|---|---|
| `lock(m)`, `mutex_lock`, `mtx_lock`, `pthread_mutex_lock` | waits until the mutex is free and takes it; acquires |
| `barrier_wait(b, n)` | waits until `n` threads wait at `b`; all that they did before happens before what each does after. The order of arrival makes no difference to the executions |
| `trylock(m)`, `mutex_trylock` | 1: the mutex was free and is taken; acquires. 0: it was held. Does not wait |
| `mtx_trylock(m)`, `pthread_mutex_trylock` | the same, but 0 if the mutex is taken, and another number if not, as in C |
| `unlock(m)`, `mutex_unlock`, `mtx_unlock`, `pthread_mutex_unlock` | gives it back; releases. An error if the thread does not hold it |
| `rdlock(m)` | waits until nobody has the mutex but readers, and takes it as one more; acquires. For writers: `wrlock`, `trywrlock`, `wrunlock`, other names of `lock`, `trylock`, `unlock` |
| `tryrdlock(m)` | 1: it is taken as by `rdlock`. 0: a writer had it. Does not wait |
| `rdunlock(m)` | one reader fewer; comes before the next writer takes the mutex, and before no reader |

A thread that waits for a mutex that nobody gives back is stuck, and the execution blocked. A `trylock` that fails has read
that the mutex is held, which may have changed since, and synchronises with nothing.

`atomic { ... }` around statements makes them a transaction, which is one step to all other threads
([transactions](transactions.md)).

## The output of `heddle litmus`

For each test:

    $ heddle litmus examples/store-buffering.litmus
    Test SB Allowed
    States 4
    0:r0=0; 1:r0=0;
    0:r0=0; 1:r0=1;
    0:r0=1; 1:r0=0;
    0:r0=1; 1:r0=1;
    Ok
    Witnesses
    Positive: 1 Negative: 3
    Condition exists (0:r0=0 /\ 1:r0=0)
    Observation SB Sometimes 1 3
    Time SB 0.00
    Model rc20, equivalence co
    Executions 4
    Blocked 0

| Line | Meaning |
|---|---|
| `Test` | the name of the test, and what its condition asks: `Allowed` (exists), `Forbidden` (~exists), `Required` (forall, or no condition) |
| `States` | how many different final states there are. They follow, each in a line: registers by thread, then locations |
| `Ok`, `No`, `Error`, `Incomplete`, `Sampled` | the verdict, see below |
| `Positive`, `Negative` | executions in which the condition's formula holds, and does not |
| `Observation` | whether the formula holds `Never`, `Sometimes` or `Always`; then the same two numbers. `Incomplete` or `Sampled` stands there if executions that were not covered could change the answer |
| `Time` | seconds that the exploration took |
| `Executions` | consistent executions that ran to the end, or to a failed assertion |
| `Blocked` | executions in which a thread is stuck: at an assumption that fails, a lock that is never free, a join |
| `Failed` | executions with a failed assertion, if any; they have no final state and are neither positive nor negative |
| `Incomplete`, `Sampled` | the exploration was cut short, or no execution ran to its end, or they were chosen at random: why, and what was covered |
| `Estimate` | with `--estimate`: how many executions there are, blocked ones included |
| `Race` | a data race: two accesses of one location, at least one a write and one plain, that happens-before does not order (the model's own, or C++20's; see docs/models.md); the first that was found. Under every model |
| `Error` | a failed assertion: where, what, and the execution that leads there |
| `Unexpected` | with `--check`: a difference from the expectations in the file |

| Verdict | Meaning |
|---|---|
| `Ok` | exists: some execution satisfies the formula. ~exists: none does. forall: all do |
| `No` | the opposite |
| `Error` | an assertion fails in some execution |
| `Incomplete` | the exploration was cut short before it was certain, or no execution ran to its end. A violated forall or ~exists is `No` and a failed assertion is `Error` all the same |
| `Sampled` | with `--sample`: the random executions do not decide it |

The trace of an error has a column for each thread and a number for each event, and each read says which event its value
comes from. The order of the writes to a location follows, where there is more than one:

    $ heddle litmus docs/programs/mp-assert.litmus
    ...
    Error P1 line 13: assertion failed: r1 == 1
                              P0                       P1
      1  mp-assert.litmus:5   store data = 1, relaxed
      2  mp-assert.litmus:6   store flag = 1, relaxed
      3  mp-assert.litmus:10                           load flag = 1, relaxed  from 2
      4  mp-assert.litmus:12                           load data = 0, relaxed  initial value, although
                                                         1 stored 1
      !  mp-assert.litmus:13                           assertion failed

    Why

      No interleaving of the threads explains this execution. Each of these would have to come before
        the next, and the last before the first:
        1 store data = 1 (mp-assert.litmus:5)  is followed in its thread by
        2 store flag = 1 (mp-assert.litmus:6)  is read by
        3 load flag = 1 (mp-assert.litmus:10)  is followed in its thread by
        4 load data = 0 (mp-assert.litmus:12)  reads what is overwritten by
      ARMv8, RISC-V and POWER allow it; x86 (tso) forbids it.
      It would be forbidden with
        - release instead of relaxed for store flag at mp-assert.litmus:6 and acquire instead of relaxed
          for load flag at mp-assert.litmus:10 (axiom coherence of rc20)

`--dot FILE` writes one graph for each test and model. `dot -Tsvg -O FILE` draws each into a file of its own.

With `--equivalence rf` an execution stands for all orders of writes that its reads allow. States are those of all
these orders; an execution counts as positive if the formula holds in some of them, and as negative if it does not in
some, so one execution can be both.

Several tests end in a table with one row each.

### JSON

`--json` prints exactly one object, `{"tests": [...]}`, with one entry for each test and model.

| Field | Value |
|---|---|
| `name`, `file` | of the test |
| `model`, `modelFile` | the model's name; the file, if it is not built in |
| `equivalence` | `"co"` or `"rf"` |
| `verdict` | `"ok"`, `"no"`, `"error"`, `"incomplete"` or `"sampled"` |
| `observation` | `"Never"`, `"Sometimes"`, `"Always"`, `"Incomplete"` or `"Sampled"` |
| `race` | true or false; `raceDetail` has the two accesses, `first` and `second`, each with `thread`, `line`, `access`, `order`, `location` and `statement` |
| `complete` | false if the exploration was cut short or no execution ran to its end; `incomplete` says why, or `sampled` what was done |
| `staleReads` | how many loads of overwritten values `--stale` has left out, if any |
| `estimate` | with `--estimate`: `executions`, blocked ones included, `low` and `high` of the 95% interval, and the number of `sweeps` |
| `condition` | with its quantifier |
| `states` | the final states, as in the text |
| `positive`, `negative`, `executions`, `blocked` | numbers of executions |
| `seconds` | time of the exploration |
| `error` | of a failed assertion, its message; `failed` is the number of such executions, `errorDetail` has `thread`, `line`, `statement`, and `threads` and `trace`, which are as those of `heddle check` |
| `unexpected` | with `--check`: the differences, if any |
| `requirementsAssumed` | true with `--assume-requirements`, if the model needed it |
| `mixedSizes` | which accesses overlap without covering the same bytes, if some do; the executions are those of the exploration by bytes |

A file that could not be run has an entry with `name` null, `file`, and `error`. If nothing could be run at all, for
instance because the model is bad, the object has a field `error` as well.

### Expectations

A test may say what it is known to answer, in comments that begin with `//!`:

    //! rc20: Sometimes, executions 4, executions-rf 4, blocked 0, states 4, no race
    //! rc20 state 0:r0=0; 1:r0=0;

The items are `Never`, `Sometimes` or `Always`; `executions N`, and `executions-rf N` for `--equivalence rf`;
`blocked N`, `states N`, `race`, `no race`, `error` (an assertion fails). `state` lines give all final states there
are. `--check` compares.

## Tests

`heddle test` runs the tests in files and folders, several at once. It prints a line for each. If a test has failed, it prints what
differs from the expectation, and the command that shows more. A C or C++ program says what is expected of it in lines that begin with
`//!` (in LLVM's language `;!`):

    //! rc20: verified executions=9 blocked=0
    //! sc,tso: error=data-race line=@write|@read flags="--no-spurious -- -DBUG"

First come the models, then the verdict: `verified`, `bounded`, `incomplete`, `error=KIND` (or `error=KIND|KIND`), or `rejected` for a program
that cannot be checked at all. Then any of these:

| Item | Meaning |
|---|---|
| `executions=N`, `blocked=N` | there are exactly so many |
| `line=L\|L` | the error is in one of these lines: a number, or `@name` for the line that ends in the comment `// @name` |
| `thread=N` | the error is in this thread |
| `text="..."` | this stands somewhere in the output; may come several times |
| `flags="..."` | options of `heddle check`; what follows `--` goes to clang |
| `test=NAME\|NAME` | in a file with several tests: this line is about these tests only |

A bound is an option of `flags`: `//! rc20: bounded flags="--unroll 3"`. A line `//! why: ...` after an expectation of an error says that these
words stand in the explanation of the error, however they are spread over lines.

Several tests in one file are written with `#include <heddle/test.h>`: `HEDDLE_TEST(name) { ... }`, in which `heddle::threads(f, g)` runs
functions in threads of their own. The file is compiled once, and each test is explored by itself, from the same beginning. With an
ordinary compiler the same file is a stress test. `examples/test` has one. Litmus tests are compared with their own expectations, as
by `litmus --check`. [Testing your code](testing-your-code.md) shows how all of this is used: outcomes, files of GoogleTest and Catch2,
inputs, and results that are kept.

A test that is cut short, or cannot be run, has failed; if that is all that is wrong the exit code is 3. `--json` prints one object with `passed`,
`failed`, `notRun`, `seconds`, and `tests`: each with `name`, `file`, `line` of the expectation, `status`, `verdict`, `executions`, `blocked`,
`seconds`, `cached`, `differences`, `warnings` and `command`.

## The output of `heddle prove`

A line for each claim: where it stands, its name, the answer, the processor time; then the claim, and what there is to say:

    $ heddle prove examples/prove/vacuous.prove
    examples/prove/vacuous.prove:2: two-reads-from: proved (0.00 s)
      assert rf ; rf <= co
      warning: vacuous: the left side is empty in every execution that is considered

| Line | Meaning |
|---|---|
| `because` | of a claim that is not decided: what stands in the way |
| `warning` | an assumption that was not needed or could not be used, or a claim that is true of nothing |
| `counterexample` | the shortest word that no rule covers, what is wrong with it, and the execution graph |
| `by exploration` | what the explorer says of the counterexample under the two models |
| `drawn in`, `litmus test`, `to run it` | with `--dot` and `--litmus`: the files, and the command that compares the models |

`--json` prints exactly one object, `{"assertions": [...]}`; with `--requirements` or `--transform`, `{"models": [...]}`.

| Field of an assertion | Value |
|---|---|
| `file`, `line`, `name`, `claim` | where it stands, its name, its text |
| `answer`, `expected` | `"proved"`, `"refuted"` or `"not decided"` |
| `seconds` | processor time of the decision |
| `reasons`, `warnings` | texts |
| `word`, `what`, `graph` | of a refutation, as in the text |
| `threads`, `trace` | of a refutation: its execution, as that of `heddle check` |
| `litmus`, `compiled` | of a refutation: the litmus test, and with a mapping what it is compiled to |
| `exploration` | what the explorer says of it |

A model has `model`, `requirements` (each with `what`, `answer`, `why`) and `swaps` (each with `first`, `second`, and `answer`:
`"yes"`, `"no"` or `"?"`). A requirement that is refuted by an inserted fence has `counterexample`, with `word`, `what`, `graph`,
`threads` and `trace`. Files that could not be used are in `errors`, each with `file` and `message`.

## Exit codes

| Code | Meaning |
|---|---|
| 0 | no error was found; of `check`: verified, bounded or sampled, and with `--require verified` the first of these; of `test`: every test is as expected; of `prove`: every answer is as expected |
| 1 | an error was found: any error of `check`; a failed assertion, a data race, a forall or ~exists that does not hold, or, with `--check`, an expectation that is not met; of `test`, an expectation that is not met, or with `--require verified` a verdict that is not enough; of `prove`, another answer than the expected one. That no execution satisfies an `exists` is an outcome, not an error |
| 2 | bad usage or bad input: an option, a file, or a model that cannot be used, or a program that does something `heddle` does not support (error kind `unsupported`, verdict `incomplete`). The other files of the same run are still run |
| 3 | ran out of time or memory, reached a limit, or was interrupted; what was covered is reported. Or no execution ran to its end, or the system refused what the run needs (a process, room on a disk, addresses), which standard error says. Of `test`: that is all that is wrong with the tests. Of `prove`: not decided |
| 4 | an internal error, which is a bug: please report it |

Where several apply, the first of 4, 2, 1, 3 counts.

SIGINT and SIGTERM stop the exploration and report what was covered; a second one ends the program at once. This, `--time` and
`--memory` also stop a thread of the checked program that computes for long.

## Several cores and long runs

`check` and `litmus` explore with as many processes as there are cores, or `-j N`. They share the tree of executions: a process
that has nothing to do is given a part of what another has left. Numbers of executions, states, verdicts and the error that
is reported are the same for every N: of several errors it is the first in the order in which one process would explore.
(In a program whose threads start threads, some of which start only in some executions, the numbers of threads may differ.)
With `--first` it is whichever is found first. A process that is killed or runs out of memory loses nothing: another explores what
it had left. What is lost three times is left out, and the run is `incomplete` and says which part of the tree that is.

`--time`, `--memory` and `--max-executions` end a run as `incomplete`, with what was covered. With `--checkpoint FILE` a run
writes down what it has found and what is left, every `--checkpoint-interval` seconds and when it is stopped;
`heddle resume FILE` goes on, with another number of processes or on another machine if need be, and ends with the totals of
a run that was never stopped. A checkpoint is refused if it was made by another version of `heddle`, or if the program has
changed. The one before it is kept as `FILE.previous`: if the file is damaged, `heddle resume FILE` says so and goes on from there.

`heddle check --save FILE` writes down where in the tree the execution of an error is, and `heddle replay FILE` runs that execution
again, alone: the same accesses, values and order, in the program's own code. Neither the number of processes nor chance (`--sample`)
matters then. The file is refused if it was made by another `heddle`, or if the program has changed. What `check --json` prints is as good as
such a file. With `--gdb` the execution is run in gdb: [debugging.md](debugging.md).

For what is too large to finish, `--sample N` looks at N random executions, and `--estimate` says about how many there are.
)manual";

std::string commandSection(const CommandInfo& command) {
  std::string text = fmt::format("## heddle {}\n\n    heddle {} {}\n\n{}\n\n", command.name, command.name, command.usage,
                                 wrap(command.help, 0, 120));
  text += "| Option | Default | Range | Meaning |\n|---|---|---|---|\n";
  for (const OptionInfo& option : optionTable()) {
    if (option.command != command.name || option.hidden) continue;
    std::string name = left(option);
    for (std::size_t at = 0; (at = name.find('|', at)) != std::string::npos; at += 2) name.insert(at, 1, '\\');
    text += fmt::format("| `{}` | {} | {} | {} |\n", name, option.standard, rangeText(option), option.help);
  }
  return text + '\n';
}

}  // namespace

std::string helpText(const std::string& command) {
  std::string text;
  std::vector<std::pair<std::string, std::string>> rows;
  for (const CommandInfo& info : commandTable()) {
    if (command.empty()) rows.emplace_back(info.name, info.summary);
    if (info.name != command) continue;
    text += fmt::format("Usage: heddle {} {}\n\n{}\n\nOptions:\n", info.name, info.usage, wrap(info.help, 0, kWidth));
  }
  if (command.empty()) {
    text = "Usage: heddle COMMAND [OPTION]...\n\nHeddle checks concurrent programs against a weak memory model.\n\n"
           "Commands:\n";
    rows.emplace_back("--version", "print the version; with --json also LLVM's, the models and the features");
    rows.emplace_back("-h, --help", "print this, or the help of a command");
  } else {
    for (const OptionInfo& option : optionTable()) {
      if (option.command == command && !option.hidden) rows.emplace_back(left(option), withDefault(option));
    }
    rows.emplace_back("-h, --help", "Print this.");
  }
  std::size_t width = 0;
  for (const auto& [name, help] : rows) width = std::max(width, name.size());
  for (const auto& [name, help] : rows) {
    text += fmt::format("  {:<{}}  {}\n", name, width, wrap(help, width + 4, kWidth));
  }
  if (command == "check" || command == "litmus") {
    text += "\nExit codes: 0 no error found, 1 error found, 2 bad usage or input, 3 incomplete (time, memory,\n"
            "interrupted), 4 internal error.\n";
  }
  return text;
}

std::string manualText() {
  std::string text = kIntroduction;
  for (const CommandInfo& command : commandTable()) text += commandSection(command);
  text += kCheckOutput;
  for (const runtime::ErrorKind kind : runtime::errorKinds()) {
    text += fmt::format("| `{}` | {} |\n", runtime::name(kind), runtime::title(kind));
  }
  return text + kCheckJson + kOutput;
}

}  // namespace heddle::cli
