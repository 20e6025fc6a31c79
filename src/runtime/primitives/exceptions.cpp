// Exceptions of the checked program.
//
// Throwing and catching is done by the host's C++ runtime, on the fiber. It allocates exceptions through the functions
// below, which take their place in the whole process: on a fiber an exception lies in the arena beside the stack
// (fiber.h), so that marks copy it, header and all; elsewhere it comes from the heap as usual. The arena is a stack of
// blocks that is emptied when the last of them is freed.
//
// A program that uses std::exception_ptr may hand an exception to another thread, which must not look into the first
// one's arena. All exceptions of such a program (library/cxx_exception_ptr.cpp says that it is one) are in program
// memory, in the heap of the thread that throws. The host's runtime writes their headers; the functions below log a
// header before it does. Dependent exceptions, by which an exception_ptr is thrown again, belong to one thread and
// stay in the arena.
//
// Who owns such an exception the library model counts, in a word of its own before the header. What the host's runtime counts is
// put back each time to a number that it never counts down to nothing (kShared), as nobody logs it.
//
//     | owners, unused: 16 | header: 128, the host's count first | object |

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>
#include <utility>

#include "runtime/fiber.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

namespace heddle::runtime {

namespace {

// The Itanium ABI puts a header before the object; libstdc++'s is this long, for dependent exceptions too.
constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kDependentBytes = 112;
constexpr std::size_t kOwnersBytes = 16;  // library/cxx_exception_ptr.cpp
constexpr int kShared = 1 << 20;

// What follows the count in a header, and what a dependent exception has in the same places.
struct Header {
  void* typeOrPrimary;
  void (*destroy)(void*);
  void* unexpected;
  void* terminate;
  Header* next;
  int handlers;  // negative: it is being thrown again
  int switchValue;
  const void *action, *languageData;
  std::uintptr_t catchTemporary;
  void* adjusted;
  alignas(16) std::uint64_t exceptionClass;

  bool isDependent() const { return (exceptionClass & 0xff) != 0; }
};
constexpr std::size_t kCountBytes = 16;
static_assert(offsetof(Header, exceptionClass) == 80);

int& countOf(void* object) { return *reinterpret_cast<int*>(static_cast<std::byte*>(object) - kHeaderBytes); }

NativeProgram* onFiber() {
  NativeProgram* const program = NativeProgram::current();
  if (!program || !program->running().isRunning()) return nullptr;
  program->recorder().stop();
  return program;
}

void* allocateOnFiber(NativeProgram& program, std::size_t size, bool primary) {
  RunningThread& running = program.running();
  if (primary && program.entry().sharedExceptions) {
    memory::Memory& memory = program.plainMemory();
    const std::uint32_t place = running.place(0);
    const Address address = memory.allocate(kOwnersBytes + size, 16, memory::AllocationKind::malloc, place, 0);
    if (address == 0) return nullptr;
    memory.write(address, kOwnersBytes + size, place);
    std::memset(reinterpret_cast<void*>(address), 0, kOwnersBytes);
    return reinterpret_cast<void*>(address + kOwnersBytes);
  }
  Context& context = running.ownContext();
  const std::size_t rounded = (size + 15) & ~std::size_t{15};
  if (context.arena + rounded > kArenaBytes) running.fail(ErrorKind::unsupported, "too many exceptions in flight", 0);
  void* const block = reinterpret_cast<void*>(stackTop(running.self()) + context.arena);
  context.arena += static_cast<std::uint32_t>(rounded);
  ++context.arenaBlocks;
  return block;
}

// An exception may be freed by another thread than the one that threw it (std::exception_ptr); then it stays where it
// is.
void freeInArena(RunningThread& running, const void* address) {
  Context& context = running.ownContext();
  if (!isOnStack(running.self(), addressOf(address))) return;
  if (--context.arenaBlocks == 0) context.arena = 0;
}

void* allocate(std::size_t size, bool primary) {
  NativeProgram* const program = onFiber();
  void* const memory = program ? allocateOnFiber(*program, size, primary) : std::malloc(size);
  if (memory == nullptr) std::terminate();
  std::memset(memory, 0, size);
  return memory;
}

void release(void* block) {
  const auto address = reinterpret_cast<Address>(block);
  if (memory::isProgramMemory(address)) {
    if (NativeProgram* const program = onFiber()) {
      program->lives().free(address - kOwnersBytes, memory::AllocationKind::malloc, program->running().place(0));
    }
  } else if (!isOnAnyStack(address)) {
    std::free(block);
  } else if (NativeProgram* const program = onFiber()) {
    freeInArena(program->running(), block);
  }
}

// The header of an exception is about to be written.
void logHeader(const void* object) {
  const Address header = reinterpret_cast<Address>(object) - kHeaderBytes;
  if (!memory::isProgramMemory(header)) return;
  if (NativeProgram* const program = onFiber()) program->plainMemory().write(header, kHeaderBytes, program->running().place(0));
}

// Of the exception that is being handled.
const Header* caughtHeader() {
  return static_cast<const Header*>(reinterpret_cast<const ExceptionState*>(abi::__cxa_get_globals())->caught);
}

void* objectOf(const Header* header) {
  if (header->isDependent()) return header->typeOrPrimary;
  return reinterpret_cast<std::byte*>(const_cast<Header*>(header)) - kCountBytes + kHeaderBytes;
}

// Does an exception_ptr own it?
bool isShared(void* object) {
  return memory::isProgramMemory(reinterpret_cast<Address>(object)) && countOf(object) >= kShared / 2;
}

void logCaughtHeader() {
  const Header* const caught = caughtHeader();
  if (caught && !caught->isDependent()) logHeader(objectOf(caught));
}

}  // namespace

}  // namespace heddle::runtime

extern "C" {

void* __cxa_allocate_exception(std::size_t size) noexcept {
  using namespace heddle::runtime;
  return static_cast<std::byte*>(allocate(size + kHeaderBytes, true)) + kHeaderBytes;
}

void __cxa_free_exception(void* object) noexcept {
  using namespace heddle::runtime;
  release(static_cast<std::byte*>(object) - kHeaderBytes);
}

void* __cxa_allocate_dependent_exception() noexcept {
  return heddle::runtime::allocate(heddle::runtime::kDependentBytes, false);
}

void __cxa_free_dependent_exception(void* object) noexcept { heddle::runtime::release(object); }

// What a program calls in place of the host's functions of the same names.

void* heddle_begin_catch(void* unwindHeader) {
  constexpr std::size_t kUnwindHeaderBytes = 32;  // the end of the header
  heddle::runtime::logHeader(static_cast<std::byte*>(unwindHeader) + kUnwindHeaderBytes);
  return abi::__cxa_begin_catch(unwindHeader);
}

// The exception that is handled no more, if somebody else may own it; otherwise it is gone, or thrown again.
void* heddle_end_catch() {
  using namespace heddle::runtime;
  logCaughtHeader();
  const Header* const caught = caughtHeader();
  void* const object = caught && isShared(objectOf(caught)) ? objectOf(caught) : nullptr;
  const bool ends = object && caught->handlers == 1;
  abi::__cxa_end_catch();
  if (object) countOf(object) = kShared;
  return ends ? object : nullptr;
}

void heddle_throw(void* object, void* type, void (*destroy)(void*)) {
  heddle_check_callee(reinterpret_cast<const void*>(destroy), 0);
  heddle::runtime::logHeader(object);
  abi::__cxa_throw(object, static_cast<std::type_info*>(type), destroy);
}

void heddle_rethrow() {
  heddle::runtime::logCaughtHeader();
  abi::__cxa_rethrow();
}

// An exception_ptr owns it from now on: for how many others the host's runtime has counted so far, -1 if one does already.
int heddle_share_exception(void* object, int shared) {
  using namespace heddle::runtime;
  if (isShared(object)) return -1;
  logHeader(object);
  return std::exchange(countOf(object), shared);
}

// The object that is being handled, or null; and throwing such an object again, in any thread.
void* heddle_current_exception() {
  const std::exception_ptr current = std::current_exception();
  void* object = nullptr;
  std::memcpy(&object, &current, sizeof object);
  return object;
}

void heddle_rethrow_exception(void* object) {
  heddle::runtime::countOf(object) = heddle::runtime::kShared;
  std::exception_ptr pointer;
  std::memcpy(static_cast<void*>(&pointer), &object, sizeof object);
  std::rethrow_exception(pointer);
}
}
