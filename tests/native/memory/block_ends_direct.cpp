//! rc20: error=dead-frame line=@use
//! sc: error=dead-frame line=@use flags="--races off"
// The variable's end is noticed, too, where the compiler knows that the pointer is its address.
int* kept;

int main() {
  int* p = nullptr;
  {
    int x = 3;
    p = &x;
    kept = &x;
  }
  return *p;  // @use
}
