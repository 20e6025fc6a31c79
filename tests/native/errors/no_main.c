//! rc20: rejected text="main"
// A file without main is no program.
int helper(int number) {
  return number + 1;
}
