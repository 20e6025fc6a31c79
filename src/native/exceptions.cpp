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

#include <cxxabi.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <typeinfo>

#include "native/fiber.h"
#include "native/native_program.h"

namespace heddle::native {

namespace {

// The Itanium ABI puts a header before the object; libstdc++'s is this long, for dependent exceptions too.
constexpr std::size_t kHeaderBytes = 128;
constexpr std::size_t kDependentBytes = 112;

NativeProgram* onFiber() {
  NativeProgram* const program = NativeProgram::current();
  if (!program || !program->isRunning()) return nullptr;
  program->doMore();
  return program;
}

void* allocate(std::size_t size, bool primary) {
  NativeProgram* const program = onFiber();
  void* const memory = program ? program->allocateException(size, primary) : std::malloc(size);
  if (memory == nullptr) std::terminate();
  std::memset(memory, 0, size);
  return memory;
}

void release(void* block) {
  const auto address = reinterpret_cast<Address>(block);
  if (memory::isProgramMemory(address)) {
    if (NativeProgram* const program = onFiber()) {
      program->free(address, memory::AllocationKind::malloc, program->place(0));
    }
  } else if (!isOnAnyStack(address)) {
    std::free(block);
  } else if (NativeProgram* const program = onFiber()) {
    program->freeException(block);
  }
}

// The header of an exception is about to be written.
void logHeader(const void* object) {
  const Address header = reinterpret_cast<Address>(object) - kHeaderBytes;
  if (!memory::isProgramMemory(header)) return;
  if (NativeProgram* const program = onFiber()) program->plainMemory().write(header, kHeaderBytes, program->place(0));
}

// Of the exception that is being handled. The runtime's list points behind the first member of the header.
void logCaughtHeader() {
  constexpr std::size_t kFirstMember = 16;
  const auto* const globals = reinterpret_cast<const ExceptionState*>(abi::__cxa_get_globals());
  if (globals->caught) logHeader(static_cast<const std::byte*>(globals->caught) - kFirstMember + kHeaderBytes);
}

}  // namespace

void* NativeProgram::allocateException(std::size_t size, bool primary) {
  if (primary && entry_.sharedExceptions) {
    const Address address = memory_.allocate(size, 16, memory::AllocationKind::malloc, place(0), 0);
    if (address != 0) memory_.write(address, size, place(0));
    return reinterpret_cast<void*>(address);
  }
  Context& context = threads_[self_].context;
  const std::size_t rounded = (size + 15) & ~std::size_t{15};
  if (context.arena + rounded > kArenaBytes) fail(ErrorKind::unsupported, "too many exceptions in flight", 0);
  void* const memory = reinterpret_cast<void*>(stackTop(self_) + context.arena);
  context.arena += static_cast<std::uint32_t>(rounded);
  ++context.arenaBlocks;
  return memory;
}

// An exception may be freed by another thread than the one that threw it (std::exception_ptr); then it stays where it
// is.
void NativeProgram::freeException(void* address) {
  Context& context = threads_[self_].context;
  if (!isOnStack(self_, reinterpret_cast<Address>(address))) return;
  if (--context.arenaBlocks == 0) context.arena = 0;
}

}  // namespace heddle::native

extern "C" {

void* __cxa_allocate_exception(std::size_t size) noexcept {
  using namespace heddle::native;
  return static_cast<std::byte*>(allocate(size + kHeaderBytes, true)) + kHeaderBytes;
}

void __cxa_free_exception(void* object) noexcept {
  using namespace heddle::native;
  release(static_cast<std::byte*>(object) - kHeaderBytes);
}

void* __cxa_allocate_dependent_exception() noexcept {
  return heddle::native::allocate(heddle::native::kDependentBytes, false);
}

void __cxa_free_dependent_exception(void* object) noexcept { heddle::native::release(object); }


// What a program calls in place of the host's functions of the same names.

void* heddle_begin_catch(void* unwindHeader) noexcept {
  constexpr std::size_t kUnwindHeaderBytes = 32;  // the end of the header
  heddle::native::logHeader(static_cast<std::byte*>(unwindHeader) + kUnwindHeaderBytes);
  return abi::__cxa_begin_catch(unwindHeader);
}

void heddle_end_catch() {
  heddle::native::logCaughtHeader();
  abi::__cxa_end_catch();
}

void heddle_throw(void* object, std::type_info* type, void (*destroy)(void*)) {
  heddle::native::logHeader(object);
  abi::__cxa_throw(object, type, destroy);
}

void heddle_rethrow() {
  heddle::native::logCaughtHeader();
  abi::__cxa_rethrow();
}

// The object that is being handled, or null; and throwing such an object again, in any thread.
void* heddle_current_exception() {
  const std::exception_ptr current = std::current_exception();
  void* object = nullptr;
  std::memcpy(&object, &current, sizeof object);
  return object;
}

void heddle_rethrow_exception(void* object) {
  std::exception_ptr pointer;
  std::memcpy(static_cast<void*>(&pointer), &object, sizeof object);
  std::rethrow_exception(pointer);
}

}
