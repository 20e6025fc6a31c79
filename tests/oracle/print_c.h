// Random programs as C and C++ files, for `heddle check`.
//
// The statements of a thread are already C (random_program.h): atomic_load_explicit and its like are functions of C11
// and of C++ alike. What a .litmus file has besides (lock, spawn, assume, ...) are macros in front: pthreads in C,
// std::mutex and std::thread in C++. Locations are globals. Main starts the threads that run from the start, and ends.
//
// Besides, the programs use plain memory, in ways that have nothing to do with what they do otherwise: a thread notes
// every value it reads in a global, in memory on the heap and in a sum on its stack, and compares them at its end; a
// mutex guards a variable; a thread that is joined has left a mark. None of this is an event or a race, and if plain
// memory is ever out of step with the stacks, an assertion fails that the litmus test does not have.
//
// Compiling costs far more than exploring a small program, so a file holds many: main runs the one whose number is its
// first argument.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>

#include "random_program.h"

namespace heddle::oracle {

enum class Language { c, cpp };

// The program without what means something else in C than in a litmus test: fences with relaxed order, which compilers
// drop, and locks of a mutex that the thread may hold already, or attempts at one.
RandomProgram forNative(RandomProgram program);

// And with relaxed accesses in place of plain ones, which are errors in C if they race.
RandomProgram withoutPlain(RandomProgram program);

// And without values and addresses that come from whether a trylock succeeded: in C its result comes from a branch, so nothing depends
// on it in that way.
RandomProgram withoutResultsOfAttempts(RandomProgram program);

// A file with these programs. If some thread takes a lock for reading, mutexes are read-write locks; `partedLocks`:
// and nothing is there, besides what the programs do, that keeps them from having parts
// (native/library/pthread_rwlock.cpp).
std::string toNative(std::span<const RandomProgram> programs, Language language, bool partedLocks = false);

// Where the locations are: variables, or members of one struct that has got its initial values by assignment, by copies onto
// itself, or by copies through the heap and functions. The last three in C only.
enum class Layout { globals, assigned, moved, passed };

struct OutcomeText {
  Layout layout = Layout::globals;
  bool reversed = false;  // threads are started in the opposite order
  bool operator==(const OutcomeText&) const = default;
};

// A file whose main runs the program with the number that is its first argument, waits for its threads, and prints its outcome:
// what each thread has read, as a checksum, and the final values, those of a copy if they are in a struct. With a second
// argument it accesses memory of its own in different sizes first. All threads must be initial ones.
// Natively, that is with HOST defined, the second argument says how often the program is run.
std::string toOutcomes(std::span<const RandomProgram> programs, Language language, const OutcomeText& text = {});

// The name of a location or mutex of the program with this number in such a file, from its name in the .litmus file.
std::string nativeName(std::size_t program, const std::string& name);

// The lines of a C file on which threads are started, and which thread of its program each one starts.
std::map<unsigned, unsigned> spawnLines(const std::string& file);

// In C++ the call that starts a thread is deep in the library; there a thread begins with a store to a variable of its
// own. The thread whose variable this is.
std::optional<unsigned> markedThread(const std::string& variable);

}  // namespace heddle::oracle
