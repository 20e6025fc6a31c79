"""How the accesses, fences and dependencies of a thread are written in each machine's assembly."""


class AArch64:
    name, fences, acquires = "AArch64", ("dmb.sy", "dmb.ld", "dmb.st", "isb"), ("A", "Q")
    branch_fence, atomics, first_register = "isb", ("swap", "pair"), 1

    def register(self, r):
        return f"X{r}"

    def constant(self, r, value):
        return f"MOV W{r},#{value}"

    def nothing(self, r, source):
        return f"EOR W{r},W{source},W{source}"

    def add_constant(self, r, value):
        return f"ADD W{r},W{r},#{value}"

    def add_address(self, r, base, index):
        return f"ADD X{r},X{base},W{index},SXTW"

    def branch(self, source, label):
        return [f"CBNZ W{source},{label}", f"{label}:"]

    def fence(self, name):
        return name.upper().replace(".", " ")

    def load(self, r, address, event):
        return f"{ {'': 'LDR', 'A': 'LDAR', 'Q': 'LDAPR'}[event.acquire]} W{r},[X{address}]"

    def store(self, r, address, event):
        return f"{'STLR' if event.release else 'STR'} W{r},[X{address}]"

    def swap(self, old, r, address, acquires, releases):
        return f"SWP{'A' * acquires}{'L' * releases} W{r},W{old},[X{address}]"

    def pair(self, old, r, status, address, acquires, releases, label):
        return [f"LD{'A' * acquires}XR W{old},[X{address}]", f"ST{'L' * releases}XR W{status},W{r},[X{address}]"]


class RiscV:
    name, acquires, branch_fence = "RISCV", ("A",), "fence.i"
    fences = tuple(f"fence.{a}.{b}" for a in ("r", "w", "rw") for b in ("r", "w", "rw")) + ("fence.tso",)
    atomics, first_register = ("swap", "pair"), 5

    def register(self, r):
        return f"x{r}"

    def constant(self, r, value):
        return f"ori x{r},x0,{value}"

    def nothing(self, r, source):
        return f"xor x{r},x{source},x{source}"

    def add_constant(self, r, value):
        return f"ori x{r},x{r},{value}"

    def add_address(self, r, base, index):
        return f"add x{r},x{base},x{index}"

    def branch(self, source, label):
        return [f"bne x{source},x0,{label}", f"{label}:"]

    def fence(self, name):
        return name if name in ("fence.tso", "fence.i") else "fence {1},{2}".format(*name.split("."))

    def order(self, acquires, releases):
        return ".aq" * acquires + ".rl" * releases

    def load(self, r, address, event):
        return f"lw{self.order(event.acquire != '', event.release)} x{r},0(x{address})"

    def store(self, r, address, event):
        return f"sw{self.order(False, event.release)} x{r},0(x{address})"

    def swap(self, old, r, address, acquires, releases):
        return f"amoswap.w{self.order(acquires, releases)} x{old},x{r},(x{address})"

    def pair(self, old, r, status, address, acquires, releases, label):
        return [f"lr.w{self.order(acquires, False)} x{old},0(x{address})",
                f"sc.w{self.order(False, releases)} x{status},x{r},0(x{address})"]


class Power:
    name, fences, acquires = "PPC", ("sync", "lwsync", "eieio", "isync"), ()
    branch_fence, atomics, first_register = "isync", ("pair",), 1

    def register(self, r):
        return f"r{r}"

    def constant(self, r, value):
        return f"li r{r},{value}"

    def nothing(self, r, source):
        return f"xor r{r},r{source},r{source}"

    def add_constant(self, r, value):
        return f"addi r{r},r{r},{value}"

    def add_address(self, r, base, index):
        return f"add r{r},r{base},r{index}"

    def branch(self, source, label):
        return [f"cmpw r{source},r{source}", f"beq  {label}", f"{label}:"]

    def fence(self, name):
        return name

    def load(self, r, address, event):
        return f"lwz r{r},0(r{address})"

    def store(self, r, address, event):
        return f"stw r{r},0(r{address})"

    def pair(self, old, r, status, address, acquires, releases, label):
        return [f"{label}:", f"lwarx r{old},r0,r{address}", f"stwcx. r{r},r0,r{address}", f"bne  {label}"]


DIALECTS = {dialect.name: dialect for dialect in (AArch64(), RiscV(), Power())}
