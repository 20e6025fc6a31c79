#include "model/supplied_files.h"

namespace heddle::model {

namespace {

struct File {
  std::string_view name, text;
};

constexpr File kFiles[] = {
    // The exploration generates rf and co itself, and knows fences, po-loc, rfe and the like.
    {"cos.cat", ""},
    {"cos-opt.cat", ""},
    {"cos-no-opt.cat", ""},
    {"cross.cat", ""},
    {"stdlib.cat", ""},
    {"fences.cat", ""},
    {"basic.cat", ""},
    {"c11_cos.cat", ""},
    {"riscvfences.cat", ""},
    // Tests of C11 have no mutexes there. (Such a test under the kernel's model has locks of the kernel.)
    {"c11_los.cat", "let lo = 0\nlet LK = emptyset\nlet LS = emptyset\nlet UL = emptyset\n"},

    // Of this one there remains what the lock's events are. Some tools know the sections of RCU without a .bell file.
    {"lock.cat", R"(
let LF = LF | RL
let Release = Release | UL
let Acquire = Acquire | LKR
let rcu-rscs = try rcu-rscs with (
  let rec unmatched-locks = Rcu-lock \ domain(matched)
      and unmatched-unlocks = Rcu-unlock \ range(matched)
      and unmatched-po = [unmatched-locks | unmatched-unlocks] ; po ; [unmatched-locks | unmatched-unlocks]
      and matched = matched | (([unmatched-locks] ; po ; [unmatched-unlocks]) \ (unmatched-po ; unmatched-po))
  in matched)
)"},

    {"aarch64fences.cat", R"(
let DMB.SY = F & (REL | ACQ_REL | SC) | Fence.rw.rw | T
let DMB.LD = F & ACQ | Fence.r.rw
let DMB.ST = Fence.w.w
let DMB.ISH = emptyset
let DMB.ISHLD = emptyset
let DMB.ISHST = emptyset
let DMB.OSH = emptyset
let DMB.OSHLD = emptyset
let DMB.OSHST = emptyset
let DMB.NSH = emptyset
let DSB.SY = emptyset
let DSB.LD = emptyset
let DSB.ST = emptyset
let DSB.ISH = emptyset
let DSB.ISHLD = emptyset
let DSB.ISHST = emptyset
let DSB.OSH = emptyset
let DSB.OSHLD = emptyset
let DSB.OSHST = emptyset
let DSB.NSH = emptyset
let ISB = F & RLX | Fence.i
let NoRet = R & RMW & NA
let A = R & (SC | RMW & (ACQ | ACQ_REL))
let Q = R & ACQ & ~RMW
let L = W & (REL | ACQ_REL | SC)
let amo = [R & RMW & SC] ; rmw ; [W & RMW & ACQ_REL]
)"},

    {"ppcfences.cat", R"(
let SYNC = F & SC | Fence.rw.rw | T
let LWSYNC = F & (ACQ | REL | ACQ_REL) | Fence.tso
let EIEIO = Fence.w.w
let ISYNC = F & RLX | Fence.i
let sync = fencerel(SYNC)
let lwsync = fencerel(LWSYNC)
let eieio = fencerel(EIEIO)
let isync = fencerel(ISYNC)
let ctrlisync = ctrlcfence(ISYNC)
)"},

    {"x86fences.cat", R"(
let MFENCE = F & SC | T
let mfence = fencerel(MFENCE)
let lfence = 0
let sfence = 0
)"},

    // Accesses of locked instructions, and pairs by what they are.
    {"filters.cat", R"(
let A = RMW
let P = M \ A
let WW(r) = r & (W * W)
let WR(r) = r & (W * R)
let RW(r) = r & (R * W)
let RR(r) = r & (R * R)
let RM(r) = r & (R * M)
let MR(r) = r & (M * R)
let WM(r) = r & (W * M)
let MW(r) = r & (M * W)
let MM(r) = r & (M * M)
let AA(r) = r & (A * A)
let AP(r) = r & (A * P)
let PA(r) = r & (P * A)
let PP(r) = r & (P * P)
let AM(r) = r & (A * M)
let MA(r) = r & (M * A)
let noid(r) = r \ id
let atom = [A]
)"},
};

}  // namespace

std::optional<std::string> suppliedFile(std::string_view name) {
  for (const File& file : kFiles) {
    if (file.name == name) return std::string(file.text);
  }
  return std::nullopt;
}

}  // namespace heddle::model
