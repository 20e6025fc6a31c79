#include "native/build_program.h"

#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <chrono>
#include <cstdarg>
#include <filesystem>

#include "native/compile/compile.h"
#include "native/compile/link.h"
#include "native/instrument/globals.h"
#include "native/instrument/host_functions.h"
#include "native/instrument_program.h"
#include "native/jit/jit.h"
#include "native/library/primitives.h"
#include "runtime/hooks.h"
#include "util/fingerprint.h"

namespace heddle::native {

namespace {

// Runs a step and notes how long it took.
template <typename Step>
auto timed(std::vector<StepTime>& timing, const char* name, Step step) {
  const auto start = std::chrono::steady_clock::now();
  const auto note = [&] {
    timing.push_back({name, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()});
  };
  if constexpr (std::is_void_v<decltype(step())>) {
    step();
    note();
  } else {
    auto result = step();
    note();
    return result;
  }
}

// What the library models and the runtime itself may do, besides the atomic operations of the code.
constexpr unsigned kWakeupsInARow = 2;

void addRuntimeOperations(const llvm::Module& module, std::vector<Operation>& operations) {
  if (module.getFunction("heddle_take")) operations.push_back(Operation::take(0, LockOp::join));
  if (module.getFunction("heddle_leave_reading"))
    operations.push_back(Operation::leaveReading(0));
  operations.push_back(Operation::take(0, LockOp::hold));
  operations.push_back(Operation::unlock(0));
  operations.push_back(Operation::tryTake(0, LockOp::hold));
  operations.push_back(Operation::store(0, 4, Order::plain, 0));
}

std::string identityOf(const llvm::Module& module) {
  std::string bitcode;
  llvm::raw_string_ostream out(bitcode);
  llvm::WriteBitcodeToFile(module, out);
  return util::fingerprint(bitcode);
}

}  // namespace

Build::Build(const BuildOptions& options, memory::Memory& memory) {
  if (!options.files.empty()) name_ = std::filesystem::path(options.files.front()).stem().string();
  CompiledProgram program = timed(timing_, "compile", [&] { return compile(options); });
  timed(timing_, "link", [&] {
    declareStart(*program.module);
    linkLibrary(*program.module);
  });
  info_ = timed(timing_, "instrument", [&] { return instrument(*program.module, options); });
  addRuntimeOperations(*program.module, info_.operations);
  info_.notifiesOne = program.module->getFunction("heddle_notify_one") != nullptr;
  if (options.identity) identity_ = identityOf(*program.module);
  const auto allowed = [&](const std::string& name) {
    return isHostSymbol(name) || std::find(options.pure.begin(), options.pure.end(), name) != options.pure.end();
  };
  const JitOptions jit{.host = runtimeSymbols(), .allowed = allowed, .keep = {}};
  jit_ = std::make_unique<Jit>(std::move(program.context), std::move(program.module), jit);
  timing_.push_back({"optimise", jit_->times().optimisation});
  timing_.push_back({"generate code", jit_->times().codeGeneration + jit_->times().linking});
  if (void* const wakeups = jit_->address("heddle_spurious_wakeups")) {
    info_.wakeups = options.spuriousWakeups ? std::max(kWakeupsInARow, static_cast<unsigned>(options.unroll)) : 0;
    *static_cast<int*>(wakeups) = static_cast<int>(info_.wakeups);
  }
  for (const std::uint32_t index : info_.globals) {
    const Variable& variable = info_.variables[index];
    if (void* const address = jit_->address(variable.symbol)) {
      memory.defineGlobal(reinterpret_cast<Address>(address), variable.size, variable.constant, index);
    }
  }
}

Build::~Build() = default;

NativeProgram::Entry Build::entry(const std::vector<std::string>& arguments) const {
  NativeProgram::Entry entry{
      .start = reinterpret_cast<void (*)(int, char**, char**)>(jit_->address(kStartSymbol)),
      .arguments = {name_},
      .tlsImage = info_.tlsImageSymbol.empty() ? nullptr : jit_->address(info_.tlsImageSymbol),
      .sharedExceptions = jit_->address("heddle_shared_exceptions") != nullptr,
  };
  entry.arguments.insert(entry.arguments.end(), arguments.begin(), arguments.end());
  return entry;
}

extern "C" {
void* heddle_begin_catch(void*) noexcept;
void* heddle_end_catch();
void heddle_throw(void*, std::type_info*, void (*)(void*));
void heddle_rethrow();
}

extern "C" int heddle_format(char* buffer, std::size_t size, const char* format, std::va_list arguments);

const std::unordered_map<std::string, void*>& runtimeSymbols() {
#define SYMBOL(name) {#name, reinterpret_cast<void*>(&name)}
  static const std::unordered_map<std::string, void*> kSymbols = {
      SYMBOL(heddle_epoch),
      SYMBOL(heddle_tls),
      SYMBOL(heddle_call_source),
      SYMBOL(heddle_heap_type),
      SYMBOL(heddle_plain_read),
      SYMBOL(heddle_plain_write),
      SYMBOL(heddle_plain_update),
      SYMBOL(heddle_plain_peek),
      SYMBOL(heddle_copy),
      SYMBOL(heddle_set),
      SYMBOL(heddle_frame_push),
      SYMBOL(heddle_frame_pop),
      SYMBOL(heddle_frame_unwind),
      SYMBOL(heddle_alloca),
      SYMBOL(heddle_life_begin),
      SYMBOL(heddle_life_end),
      SYMBOL(heddle_atomic_load),
      SYMBOL(heddle_atomic_store),
      SYMBOL(heddle_atomic_rmw),
      SYMBOL(heddle_atomic_cas),
      SYMBOL(heddle_atomic_attempt),
      SYMBOL(heddle_atomic_load16),
      SYMBOL(heddle_atomic_store16),
      SYMBOL(heddle_atomic_exchange16),
      SYMBOL(heddle_atomic_cas16),
      SYMBOL(heddle_atomic_crosses),
      SYMBOL(heddle_fence),
      SYMBOL(heddle_fail),
      SYMBOL(heddle_loop_bound),
      SYMBOL(heddle_spin),
      SYMBOL(heddle_spin_on_mutex),
      SYMBOL(heddle_polls),
      SYMBOL(heddle_position),
      SYMBOL(heddle_spawn),
      SYMBOL(heddle_join),
      SYMBOL(heddle_join_rest),
      SYMBOL(heddle_detach),
      SYMBOL(heddle_self),
      SYMBOL(heddle_private),
      SYMBOL(heddle_end_thread),
      SYMBOL(heddle_end_program),
      SYMBOL(heddle_lock),
      SYMBOL(heddle_unlock),
      SYMBOL(heddle_trylock),
      SYMBOL(heddle_take),
      SYMBOL(heddle_try),
      SYMBOL(heddle_take_part),
      SYMBOL(heddle_unlock_part),
      SYMBOL(heddle_leave_reading),
      SYMBOL(heddle_wait),
      SYMBOL(heddle_site),
      SYMBOL(heddle_is_idle),
      SYMBOL(heddle_note_idle),
      SYMBOL(heddle_cut_wakeups),
      SYMBOL(heddle_arrive),
      SYMBOL(heddle_arrivals_have_order),
      SYMBOL(heddle_order_arrivals),
      SYMBOL(heddle_depart),
      SYMBOL(heddle_depart_or_never),
      SYMBOL(heddle_has_met),
      SYMBOL(heddle_wait_notified),
      SYMBOL(heddle_end_of_wait),
      SYMBOL(heddle_notify),
      SYMBOL(heddle_notify_one),
      SYMBOL(heddle_assume_hook),
      SYMBOL(heddle_choose_hook),
      SYMBOL(heddle_allocate),
      SYMBOL(heddle_free),
      SYMBOL(heddle_is_initialised),
      SYMBOL(heddle_allocation_size),
      SYMBOL(heddle_check_read),
      SYMBOL(heddle_check_write),
      SYMBOL(heddle_output),
      SYMBOL(heddle_format),
      SYMBOL(heddle_time),
      SYMBOL(heddle_set_time),
      SYMBOL(heddle_note),
      SYMBOL(heddle_noted),
      SYMBOL(heddle_fail_hook),
      SYMBOL(heddle_warn_hook),
      SYMBOL(heddle_current_exception),
      SYMBOL(heddle_rethrow_exception),
      SYMBOL(heddle_share_exception),
      SYMBOL(heddle_end_catch),
      {"__cxa_begin_catch", reinterpret_cast<void*>(&heddle_begin_catch)},
      {"__cxa_end_catch", reinterpret_cast<void*>(&heddle_end_catch)},
      {"__cxa_throw", reinterpret_cast<void*>(&heddle_throw)},
      {"__cxa_rethrow", reinterpret_cast<void*>(&heddle_rethrow)},
  };
#undef SYMBOL
  return kSymbols;
}

}  // namespace heddle::native
