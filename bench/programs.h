// The programs that the field measures itself by, as litmus texts of a given size.
//
// In each, the main thread P0 spawns the others in order, as the C programs of the literature do, so its spawns (and
// joins, where the program has them) are events too. The known numbers of executions stand beside the programs;
// tests/unit/known_counts_test.cpp checks them and bench.cpp measures them.
#pragma once

#include <string>
#include <vector>

namespace heddle::bench {

// Loads and stores.
std::string fibBench(unsigned rounds);     // 5: 525,630 executions under rc11, 218,243 under sc
std::string big0();                        // 82,472 under rc11, 69,112 under sc
std::string lastzero(unsigned writers);    // (N+3) * 2^(N-2)
std::string readers(unsigned readers);     // 2^N
std::string sigma(unsigned rounds);        // 1 * 3 * 5 * ... * (2N-1)
std::string nwritesLoc(unsigned writers);  // N! (co), 1 (rf)
std::string rww();                         // R+W+W: 6 (co), 3 (rf)
std::string wwrr();                        // W+W+RR: 4
std::string expMem2(unsigned threads);     // (N! * (N+2))^2

// Read-modify-writes.
std::string ainc(unsigned threads);     // N!
std::string binc(unsigned threads);     // (N!)^2
std::string cinc(unsigned threads);     // (N!)^3
std::string casrot(unsigned threads);   // 10: 38,486
std::string casw(unsigned threads);     // 5: 32,880
std::string indexer(unsigned threads);  // 1 up to 11, then 8^(N-11)
std::string lockinc(unsigned threads);  // N!
std::string expMem(unsigned threads);   // 2 * N!

// Mixed sizes. Linux's lockref: a 4-byte lock and a 4-byte count in one 8-byte word. The first thread takes the lock
// and releases it, the others get a reference: by compare-exchange of the whole word as long as the lock is free,
// otherwise with the lock. 5, 84, 4,776 and 829,824 executions for 2 to 5 threads.
std::string lockref(unsigned threads);

// About `events` events, most of them private to a thread, in front of a small racy core: the number of executions
// does not depend on the size, so neither should the time of one.
std::string longRun(unsigned events);

// A family of programs by its name in the literature.
struct Family {
  std::string name;
  std::string (*text)(unsigned);
  bool sized;  // or the argument is ignored
};
const std::vector<Family>& families();

// "fib_bench(5)" or "big0". Throws std::invalid_argument for what is not there.
std::string programText(const std::string& name);

}  // namespace heddle::bench
