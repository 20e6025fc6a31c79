//! rc20: error=uncaught-exception|abort
//! rc20: verified executions=1 flags="-- -DINSIDE"
// A destructor lets an exception out while another one is on its way. INSIDE: it catches its own.
struct Careless {
  ~Careless() noexcept(false) {
#ifdef INSIDE
    try {
      throw 2;
    } catch (int) {
    }
#else
    throw 2;
#endif
  }
};

int main() {
  try {
    Careless careless;
    throw 1;
  } catch (int number) {
    return number == 2;
  }
}
