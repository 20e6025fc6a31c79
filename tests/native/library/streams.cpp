//! rc20: verified executions=1 blocked=0
// Output to the standard streams from several threads, and string streams: numbers, flags, widths.
#include <cassert>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <thread>

template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream stream;
  (stream << ... << parts);
  return stream.str();
}

int main() {
  std::thread thread([] { std::cout << "thread " << 1 << std::endl; });
  std::cout << "main " << 2.5 << '\n' << std::flush;
  std::cerr << "to the errors\n";
  thread.join();
  std::cout << std::this_thread::get_id() << " " << std::hex << 255 << std::dec << '\n';

  assert(text(1, ' ', -2L, ' ', 3u, " four ", std::string("five")) == "1 -2 3 four five");
  assert(text(true, std::boolalpha, true) == "1true");
  assert(text(std::hex, std::showbase, 255, std::uppercase, ' ', 255) == "0xff 0XFF");
  assert(text(1.5, ' ', 1e10, ' ', 0.1f) == "1.5 1e+10 0.1");
  assert(text(std::fixed, std::setprecision(2), 3.14159, std::scientific, ' ', 1.0) == "3.14 1.00e+00");
  assert(text(std::setw(5), 42, std::setw(5), std::left, 42, '|', std::setfill('0'), std::right, std::setw(4), 7) ==
         "   4242   |0007");
  assert(text(std::internal, std::setfill('.'), std::setw(6), -12) == "-...12");
  assert(text(static_cast<short>(-3), ' ', 'x', ' ', 1234567890123LL) == "-3 x 1234567890123");
  assert(text(static_cast<const void*>(nullptr)) == "0");

  std::istringstream input("12 -7 2.5 word 0x1f\nlast line\nend");
  int a, b, hexadecimal;
  double d;
  std::string word, line;
  input >> a >> b >> d >> word >> std::hex >> hexadecimal;
  assert(input && a == 12 && b == -7 && d == 2.5 && word == "word" && hexadecimal == 31);
  std::getline(input, line);
  assert(line.empty() && std::getline(input, line) && line == "last line");
  assert(input >> word && word == "end" && input.eof());
  assert(!(input >> a));
  std::stringstream both;
  both << 5 << " x";
  both >> a;
  assert(a == 5 && !(both >> b) && both.fail());
  assert(!(std::cin >> a));
}
