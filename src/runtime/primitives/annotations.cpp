// Annotations: which writes are marked.

#include "abi/heddle_kinds.h"
#include "runtime/hooks.h"
#include "runtime/on_fiber.h"

using namespace heddle;
using namespace heddle::runtime;

extern "C" {

void heddle_begin_marking(std::uint32_t marks) {
  Marking& marking = running().ownContext().marking;
  if (!marking.isOn()) marking.found = 0;
  if ((marks & heddle_mark_local) != 0) ++marking.local;
  if ((marks & heddle_mark_final) != 0) ++marking.final;
}

void heddle_end_marking(std::uint32_t marks) {
  Marking& marking = running().ownContext().marking;
  if ((marks & heddle_mark_local) != 0 && marking.local != 0) --marking.local;
  if ((marks & heddle_mark_final) != 0 && marking.final != 0) --marking.final;
  if (marking.isOn() || marks == 0) return;
  if (std::exchange(marking.found, 0) != 0) return;
  program().recorder().stop();
  program().findings().warn("no atomic write is in the annotation, so there is nothing to check", running().place(0));
}

void heddle_spin_start_hook() {}
void heddle_spin_end_hook(int) {}

}  // extern "C"
